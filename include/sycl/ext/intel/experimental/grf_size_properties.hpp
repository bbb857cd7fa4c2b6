// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many registers a work-item of Intel's GPUs gets: properties of kernels without effect here.
// Source: the SYCL extensions sycl_ext_intel_grf_size, sycl_ext_intel_maximum_registers.
#ifndef TENON_SYCL_EXT_INTEL_GRF_SIZE_HPP
#define TENON_SYCL_EXT_INTEL_GRF_SIZE_HPP

#include <sycl/ext/oneapi/experimental/function_properties.hpp>

namespace sycl {

namespace detail {
constexpr bool is_register_count(unsigned count) noexcept {
  return count == 128 || count == 256 || count == 512;
}
}  // namespace detail

namespace ext::intel::experimental {

struct grf_size_key {
  template <unsigned Size>
  struct value_t : sycl::detail::function_property<grf_size_key, sycl::detail::mark_hint, Size> {
    static_assert(sycl::detail::is_register_count(Size), "grf_size<N>: N is 128, 256 or 512");
    static constexpr unsigned value = Size;
  };
};
struct grf_size_automatic_key {
  using value_t = sycl::detail::function_property<grf_size_automatic_key, sycl::detail::mark_hint>;
};
struct maximum_registers_key {
  template <unsigned Size>
  struct value_t
      : sycl::detail::function_property<maximum_registers_key, sycl::detail::mark_hint, Size> {
    static_assert(sycl::detail::is_register_count(Size),
                  "maximum_registers<N>: N is 128, 256 or 512");
    static constexpr unsigned value = Size;
  };
};
struct maximum_registers_automatic_key {
  using value_t =
      sycl::detail::function_property<maximum_registers_automatic_key, sycl::detail::mark_hint>;
};

template <unsigned Size>
inline constexpr grf_size_key::value_t<Size> grf_size;
inline constexpr grf_size_automatic_key::value_t grf_size_automatic;
template <unsigned Size>
inline constexpr maximum_registers_key::value_t<Size> maximum_registers;
inline constexpr maximum_registers_automatic_key::value_t maximum_registers_automatic;

}  // namespace ext::intel::experimental

namespace ext::oneapi::experimental {
template <>
struct is_property_key<intel::experimental::grf_size_key> : std::true_type {};
template <>
struct is_property_key<intel::experimental::grf_size_automatic_key> : std::true_type {};
template <>
struct is_property_key<intel::experimental::maximum_registers_key> : std::true_type {};
template <>
struct is_property_key<intel::experimental::maximum_registers_automatic_key> : std::true_type {};
}  // namespace ext::oneapi::experimental

}  // namespace sycl

#endif
