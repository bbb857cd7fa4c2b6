// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How Intel's GPUs divide a cache: a property of launches without effect here.
// Source: the SYCL extension sycl_ext_intel_cache_config.
#ifndef TENON_SYCL_EXT_INTEL_CACHE_CONFIG_HPP
#define TENON_SYCL_EXT_INTEL_CACHE_CONFIG_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>

#include <cstdint>

namespace sycl::ext {

namespace intel::experimental {

enum class cache_config_enum : std::uint16_t { large_slm, large_data };
inline constexpr cache_config_enum large_slm = cache_config_enum::large_slm;
inline constexpr cache_config_enum large_data = cache_config_enum::large_data;

struct cache_config {
  constexpr cache_config(cache_config_enum config) : value(config) {}
  cache_config_enum value;
  friend constexpr bool operator==(const cache_config &a, const cache_config &b) noexcept {
    return a.value == b.value;
  }
  friend constexpr bool operator!=(const cache_config &a, const cache_config &b) noexcept {
    return a.value != b.value;
  }
};
using cache_config_key = cache_config;

}  // namespace intel::experimental

template <>
struct oneapi::experimental::is_property_key<intel::experimental::cache_config_key>
    : std::true_type {};

}  // namespace sycl::ext

#endif
