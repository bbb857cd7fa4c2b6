// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of memory pools. Source: the SYCL extension sycl_ext_oneapi_async_memory_alloc.
#ifndef TENON_SYCL_EXT_MEMORY_POOL_PROPERTIES_HPP
#define TENON_SYCL_EXT_MEMORY_POOL_PROPERTIES_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>

#include <cstddef>

namespace sycl::ext::oneapi::experimental {

struct initial_threshold {
  explicit initial_threshold(std::size_t initialThreshold) : value(initialThreshold) {}
  std::size_t value;
};
struct maximum_size {
  explicit maximum_size(std::size_t maxSize) : value(maxSize) {}
  std::size_t value;
};
struct zero_init {};
using initial_threshold_key = initial_threshold;
using maximum_size_key = maximum_size;
using zero_init_key = zero_init;

inline bool operator==(const initial_threshold &lhs, const initial_threshold &rhs) noexcept {
  return lhs.value == rhs.value;
}
inline bool operator!=(const initial_threshold &lhs, const initial_threshold &rhs) noexcept {
  return !(lhs == rhs);
}
inline bool operator==(const maximum_size &lhs, const maximum_size &rhs) noexcept {
  return lhs.value == rhs.value;
}
inline bool operator!=(const maximum_size &lhs, const maximum_size &rhs) noexcept {
  return !(lhs == rhs);
}
inline bool operator==(const zero_init &, const zero_init &) noexcept { return true; }
inline bool operator!=(const zero_init &, const zero_init &) noexcept { return false; }

template <>
struct is_property_key<initial_threshold_key> : std::true_type {};
template <>
struct is_property_key<maximum_size_key> : std::true_type {};
template <>
struct is_property_key<zero_init_key> : std::true_type {};

// As the extension's document calls them.
namespace property::memory_pool {
using experimental::initial_threshold;
using experimental::initial_threshold_key;
using experimental::maximum_size;
using experimental::maximum_size_key;
using experimental::zero_init;
using experimental::zero_init_key;
struct read_only {};  // nothing is made of it
using read_only_key = read_only;
inline bool operator==(const read_only &, const read_only &) noexcept { return true; }
inline bool operator!=(const read_only &, const read_only &) noexcept { return false; }
}  // namespace property::memory_pool
template <>
struct is_property_key<property::memory_pool::read_only_key> : std::true_type {};

}  // namespace sycl::ext::oneapi::experimental

#endif
