// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <math.h> for sources compiled at run time: what clang knows by name, and long double left out.
#ifndef TENON_RTC_MATH_H
#define TENON_RTC_MATH_H

#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#ifdef __cplusplus
extern "C" {
#define TN_RTC_NOEXCEPT noexcept
#else
#define TN_RTC_NOEXCEPT
#endif

typedef float float_t;
typedef double double_t;

#define TN_RTC_MATH(name)              \
  double name(double) TN_RTC_NOEXCEPT; \
  float name##f(float) TN_RTC_NOEXCEPT;
TN_RTC_MATH(acos)
TN_RTC_MATH(asin)
TN_RTC_MATH(atan)
TN_RTC_MATH(cos)
TN_RTC_MATH(sin)
TN_RTC_MATH(tan)
TN_RTC_MATH(cosh)
TN_RTC_MATH(sinh)
TN_RTC_MATH(tanh)
TN_RTC_MATH(acosh)
TN_RTC_MATH(asinh)
TN_RTC_MATH(atanh)
TN_RTC_MATH(exp)
TN_RTC_MATH(exp2)
TN_RTC_MATH(expm1)
TN_RTC_MATH(log)
TN_RTC_MATH(log10)
TN_RTC_MATH(log1p)
TN_RTC_MATH(log2)
TN_RTC_MATH(logb)
TN_RTC_MATH(sqrt)
TN_RTC_MATH(cbrt)
TN_RTC_MATH(ceil)
TN_RTC_MATH(floor)
TN_RTC_MATH(trunc)
TN_RTC_MATH(round)
TN_RTC_MATH(nearbyint)
TN_RTC_MATH(rint)
TN_RTC_MATH(fabs)
TN_RTC_MATH(erf)
TN_RTC_MATH(erfc)
TN_RTC_MATH(tgamma)
TN_RTC_MATH(lgamma)
#undef TN_RTC_MATH
#define TN_RTC_MATH(name)                      \
  double name(double, double) TN_RTC_NOEXCEPT; \
  float name##f(float, float) TN_RTC_NOEXCEPT;
TN_RTC_MATH(atan2)
TN_RTC_MATH(pow)
TN_RTC_MATH(fmod)
TN_RTC_MATH(remainder)
TN_RTC_MATH(hypot)
TN_RTC_MATH(copysign)
TN_RTC_MATH(nextafter)
TN_RTC_MATH(fdim)
TN_RTC_MATH(fmax)
TN_RTC_MATH(fmin)
#undef TN_RTC_MATH
#define TN_RTC_MATH(type, name)      \
  type name(double) TN_RTC_NOEXCEPT; \
  type name##f(float) TN_RTC_NOEXCEPT;
TN_RTC_MATH(int, ilogb)
TN_RTC_MATH(long, lround)
TN_RTC_MATH(long long, llround)
TN_RTC_MATH(long, lrint)
TN_RTC_MATH(long long, llrint)
#undef TN_RTC_MATH
double fma(double, double, double) TN_RTC_NOEXCEPT;
float fmaf(float, float, float) TN_RTC_NOEXCEPT;
double ldexp(double, int) TN_RTC_NOEXCEPT;
float ldexpf(float, int) TN_RTC_NOEXCEPT;
double scalbn(double, int) TN_RTC_NOEXCEPT;
float scalbnf(float, int) TN_RTC_NOEXCEPT;
double frexp(double, int *) TN_RTC_NOEXCEPT;
float frexpf(float, int *) TN_RTC_NOEXCEPT;
double modf(double, double *) TN_RTC_NOEXCEPT;
float modff(float, float *) TN_RTC_NOEXCEPT;
#undef TN_RTC_NOEXCEPT

#ifdef __cplusplus
}  // extern "C"
#else
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#endif

#endif
