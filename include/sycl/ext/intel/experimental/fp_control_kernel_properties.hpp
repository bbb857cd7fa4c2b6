// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding and subnormal numbers as a property of kernels: rounding is to nearest, and subnormal
// numbers are kept as the device does; other rounding is refused.
// Source: the SYCL extension sycl_ext_intel_fp_control.
#ifndef TENON_SYCL_EXT_INTEL_FP_CONTROL_HPP
#define TENON_SYCL_EXT_INTEL_FP_CONTROL_HPP

#include <sycl/ext/oneapi/experimental/function_properties.hpp>

#include <cstdint>

namespace sycl::ext {

namespace intel::experimental {

enum class fp_mode : std::uint32_t {
  round_to_nearest = 1,
  round_upward = 2,
  round_downward = 4,
  round_toward_zero = 8,
  denorm_ftz = 16,
  denorm_d_allow = 32,
  denorm_f_allow = 64,
  denorm_hf_allow = 128,
  denorm_allow = denorm_d_allow | denorm_f_allow | denorm_hf_allow,
};
constexpr fp_mode operator|(const fp_mode &a, const fp_mode &b) noexcept {
  return static_cast<fp_mode>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

struct fp_control_key {
  template <fp_mode Mode>
  struct value_t : sycl::detail::function_property<fp_control_key, sycl::detail::mark_hint,
                                                   static_cast<unsigned long>(Mode)> {
    static constexpr fp_mode value = Mode;
    static_assert((static_cast<std::uint32_t>(Mode) & 14) == 0,
                  "fp_control: Tenon rounds to nearest in all kernels; round in another direction "
                  "by vec::convert or by your own arithmetic");
    static_assert((static_cast<std::uint32_t>(Mode) & 16) == 0 ||
                      (static_cast<std::uint32_t>(Mode) & 224) == 0,
                  "fp_control: denorm_ftz and the modes that allow subnormal numbers exclude each "
                  "other");
  };
};
template <fp_mode Mode>
inline constexpr fp_control_key::value_t<Mode> fp_control;

}  // namespace intel::experimental

template <>
struct oneapi::experimental::is_property_key<intel::experimental::fp_control_key> : std::true_type {
};

}  // namespace sycl::ext

#endif
