// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the host waits for a command: a property of submissions without effect here.
// Source: the SYCL extension sycl_ext_intel_event_mode.
#ifndef TENON_SYCL_EXT_EVENT_MODE_HPP
#define TENON_SYCL_EXT_EVENT_MODE_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>

namespace sycl::ext {

namespace oneapi::experimental {

enum class event_mode_enum { none, low_power };

struct event_mode {
  constexpr event_mode(event_mode_enum mode) : value(mode) {}
  event_mode_enum value;
  friend constexpr bool operator==(const event_mode &a, const event_mode &b) noexcept {
    return a.value == b.value;
  }
  friend constexpr bool operator!=(const event_mode &a, const event_mode &b) noexcept {
    return a.value != b.value;
  }
};
using event_mode_key = event_mode;
template <>
struct is_property_key<event_mode_key> : std::true_type {};

}  // namespace oneapi::experimental

namespace intel::experimental {
using oneapi::experimental::event_mode;
using oneapi::experimental::event_mode_enum;
using oneapi::experimental::event_mode_key;
}  // namespace intel::experimental

}  // namespace sycl::ext

#endif
