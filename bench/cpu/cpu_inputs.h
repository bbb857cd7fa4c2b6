// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and inputs of the CPU benchmarks: the same for the C and the SYCL side.
#ifndef TENON_BENCH_CPU_INPUTS_H
#define TENON_BENCH_CPU_INPUTS_H

#include <stddef.h>
#include <stdint.h>

enum {
  TRIAD_COUNT = 1 << 24,  // doubles: three arrays of 128 MiB
  BODY_COUNT = 8192,
  GEMM_SIZE = 1024,
  OPTION_COUNT = 1 << 21,
  PLATE_HEIGHT = 2048,
  PLATE_WIDTH = 2048,
  FRACTAL_HEIGHT = 1024,
  FRACTAL_WIDTH = 1024,
  FRACTAL_STEPS = 256,
  SUM_COUNT = 1 << 24,  // floats of 0 and 1: sums are exact in any order
  BYTE_COUNT = 1 << 25,
  BIN_COUNT = 256,
  SCAN_COUNT = 1 << 24,
};

static inline uint32_t random_bits(size_t index) {
  uint32_t x = (uint32_t)index * 0x9E3779B9u + 0x7F4A7C15u;
  x = (x ^ x >> 16) * 0x85EBCA6Bu;
  x = (x ^ x >> 13) * 0xC2B2AE35u;
  return x ^ x >> 16;
}

static inline float random_between(size_t index, float low, float high) {
  return low + (high - low) * ((float)(random_bits(index) >> 8) * 0x1p-24f);
}

// A sum that notices values in each other's places.
#define CHECKSUM(total, data, count)                        \
  do {                                                      \
    for (size_t i_ = 0; i_ < (size_t)(count); i_++) {       \
      (total) += (double)(data)[i_] * (double)(i_ % 7 + 1); \
    }                                                       \
  } while (0)

#define RISK_FREE 0.02f
#define VOLATILITY 0.30f
#define FRACTAL_LEFT (-2.1f)
#define FRACTAL_TOP (-1.2f)
#define FRACTAL_PIXEL (2.4f / FRACTAL_HEIGHT)
#define SOFTENING 0.01f
#define SPREADING 0.2f

#endif
