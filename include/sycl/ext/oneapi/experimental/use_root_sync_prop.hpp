// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A property of launches: their work-groups may wait for each other.
// Source: the SYCL extension sycl_ext_oneapi_root_group.
#ifndef TENON_SYCL_EXT_USE_ROOT_SYNC_PROP_HPP
#define TENON_SYCL_EXT_USE_ROOT_SYNC_PROP_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>

namespace sycl {

namespace ext::oneapi::experimental {

struct use_root_sync_key {
  using value_t = property_value<use_root_sync_key>;
};
inline constexpr use_root_sync_key::value_t use_root_sync;
template <>
struct is_property_key<use_root_sync_key> : std::true_type {};

template <int Dimensions>
class root_group;

}  // namespace ext::oneapi::experimental

namespace detail {
struct root_access;
}

}  // namespace sycl

#endif
