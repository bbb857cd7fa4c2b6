// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels compute alike whatever rounding, traps and treatment of subnormal numbers the thread has
// that submits them, and leave them to it.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -fsycl-targets=native_cpu %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/sycl.hpp>

#include <cfenv>
#include <cstring>
#include <limits>

static void check_all(sycl::queue &q, std::size_t count) {
  float *out = sycl::malloc_shared<float>(3 * count, q);
  float *in = sycl::malloc_shared<float>(3, q);
  in[0] = 1.0f, in[1] = 3.0f, in[2] = std::numeric_limits<float>::min();
  q.parallel_for(count, [=](sycl::id<1> i) {
     const float x = static_cast<float>(i[0]) - 32.0f;
     out[3 * i] = in[0] / in[1];
     out[3 * i + 1] = in[2] / in[1];
     float value = x;
     if (x > 0.0f) {
       value = sycl::sqrt(x) + 1.0f / x;
     }
     out[3 * i + 2] = value;
   }).wait();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    wrong += out[3 * i] != 0x1.555556p-2f || out[3 * i + 1] != 0x0.555556p-126f;
  }
  EXPECT(wrong == 0);
  sycl::free(in, q);
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  for (std::size_t count : {std::size_t(64), std::size_t(1) << 20}) {
    for (int rounding : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
      EXPECT(std::fesetround(rounding) == 0);
      check_all(q, count);
      EXPECT(std::fegetround() == rounding);
    }
    std::fesetround(FE_TONEAREST);
    EXPECT(feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) != -1);
    check_all(q, count);
    EXPECT((fegetexcept() & FE_DIVBYZERO) != 0);
    fedisableexcept(FE_ALL_EXCEPT);
#if defined(__x86_64__)
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040);  // subnormal numbers are zeros
    check_all(q, count);
    EXPECT((__builtin_ia32_stmxcsr() & 0x8040) == 0x8040);
    __builtin_ia32_ldmxcsr(before);
#endif
  }
  return failures;
}
