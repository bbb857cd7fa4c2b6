// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp and cbrt of double at arguments where the C library is further off than OpenCL's limits of 3
// and 2 ulp: glibc 2.36's vector exp, and its cbrt of subnormal numbers.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/ulp.hpp"

struct sample {
  double x, exp, cbrt;
};

static void judge(const char *name, double x, double got, long double exact, double limit) {
  const double error = ulps<double>(got, exact);
  if (!(error <= limit)) {
    std::printf("%s(%a): got %a, %g ulp off\n", name, x, got, error);
    ++failures;
  }
}

int main() {
  sycl::queue q;
  if (!q.get_device().has(sycl::aspect::fp64)) {
    return 0;
  }
  const double arguments[] = {-0x1.2064fd2667abcp-8,
                              0x1.1dec8cd0c4a4dp+8,
                              0x0.000000188ca17p-1022,
                              -0x0.6187d8929c3c9p-1022,
                              0x0.1a98c82bf0f43p-1022,
                              0x1p-1074,
                              -0x1.0p-1022,
                              0x1.23456789abcdfp-901,
                              0x1.fffffffffffffp-900,
                              -745.0,
                              -708.5,
                              709.5,
                              0.0,
                              -0.0,
                              HUGE_VAL,
                              -HUGE_VAL,
                              std::nan("")};
  constexpr std::size_t count = sizeof arguments / sizeof *arguments;
  constexpr std::size_t copies = 16;  // neighbors share a vector
  auto *samples = sycl::malloc_shared<sample>(count * copies, q);
  for (std::size_t i = 0; i < count * copies; ++i) {
    samples[i] = {arguments[i / copies], 0, 0};
  }
  q.parallel_for(sycl::range<1>(count * copies), [=](sycl::id<1> i) {
     samples[i].exp = sycl::exp(samples[i].x);
     samples[i].cbrt = sycl::cbrt(samples[i].x);
   }).wait();
  for (std::size_t i = 0; i < count * copies; ++i) {
    const sample &s = samples[i];
    const long double x = s.x;
    judge("exp", s.x, s.exp, std::exp(x), 3);
    judge("cbrt", s.x, s.cbrt, std::cbrt(x), 2);
    if (i % copies == 0) {
      judge("exp on the host", s.x, sycl::exp(s.x), std::exp(x), 3);
      judge("cbrt on the host", s.x, sycl::cbrt(s.x), std::cbrt(x), 2);
    }
  }
  sycl::free(samples, q);
  return failures;
}
