// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::ext::oneapi::experimental: printf, in device code and on the host; native::tanh and exp2.
// Source: DPC++'s header of this name (C's printf, whose format may lie in constant memory);
// sycl_ext_oneapi_native_math.
#ifndef TENON_SYCL_EXT_EXPERIMENTAL_BUILTINS_HPP
#define TENON_SYCL_EXT_EXPERIMENTAL_BUILTINS_HPP

#include <sycl/bfloat16.hpp>
#include <sycl/builtins.hpp>
#include <sycl/half.hpp>

namespace sycl {

namespace detail {

// C promotes float and small integers by itself.
template <class T>
__attribute__((always_inline)) constexpr auto printed(const T &value) noexcept {
  static_assert(
      std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> ||
          std::is_null_pointer_v<T> || std::is_same_v<T, half> || std::is_same_v<T, _Float16> ||
          std::is_same_v<T, ext::oneapi::bfloat16>,
      "printf: numbers and pointers can be printed; pass what a vec or a class has one by "
      "one");
  static_assert(!std::is_same_v<T, long double>, "printf: device code has no long double");
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, _Float16> ||
                std::is_same_v<T, ext::oneapi::bfloat16>) {
    return static_cast<double>(static_cast<float>(value));
  } else if constexpr (std::is_null_pointer_v<T>) {
    return static_cast<const void *>(nullptr);
  } else {
    return value;
  }
}

}  // namespace detail

namespace ext::oneapi::experimental {

// As std::printf. The format may be of another address space:
// `static const __attribute__((opencl_constant)) char format[] = "…";`. Inlined, so that the format
// is known where it is a constant.
template <class FormatT, class... Args>
__attribute__((always_inline)) inline int printf(const FormatT *format, Args... args) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  // No C++ cast leads from one address space to another.
  return __builtin_printf((const char *)format, detail::printed(args)...);
#pragma GCC diagnostic pop
}

// Of float, half and their vectors. The plain functions are fast as they are.
namespace native {
template <class T, std::enable_if_t<!std::is_same_v<sycl::detail::gen_element<T>, double>, int> = 0>
sycl::detail::if_gen_floats<T> tanh(const T &x) noexcept {
  return sycl::tanh(x);
}
template <class T, std::enable_if_t<std::is_same_v<sycl::detail::gen_element<T>, half>, int> = 0>
sycl::detail::if_gen_floats<T> exp2(const T &x) noexcept {
  return sycl::exp2(x);
}
}  // namespace native

}  // namespace ext::oneapi::experimental

}  // namespace sycl

#endif
