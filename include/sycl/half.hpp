// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::half, IEEE 754 binary16. Source: SYCL 2020 section 4.14.1.
#ifndef TENON_SYCL_HALF_HPP
#define TENON_SYCL_HALF_HPP

#include <cstdint>
#include <limits>
#include <type_traits>
#ifndef __TENON_RTC__
#include <system_error>  // the smallest that declares std::hash
#endif

namespace sycl {

class half;

namespace detail {

template <class T>
using if_half_operand =
    std::enable_if_t<std::is_arithmetic_v<T> || std::is_same_v<T, _Float16>, int>;
// Beside a half: wider floating-point types stay, everything else becomes half.
template <class T>
using half_joined = std::conditional_t<std::is_floating_point_v<T>, T, half>;

// To float so that rounding the result again, to half, gives what rounding once would: results
// that are not exact get an odd last bit. Compilers call a library to convert double to half.
template <class T>
constexpr float round_to_odd(T value) noexcept {
  const float near = static_cast<float>(value);
  const T back = static_cast<T>(near);
  const auto bits = __builtin_bit_cast(std::uint32_t, near);
  if (back == value || value != value || (bits & 1u) != 0) {
    return near;
  }
  const bool away = value < T(0) ? back < value : back > value;
  return __builtin_bit_cast(float, away ? bits - 1u : bits + 1u);
}

// Where the host's instructions have no halves, compilers call a library for each conversion, which
// takes several times as long as these. Not-a-numbers become quiet, as there.
constexpr float float_of_half(std::uint16_t half) noexcept {
  constexpr std::uint32_t infinity = 0x7c00u << 13, least = 113u << 23;
  std::uint32_t bits = (half & 0x7fffu) << 13;
  const std::uint32_t exponent = bits & infinity;
  if (exponent == infinity) {
    bits |= 0x7f800000u | ((bits & 0x007fffffu) != 0 ? 0x00400000u : 0u);
  } else if (exponent != 0) {
    bits += (127u - 15u) << 23;
  } else {
    bits = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, bits + least) -
                                                 __builtin_bit_cast(float, least));
  }
  return __builtin_bit_cast(float, bits | (half & 0x8000u) << 16);
}
constexpr std::uint16_t half_of_float(float value) noexcept {
  constexpr std::uint32_t infinity = 0x7f800000u, beyond = 143u << 23, least = 113u << 23;
  constexpr std::uint32_t shift = 126u << 23;  // its last bit is that of the smallest halves
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t sign = bits & 0x80000000u;
  bits ^= sign;
  if (bits > infinity) {
    bits = 0x7e00u | (bits >> 13 & 0x01ffu);
  } else if (bits >= beyond) {
    bits = 0x7c00u;
  } else if (bits >= least) {
    bits = (bits - ((127u - 15u) << 23) + 0x0fffu + (bits >> 13 & 1u)) >> 13;
  } else {
    bits = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, bits) +
                                                 __builtin_bit_cast(float, shift)) -
           shift;
  }
  return static_cast<std::uint16_t>(bits | sign >> 16);
}
#if defined(__SYCL_DEVICE_ONLY__) || defined(__F16C__) || defined(__AVX512FP16__)
inline constexpr bool has_half = true;
#else
inline constexpr bool has_half = false;
#endif
template <class T>
constexpr _Float16 round_to_half(const T &value) noexcept {
  if constexpr (std::is_floating_point_v<T> && sizeof(T) > sizeof(float)) {
    return round_to_half(round_to_odd(value));
  } else if constexpr (std::is_same_v<T, float> && !has_half) {
    return __builtin_bit_cast(_Float16, half_of_float(value));
  } else {
    return static_cast<_Float16>(value);
  }
}

}  // namespace detail

#define TN_SYCL_HALF_BINARY(op)                                                                 \
  friend constexpr half operator op(const half &lhs, const half &rhs) noexcept {                \
    if constexpr (detail::has_half) {                                                           \
      return tn_make(lhs.data_ op rhs.data_);                                                   \
    } else {                                                                                    \
      return half(float(lhs) op float(rhs));                                                    \
    }                                                                                           \
  }                                                                                             \
  template <class T, detail::if_half_operand<T> = 0>                                            \
  friend constexpr detail::half_joined<T> operator op(const half &lhs, const T &rhs) noexcept { \
    using joined = detail::half_joined<T>;                                                      \
    return static_cast<joined>(lhs) op static_cast<joined>(rhs);                                \
  }                                                                                             \
  template <class T, detail::if_half_operand<T> = 0>                                            \
  friend constexpr detail::half_joined<T> operator op(const T &lhs, const half &rhs) noexcept { \
    using joined = detail::half_joined<T>;                                                      \
    return static_cast<joined>(lhs) op static_cast<joined>(rhs);                                \
  }                                                                                             \
  friend constexpr half &operator op## = (half & lhs, const half &rhs) noexcept {               \
    return lhs = lhs op rhs;                                                                    \
  }                                                                                             \
  template <class T, detail::if_half_operand<T> = 0>                                            \
  friend constexpr half &operator op## = (half & lhs, const T &rhs) noexcept {                  \
    return lhs = static_cast<half>(lhs op rhs);                                                 \
  }

#define TN_SYCL_HALF_RELATION(op)                                                \
  friend constexpr bool operator op(const half &lhs, const half &rhs) noexcept { \
    return detail::has_half ? lhs.data_ op rhs.data_ : float(lhs) op float(rhs); \
  }                                                                              \
  template <class T, detail::if_half_operand<T> = 0>                             \
  friend constexpr bool operator op(const half &lhs, const T &rhs) noexcept {    \
    using joined = detail::half_joined<T>;                                       \
    return static_cast<joined>(lhs) op static_cast<joined>(rhs);                 \
  }                                                                              \
  template <class T, detail::if_half_operand<T> = 0>                             \
  friend constexpr bool operator op(const T &lhs, const half &rhs) noexcept {    \
    using joined = detail::half_joined<T>;                                       \
    return static_cast<joined>(lhs) op static_cast<joined>(rhs);                 \
  }

#define TN_SYCL_HALF_STEP(step, op)                                                          \
  constexpr half &operator step() noexcept { return *this = tn_make(data_ op _Float16(1)); } \
  constexpr half operator step(int) noexcept {                                               \
    const half before = *this;                                                               \
    step *this;                                                                              \
    return before;                                                                           \
  }

// Every operation rounds to half.
class half {
 public:
  half() = default;
  template <class T, detail::if_half_operand<T> = 0>
  constexpr half(const T &value) noexcept : data_(detail::round_to_half(value)) {}
  // Enumerators, and objects that convert to a number, such as an id.
  template <class T,
            std::enable_if_t<std::is_enum_v<T> && std::is_convertible_v<T, float>, int> = 0>
  constexpr half(T value) noexcept : half(static_cast<std::underlying_type_t<T>>(value)) {}
  template <class T,
            std::enable_if_t<std::is_class_v<T> && std::is_convertible_v<T, float>, int> = 0>
  constexpr explicit half(const T &value) : half(static_cast<float>(value)) {}

  constexpr operator float() const noexcept {
    return detail::has_half ? static_cast<float>(data_)
                            : detail::float_of_half(__builtin_bit_cast(std::uint16_t, data_));
  }

  constexpr half operator+() const noexcept { return *this; }
  constexpr half operator-() const noexcept { return tn_make(-data_); }
  TN_SYCL_HALF_STEP(++, +)
  TN_SYCL_HALF_STEP(--, -)
  TN_SYCL_HALF_BINARY(+)
  TN_SYCL_HALF_BINARY(-)
  TN_SYCL_HALF_BINARY(*)
  TN_SYCL_HALF_BINARY(/)
  TN_SYCL_HALF_RELATION(==)
  TN_SYCL_HALF_RELATION(!=)
  TN_SYCL_HALF_RELATION(<)
  TN_SYCL_HALF_RELATION(>)
  TN_SYCL_HALF_RELATION(<=)
  TN_SYCL_HALF_RELATION(>=)

  static constexpr half tn_make(_Float16 value) noexcept {
    half result{};
    result.data_ = value;
    return result;
  }
  static constexpr half tn_from_bits(std::uint16_t bits) noexcept {
    return tn_make(__builtin_bit_cast(_Float16, bits));
  }
  constexpr _Float16 tn_value() const noexcept { return data_; }

 private:
  _Float16 data_;
};

#undef TN_SYCL_HALF_STEP
#undef TN_SYCL_HALF_BINARY
#undef TN_SYCL_HALF_RELATION

}  // namespace sycl

namespace sycl::detail {

// Limits of 16-bit numbers that are float's but for these, given as bits.
template <class T, std::uint16_t Min, std::uint16_t Max, std::uint16_t Epsilon, std::uint16_t Half>
struct small_float_limits : std::numeric_limits<float> {
  static constexpr T min() noexcept { return T::tn_from_bits(Min); }
  static constexpr T lowest() noexcept { return T::tn_from_bits(0x8000 | Max); }
  static constexpr T max() noexcept { return T::tn_from_bits(Max); }
  static constexpr T epsilon() noexcept { return T::tn_from_bits(Epsilon); }
  static constexpr T round_error() noexcept { return T::tn_from_bits(Half); }
  static constexpr T infinity() noexcept { return T::tn_from_bits(Max + 1); }
  // Of the fraction, the bits below those of the exponent, the first or the second.
  static constexpr T quiet_NaN() noexcept { return T::tn_from_bits((Max + 1) | Min / 2); }
  static constexpr T signaling_NaN() noexcept { return T::tn_from_bits((Max + 1) | Min / 4); }
  static constexpr T denorm_min() noexcept { return T::tn_from_bits(1); }
};

}  // namespace sycl::detail

template <>
class std::numeric_limits<sycl::half>
    : public sycl::detail::small_float_limits<sycl::half, 0x0400, 0x7bff, 0x1400, 0x3800> {
 public:
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
};

#ifndef __TENON_RTC__
template <>
struct std::hash<sycl::half> {
  // Zeros are equal, whatever their sign.
  std::size_t operator()(const sycl::half &value) const noexcept {
    const std::uint16_t bits = __builtin_bit_cast(std::uint16_t, value);
    return std::hash<std::uint16_t>()(bits == 0x8000 ? std::uint16_t(0) : bits);
  }
};
#endif

#endif
