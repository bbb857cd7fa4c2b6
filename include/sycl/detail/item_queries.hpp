// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How nd_item and group ask the device where the calling work-item is: one call for one number, for
// in sources compiled at run time each function more is felt. For classes with `Dimensions`.
// Source: SPIR-V environment specification, built-in variables.
#ifndef TENON_SYCL_DETAIL_ITEM_QUERIES_HPP
#define TENON_SYCL_DETAIL_ITEM_QUERIES_HPP

#include <sycl/detail/device_builtins.hpp>

// `name` in SPIR-V's dimension. On the host, where no work-item is, 0.
#ifdef __SYCL_DEVICE_ONLY__
#define TN_SYCL_ASK(name, dimension) __spirv_BuiltIn##name(dimension)
#else
#define TN_SYCL_ASK(name, dimension) (static_cast<void>(dimension), std::size_t())
#endif

// In SYCL's dimension.
#define TN_SYCL_ASK_AT(name, dimension) TN_SYCL_ASK(name, Dimensions - 1 - (dimension))

// The value of a member function that returns all of them, as id or range.
#define TN_SYCL_ASK_ALL(type, name)                                                            \
  if constexpr (Dimensions == 1) {                                                             \
    return type<Dimensions>(TN_SYCL_ASK(name, 0));                                             \
  } else if constexpr (Dimensions == 2) {                                                      \
    return type<Dimensions>(TN_SYCL_ASK(name, 1), TN_SYCL_ASK(name, 0));                       \
  } else {                                                                                     \
    return type<Dimensions>(TN_SYCL_ASK(name, 2), TN_SYCL_ASK(name, 1), TN_SYCL_ASK(name, 0)); \
  }

// The value of a member function that numbers places row by row; `place` and `extent` are
// functions of SYCL's dimension.
#define TN_SYCL_ASK_LINEAR(place, extent)                            \
  if constexpr (Dimensions == 1) {                                   \
    return place(0);                                                 \
  } else if constexpr (Dimensions == 2) {                            \
    return place(0) * extent(1) + place(1);                          \
  } else {                                                           \
    return (place(0) * extent(1) + place(1)) * extent(2) + place(2); \
  }

#endif
