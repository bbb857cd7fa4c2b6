// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions in a wider type, from the C library and with exact reductions of the argument.
#include "quick_values.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace accuracy {
namespace {

// Into loops where the row is a constant.
#define INLINE inline __attribute__((always_inline))

// Those that <cmath> has by the same name.
#define LIBRARY_FUNCTIONS_OF_X(X) \
  X(acos)                         \
  X(acosh)                        \
  X(asin)                         \
  X(asinh)                        \
  X(atan)                         \
  X(atanh)                        \
  X(cbrt)                         \
  X(ceil)                         \
  X(cos)                          \
  X(cosh)                         \
  X(erf)                          \
  X(erfc)                         \
  X(exp)                          \
  X(exp2)                         \
  X(expm1)                        \
  X(fabs)                         \
  X(floor)                        \
  X(lgamma)                       \
  X(log)                          \
  X(log2)                         \
  X(log10)                        \
  X(log1p) X(logb) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define LIBRARY_FUNCTIONS_OF_X_Y(X) \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(pow) X(remainder)

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class R>
struct value {
  R exact;
  bool is_any = false;  // whatever the function returns is right
};

template <class R>
struct wide_math {
  static constexpr R pi = 3.14159265358979323846264338327950288L;
  static constexpr R not_a_number = std::numeric_limits<R>::quiet_NaN();

  // Of arguments in the first quarter of a turn: the rounding of pi times x is all that is lost.
  static R sinpi(R x) {
    const R r = std::fmod(x, R(2));
    const R a = std::fabs(r);
    const R t = a <= R(0.25)   ? std::sin(pi * a)
                : a <= R(0.75) ? std::cos(pi * (R(0.5) - a))
                : a <= R(1.25) ? std::sin(pi * (R(1) - a))
                : a <= R(1.75) ? -std::cos(pi * (R(1.5) - a))
                               : std::sin(pi * (a - R(2)));
    return t == 0 ? std::copysign(R(0), x) : std::copysign(R(1), r) * t;
  }
  static R cospi(R x) {
    const R a = std::fmod(std::fabs(x), R(2));
    const R t = a <= R(0.25)   ? std::cos(pi * a)
                : a <= R(0.75) ? std::sin(pi * (R(0.5) - a))
                : a <= R(1.25) ? -std::cos(pi * (R(1) - a))
                : a <= R(1.75) ? std::sin(pi * (a - R(1.5)))
                               : std::cos(pi * (R(2) - a));
    return t == 0 ? R(0) : t;
  }
  static R tanpi(R x) {
    const R s = sinpi(x), c = cospi(x);
    const bool is_odd = std::fabs(std::fmod(x, R(2))) == 1;
    return s == 0   ? std::copysign(R(0), is_odd ? -x : x)
           : c == 0 ? s * std::numeric_limits<R>::infinity()
                    : s / c;
  }
  static R powr(R x, R y) {
    const bool is_edge = x == 0 || std::isinf(x);
    const bool has_none =
        x < 0 || std::isnan(x) || std::isnan(y) || (is_edge && y == 0) || (x == 1 && std::isinf(y));
    return has_none ? not_a_number : std::pow(std::fabs(x), y);
  }
  static R rootn(R x, int n) {
    const R root = n == 2   ? std::sqrt(std::fabs(x))
                   : n == 3 ? std::cbrt(std::fabs(x))
                            : std::pow(std::fabs(x), R(1) / R(n));
    return n == 0 || (x < 0 && n % 2 == 0) ? not_a_number : n % 2 ? std::copysign(root, x) : root;
  }
  static R fract(R x, const accuracy_format &format) {
    if (x == 0 || std::isinf(x)) {
      return std::copysign(R(0), x);
    }
    const R part = x - std::floor(x), below_one = 1 - std::ldexp(R(1), -format.digits);
    return part > below_one ? below_one : part;
  }
  static R nextafter(R x, R y, const accuracy_format &format) {
    if (std::isnan(x) || std::isnan(y) || x == y) {
      return std::isnan(x) ? x : y;
    }
    const R tiny = std::ldexp(R(1), format.least - format.digits + 1);
    const R largest = (2 - std::ldexp(R(1), 1 - format.digits)) * std::ldexp(R(1), format.most);
    if (x == 0) {
      return std::copysign(tiny, y);
    }
    const bool is_outward = (x < y) == (x > 0);
    if (std::isinf(x)) {
      return std::copysign(largest, x);
    }
    int exponent;
    const bool is_power = std::fabs(std::frexp(x, &exponent)) == R(0.5);
    const int unit = exponent - format.digits - (is_power && !is_outward ? 1 : 0);
    const R step = std::max(std::ldexp(R(1), unit), tiny);
    const R moved = std::fabs(x) + (is_outward ? step : -step);
    return std::copysign(moved > largest ? std::numeric_limits<R>::infinity() : moved, x);
  }
  static R maxmag(R x, R y) {
    return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y);
  }
  static R minmag(R x, R y) {
    return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y);
  }
  // The low seven bits of the nearest quotient, by long division.
  static value<R> quotient(R x, R y) {
    R a = std::fabs(x);
    const R b = std::fabs(y);
    if (!std::isfinite(x) || y == 0 || std::isnan(y)) {
      return {0, true};
    }
    if (std::isinf(y)) {
      return {0};
    }
    a = std::fmod(a, 128 * b);
    int q = 0;
    for (int bit = 6; bit >= 0; --bit) {
      const R part = std::ldexp(b, bit);
      if (a >= part) {
        a -= part;
        q |= 1 << bit;
      }
    }
    q += 2 * a > b || (2 * a == b && (q & 1));
    return {static_cast<R>((q & 127) * (std::signbit(x) != std::signbit(y) ? -1 : 1))};
  }
  static value<R> frexp(R x, bool is_exponent) {
    int exponent = 0;
    const R fraction = std::frexp(x, &exponent);
    return is_exponent ? value<R>{static_cast<R>(exponent), !std::isfinite(x)} : value<R>{fraction};
  }
  // The sign at poles is nobody's.
  static value<R> gamma_sign(R x) {
    if (std::isnan(x) || std::isinf(x) || (x < 0 && x == std::floor(x))) {
      return {1, true};
    }
    if (x == 0) {
      return {std::copysign(R(1), x)};
    }
    return {x > 0 || std::fmod(std::floor(x), R(2)) == 0 ? R(1) : R(-1)};
  }
  static R normalized(R x) { return x == 0 || std::isnan(x) ? x : std::copysign(R(1), x); }
  static bool squares_fit(R x) {
    return x == 0 || (std::fabs(x) > 0x1p-60 && std::fabs(x) < 0x1p60);
  }
};

template <class R>
INLINE value<R> of_one(accuracy_row row, const accuracy_format &format, R x) {
  using m = wide_math<R>;
  switch (row) {
#define SAME(name) \
  case ROW_##name: \
    return {std::name(x)};
    LIBRARY_FUNCTIONS_OF_X(SAME)
#undef SAME
#define APPROXIMATE(name, call)   \
  case ROW_native_##name:         \
  case ROW_half_precision_##name: \
    return {call};
    APPROXIMATE(exp, std::exp(x))
    APPROXIMATE(exp2, std::exp2(x))
    APPROXIMATE(log, std::log(x))
    APPROXIMATE(log2, std::log2(x))
    APPROXIMATE(log10, std::log10(x))
    APPROXIMATE(recip, 1 / x)
    APPROXIMATE(rsqrt, 1 / std::sqrt(x))
    APPROXIMATE(sqrt, std::sqrt(x))
#undef APPROXIMATE
#define OF_ANGLE(name)            \
  case ROW_native_##name:         \
  case ROW_half_precision_##name: \
    return {std::name(x), std::fabs(x) > 0x1p16};
    OF_ANGLE(cos)
    OF_ANGLE(sin)
    OF_ANGLE(tan)
#undef OF_ANGLE
    case ROW_acospi:
      return {std::acos(x) / m::pi};
    case ROW_asinpi:
      return {std::asin(x) / m::pi};
    case ROW_atanpi:
      return {std::atan(x) / m::pi};
    case ROW_cospi:
      return {m::cospi(x)};
    case ROW_sinpi:
      return {m::sinpi(x)};
    case ROW_tanpi:
      return {m::tanpi(x)};
    case ROW_degrees:
      return {x * (180 / m::pi)};
    case ROW_radians:
      return {x * (m::pi / 180)};
    case ROW_exp10:
    case ROW_native_exp10:
    case ROW_half_precision_exp10:
      return {std::pow(R(10), x)};
    case ROW_fast_length:
      return {std::fabs(x), !m::squares_fit(x)};
    case ROW_fast_normalize:
      return {m::normalized(x), !m::squares_fit(x)};
    case ROW_fract:
      return {m::fract(x, format)};
    case ROW_fract_whole:
      return {std::floor(x)};
    case ROW_frexp:
      return m::frexp(x, false);
    case ROW_frexp_exponent:
      return m::frexp(x, true);
    case ROW_ilogb:
      return {std::isinf(x) ? R(INT_MAX) : x == 0 ? R(INT_MIN) : std::logb(x), std::isnan(x)};
    case ROW_length:
      return {std::fabs(x)};
    case ROW_lgamma_r:
      return {std::lgamma(x)};
    case ROW_lgamma_r_sign:
      return m::gamma_sign(x);
    case ROW_modf: {
      R whole;
      return {std::modf(x, &whole)};
    }
    case ROW_modf_whole:
      return {std::trunc(x)};
    case ROW_normalize:
      return {m::normalized(x)};
    case ROW_rsqrt:
      return {1 / std::sqrt(x)};
    case ROW_sign:
      return {std::isnan(x) ? 0 : m::normalized(x)};
    case ROW_sincos:
      return {std::sin(x)};
    case ROW_sincos_cosine:
      return {std::cos(x)};
    default:
      return {m::not_a_number};
  }
}

template <class R>
INLINE value<R> of_two(accuracy_row row, const accuracy_format &format, R x, R y) {
  using m = wide_math<R>;
  const bool has_nan = std::isnan(x) || std::isnan(y);
  switch (row) {
#define SAME(name) \
  case ROW_##name: \
    return {std::name(x, y)};
    LIBRARY_FUNCTIONS_OF_X_Y(SAME)
#undef SAME
    case ROW_atan2pi:
      return {std::atan2(x, y) / m::pi};
    case ROW_distance:
      return {std::fabs(x - y)};
    case ROW_fast_distance:
      return {std::fabs(x - y), !m::squares_fit(x - y)};
    case ROW_divide:
    case ROW_native_divide:
    case ROW_half_precision_divide:
      return {x / y};
    case ROW_dot:
      return {x * y};
    case ROW_max:
      return {std::fmax(x, y), has_nan};
    case ROW_min:
      return {std::fmin(x, y), has_nan};
    case ROW_maxmag:
      return {m::maxmag(x, y)};
    case ROW_minmag:
      return {m::minmag(x, y)};
    case ROW_nextafter:
      return {m::nextafter(x, y, format)};
    case ROW_powr:
      return {m::powr(x, y)};
    case ROW_native_powr:
    case ROW_half_precision_powr:
      return {m::powr(x, y), !(x > 0) || std::isinf(x) || std::isinf(y)};
    case ROW_remquo:
      return {std::remainder(x, y)};
    case ROW_remquo_quotient:
      return m::quotient(x, y);
    case ROW_step:
      return {R(x > y ? 0 : 1), has_nan};
    default:
      return of_one(row, format, x);
  }
}

template <class R>
INLINE value<R> value_of(accuracy_row row, const accuracy_format &format,
                         const accuracy_arguments &a) {
  const R x = static_cast<R>(a.x), y = static_cast<R>(a.y), z = static_cast<R>(a.z);
  switch (row) {
    case ROW_ldexp:
      return {std::ldexp(x, std::clamp(a.k, -9000, 9000))};
    case ROW_pown:
      return {std::pow(x, R(a.k))};
    case ROW_rootn:
      return {wide_math<R>::rootn(x, a.k)};
    case ROW_clamp:
      return {std::fmin(std::fmax(x, y), z), !(y <= z) || std::isnan(x)};
    case ROW_fma:
    case ROW_mad:
      return {std::fma(x, y, z)};
    case ROW_mix:
      return {x + (y - x) * z};
    case ROW_smoothstep: {
      const R t = std::clamp((z - x) / (y - x), R(0), R(1));
      return {t * t * (3 - 2 * t), !(x < y) || std::isinf(x) || std::isinf(y) || std::isnan(z)};
    }
    default:
      return of_two(row, format, x, y);
  }
}

// Of the last place of `exact`. At a power of two the finer side counts.
long double inverse_of_unit(long double exact, const accuracy_format &format) {
  int exponent = format.least + 1;
  if (exact != 0) {
    const long double fraction = std::frexp(exact, &exponent);  // below one
    exponent -= std::fabs(fraction) == 0.5L ? 1 : 0;
  }
  exponent = std::max(exponent - 1, format.least);
  return std::ldexp(1.0L, format.digits - 1 - exponent);
}
// The same without calls: for float and half all exponents are those of normal doubles.
double inverse_of_unit(double exact, const accuracy_format &format) {
  constexpr std::uint64_t fraction_mask = (std::uint64_t(1) << 52) - 1;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &exact, sizeof bits);
  const int biased = static_cast<int>((bits >> 52) & 0x7ff) - ((bits & fraction_mask) == 0 ? 1 : 0);
  const int exponent = std::max(biased - 1023, format.least);
  bits = static_cast<std::uint64_t>(format.digits - 1 - exponent + 1023) << 52;
  double unit = 0;
  std::memcpy(&unit, &bits, sizeof unit);
  return unit;
}

template <class R>
INLINE double error_of(value<R> reference, const accuracy_format &format, unsigned flags,
                       double result) {
  const R exact = reference.exact;
  if (reference.is_any) {
    return -1;
  }
  // Most are numbers.
  if (exact - exact == 0 && result - result == 0 && exact != 0 && !(flags & INT_RESULT)) {
    return static_cast<double>(std::fabs(R(result) - exact) * inverse_of_unit(exact, format));
  }
  if (std::isnan(exact) || std::isnan(result)) {
    return std::isnan(exact) && std::isnan(result) ? 0 : infinity;
  }
  if ((flags & INT_RESULT) || std::isinf(exact)) {
    return result == exact ? 0 : infinity;
  }
  if (exact == 0 && result == 0) {
    const bool is_same = std::signbit(exact) == std::signbit(result);
    return is_same || (flags & ZERO_OF_ANY) ? 0 : infinity;
  }
  R got = result;
  if (std::isinf(result)) {
    const R edge = (2 - std::ldexp(R(1), -format.digits)) * std::ldexp(R(1), format.most);
    if (std::fabs(exact) >= edge && (exact < 0) == (result < 0)) {
      return 0;
    }
    got = std::copysign(std::ldexp(R(1), format.most + 1), got);
  }
  return static_cast<double>(std::fabs(got - exact) * inverse_of_unit(exact, format));
}

constexpr unsigned flags_of_rows[] = {
#define FLAGS(name, float_limit, double_limit, half_limit, flags, expression) flags,
    ROWS_OF_ALL_TYPES(FLAGS) ROWS_OF_FLOAT(FLAGS)
#undef FLAGS
};

// A loop for each row, from which the compiler takes the choice of the function out.
template <class R, accuracy_row row>
void errors_of_row(const accuracy_format &format, const accuracy_arguments *arguments,
                   const double *results, double *errors, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    errors[i] =
        error_of(value_of<R>(row, format, arguments[i]), format, flags_of_rows[row], results[i]);
  }
}

template <class R>
void errors_of(accuracy_row row, const accuracy_format &format, const accuracy_arguments *arguments,
               const double *results, double *errors, std::size_t count) {
  switch (row) {
#define LOOP(name, ...) \
  case ROW_##name:      \
    return errors_of_row<R, ROW_##name>(format, arguments, results, errors, count);
    ROWS_OF_ALL_TYPES(LOOP)
    ROWS_OF_FLOAT(LOOP)
#undef LOOP
    default:
      return;
  }
}

}  // namespace

void quick_errors(accuracy_row row, const accuracy_format &format,
                  const accuracy_arguments *arguments, const double *results, double *errors,
                  std::size_t count) {
  if (format.digits == 53) {
    errors_of<long double>(row, format, arguments, results, errors, count);
  } else {
    errors_of<double>(row, format, arguments, results, errors, count);
  }
}

}  // namespace accuracy
