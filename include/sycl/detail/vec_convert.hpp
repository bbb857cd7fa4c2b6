// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How vec::convert converts an element in each rounding mode, without calls of a math library.
// Source: SYCL 2020 section 4.14.2.5 (rounding modes).
#ifndef TENON_SYCL_DETAIL_VEC_CONVERT_HPP
#define TENON_SYCL_DETAIL_VEC_CONVERT_HPP

#include <sycl/detail/vec_operators.hpp>

namespace sycl {

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

namespace detail {

template <std::size_t Size>
struct vec_int;
template <>
struct vec_int<1> {
  using type = std::int8_t;
};
template <>
struct vec_int<2> {
  using type = std::int16_t;
};
template <>
struct vec_int<4> {
  using type = std::int32_t;
};
template <>
struct vec_int<8> {
  using type = std::int64_t;
};

// 2 to the power of the number of an integer's value bits.
template <class Int>
constexpr float convert_limit() noexcept {
  float limit = 1;
  for (std::size_t i = std::is_signed_v<Int> ? 1 : 0; i < sizeof(Int) * 8; ++i) {
    limit *= 2;
  }
  return limit;
}

// -1, 0 or 1: the rounded value is below, at or above the exact one.
template <class To, class From>
constexpr int convert_error(To rounded, From exact) noexcept {
  if constexpr (is_float_like<From>) {
    const From back = static_cast<From>(rounded);
    return (back > exact) - (back < exact);
  } else {
    using wide = std::conditional_t<(sizeof(To) < sizeof(float)), float, To>;
    const wide value = static_cast<wide>(rounded);
    if (value >= convert_limit<From>()) {
      return 1;
    }
    if (std::is_signed_v<From> && value < -convert_limit<From>()) {
      return -1;
    }
    const From back = static_cast<From>(value);
    return (back > exact) - (back < exact);
  }
}

template <rounding_mode Mode, class To, class From>
constexpr To convert_to_float(From value) noexcept {
  const To nearest = static_cast<To>(value);
  if constexpr (Mode == rounding_mode::automatic || Mode == rounding_mode::rte ||
                (is_float_like<From> && sizeof(From) < sizeof(To))) {
    return nearest;
  } else {
    const int error = convert_error(nearest, value);
    const bool negative = value < From(0);
    const bool down = Mode == rounding_mode::rtn || (Mode == rounding_mode::rtz && !negative);
    if (error == 0 || (error > 0) != down) {
      return nearest;
    }
    // The next value in the direction: bits of floats count away from zero.
    using bits = typename vec_int<sizeof(To)>::type;
    const bits at = __builtin_bit_cast(bits, nearest);
    if (nearest == To(0)) {
      const auto least = static_cast<bits>(
          std::uint64_t(1) | (down ? std::uint64_t(1) << (sizeof(To) * 8 - 1) : std::uint64_t(0)));
      return __builtin_bit_cast(To, least);
    }
    return __builtin_bit_cast(To, static_cast<bits>((nearest < To(0)) == down ? at + 1 : at - 1));
  }
}

template <rounding_mode Mode, class To, class From>
constexpr To convert_to_integer(From value) noexcept {
  const To whole = static_cast<To>(value);
  if constexpr (Mode == rounding_mode::rtz) {
    return whole;
  } else {
    const From rest = value - static_cast<From>(whole);
    if constexpr (Mode == rounding_mode::rtp) {
      return static_cast<To>(rest > From(0) ? whole + 1 : whole);
    } else if constexpr (Mode == rounding_mode::rtn) {
      return static_cast<To>(rest < From(0) ? whole - 1 : whole);
    } else {
      const bool odd = (whole & 1) != 0;
      if (rest > From(0.5f) || (rest == From(0.5f) && odd)) {
        return static_cast<To>(whole + 1);
      }
      const bool lower = rest < From(-0.5f) || (rest == From(-0.5f) && odd);
      return static_cast<To>(lower ? whole - 1 : whole);
    }
  }
}

template <class To, rounding_mode Mode, class From>
constexpr To convert_element(From value) noexcept {
  if constexpr (std::is_same_v<To, bool> || std::is_same_v<From, bool> ||
                std::is_same_v<To, From>) {
    return static_cast<To>(value);
  } else if constexpr (is_float_like<From> && sizeof(From) < sizeof(float)) {
    return convert_element<To, Mode>(static_cast<float>(value));
  } else if constexpr (is_float_like<To> && is_number<From>) {
    return convert_to_float<Mode, To>(value);
  } else if constexpr (std::is_integral_v<To> && is_float_like<From>) {
    return convert_to_integer<Mode, To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace detail
}  // namespace sycl

#endif
