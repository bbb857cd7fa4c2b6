// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::native near the plain functions where these are tame, sycl::half_precision within 8192 ulp
// everywhere, and the C library's functions of two results; also compiled for speed.
// RUN: %tenonxx -fsycl -O2 -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -Wno-deprecated-declarations -ffast-math -DIS_FAST %s -o %t.fast
// RUN: %t.fast
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

#define ONE(X)                            \
  X(cos, -3, 3, std::cos(x))              \
  X(sin, -3, 3, std::sin(x))              \
  X(tan, -1.4, 1.4, std::tan(x))          \
  X(exp, -80, 80, std::exp(x))            \
  X(exp2, -120, 120, std::exp2(x))        \
  X(exp10, -36, 36, std::pow(10.0, x))    \
  X(log, 1.5, 1e30, std::log(x))          \
  X(log2, 1.5, 1e30, std::log2(x))        \
  X(log10, 1.5, 1e30, std::log10(x))      \
  X(recip, 1e-30, 1e30, 1 / x)            \
  X(rsqrt, 1e-30, 1e30, 1 / std::sqrt(x)) \
  X(sqrt, 1e-30, 1e30, std::sqrt(x))
enum { COUNT = 512 };

static int failures;

static void judge(const char *what, double x, double got, double exact, double allowed) {
  if (!(std::fabs(got - exact) <= allowed)) {
    if (failures++ < 20) {
      std::printf("%s(%g): got %.9g, expected %.9g, %g allowed\n", what, x, got, exact, allowed);
    }
  }
}

// Even steps, or even steps of the exponent where the range has many.
static float sample(int i, double low, double high) {
  const double t = i / (COUNT - 1.0);
  return static_cast<float>(low > 0 && high / low > 1e6 ? low * std::pow(high / low, t)
                                                        : low + (high - low) * t);
}

static void check_one(sycl::queue &q) {
  float *x = sycl::malloc_shared<float>(COUNT, q);
  float *native = sycl::malloc_shared<float>(COUNT, q);
  float *half = sycl::malloc_shared<float>(COUNT, q);
#define CHECK(name, low, high, exact)                                                \
  for (int i = 0; i < COUNT; ++i) {                                                  \
    x[i] = sample(i, low, high);                                                     \
  }                                                                                  \
  q.parallel_for(COUNT, [=](sycl::id<1> i) {                                         \
     native[i] = sycl::native::name(x[i]);                                           \
     half[i] = sycl::half_precision::name(x[i]);                                     \
   }).wait();                                                                        \
  for (int i = 0; i < COUNT; ++i) {                                                  \
    const double each = x[i];                                                        \
    const double right = [](double x) { return exact; }(each);                       \
    judge("native::" #name, each, native[i], right, 1e-4 * std::fabs(right) + 2e-6); \
    judge("half_precision::" #name, each, half[i], right, 1e-3 * std::fabs(right));  \
  }
#define CHECK_OF(name, low, high, exact) CHECK(name, low, high, exact)
  ONE(CHECK_OF)
#ifndef IS_FAST
  // Where the hardware's approximations are not good enough.
  CHECK(log, 0.9, 1.1, std::log(x))
#endif
  sycl::free(x, q);
  sycl::free(native, q);
  sycl::free(half, q);
}

static void check_two(sycl::queue &q) {
  float *x = sycl::malloc_shared<float>(COUNT, q);
  float *quotient = sycl::malloc_shared<float>(COUNT, q);
  float *power = sycl::malloc_shared<float>(COUNT, q);
  for (int i = 0; i < COUNT; ++i) {
    x[i] = sample(i, 0.01, 100);
  }
  q.parallel_for(COUNT, [=](sycl::id<1> i) {
     quotient[i] = sycl::native::divide(x[i], x[COUNT - 1 - i]);
     power[i] = sycl::native::powr(x[i], 1.5f);
   }).wait();
  for (int i = 0; i < COUNT; ++i) {
    const double y = x[COUNT - 1 - i], right = std::pow(x[i], 1.5);
    judge("native::divide", x[i], quotient[i], x[i] / y, 1e-5 * x[i] / y);
    judge("native::powr", x[i], power[i], right, 1e-4 * right);
  }
  sycl::free(x, q);
  sycl::free(quotient, q);
  sycl::free(power, q);
}

#ifndef IS_FAST
// half_precision::powr has powr's edge cases, not those of pow: pow(1, NaN) is 1.
static void check_edges(sycl::queue &q) {
  constexpr int count = 4;
  const float nan = std::nanf("");
  const float pairs[count][2] = {{1, nan}, {1, -HUGE_VALF}, {nan, 0}, {0, 0}};
  float *power = sycl::malloc_shared<float>(2 * count, q);
  for (int i = 0; i < count; ++i) {
    power[2 * i] = pairs[i][0];
    power[2 * i + 1] = pairs[i][1];
  }
  q.parallel_for(count, [=](sycl::id<1> i) {
     power[2 * i] = sycl::half_precision::powr(power[2 * i], power[2 * i + 1]);
   }).wait();
  for (int i = 0; i < count; ++i) {
    if (!std::isnan(power[2 * i])) {
      std::printf("half_precision::powr(%g, %g): got %g, expected NaN\n",
                  static_cast<double>(pairs[i][0]), static_cast<double>(pairs[i][1]),
                  static_cast<double>(power[2 * i]));
      ++failures;
    }
  }
  sycl::free(power, q);
}
#endif

template <class T>
struct pairs {
  T sine, cosine, part, whole, mantissa;
  int exponent;
};

static pairs<float> pairs_of(float x) {
  pairs<float> p;
  sincosf(x, &p.sine, &p.cosine);
  p.part = modff(x, &p.whole);
  p.mantissa = frexpf(x, &p.exponent);
  return p;
}
static pairs<double> pairs_of(double x) {
  pairs<double> p;
  sincos(x, &p.sine, &p.cosine);
  p.part = modf(x, &p.whole);
  p.mantissa = frexp(x, &p.exponent);
  return p;
}

template <class T>
void check_pairs(sycl::queue &q) {
  pairs<T> *p = sycl::malloc_shared<pairs<T>>(COUNT, q);
  q.parallel_for(COUNT, [=](sycl::id<1> i) {
     p[i] = pairs_of((static_cast<T>(static_cast<int>(i)) - 256) / 32);
   }).wait();
  for (int i = 0; i < COUNT; ++i) {
    const double x = (i - 256) / 32.0;
    int exponent = 0;
    double whole = 0;
    const double mantissa = std::frexp(x, &exponent), part = std::modf(x, &whole);
    judge("sincos, the sine", x, p[i].sine, std::sin(x), 3e-6);
    judge("sincos, the cosine", x, p[i].cosine, std::cos(x), 3e-6);
    judge("modf, the part", x, p[i].part, part, 0);
    judge("modf, the whole", x, p[i].whole, whole, 0);
    judge("frexp, the mantissa", x, p[i].mantissa, mantissa, 0);
    judge("frexp, the exponent", x, p[i].exponent, exponent, 0);
  }
  sycl::free(p, q);
}

// sycl_ext_oneapi_native_math.
#ifndef SYCL_EXT_ONEAPI_NATIVE_MATH
#error "the feature-test macro is missing"
#endif
namespace extension = sycl::ext::oneapi::experimental::native;
template <class T>
static void check_extension(sycl::queue &q) {
  float *out = sycl::malloc_shared<float>(8, q);
  q.single_task([=] {
     out[0] = extension::tanh(T(0.5f));
     const sycl::vec<T, 4> four = extension::tanh(sycl::vec<T, 4>(-0.5f, 0.0f, 2.0f, 100.0f));
     const sycl::marray<T, 3> three = extension::tanh(sycl::marray<T, 3>(T(1.0f)));
     out[1] = four[0];
     out[2] = four[1];
     out[3] = four[2];
     out[4] = four[3];
     out[5] = three[2];
     out[6] = extension::exp2(sycl::half(-1.5f));
     out[7] = extension::exp2(sycl::vec<sycl::half, 2>(3.0f, 0.0f))[0];
   }).wait();
  const double exact[] = {std::tanh(0.5), std::tanh(-0.5), 0, std::tanh(2.0), 1,
                          std::tanh(1.0), std::exp2(-1.5), 8};
  for (int i = 0; i < 8; ++i) {
    judge("extension", i, out[i], exact[i], 2e-3);
  }
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  check_extension<float>(q);
  if (q.get_device().has(sycl::aspect::fp16)) {
    check_extension<sycl::half>(q);
  }
  check_one(q);
  check_two(q);
#ifndef IS_FAST
  check_edges(q);
#endif
  check_pairs<float>(q);
  check_pairs<double>(q);
  return failures != 0;
}
