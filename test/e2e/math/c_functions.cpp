// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C's functions of complex numbers and others of its library that device code calls on the CPU.
// GPU-SUITE: skip other devices do not have them
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
// RUN: %tenonxx -fsycl -O2 -fsycl-targets=native_cpu %s -o %t.aot && %t.aot
#include <complex.h>

#include "../headers/Inputs/expect.hpp"

#include <complex>
#include <cstdlib>
#include <cstring>

// Both sides call the same functions of the C library.
template <class Real>
static int compare(const Real *mine, const std::complex<Real> *given, const char *copied) {
  int bad = std::strcmp(copied, "kernel") != 0;
  const std::complex<Real> z(mine[0], mine[1]);
  const std::complex<Real> expected[] = {std::sqrt(z), std::exp(z), std::pow(z, z),
                                         std::tanh(z), std::conj(z), std::abs(z), std::arg(z)};
  for (int i = 0; i < 7; ++i) {
    bad += std::abs(given[i] - expected[i]) > Real(1e-5);
  }
  return bad;
}

int main() {
  sycl::queue q;
  float *of_float = sycl::malloc_shared<float>(2, q);
  double *of_double = sycl::malloc_shared<double>(2, q);
  auto *floats = sycl::malloc_shared<std::complex<float>>(7, q);
  auto *doubles = sycl::malloc_shared<std::complex<double>>(7, q);
  char *text = sycl::malloc_shared<char>(16, q);
  int *numbers = sycl::malloc_shared<int>(2, q);
  of_float[0] = of_double[0] = 0.5;
  of_float[1] = of_double[1] = -1.25;
  q.single_task([=] {
     const float _Complex a = {of_float[0], of_float[1]};
     const float _Complex of_a[] = {csqrtf(a), cexpf(a), cpowf(a, a), ctanhf(a),
                                    conjf(a),  cabsf(a), cargf(a)};
     const double _Complex b = {of_double[0], of_double[1]};
     const double _Complex of_b[] = {csqrt(b), cexp(b), cpow(b, b), ctanh(b),
                                     conj(b),  cabs(b), carg(b)};
     for (int i = 0; i < 7; ++i) {
       floats[i] = {__real__ of_a[i], __imag__ of_a[i]};
       doubles[i] = {__real__ of_b[i], __imag__ of_b[i]};
     }
     strcpy(text, "kern");
     strncpy(text + 4, "element", 2);
     text[6] = '\0';
     srand(7);
     numbers[0] = rand();
     srand(7);
     numbers[1] = rand();
   }).wait();
  EXPECT(compare(of_float, floats, text) == 0);
  EXPECT(compare(of_double, doubles, text) == 0);
  EXPECT(numbers[0] == numbers[1] && numbers[0] >= 0 && numbers[0] <= RAND_MAX);
  return failures != 0;
}
