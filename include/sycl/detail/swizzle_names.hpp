// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The swizzles that are called by their elements' names, .zyx(), where SYCL_SIMPLE_SWIZZLES asks
// for them. Source: SYCL 2020 section 4.14.2.1 (XYZW_SWIZZLE, RGBA_SWIZZLE).
#ifndef TENON_SYCL_DETAIL_SWIZZLE_NAMES_HPP
#define TENON_SYCL_DETAIL_SWIZZLE_NAMES_HPP

#define TN_SYCL_SWIZZLE_BODY(name, count, ...)            \
  {                                                       \
    static_assert(count, "no such elements in this vec"); \
    return this->template swizzle<__VA_ARGS__>();         \
  }

#define TN_SYCL_XYZW_2(q, a, b) \
  constexpr auto a##b() q noexcept TN_SYCL_SWIZZLE_BODY(a##b, tn_count <= 4, elem::a, elem::b)
#define TN_SYCL_XYZW_3(q, a, b, c) \
  constexpr auto a##b##c()         \
      q noexcept TN_SYCL_SWIZZLE_BODY(a##b##c, tn_count <= 4, elem::a, elem::b, elem::c)
#define TN_SYCL_XYZW_4(q, a, b, c, d)                                                             \
  constexpr auto a##b##c##d() q noexcept TN_SYCL_SWIZZLE_BODY(a##b##c##d, tn_count <= 4, elem::a, \
                                                              elem::b, elem::c, elem::d)
#define TN_SYCL_RGBA_2(q, a, b) \
  constexpr auto a##b() q noexcept TN_SYCL_SWIZZLE_BODY(a##b, tn_count == 4, elem::a, elem::b)
#define TN_SYCL_RGBA_3(q, a, b, c) \
  constexpr auto a##b##c()         \
      q noexcept TN_SYCL_SWIZZLE_BODY(a##b##c, tn_count == 4, elem::a, elem::b, elem::c)
#define TN_SYCL_RGBA_4(q, a, b, c, d)                                                             \
  constexpr auto a##b##c##d() q noexcept TN_SYCL_SWIZZLE_BODY(a##b##c##d, tn_count == 4, elem::a, \
                                                              elem::b, elem::c, elem::d)

// A macro does not expand inside itself, so each depth has its own.
#define TN_SYCL_XYZW_AT1(q) \
  TN_SYCL_XYZW_AT2(q, x) TN_SYCL_XYZW_AT2(q, y) TN_SYCL_XYZW_AT2(q, z) TN_SYCL_XYZW_AT2(q, w)
#define TN_SYCL_XYZW_AT2(q, a) \
  TN_SYCL_XYZW_AT3(q, a, x)    \
  TN_SYCL_XYZW_AT3(q, a, y) TN_SYCL_XYZW_AT3(q, a, z) TN_SYCL_XYZW_AT3(q, a, w)
#define TN_SYCL_XYZW_AT3(q, a, b) \
  TN_SYCL_XYZW_2(q, a, b)         \
  TN_SYCL_XYZW_AT4(q, a, b, x)    \
  TN_SYCL_XYZW_AT4(q, a, b, y) TN_SYCL_XYZW_AT4(q, a, b, z) TN_SYCL_XYZW_AT4(q, a, b, w)
#define TN_SYCL_XYZW_AT4(q, a, b, c) \
  TN_SYCL_XYZW_3(q, a, b, c)         \
  TN_SYCL_XYZW_4(q, a, b, c, x)      \
  TN_SYCL_XYZW_4(q, a, b, c, y) TN_SYCL_XYZW_4(q, a, b, c, z) TN_SYCL_XYZW_4(q, a, b, c, w)

#define TN_SYCL_RGBA_AT1(q) \
  TN_SYCL_RGBA_AT2(q, r) TN_SYCL_RGBA_AT2(q, g) TN_SYCL_RGBA_AT2(q, b) TN_SYCL_RGBA_AT2(q, a)
#define TN_SYCL_RGBA_AT2(q, i) \
  TN_SYCL_RGBA_AT3(q, i, r)    \
  TN_SYCL_RGBA_AT3(q, i, g) TN_SYCL_RGBA_AT3(q, i, b) TN_SYCL_RGBA_AT3(q, i, a)
#define TN_SYCL_RGBA_AT3(q, i, j) \
  TN_SYCL_RGBA_2(q, i, j)         \
  TN_SYCL_RGBA_AT4(q, i, j, r)    \
  TN_SYCL_RGBA_AT4(q, i, j, g) TN_SYCL_RGBA_AT4(q, i, j, b) TN_SYCL_RGBA_AT4(q, i, j, a)
#define TN_SYCL_RGBA_AT4(q, i, j, k) \
  TN_SYCL_RGBA_3(q, i, j, k)         \
  TN_SYCL_RGBA_4(q, i, j, k, r)      \
  TN_SYCL_RGBA_4(q, i, j, k, g) TN_SYCL_RGBA_4(q, i, j, k, b) TN_SYCL_RGBA_4(q, i, j, k, a)

#define TN_SYCL_SIMPLE_SWIZZLES(qualifier) \
  TN_SYCL_XYZW_AT1(qualifier)              \
  TN_SYCL_RGBA_AT1(qualifier)

#endif
