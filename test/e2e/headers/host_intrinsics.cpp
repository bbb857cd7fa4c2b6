// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's part may use its processor's functions: <immintrin.h> passes the device passes, with
// functions that take __bf16 in it.
// RUN: %tenonxx -fsycl %s -o %t && %t
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#include <sycl/sycl.hpp>

static float first(__bf16 value) { return static_cast<float>(value); }

static int on_host() {
#if defined(__x86_64__)
  return _mm_cvtsi128_si32(_mm_set1_epi32(7));
#else
  return 7;
#endif
}

int main() {
  sycl::queue queue;
  int *const data = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { data[0] = 35 + static_cast<int>(first(static_cast<__bf16>(0.0f))); });
  queue.wait();
  const bool is_good = data[0] + on_host() == 42;
  sycl::free(data, queue);
  return is_good ? 0 : 1;
}
