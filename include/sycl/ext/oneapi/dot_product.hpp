// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot_acc: the dot product of four small integers, plus a sum.
// Source: the SYCL extension sycl_ext_oneapi_dot_accumulate.
#ifndef TENON_SYCL_EXT_DOT_PRODUCT_HPP
#define TENON_SYCL_EXT_DOT_PRODUCT_HPP

#include <sycl/vec.hpp>

namespace sycl {

namespace detail {

template <class A, class B>
std::int32_t dot_of_bytes(const vec<A, 4> &a, const vec<B, 4> &b, std::int32_t c) noexcept {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<std::int32_t>(a[i]) * static_cast<std::int32_t>(b[i]);
  }
  return c;
}
// The bytes of an integer, signed as it is.
template <class T>
using bytes_of = vec<std::conditional_t<std::is_signed_v<T>, std::int8_t, std::uint8_t>, 4>;

}  // namespace detail

namespace ext::oneapi {

#define TN_SYCL_DOT_ACC(A, B)                                                           \
  inline std::int32_t dot_acc(A a, B b, std::int32_t c) noexcept {                      \
    return sycl::detail::dot_of_bytes(__builtin_bit_cast(sycl::detail::bytes_of<A>, a), \
                                      __builtin_bit_cast(sycl::detail::bytes_of<B>, b), c); \
  }                                                                                     \
  inline std::int32_t dot_acc(sycl::detail::bytes_of<A> a, sycl::detail::bytes_of<B> b, \
                              std::int32_t c) noexcept {                                \
    return sycl::detail::dot_of_bytes(a, b, c);                                         \
  }
TN_SYCL_DOT_ACC(std::int32_t, std::int32_t)
TN_SYCL_DOT_ACC(std::int32_t, std::uint32_t)
TN_SYCL_DOT_ACC(std::uint32_t, std::int32_t)
TN_SYCL_DOT_ACC(std::uint32_t, std::uint32_t)
#undef TN_SYCL_DOT_ACC

}  // namespace ext::oneapi

}  // namespace sycl

#endif
