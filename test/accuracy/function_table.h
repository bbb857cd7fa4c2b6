// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that are measured and the greatest errors, in units in the last place, that SYCL
// 2020 section 4.17 takes over from OpenCL C 3.0 section 7.4 (full profile). C and C++ read it.
#ifndef TEST_ACCURACY_FUNCTION_TABLE_H
#define TEST_ACCURACY_FUNCTION_TABLE_H

// Limits: ROUNDED is a correctly rounded result, OPEN one without a limit.
#define EXACT 0.0
#define ROUNDED 0.5
#define OPEN -1.0

// Flags of a row.
enum {
  PLAIN = 0,
  INT_RESULT = 1,  // the result is an int, which has to be exact
  ZERO_OF_ANY = 2  // zeros of both signs are right
};

// X(row, limit for float, double and half, flags, expression)
// Of x.
#define ROWS_OF_X(X)                                                                      \
  X(acos, 4, 4, 2, PLAIN, sycl::acos(x))                                                  \
  X(acosh, 4, 4, 2, PLAIN, sycl::acosh(x))                                                \
  X(acospi, 5, 5, 2, PLAIN, sycl::acospi(x))                                              \
  X(asin, 4, 4, 2, PLAIN, sycl::asin(x))                                                  \
  X(asinh, 4, 4, 2, PLAIN, sycl::asinh(x))                                                \
  X(asinpi, 5, 5, 2, PLAIN, sycl::asinpi(x))                                              \
  X(atan, 5, 5, 2, PLAIN, sycl::atan(x))                                                  \
  X(atanh, 5, 5, 2, PLAIN, sycl::atanh(x))                                                \
  X(atanpi, 5, 5, 2, PLAIN, sycl::atanpi(x))                                              \
  X(cbrt, 2, 2, 2, PLAIN, sycl::cbrt(x))                                                  \
  X(ceil, EXACT, EXACT, EXACT, PLAIN, sycl::ceil(x))                                      \
  X(cos, 4, 4, 2, PLAIN, sycl::cos(x))                                                    \
  X(cosh, 4, 4, 2, PLAIN, sycl::cosh(x))                                                  \
  X(cospi, 4, 4, 2, PLAIN, sycl::cospi(x))                                                \
  X(degrees, 2, 2, 2, PLAIN, sycl::degrees(x))                                            \
  X(erf, 16, 16, 4, PLAIN, sycl::erf(x))                                                  \
  X(erfc, 16, 16, 4, PLAIN, sycl::erfc(x))                                                \
  X(exp, 3, 3, 2, PLAIN, sycl::exp(x))                                                    \
  X(exp2, 3, 3, 2, PLAIN, sycl::exp2(x))                                                  \
  X(exp10, 3, 3, 2, PLAIN, sycl::exp10(x))                                                \
  X(expm1, 3, 3, 2, PLAIN, sycl::expm1(x))                                                \
  X(fabs, EXACT, EXACT, EXACT, PLAIN, sycl::fabs(x))                                      \
  X(floor, EXACT, EXACT, EXACT, PLAIN, sycl::floor(x))                                    \
  X(fract, ROUNDED, ROUNDED, ROUNDED, PLAIN, sycl::fract(x, &out))                        \
  X(fract_whole, EXACT, EXACT, EXACT, PLAIN, (sycl::fract(x, &out), out))                 \
  X(frexp, EXACT, EXACT, EXACT, PLAIN, sycl::frexp(x, &number))                           \
  X(frexp_exponent, EXACT, EXACT, EXACT, INT_RESULT, (sycl::frexp(x, &number), number))   \
  X(ilogb, EXACT, EXACT, EXACT, INT_RESULT, sycl::ilogb(x))                               \
  X(length, 3.25, 6.5, 0.75, PLAIN, sycl::length(x))                                      \
  X(lgamma, OPEN, OPEN, OPEN, PLAIN, sycl::lgamma(x))                                     \
  X(lgamma_r, OPEN, OPEN, OPEN, PLAIN, sycl::lgamma_r(x, &number))                        \
  X(lgamma_r_sign, EXACT, EXACT, EXACT, INT_RESULT, (sycl::lgamma_r(x, &number), number)) \
  X(log, 3, 3, 2, PLAIN, sycl::log(x))                                                    \
  X(log2, 3, 3, 2, PLAIN, sycl::log2(x))                                                  \
  X(log10, 3, 3, 2, PLAIN, sycl::log10(x))                                                \
  X(log1p, 2, 2, 2, PLAIN, sycl::log1p(x))                                                \
  X(logb, EXACT, EXACT, EXACT, PLAIN, sycl::logb(x))                                      \
  X(modf, EXACT, EXACT, EXACT, PLAIN, sycl::modf(x, &out))                                \
  X(modf_whole, EXACT, EXACT, EXACT, PLAIN, (sycl::modf(x, &out), out))                   \
  X(normalize, 3, 5.5, 2, PLAIN, sycl::normalize(x))                                      \
  X(radians, 2, 2, 2, PLAIN, sycl::radians(x))                                            \
  X(rint, EXACT, EXACT, EXACT, PLAIN, sycl::rint(x))                                      \
  X(round, EXACT, EXACT, EXACT, PLAIN, sycl::round(x))                                    \
  X(rsqrt, 2, 2, 1, PLAIN, sycl::rsqrt(x))                                                \
  X(sign, EXACT, EXACT, EXACT, PLAIN, sycl::sign(x))                                      \
  X(sin, 4, 4, 2, PLAIN, sycl::sin(x))                                                    \
  X(sincos, 4, 4, 2, PLAIN, sycl::sincos(x, &out))                                        \
  X(sincos_cosine, 4, 4, 2, PLAIN, (sycl::sincos(x, &out), out))                          \
  X(sinh, 4, 4, 2, PLAIN, sycl::sinh(x))                                                  \
  X(sinpi, 4, 4, 2, PLAIN, sycl::sinpi(x))                                                \
  X(sqrt, 3, ROUNDED, ROUNDED, PLAIN, sycl::sqrt(x))                                      \
  X(tan, 5, 5, 2, PLAIN, sycl::tan(x))                                                    \
  X(tanh, 5, 5, 2, PLAIN, sycl::tanh(x))                                                  \
  X(tanpi, 6, 6, 2, PLAIN, sycl::tanpi(x))                                                \
  X(tgamma, 16, 16, 4, PLAIN, sycl::tgamma(x))                                            \
  X(trunc, EXACT, EXACT, EXACT, PLAIN, sycl::trunc(x))

// Of x and y.
#define ROWS_OF_X_Y(X)                                                                       \
  X(atan2, 6, 6, 2, PLAIN, sycl::atan2(x, y))                                                \
  X(atan2pi, 6, 6, 2, PLAIN, sycl::atan2pi(x, y))                                            \
  X(copysign, EXACT, EXACT, EXACT, PLAIN, sycl::copysign(x, y))                              \
  X(distance, 4.5, 7.5, 2, PLAIN, sycl::distance(x, y))                                      \
  X(divide, 2.5, ROUNDED, ROUNDED, PLAIN, static_cast<T>(x / y))                             \
  X(dot, 2, 2, 2, ZERO_OF_ANY, sycl::dot(x, y))                                              \
  X(fdim, ROUNDED, ROUNDED, ROUNDED, PLAIN, sycl::fdim(x, y))                                \
  X(fmax, EXACT, EXACT, EXACT, ZERO_OF_ANY, sycl::fmax(x, y))                                \
  X(fmin, EXACT, EXACT, EXACT, ZERO_OF_ANY, sycl::fmin(x, y))                                \
  X(fmod, EXACT, EXACT, EXACT, PLAIN, sycl::fmod(x, y))                                      \
  X(hypot, 4, 4, 2, PLAIN, sycl::hypot(x, y))                                                \
  X(max, EXACT, EXACT, EXACT, ZERO_OF_ANY, sycl::max(x, y))                                  \
  X(maxmag, EXACT, EXACT, EXACT, ZERO_OF_ANY, sycl::maxmag(x, y))                            \
  X(min, EXACT, EXACT, EXACT, ZERO_OF_ANY, sycl::min(x, y))                                  \
  X(minmag, EXACT, EXACT, EXACT, ZERO_OF_ANY, sycl::minmag(x, y))                            \
  X(nextafter, EXACT, EXACT, EXACT, PLAIN, sycl::nextafter(x, y))                            \
  X(pow, 16, 16, 4, PLAIN, sycl::pow(x, y))                                                  \
  X(powr, 16, 16, 4, PLAIN, sycl::powr(x, y))                                                \
  X(remainder, EXACT, EXACT, EXACT, PLAIN, sycl::remainder(x, y))                            \
  X(remquo, EXACT, EXACT, EXACT, PLAIN, sycl::remquo(x, y, &number))                         \
  X(remquo_quotient, EXACT, EXACT, EXACT, INT_RESULT, (sycl::remquo(x, y, &number), number)) \
  X(step, EXACT, EXACT, EXACT, PLAIN, sycl::step(x, y))

// Of x and an int.
#define ROWS_OF_X_INT(X)                                        \
  X(ldexp, ROUNDED, ROUNDED, ROUNDED, PLAIN, sycl::ldexp(x, k)) \
  X(pown, 16, 16, 4, PLAIN, sycl::pown(x, k))                   \
  X(rootn, 16, 16, 4, PLAIN, sycl::rootn(x, k))

// Of x, y and z.
#define ROWS_OF_X_Y_Z(X)                                           \
  X(clamp, EXACT, EXACT, EXACT, ZERO_OF_ANY, sycl::clamp(x, y, z)) \
  X(fma, ROUNDED, ROUNDED, ROUNDED, PLAIN, sycl::fma(x, y, z))     \
  X(mad, OPEN, OPEN, OPEN, PLAIN, sycl::mad(x, y, z))              \
  X(mix, OPEN, OPEN, OPEN, PLAIN, sycl::mix(x, y, z))              \
  X(smoothstep, OPEN, OPEN, OPEN, PLAIN, sycl::smoothstep(x, y, z))

// Of floats only. What the half_precision functions return for subnormal numbers may be zero.
#define FLOAT_ROWS_OF_X(X)                                                         \
  X(fast_length, 8192, OPEN, OPEN, PLAIN, sycl::fast_length(x))                    \
  X(fast_normalize, 8192, OPEN, OPEN, PLAIN, sycl::fast_normalize(x))              \
  X(half_precision_cos, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::cos(x))     \
  X(half_precision_exp, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::exp(x))     \
  X(half_precision_exp2, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::exp2(x))   \
  X(half_precision_exp10, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::exp10(x)) \
  X(half_precision_log, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::log(x))     \
  X(half_precision_log2, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::log2(x))   \
  X(half_precision_log10, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::log10(x)) \
  X(half_precision_recip, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::recip(x)) \
  X(half_precision_rsqrt, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::rsqrt(x)) \
  X(half_precision_sin, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::sin(x))     \
  X(half_precision_sqrt, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::sqrt(x))   \
  X(half_precision_tan, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::tan(x))     \
  X(native_cos, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::cos(x))               \
  X(native_exp, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::exp(x))               \
  X(native_exp2, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::exp2(x))             \
  X(native_exp10, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::exp10(x))           \
  X(native_log, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::log(x))               \
  X(native_log2, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::log2(x))             \
  X(native_log10, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::log10(x))           \
  X(native_recip, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::recip(x))           \
  X(native_rsqrt, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::rsqrt(x))           \
  X(native_sin, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::sin(x))               \
  X(native_sqrt, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::sqrt(x))             \
  X(native_tan, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::tan(x))
#define FLOAT_ROWS_OF_X_Y(X)                                                              \
  X(fast_distance, 8192, OPEN, OPEN, PLAIN, sycl::fast_distance(x, y))                    \
  X(half_precision_divide, 8192, OPEN, OPEN, PLAIN, sycl::half_precision::divide(x, y))   \
  X(half_precision_powr, 8192, OPEN, OPEN, ZERO_OF_ANY, sycl::half_precision::powr(x, y)) \
  X(native_divide, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::divide(x, y))             \
  X(native_powr, OPEN, OPEN, OPEN, ZERO_OF_ANY, sycl::native::powr(x, y))

#define ROWS_OF_ALL_TYPES(X) ROWS_OF_X(X) ROWS_OF_X_Y(X) ROWS_OF_X_INT(X) ROWS_OF_X_Y_Z(X)
#define ROWS_OF_FLOAT(X) FLOAT_ROWS_OF_X(X) FLOAT_ROWS_OF_X_Y(X)

#define ACCURACY_ROW_ID(name, ...) ROW_##name,
typedef enum accuracy_row {
  ROWS_OF_ALL_TYPES(ACCURACY_ROW_ID) ROWS_OF_FLOAT(ACCURACY_ROW_ID) ROW_COUNT
} accuracy_row;
#undef ACCURACY_ROW_ID

// A binary floating-point format: significant bits, and exponents of normal numbers.
typedef struct accuracy_format {
  const char *name;
  int digits, least, most;
} accuracy_format;

// Each type's numbers are doubles.
typedef struct accuracy_arguments {
  double x, y, z;
  int k;
} accuracy_arguments;

#endif
