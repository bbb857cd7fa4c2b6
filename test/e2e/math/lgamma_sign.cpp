// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sign of the gamma function, as lgamma_r gives it: at both zeros, between negative integers.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
#include "Inputs/ulp.hpp"

struct gamma_case {
  double x;
  int sign;
};
static constexpr gamma_case cases[] = {{0.0, 1},  {-0.0, -1}, {1.5, 1},       {-0.25, -1},
                                     {-1.5, 1}, {-2.5, -1}, {HUGE_VAL, 1}, {-1000.5, -1}};
static constexpr std::size_t count = sizeof cases / sizeof *cases;

template <class T>
static void check(sycl::queue &q, const char *type) {
  T arguments[count];
  int signs[count];
  for (std::size_t i = 0; i < count; ++i) {
    arguments[i] = static_cast<T>(cases[i].x);
  }
  {
    sycl::buffer<T> in(arguments, count);
    sycl::buffer<int> out(signs, count);
    q.submit([&](sycl::handler &h) {
      sycl::accessor x(in, h, sycl::read_only);
      sycl::accessor sign(out, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
        int got = 0;
        static_cast<void>(sycl::lgamma_r(x[i], &got));
        sign[i] = got;
      });
    });
  }
  for (std::size_t i = 0; i < count; ++i) {
    int host = 0;
    static_cast<void>(sycl::lgamma_r(arguments[i], &host));
    if (signs[i] != cases[i].sign || host != cases[i].sign) {
      std::printf("lgamma_r(%g) of %s: sign %d, on the host %d, not %d\n", cases[i].x, type,
                  signs[i], host, cases[i].sign);
      ++failures;
    }
  }
}

int main() {
  sycl::queue q;
  check<float>(q, "float");
  if (q.get_device().has(sycl::aspect::fp64)) {
    check<double>(q, "double");
  }
  if (q.get_device().has(sycl::aspect::fp16)) {
    check<sycl::half>(q, "half");
  }
  return failures;
}
