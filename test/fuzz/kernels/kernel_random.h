// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers of the kernel generator: splitmix64. One stream a kernel, so that a kernel depends
// on the seed and its index and on nothing else.
#ifndef TN_TEST_FUZZ_KERNELS_KERNEL_RANDOM_H
#define TN_TEST_FUZZ_KERNELS_KERNEL_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kernel_random {
  uint64_t state;
} kernel_random;

static inline uint64_t random_u64(kernel_random *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
static inline kernel_random random_stream(uint64_t seed, uint64_t index) {
  kernel_random mixed = {seed};
  mixed.state = random_u64(&mixed) + index;
  mixed.state = random_u64(&mixed);
  return mixed;
}
static inline uint32_t random_below(kernel_random *random, uint32_t bound) {
  return (uint32_t)(random_u64(random) >> 32) % bound;
}
// Both ends included.
static inline int random_between(kernel_random *random, int low, int high) {
  return low + (int)random_below(random, (uint32_t)(high - low + 1));
}
static inline bool random_percent(kernel_random *random, uint32_t percent) {
  return random_below(random, 100) < percent;
}

#endif
