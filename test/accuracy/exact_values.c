// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics by MPFR, far more precise than any result that is judged by it.
#include "exact_values.h"

#include <math.h>
#include <mpfr.h>
#include <stdint.h>

// Enough for the quotient of an error and a unit in the last place. Functions whose results may
// come as close to a tie as their arguments lie apart get all bits of a sum of doubles' products.
enum { PRECISION = 192, SUM_PRECISION = 4400 };

typedef int unary(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding);
typedef int binary(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding);

static int lgamma_value(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign;
  return mpfr_lgamma(result, &sign, x, rounding);
}
static int reciprocal(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  return mpfr_ui_div(result, 1, x, rounding);
}
// MPFR's has +infinity at -0; IEEE 754 and C have -infinity.
static int rsqrt_value(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  const int inexact = mpfr_rec_sqrt(result, x, rounding);
  if (mpfr_zero_p(x)) {
    mpfr_set_inf(result, mpfr_signbit(x) ? -1 : 1);
  }
  return inexact;
}
static int degrees_value(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_t factor;
  mpfr_init2(factor, PRECISION);
  mpfr_const_pi(factor, MPFR_RNDN);
  mpfr_ui_div(factor, 180, factor, MPFR_RNDN);
  const int inexact = mpfr_mul(result, x, factor, rounding);
  mpfr_clear(factor);
  return inexact;
}
static int radians_value(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_t factor;
  mpfr_init2(factor, PRECISION);
  mpfr_const_pi(factor, MPFR_RNDN);
  mpfr_div_ui(factor, factor, 180, MPFR_RNDN);
  const int inexact = mpfr_mul(result, x, factor, rounding);
  mpfr_clear(factor);
  return inexact;
}
static int powr_value(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding) {
  const int is_edge = mpfr_zero_p(x) || mpfr_inf_p(x);
  mpfr_t size;
  mpfr_init2(size, 64);
  mpfr_abs(size, x, MPFR_RNDN);
  if (mpfr_nan_p(x) || mpfr_nan_p(y) || (mpfr_sgn(x) < 0) || (is_edge && mpfr_zero_p(y)) ||
      (mpfr_cmp_ui(x, 1) == 0 && mpfr_inf_p(y))) {
    mpfr_set_nan(result);
  } else {
    mpfr_pow(result, size, y, rounding);
  }
  mpfr_clear(size);
  return 1;
}
static int distance_value(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding) {
  mpfr_sub(result, x, y, rounding);
  return mpfr_abs(result, result, rounding);
}
static int fdim_value(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding) {
  return mpfr_dim(result, x, y, rounding);
}

// Those that MPFR has by the same name.
#define MPFR_FUNCTIONS_OF_X(X) \
  X(acos)                      \
  X(acosh)                     \
  X(acospi)                    \
  X(asin)                      \
  X(asinh)                     \
  X(asinpi)                    \
  X(atan)                      \
  X(atanh)                     \
  X(atanpi)                    \
  X(cbrt)                      \
  X(cos)                       \
  X(cosh)                      \
  X(cospi)                     \
  X(erf)                       \
  X(erfc)                      \
  X(exp)                       \
  X(exp2)                      \
  X(exp10)                     \
  X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(sinh) X(sinpi) X(sqrt) X(tan) X(tanh) X(tanpi)

static unary *unary_of(accuracy_row row) {
  switch (row) {
#define UNARY(name) \
  case ROW_##name:  \
    return mpfr_##name;
    MPFR_FUNCTIONS_OF_X(UNARY)
#undef UNARY
#define APPROXIMATE(name)         \
  case ROW_native_##name:         \
  case ROW_half_precision_##name: \
    return mpfr_##name;
    APPROXIMATE(cos)
    APPROXIMATE(exp)
    APPROXIMATE(exp2)
    APPROXIMATE(exp10)
    APPROXIMATE(log)
    APPROXIMATE(log2)
    APPROXIMATE(log10)
    APPROXIMATE(sin)
    APPROXIMATE(sqrt)
    APPROXIMATE(tan)
#undef APPROXIMATE
    case ROW_sincos:
      return mpfr_sin;
    case ROW_sincos_cosine:
      return mpfr_cos;
    case ROW_tgamma:
      return mpfr_gamma;
    case ROW_lgamma:
    case ROW_lgamma_r:
      return lgamma_value;
    case ROW_rsqrt:
    case ROW_native_rsqrt:
    case ROW_half_precision_rsqrt:
      return rsqrt_value;
    case ROW_native_recip:
    case ROW_half_precision_recip:
      return reciprocal;
    case ROW_degrees:
      return degrees_value;
    case ROW_radians:
      return radians_value;
    default:
      return NULL;
  }
}

static binary *binary_of(accuracy_row row) {
  switch (row) {
    case ROW_atan2:
      return mpfr_atan2;
    case ROW_atan2pi:
      return mpfr_atan2pi;
    case ROW_divide:
    case ROW_native_divide:
    case ROW_half_precision_divide:
      return mpfr_div;
    case ROW_dot:
      return mpfr_mul;
    case ROW_distance:
    case ROW_fast_distance:
      return distance_value;
    case ROW_fdim:
      return fdim_value;
    case ROW_hypot:
      return mpfr_hypot;
    case ROW_pow:
      return mpfr_pow;
    case ROW_powr:
    case ROW_native_powr:
    case ROW_half_precision_powr:
      return powr_value;
    default:
      return NULL;
  }
}

static bool is_of_int(accuracy_row row) {
  return row == ROW_ldexp || row == ROW_pown || row == ROW_rootn;
}

bool accuracy_has_exact_value(accuracy_row row) {
  return unary_of(row) || binary_of(row) || is_of_int(row) || row == ROW_fma || row == ROW_fract;
}

// fmin(x - floor(x), the largest number below one).
static void fract_value(mpfr_ptr result, mpfr_srcptr x, const accuracy_format *format) {
  if (mpfr_inf_p(x)) {
    mpfr_set_zero(result, mpfr_signbit(x) ? -1 : 1);
    return;
  }
  mpfr_t below_one;
  mpfr_init2(below_one, 64);
  mpfr_set_d(below_one, 1.0 - ldexp(1.0, -format->digits), MPFR_RNDN);
  mpfr_floor(result, x);
  mpfr_sub(result, x, result, MPFR_RNDN);
  if (mpfr_zero_p(result)) {
    mpfr_set_zero(result, mpfr_zero_p(x) && mpfr_signbit(x) ? -1 : 1);
  } else if (!mpfr_nan_p(x)) {
    mpfr_min(result, result, below_one, MPFR_RNDN);
  }
  mpfr_clear(below_one);
}

static void value_of_int(accuracy_row row, mpfr_ptr result, mpfr_ptr x, int k) {
  if (row == ROW_ldexp) {
    mpfr_mul_2si(result, x, k, MPFR_RNDN);
  } else if (row == ROW_pown) {
    mpfr_pow_si(result, x, k, MPFR_RNDN);
  } else {
    mpfr_rootn_si(result, x, k, MPFR_RNDN);
  }
}

static void compute(accuracy_row row, const accuracy_format *format, const accuracy_arguments *a,
                    mpfr_ptr result) {
  mpfr_t x, y, z;
  mpfr_inits2(64, x, y, z, (mpfr_ptr)0);
  mpfr_set_d(x, a->x, MPFR_RNDN);
  mpfr_set_d(y, a->y, MPFR_RNDN);
  mpfr_set_d(z, a->z, MPFR_RNDN);
  if (unary_of(row)) {
    (void)unary_of(row)(result, x, MPFR_RNDN);
  } else if (binary_of(row)) {
    (void)binary_of(row)(result, x, y, MPFR_RNDN);
  } else if (row == ROW_fma) {
    mpfr_fma(result, x, y, z, MPFR_RNDN);
  } else if (row == ROW_fract) {
    fract_value(result, x, format);
  } else {
    value_of_int(row, result, x, a->k);
  }
  mpfr_clears(x, y, z, (mpfr_ptr)0);
}

static long larger(long a, long b) { return a > b ? a : b; }

// Whether the last bit of the significand is set.
static bool is_odd(double result, const accuracy_format *format) {
  const long exponent = larger(result == 0 ? format->least : ilogb(result), format->least);
  const double units = ldexp(fabs(result), format->digits - 1 - (int)exponent);
  return fmod(units, 2.0) == 1.0;
}

static double error_of(mpfr_ptr exact, const accuracy_format *format, double limit, double result) {
  if (mpfr_nan_p(exact) || isnan(result)) {
    return mpfr_nan_p(exact) && isnan(result) ? 0 : INFINITY;
  }
  if (mpfr_inf_p(exact)) {
    return isinf(result) && signbit(result) == (mpfr_signbit(exact) != 0) ? 0 : INFINITY;
  }
  mpfr_t got;
  mpfr_init2(got, mpfr_get_prec(exact));
  if (isinf(result)) {
    // The largest finite number and half a unit: from there on infinity is the rounded result.
    mpfr_set_d(got, 2.0 - ldexp(1.0, -format->digits), MPFR_RNDN);
    mpfr_mul_2si(got, got, format->most, MPFR_RNDN);
    if (mpfr_cmpabs(exact, got) >= 0 && (result < 0) == (mpfr_signbit(exact) != 0)) {
      mpfr_clear(got);
      return 0;
    }
    mpfr_set_ui_2exp(got, 1, format->most + 1, MPFR_RNDN);
    mpfr_setsign(got, got, result < 0, MPFR_RNDN);
  } else {
    mpfr_set_d(got, result, MPFR_RNDN);
  }
  long exponent = format->least;
  if (!mpfr_zero_p(exact)) {
    // MPFR's significands are below one. At a power of two the finer side counts.
    exponent = mpfr_get_exp(exact) - (mpfr_min_prec(exact) == 1 ? 2 : 1);
  }
  mpfr_sub(got, got, exact, MPFR_RNDN);
  mpfr_mul_2si(got, got, format->digits - 1 - larger(exponent, format->least), MPFR_RNDN);
  mpfr_abs(got, got, MPFR_RNDN);
  double error = mpfr_get_d(got, MPFR_RNDU);
  if (limit == ROUNDED && error == 0.5 && mpfr_cmp_d(got, 0.5) == 0 && is_odd(result, format)) {
    error = 1;
  }
  mpfr_clear(got);
  return error;
}

double accuracy_exact_error(accuracy_row row, const accuracy_format *format, double limit,
                            const accuracy_arguments *arguments, double result) {
  const bool is_sum = row == ROW_fma || row == ROW_fdim || row == ROW_fract;
  // Each thread has its own range of exponents; the default one makes zeros of gamma's results.
  (void)mpfr_set_emin(mpfr_get_emin_min());
  (void)mpfr_set_emax(mpfr_get_emax_max());
  mpfr_t exact;
  mpfr_init2(exact, is_sum ? SUM_PRECISION : PRECISION);
  compute(row, format, arguments, exact);
  const double error = error_of(exact, format, limit, result);
  mpfr_clear(exact);
  return error;
}
