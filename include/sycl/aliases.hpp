// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float4, mfloat4 and the like. Source: SYCL 2020 sections 4.14.2.2, 4.14.3.2.
#ifndef TENON_SYCL_ALIASES_HPP
#define TENON_SYCL_ALIASES_HPP

#include <sycl/half.hpp>
#include <sycl/marray.hpp>
#include <sycl/scalar_types.hpp>
#include <sycl/vec.hpp>

// X(name, type): the names that vec and marray are called by.
#define TN_SYCL_VECTOR_TYPES(X) \
  X(char, std::int8_t)          \
  X(uchar, std::uint8_t)        \
  X(short, std::int16_t)        \
  X(ushort, std::uint16_t)      \
  X(int, std::int32_t)          \
  X(uint, std::uint32_t)        \
  X(long, std::int64_t)         \
  X(ulong, std::uint64_t)       \
  X(half, half)                 \
  X(float, float)               \
  X(double, double)

#define TN_SYCL_ALIAS(name, type, count)                                      \
  using name##count = vec<type, count>;                                       \
  using cl_##name##count = vec<type, count>; /* SYCL 1.2.1, section 4.10.1 */ \
  using m##name##count = marray<type, count>;
#define TN_SYCL_ALIASES(name, type) \
  TN_SYCL_ALIAS(name, type, 2)      \
  TN_SYCL_ALIAS(name, type, 3)      \
  TN_SYCL_ALIAS(name, type, 4)      \
  TN_SYCL_ALIAS(name, type, 8)      \
  TN_SYCL_ALIAS(name, type, 16)

namespace sycl {

TN_SYCL_VECTOR_TYPES(TN_SYCL_ALIASES)

using mbool2 = marray<bool, 2>;
using mbool3 = marray<bool, 3>;
using mbool4 = marray<bool, 4>;
using mbool8 = marray<bool, 8>;
using mbool16 = marray<bool, 16>;

}  // namespace sycl

#undef TN_SYCL_ALIAS
#undef TN_SYCL_ALIASES

#endif
