// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments where the C library is further off than OpenCL's limits of 3, 2 and 3 ulp: glibc 2.36's
// vector exp of double, its cbrt of subnormal numbers, and its vector log10 of float.
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

static constexpr std::size_t copies = 16;  // neighbors share a vector

static void check_log10(sycl::queue &q) {
  const float arguments[] = {0x1.7ff874p-1f,   0x1.7ff8dp-1f, 0x1.4af17ap+0f, 0x1p-149f,
                             0x1.fffffep+127f, 1.0f,          0.0f,           -1.0f,
                             HUGE_VALF,        std::nanf("")};
  constexpr std::size_t count = sizeof arguments / sizeof *arguments;
  auto *values = sycl::malloc_shared<float>(count * copies, q);
  for (std::size_t i = 0; i < count * copies; ++i) {
    values[i] = arguments[i / copies];
  }
  q.parallel_for(sycl::range<1>(count * copies), [=](sycl::id<1> i) {
     values[i] = sycl::log10(values[i]);
   }).wait();
  for (std::size_t i = 0; i < count * copies; ++i) {
    for (const float got : {values[i], sycl::log10(arguments[i / copies])}) {
      const double error =
          ulps<float>(got, std::log10(static_cast<long double>(arguments[i / copies])));
      if (!(error <= 3)) {
        std::printf("log10(%a): got %a, %g ulp off\n", static_cast<double>(arguments[i / copies]),
                    static_cast<double>(got), error);
        ++failures;
      }
    }
  }
  sycl::free(values, q);
}

int main() {
  sycl::queue q;
  check_log10(q);
  if (!q.get_device().has(sycl::aspect::fp64)) {
    return failures;
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
