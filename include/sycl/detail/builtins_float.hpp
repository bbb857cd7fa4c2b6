// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar math that no C library has, that it gives through memory, or that is cheaper as plain
// arithmetic, which vectorises. For float and double; half is computed as float.
// Source: SYCL 2020 rev. 9 section 4.17.4; OpenCL C on math functions, their errors and edge cases.
#ifndef TENON_SYCL_DETAIL_BUILTINS_FLOAT_HPP
#define TENON_SYCL_DETAIL_BUILTINS_FLOAT_HPP

#include <sycl/detail/portable.hpp>

#include <cstdint>
#include <type_traits>

#if defined(__SPIRV__) && defined(__SYCL_DEVICE_ONLY__)
// Instructions of SPIR-V's extended set for OpenCL, by the names that LLVM's back end knows.
#define TN_SYCL_OCL_UNARY(name)            \
  float __spirv_ocl_##name(float) noexcept; \
  double __spirv_ocl_##name(double) noexcept;
#define TN_SYCL_OCL_BINARY(name, second)                 \
  float __spirv_ocl_##name(float, second(float)) noexcept; \
  double __spirv_ocl_##name(double, second(double)) noexcept;
#define TN_SYCL_OCL_SAME(type) type
#define TN_SYCL_OCL_INT(type) int
TN_SYCL_OCL_UNARY(log)
TN_SYCL_OCL_UNARY(log1p)
TN_SYCL_OCL_UNARY(exp10)
TN_SYCL_OCL_UNARY(cbrt)
TN_SYCL_OCL_UNARY(rsqrt)
TN_SYCL_OCL_UNARY(sinpi)
TN_SYCL_OCL_UNARY(cospi)
TN_SYCL_OCL_UNARY(tanpi)
TN_SYCL_OCL_UNARY(asinpi)
TN_SYCL_OCL_UNARY(acospi)
TN_SYCL_OCL_UNARY(atanpi)
TN_SYCL_OCL_BINARY(hypot, TN_SYCL_OCL_SAME)
TN_SYCL_OCL_BINARY(powr, TN_SYCL_OCL_SAME)
TN_SYCL_OCL_BINARY(atan2pi, TN_SYCL_OCL_SAME)
TN_SYCL_OCL_BINARY(ldexp, TN_SYCL_OCL_INT)
TN_SYCL_OCL_BINARY(pown, TN_SYCL_OCL_INT)
TN_SYCL_OCL_BINARY(rootn, TN_SYCL_OCL_INT)
#undef TN_SYCL_OCL_UNARY
#undef TN_SYCL_OCL_BINARY
#undef TN_SYCL_OCL_SAME
#undef TN_SYCL_OCL_INT
#endif

namespace sycl::detail {

template <class T>
struct float_format;
template <>
struct float_format<float> {
  using bits = std::uint32_t;
  static constexpr int mantissa = 23, bias = 127;
  static constexpr float two_to_mantissa_plus_2 = 0x1p25f, below_one = 0x1.fffffep-1f;
  static constexpr float pi = 0x1.921fb6p+1f, inverse_pi = 0x1.45f306p-2f;
};
template <>
struct float_format<double> {
  using bits = std::uint64_t;
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr double two_to_mantissa_plus_2 = 0x1p54, below_one = 0x1.fffffffffffffp-1;
  static constexpr double pi = 0x1.921fb54442d18p+1, inverse_pi = 0x1.45f306dc9c883p-2;
};

// The reentrant form, which leaves the C library's global sign alone.
extern "C" float tn_sycl_lgamma_r(float x, int *sign) noexcept __asm__("lgammaf_r");
extern "C" double tn_sycl_lgamma_r_double(double x, int *sign) noexcept __asm__("lgamma_r");

template <class T>
struct portable_math {
  using format = float_format<T>;
  using bits = typename format::bits;
  static constexpr bits sign_bit = bits(1) << (sizeof(T) * 8 - 1);
  static constexpr bits mantissa_mask = (bits(1) << format::mantissa) - 1;
  static constexpr int exponent_mask = 2 * format::bias + 1;
  static constexpr T infinity = __builtin_bit_cast(T, bits(exponent_mask) << format::mantissa);
  static constexpr T not_a_number =
      __builtin_bit_cast(T, (bits(2 * exponent_mask + 1) << (format::mantissa - 1)));

  static bits to_bits(T x) noexcept { return __builtin_bit_cast(bits, x); }
  static T from_bits(bits x) noexcept { return __builtin_bit_cast(T, x); }
  static T absolute(T x) noexcept { return from_bits(to_bits(x) & ~sign_bit); }
  static T with_sign(T x, T sign) noexcept {
    return from_bits((to_bits(x) & ~sign_bit) | (to_bits(sign) & sign_bit));
  }
  // Zero, infinite or no number: as integers, since LLVM makes of such comparisons together one
  // intrinsic that does not vectorise everywhere.
  static bool is_zero_or_special(T x) noexcept {
    return static_cast<bits>(to_bits(x) << 1) - 1 >= static_cast<bits>(to_bits(infinity) << 1) - 1;
  }
  // 2 to the k, for exponents of normal numbers.
  static T power_of_two(int k) noexcept {
    return from_bits(static_cast<bits>(k + format::bias) << format::mantissa);
  }

  static T floor(T x) noexcept { return TN_SYCL_ELEMENTWISE(floor)(x); }
  static T sqrt(T x) noexcept { return TN_SYCL_ELEMENTWISE(sqrt)(x); }
  static T sin(T x) noexcept { return TN_SYCL_ELEMENTWISE(sin)(x); }
  static T pow(T x, T y) noexcept { return TN_SYCL_ELEMENTWISE(pow)(x, y); }

  static T frexp(T x, int &exponent) noexcept {
    const bool is_subnormal = absolute(x) < power_of_two(1 - format::bias);
    const bits b = to_bits(is_subnormal ? x * format::two_to_mantissa_plus_2 : x);
    const int e = static_cast<int>((b >> format::mantissa) & bits(exponent_mask)) -
                  (format::bias - 1) - (is_subnormal ? format::mantissa + 2 : 0);
    const bool same = is_zero_or_special(x);
    exponent = same ? 0 : e;
    return same ? x
                : from_bits((b & (sign_bit | mantissa_mask)) |
                            (static_cast<bits>(format::bias - 1) << format::mantissa));
  }
  static int ilogb(T x) noexcept {
    int exponent;
    frexp(x, exponent);
    const int special = x == T(0) || x != x ? -0x7fffffff - 1 : 0x7fffffff;
    return is_zero_or_special(x) ? special : exponent - 1;
  }
  static T logb(T x) noexcept {
    int exponent;
    frexp(x, exponent);
    const T special = x == T(0) ? -infinity : x * x;
    return is_zero_or_special(x) ? special : static_cast<T>(exponent - 1);
  }
  static T ldexp(T x, int k) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      // In double the product is exact, so that only the conversion rounds.
      const int in_range = k < -400 ? -400 : k > 400 ? 400 : k;
      return static_cast<float>(x * portable_math<double>::power_of_two(in_range));
    } else {
      // At most three steps, of which only the last rounds: those down end 53 bits above the
      // smallest normal number.
      int rest = k < -4000 ? -4000 : k > 4000 ? 4000 : k;
      T result = x;
      for (int i = 0; i < 2; ++i) {
        const int step = rest > 1023 ? 1023 : rest < -1022 ? -969 : 0;
        result *= power_of_two(step);
        rest -= step;
      }
      return result * power_of_two(rest > 1023 ? 1023 : rest < -1022 ? -1022 : rest);
    }
  }
  static T modf(T x, T &whole) noexcept {
    whole = TN_SYCL_ELEMENTWISE(trunc)(x);
    const T part = absolute(x) == infinity ? T(0) : x - whole;
    return with_sign(part, x);
  }
  static T fract(T x, T &whole) noexcept {
    whole = floor(x);
    const T part = x - whole;
    const T inside = part < format::below_one || x != x ? part : format::below_one;
    return x == T(0) || absolute(x) == infinity ? with_sign(T(0), x) : inside;
  }
  static T sincos(T x, T &cosine) noexcept {
    cosine = TN_SYCL_ELEMENTWISE(cos)(x);
    return sin(x);
  }
  static T fdim(T x, T y) noexcept { return x <= y ? T(0) : x - y; }
  static T nextafter(T x, T y) noexcept {
    const bits up = to_bits(x) + 1, down = to_bits(x) - 1;
    const T moved = from_bits((x < y) == (x > T(0)) ? up : down);
    const T from_zero = with_sign(from_bits(1), y);
    return x != x || y != y ? x + y : x == y ? y : x == T(0) ? from_zero : moved;
  }
  static T maxmag(T x, T y) noexcept {
    const T ax = absolute(x), ay = absolute(y);
    return ax > ay ? x : ay > ax ? y : TN_SYCL_ELEMENTWISE(maxnum)(x, y);
  }
  static T minmag(T x, T y) noexcept {
    const T ax = absolute(x), ay = absolute(y);
    return ax < ay ? x : ay < ax ? y : TN_SYCL_ELEMENTWISE(minnum)(x, y);
  }

  // The sine of pi times x, where |x| is at most one half.
  static T sin_of_turn(T x) noexcept { return sin(format::pi * x); }
  // What is left of x after as many 2s as are nearest; exact.
  static T without_turns(T x) noexcept { return x - T(2) * TN_SYCL_ELEMENTWISE(rint)(x * T(0.5)); }
  static T sinpi(T x) noexcept {
    const T r = without_turns(x);
    const T t = absolute(r) > T(0.5) ? with_sign(T(1), r) - r : r;
    return t == T(0) ? with_sign(T(0), x) : sin_of_turn(t);
  }
  static T cospi(T x) noexcept { return sin_of_turn(T(0.5) - absolute(without_turns(x))); }
  static T tanpi(T x) noexcept {
    const T r = x - TN_SYCL_ELEMENTWISE(rint)(x);
    const T a = absolute(r);
    // In the outer half the tangent is the inverse of that of the rest of the quarter turn.
    const bool is_outer = a > T(0.25);
    const T t = TN_SYCL_ELEMENTWISE(tan)(format::pi * (is_outer ? T(0.5) - a : a));
    const T value = with_sign(is_outer ? T(1) / t : t, r);
    const bool is_odd = absolute(without_turns(x)) == T(1);
    return r == T(0) ? with_sign(T(0), is_odd ? -x : x) : value;
  }
  static T acospi(T x) noexcept { return TN_SYCL_ELEMENTWISE(acos)(x) * format::inverse_pi; }
  static T asinpi(T x) noexcept { return TN_SYCL_ELEMENTWISE(asin)(x) * format::inverse_pi; }
  static T atanpi(T x) noexcept { return TN_SYCL_ELEMENTWISE(atan)(x) * format::inverse_pi; }
  static T atan2pi(T y, T x) noexcept {
    return TN_SYCL_ELEMENTWISE(atan2)(y, x) * format::inverse_pi;
  }
  static T rsqrt(T x) noexcept { return T(1) / sqrt(x); }

  static T cbrt(T x) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      // A third of the exponent, then two of Halley's steps in double, each of which leaves the
      // cube of the relative error.
      const bool is_subnormal = absolute(x) < 0x1p-126f;
      const float a = absolute(is_subnormal ? x * 0x1p24f : x);
      const double exact = a;
      double y = from_bits(to_bits(a) / 3 + 0x2a5119f2);
      for (int i = 0; i < 2; ++i) {
        const double cube = y * y * y;
        y = y * (exact + exact + cube) / (exact + cube + cube);
      }
      const float root = static_cast<float>(is_subnormal ? y * 0x1p-8 : y);
      return is_zero_or_special(x) ? x + x : with_sign(root, x);
    } else {
      // The C library's result may be 3.7 ulp off; one Newton step makes it better than 1. What is
      // left over of a small number's cube root cubed has to be a normal number.
      const bool is_small = absolute(x) < 0x1p-900;
      const double scaled_up = is_small ? x * 0x1p108 : x;
      const double y = __builtin_cbrt(scaled_up);
      const double square = y * y;
      const double rest = TN_SYCL_ELEMENTWISE(fma)(square, y, -scaled_up) +
                          TN_SYCL_ELEMENTWISE(fma)(y, y, -square) * y;
      const double better = (y - rest / (3 * square)) * (is_small ? 0x1p-36 : 1.0);
      return is_zero_or_special(x) ? x + x : better;
    }
  }

  // float's own: the C library's vector forms of these three are further off than OpenCL allows.
  // With x = 2^k (1 + f), where 1 + f is between the square roots of 1/2 and 2, log(1 + f) is
  // f - f^2 / 2 + f^3 times a polynomial (minimax), which is returned.
  static float log_polynomial(float x, float &k, float &f) noexcept {
    const bool is_subnormal = x < 0x1p-126f;
    const std::uint32_t b = __builtin_bit_cast(std::uint32_t, is_subnormal ? x * 0x1p25f : x);
    const int exponent = static_cast<int>(b - 0x3f3504f3u) >> 23;
    f = __builtin_bit_cast(float, b - (static_cast<std::uint32_t>(exponent) << 23)) - 1.0f;
    k = static_cast<float>(exponent - (is_subnormal ? 25 : 0));
    float p = 0x1.1b46a2p-4f;
    p = p * f - 0x1.e2dec8p-4f;
    p = p * f + 0x1.e6489p-4f;
    p = p * f - 0x1.fb44aap-4f;
    p = p * f + 0x1.233378p-3f;
    p = p * f - 0x1.5562dcp-3f;
    p = p * f + 0x1.99a53ap-3f;
    p = p * f - 0x1.ffffeep-3f;
    p = p * f + 0x1.555546p-2f;
    return p;
  }
  static float log_or_special(float x, float result) noexcept {
    const float special = x == 0.0f ? -infinity : x > 0.0f ? x : not_a_number;
    return x > 0.0f && x < infinity ? result : special;
  }
  // k times the high part of log(2) is exact. `more` is added before the last rounding.
  static T log(T x, T more = T(-0.0)) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      float k, f;
      const float p = log_polynomial(x, k, f);
      const float square = f * f;
      const float low = k * 0x1.7f7d1cp-20f - 0.5f * square + square * f * p + more;
      return log_or_special(x, k * 0x1.62e4p-1f + (f + low));
    } else {
      return TN_SYCL_ELEMENTWISE(log)(x);
    }
  }
  static T log10(T x) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      float k, f;
      const float p = log_polynomial(x, k, f);
      const float square = f * f;
      const float natural = f + (square * f * p - 0.5f * square);
      return log_or_special(x,
                            k * 0x1.344p-2f + (natural * 0x1.bcb7b2p-2f + k * 0x1.3509f8p-18f));
    } else {
      return TN_SYCL_ELEMENTWISE(log10)(x);
    }
  }
  static T log1p(T x) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      const float sum = 1.0f + x;
      const float lost = x - (sum - 1.0f);
      return sum == 1.0f ? x : log(sum, lost / sum);
    } else {
      return __builtin_log1p(x);
    }
  }
  static T hypot(T x, T y) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      const double a = x, b = y;
      const float result = static_cast<float>(TN_SYCL_ELEMENTWISE(sqrt)(a * a + b * b));
      return absolute(x) == infinity || absolute(y) == infinity ? infinity : result;
    } else {
      return __builtin_hypot(x, y);
    }
  }
  // Inlined, so that a loop keeps its constants in registers: all vector registers are lost where
  // the C library is called. With x = n log(2) + r, n whole, it is 2^n times a polynomial in r; 2^n
  // in two steps, since it may be out of range, of which only the second rounds.
  static T exp(T x) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      const float in_range = between(x, -110.0f, 100.0f);
      const float n = TN_SYCL_ELEMENTWISE(rint)(in_range * 0x1.715476p+0f);
      const float r = in_range - n * 0x1.62e4p-1f - n * 0x1.7f7d1cp-20f;
      float p = 0x1.6d7548p-10f;
      p = p * r + 0x1.120b72p-7f;
      p = p * r + 0x1.5554b8p-5f;
      p = p * r + 0x1.5554dcp-3f;
      p = p * r + 0.5f;
      const float result = scaled(r * r * p + r, static_cast<int>(n));
      return x == x ? result : x;
    } else {
      // The C library's vector form is up to 3.1 ulp off; three are allowed.
      const double in_range = between(x, -750.0, 710.0);
      const double n = TN_SYCL_ELEMENTWISE(rint)(in_range * 0x1.71547652b82fep+0);
      const double r = in_range - n * 0x1.62e42fefa38p-1 - n * 0x1.ef35793c7673p-45;
      double p = 0x1.af8578558ea2p-26;
      p = p * r + 0x1.28b03ec2a714p-22;
      p = p * r + 0x1.71dddfd557af4p-19;
      p = p * r + 0x1.a019969e97ecap-16;
      p = p * r + 0x1.a01a01bade222p-13;
      p = p * r + 0x1.6c16c185a3747p-10;
      p = p * r + 0x1.111111110d645p-7;
      p = p * r + 0x1.5555555550041p-5;
      p = p * r + 0x1.5555555555561p-3;
      p = p * r + 0x1.000000000000bp-1;
      const double result = scaled(r * r * p + r, static_cast<int>(n));
      return x == x ? result : x;
    }
  }
  static T exp2(T x) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      const float in_range = between(x, -160.0f, 140.0f);
      const float n = TN_SYCL_ELEMENTWISE(rint)(in_range);
      const float r = in_range - n;
      float p = 0x1.446c82p-13f;
      p = p * r + 0x1.5f089ap-10f;
      p = p * r + 0x1.3b29e4p-7f;
      p = p * r + 0x1.c6af6cp-5f;
      p = p * r + 0x1.ebfbe0p-3f;
      p = p * r + 0x1.62e43p-1f;
      const float result = scaled(r * p, static_cast<int>(n));
      return x == x ? result : x;
    } else {
      return TN_SYCL_ELEMENTWISE(exp2)(x);
    }
  }
  // `least` for what is no number: one instruction a side.
  static T between(T x, T least, T most) noexcept {
    const T low = x > least ? x : least;
    return low < most ? low : most;
  }
  // 2^n times 1 + more.
  static T scaled(T more, int n) noexcept {
    const T first = power_of_two(n >> 1);
    return (first * more + first) * power_of_two(n - (n >> 1));
  }
  static T exp10(T x) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      const float in_range = between(x, -60.0f, 60.0f);
      const float n = TN_SYCL_ELEMENTWISE(rint)(in_range * 0x1.a934fp+1f);
      const float r = in_range - n * 0x1.344p-2f - n * 0x1.3509f8p-18f;
      float p = 0x1.180808p-4f;
      p = p * r + 0x1.a9ad8ep-3f;
      p = p * r + 0x1.142954p-1f;
      p = p * r + 0x1.2bd6a4p+0f;
      p = p * r + 0x1.04705ap+1f;
      p = p * r + 0x1.53524cp+1f;
      p = p * r + 0x1.26bb1cp+1f;
      const float result = scaled(r * p, static_cast<int>(n));
      return x == x ? result : x;
    } else {
      return TN_SYCL_ELEMENTWISE(exp10)(x);
    }
  }

  // pow, but for what differs where exp2(y * log2(x)) has no limit, and below zero.
  static T powr(T x, T y) noexcept {
    const bool is_edge = x == T(0) || absolute(x) == infinity;
    const bool has_no_limit = x < T(0) || x != x || y != y || (is_edge && y == T(0)) ||
                              (x == T(1) && absolute(y) == infinity);
    return has_no_limit ? not_a_number : pow(absolute(x), y);
  }
  static T pown(T x, int y) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      // float cannot hold every int, and double keeps the errors of all multiplications small.
      double result = 1.0, square = x;
      for (unsigned n = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y); n != 0;
           n >>= 1) {
        result *= (n & 1u) != 0 ? square : 1.0;
        square *= square;
      }
      return static_cast<float>(y < 0 ? 1.0 / result : result);
    } else {
      return pow(x, static_cast<double>(y));
    }
  }
  static double positive_root(double x, int n) noexcept {
    if constexpr (std::is_same_v<T, double>) {
      // 1/n is not exact, which matters less the smaller the logarithm: take the powers of two
      // out first.
      int exponent;
      const double m = frexp(x, exponent);
      const int quotient = n == 0 ? 0 : exponent / n;
      const double root = pow(ldexp(m, exponent - quotient * n), 1.0 / n);
      return is_zero_or_special(x) ? pow(x, 1.0 / n) : ldexp(root, quotient);
    } else {
      return TN_SYCL_ELEMENTWISE(pow)(x, 1.0 / n);
    }
  }
  static T rootn(T x, int n) noexcept {
    const T root = static_cast<T>(positive_root(static_cast<double>(absolute(x)), n));
    const bool is_odd = (n & 1) != 0;
    return n == 0 || (x < T(0) && !is_odd) ? not_a_number : is_odd ? with_sign(root, x) : root;
  }

  static T fmod(T x, T y) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      return __builtin_fmodf(x, y);
    } else {
      return __builtin_fmod(x, y);
    }
  }
  // A remainder of zero has the sign of x, but not that of every C library (glibc 2.36, of double).
  static T remainder(T x, T y) noexcept {
    T r;
    if constexpr (std::is_same_v<T, float>) {
      r = __builtin_remainderf(x, y);
    } else {
      r = __builtin_remainder(x, y);
    }
    return r == T(0) ? with_sign(r, x) : r;
  }
  // The C library promises three bits of the quotient; seven are asked for.
  static T remquo(T x, T y, int &quotient) noexcept {
    const T ay = absolute(y);
    const T ax = fmod(absolute(x), T(128) * ay);
    const T r = remainder(ax, ay);
    const bool has_result = r == r && ay < infinity;
    const T q =
        TN_SYCL_ELEMENTWISE(rint)(ax / (has_result ? ay : T(1)) - r / (has_result ? ay : T(1)));
    const int low = static_cast<int>(has_result ? q : T(0)) & 127;
    const bool is_negative = ((to_bits(x) ^ to_bits(y)) & sign_bit) != 0;
    quotient = is_negative ? -low : low;
    return from_bits(to_bits(r) ^ (to_bits(x) & sign_bit));
  }
  static T lgamma_r(T x, int &sign) noexcept {
    if constexpr (std::is_same_v<T, float>) {
      return tn_sycl_lgamma_r(x, &sign);
    } else {
      return tn_sycl_lgamma_r_double(x, &sign);
    }
  }
  static T lgamma(T x) noexcept {
    int sign;
    return lgamma_r(x, sign);
  }
  static T nan(bits code) noexcept {
    return from_bits(to_bits(not_a_number) | (code & (mantissa_mask >> 1)));
  }
};

#ifdef __NVPTX__
// The library's functions of float are as exact as OpenCL asks and need no double, of which most of
// these GPUs compute 64 times fewer. CUDA's names: clang has no others for three of them.
extern "C" float __nv_sinpif(float) noexcept;
extern "C" double __nv_sinpi(double) noexcept;
extern "C" float __nv_cospif(float) noexcept;
extern "C" double __nv_cospi(double) noexcept;
extern "C" float __nv_rsqrtf(float) noexcept;
extern "C" double __nv_rsqrt(double) noexcept;

template <class T>
struct float_math;
template <>
struct float_math<float> : portable_math<float> {
  static float cbrt(float x) noexcept { return __builtin_cbrtf(x); }
  static float exp(float x) noexcept { return TN_SYCL_ELEMENTWISE(exp)(x); }
  static float exp2(float x) noexcept { return TN_SYCL_ELEMENTWISE(exp2)(x); }
  static float exp10(float x) noexcept { return TN_SYCL_ELEMENTWISE(exp10)(x); }
  static float hypot(float x, float y) noexcept { return __builtin_hypotf(x, y); }
  static float ldexp(float x, int k) noexcept { return __builtin_ldexpf(x, k); }
  static float log(float x) noexcept { return TN_SYCL_ELEMENTWISE(log)(x); }
  static float log10(float x) noexcept { return TN_SYCL_ELEMENTWISE(log10)(x); }
  static float log1p(float x) noexcept { return __builtin_log1pf(x); }
  static float pown(float x, int y) noexcept {
    // float holds these exponents.
    return y >= -0x1000000 && y <= 0x1000000 ? pow(x, static_cast<float>(y))
                                             : portable_math<float>::pown(x, y);
  }
  static float sinpi(float x) noexcept { return __nv_sinpif(x); }
  static float cospi(float x) noexcept { return __nv_cospif(x); }
  static float rsqrt(float x) noexcept { return __nv_rsqrtf(x); }
};
template <>
struct float_math<double> : portable_math<double> {
  static double cbrt(double x) noexcept { return __builtin_cbrt(x); }
  static double exp(double x) noexcept { return TN_SYCL_ELEMENTWISE(exp)(x); }
  static double sinpi(double x) noexcept { return __nv_sinpi(x); }
  static double cospi(double x) noexcept { return __nv_cospi(x); }
  static double rsqrt(double x) noexcept { return __nv_rsqrt(x); }
};
#elif defined(__SPIRV__) && defined(__SYCL_DEVICE_ONLY__)
// OpenCL's own, which drivers have for their devices, and which need no double for float: not every
// device has it.
template <class T>
struct float_math : portable_math<T> {
  static T log(T x) noexcept { return ::__spirv_ocl_log(x); }
  static T log10(T x) noexcept { return TN_SYCL_ELEMENTWISE(log10)(x); }
  static T log1p(T x) noexcept { return ::__spirv_ocl_log1p(x); }
  static T exp(T x) noexcept { return TN_SYCL_ELEMENTWISE(exp)(x); }
  static T exp2(T x) noexcept { return TN_SYCL_ELEMENTWISE(exp2)(x); }
  static T exp10(T x) noexcept { return ::__spirv_ocl_exp10(x); }
  static T cbrt(T x) noexcept { return ::__spirv_ocl_cbrt(x); }
  static T hypot(T x, T y) noexcept { return ::__spirv_ocl_hypot(x, y); }
  static T ldexp(T x, int k) noexcept { return ::__spirv_ocl_ldexp(x, k); }
  static T pown(T x, int y) noexcept { return ::__spirv_ocl_pown(x, y); }
  static T powr(T x, T y) noexcept { return ::__spirv_ocl_powr(x, y); }
  static T rootn(T x, int n) noexcept { return ::__spirv_ocl_rootn(x, n); }
  static T rsqrt(T x) noexcept { return ::__spirv_ocl_rsqrt(x); }
  static T sinpi(T x) noexcept { return ::__spirv_ocl_sinpi(x); }
  static T cospi(T x) noexcept { return ::__spirv_ocl_cospi(x); }
  static T tanpi(T x) noexcept { return ::__spirv_ocl_tanpi(x); }
  static T asinpi(T x) noexcept { return ::__spirv_ocl_asinpi(x); }
  static T acospi(T x) noexcept { return ::__spirv_ocl_acospi(x); }
  static T atanpi(T x) noexcept { return ::__spirv_ocl_atanpi(x); }
  static T atan2pi(T y, T x) noexcept { return ::__spirv_ocl_atan2pi(y, x); }
};
#else
template <class T>
using float_math = portable_math<T>;
#endif

}  // namespace sycl::detail

#endif
