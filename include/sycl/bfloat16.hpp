// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::ext::oneapi::bfloat16: a float's upper half. Source: extension sycl_ext_oneapi_bfloat16.
#ifndef TENON_SYCL_BFLOAT16_HPP
#define TENON_SYCL_BFLOAT16_HPP

#include <sycl/detail/vec_operators.hpp>
#include <sycl/half.hpp>

namespace sycl::ext::oneapi {

class bfloat16;

template <class T>
using if_bfloat16_operand =
    std::enable_if_t<std::is_convertible_v<const T &, float> && !std::is_same_v<T, bfloat16> &&
                         std::is_void_v<sycl::detail::elements_of_t<T>>,
                     int>;

#define TN_SYCL_BFLOAT16_OPERATOR(result, op)                                              \
  friend constexpr result operator op(const bfloat16 &lhs, const bfloat16 &rhs) noexcept { \
    return lhs.to_float() op rhs.to_float();                                               \
  }                                                                                        \
  template <class T, if_bfloat16_operand<T> = 0>                                           \
  friend constexpr result operator op(const bfloat16 &lhs, const T &rhs) {                 \
    return lhs.to_float() op static_cast<float>(rhs);                                      \
  }                                                                                        \
  template <class T, if_bfloat16_operand<T> = 0>                                           \
  friend constexpr result operator op(const T &lhs, const bfloat16 &rhs) {                 \
    return static_cast<float>(lhs) op rhs.to_float();                                      \
  }

#define TN_SYCL_BFLOAT16_ARITHMETIC(op)                                                       \
  TN_SYCL_BFLOAT16_OPERATOR(bfloat16, op)                                                     \
  friend constexpr bfloat16 &operator op## = (bfloat16 & lhs, const bfloat16 &rhs) noexcept { \
    return lhs = lhs op rhs;                                                                  \
  }

#define TN_SYCL_BFLOAT16_STEP(step, op)                                    \
  friend constexpr bfloat16 &operator step(bfloat16 &value) noexcept {     \
    return value = value op 1.0f;                                          \
  }                                                                        \
  friend constexpr bfloat16 operator step(bfloat16 &value, int) noexcept { \
    const bfloat16 before = value;                                         \
    step value;                                                            \
    return before;                                                         \
  }

// Arithmetic is float's, and every result is rounded to nearest even. Conversions are made of
// integer operations: they vectorise, where a conversion to the compiler's type calls a library.
// NVIDIA's GPUs get the compiler's type, of which instructions come where the processor has them.
class bfloat16 {
 public:
  bfloat16() = default;
  constexpr bfloat16(const float &value) noexcept : bits_(round(value)) {}
  constexpr bfloat16(const half &value) noexcept : bits_(round(value)) {}
  constexpr bfloat16 &operator=(const float &value) noexcept {
    bits_ = round(value);
    return *this;
  }
  constexpr bfloat16 &operator=(const half &value) noexcept {
    bits_ = round(value);
    return *this;
  }

  constexpr operator float() const noexcept { return to_float(); }
  constexpr operator half() const noexcept { return half(to_float()); }
  constexpr explicit operator bool() const noexcept { return to_float() != 0.0f; }

  friend constexpr bfloat16 operator+(const bfloat16 &value) noexcept { return value; }
  friend constexpr bfloat16 operator-(const bfloat16 &value) noexcept {
    return tn_from_bits(static_cast<std::uint16_t>(value.bits_ ^ 0x8000u));
  }
  TN_SYCL_BFLOAT16_STEP(++, +)
  TN_SYCL_BFLOAT16_STEP(--, -)
  TN_SYCL_BFLOAT16_ARITHMETIC(+)
  TN_SYCL_BFLOAT16_ARITHMETIC(-)
  TN_SYCL_BFLOAT16_ARITHMETIC(*)
  TN_SYCL_BFLOAT16_ARITHMETIC(/)
  TN_SYCL_BFLOAT16_OPERATOR(bool, ==)
  TN_SYCL_BFLOAT16_OPERATOR(bool, !=)
  TN_SYCL_BFLOAT16_OPERATOR(bool, <)
  TN_SYCL_BFLOAT16_OPERATOR(bool, >)
  TN_SYCL_BFLOAT16_OPERATOR(bool, <=)
  TN_SYCL_BFLOAT16_OPERATOR(bool, >=)

  static constexpr bfloat16 tn_from_bits(std::uint16_t bits) noexcept {
    bfloat16 result{};
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t tn_bits() const noexcept { return bits_; }

 private:
#ifdef __NVPTX__
  static constexpr std::uint16_t round(float value) noexcept {
    return __builtin_bit_cast(std::uint16_t, static_cast<__bf16>(value));
  }
  constexpr float to_float() const noexcept {
    return static_cast<float>(__builtin_bit_cast(__bf16, bits_));
  }
#else
  static constexpr std::uint16_t round(float value) noexcept {
    const auto bits = __builtin_bit_cast(std::uint32_t, value);
    const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    // Rounding up could make an infinity of a NaN.
    return static_cast<std::uint16_t>(value != value ? (bits >> 16 | 0x40u) : rounded);
  }
  constexpr float to_float() const noexcept {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits_) << 16);
  }
#endif

  std::uint16_t bits_;
};

#undef TN_SYCL_BFLOAT16_STEP
#undef TN_SYCL_BFLOAT16_ARITHMETIC
#undef TN_SYCL_BFLOAT16_OPERATOR

}  // namespace sycl::ext::oneapi

template <>
class std::numeric_limits<sycl::ext::oneapi::bfloat16>
    : public sycl::detail::small_float_limits<sycl::ext::oneapi::bfloat16, 0x0080, 0x7f7f, 0x3c00,
                                              0x3f00> {
 public:
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
};

#ifndef __TENON_RTC__
// Of equal zeros the same, as float's.
template <>
struct std::hash<sycl::ext::oneapi::bfloat16> : std::hash<float> {};
#endif

#endif
