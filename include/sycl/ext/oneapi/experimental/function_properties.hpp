// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties that SYCL_EXT_ONEAPI_FUNCTION_PROPERTY takes, and lists of properties of kernels.
// Source: the SYCL extensions sycl_ext_oneapi_free_function_kernels and
// sycl_ext_oneapi_kernel_properties.
#ifndef TENON_SYCL_EXT_FUNCTION_PROPERTIES_HPP
#define TENON_SYCL_EXT_FUNCTION_PROPERTIES_HPP

#include <sycl/detail/free_function.hpp>
#include <sycl/ext/oneapi/experimental/property_types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace sycl {

enum class aspect : int;

namespace detail {

// A property whose values are all in its type.
template <class Key, unsigned Kind, unsigned long First = 0, unsigned long Second = 0,
          unsigned long Third = 0, unsigned long...>
struct function_property : function_mark {
  using key_t = Key;
  constexpr function_property() noexcept : function_mark{Kind, First, Second, Third} {}
};
template <class Key, unsigned A, unsigned long... As, unsigned B, unsigned long... Bs>
constexpr bool operator==(const function_property<Key, A, As...> &,
                          const function_property<Key, B, Bs...> &) noexcept {
  return std::is_same_v<function_property<Key, A, As...>, function_property<Key, B, Bs...>>;
}
template <class Key, unsigned A, unsigned long... As, unsigned B, unsigned long... Bs>
constexpr bool operator!=(const function_property<Key, A, As...> &left,
                          const function_property<Key, B, Bs...> &right) noexcept {
  return !(left == right);
}

template <aspect... Aspects>
constexpr unsigned long aspect_bits() noexcept {
  // All devices have those that are no bits.
  return ((static_cast<int>(Aspects) < 64 ? 1ul << static_cast<int>(Aspects) : 0ul) | ... | 0ul);
}

}  // namespace detail

namespace ext::oneapi::experimental {

struct nd_range_kernel_key {
  template <int Dims>
  struct value_t
      : sycl::detail::function_property<nd_range_kernel_key, sycl::detail::mark_nd_range - 1 +
                                                                 static_cast<unsigned>(Dims)> {
    static_assert(Dims >= 1 && Dims <= 3, "nd_range_kernel<N>: an nd_range has 1 to 3 dimensions");
  };
};
struct single_task_kernel_key {
  using value_t =
      sycl::detail::function_property<single_task_kernel_key, sycl::detail::mark_single_task>;
};
struct work_group_size_key {
  template <std::size_t... Dims>
  struct value_t : sycl::detail::function_property<work_group_size_key,
                                                   sycl::detail::mark_work_group_size, Dims...> {
    static_assert(sizeof...(Dims) >= 1 && sizeof...(Dims) <= 3 && ((Dims > 0) && ...),
                  "work_group_size<…>: one size of at least 1 for each dimension, 1 to 3 of them");
    constexpr std::size_t operator[](int dim) const noexcept {
      return std::array<std::size_t, sizeof...(Dims)>{Dims...}[static_cast<std::size_t>(dim)];
    }
  };
};
struct work_group_size_hint_key {
  template <std::size_t... Dims>
  struct value_t
      : sycl::detail::function_property<work_group_size_hint_key, sycl::detail::mark_hint> {
    constexpr std::size_t operator[](int dim) const noexcept {
      return std::array<std::size_t, sizeof...(Dims)>{Dims...}[static_cast<std::size_t>(dim)];
    }
  };
};
// A promise about launches: nothing is made of it, and nothing checks it.
struct max_work_group_size_key {
  template <std::size_t... Dims>
  struct value_t
      : sycl::detail::function_property<max_work_group_size_key, sycl::detail::mark_hint, Dims...> {
    static_assert(sizeof...(Dims) >= 1 && sizeof...(Dims) <= 3 && ((Dims > 0) && ...),
                  "max_work_group_size<…>: one size of at least 1 for each dimension, 1 to 3 of "
                  "them");
    constexpr std::size_t operator[](int dim) const noexcept {
      return std::array<std::size_t, sizeof...(Dims)>{Dims...}[static_cast<std::size_t>(dim)];
    }
  };
};
struct max_linear_work_group_size_key {
  template <std::size_t Size>
  struct value_t : sycl::detail::function_property<max_linear_work_group_size_key,
                                                   sycl::detail::mark_hint, Size> {
    static_assert(Size > 0, "max_linear_work_group_size<N>: a work-group has a work-item");
    static constexpr std::size_t value = Size;
  };
};
struct sub_group_size_key {
  template <std::uint32_t Size>
  struct value_t : sycl::detail::function_property<sub_group_size_key,
                                                   sycl::detail::mark_sub_group_size, Size> {
    static_assert(Size > 0, "sub_group_size<N>: a sub-group has at least 1 work-item");
    static constexpr std::uint32_t value = Size;
  };
};
struct device_has_key {
  template <aspect... Aspects>
  struct value_t : sycl::detail::function_property<device_has_key, sycl::detail::mark_device_has,
                                                   sycl::detail::aspect_bits<Aspects...>()> {
    static constexpr std::array<aspect, sizeof...(Aspects)> value{Aspects...};
  };
};

template <>
struct is_property_key<nd_range_kernel_key> : std::true_type {};
template <>
struct is_property_key<single_task_kernel_key> : std::true_type {};
template <>
struct is_property_key<work_group_size_key> : std::true_type {};
template <>
struct is_property_key<work_group_size_hint_key> : std::true_type {};
template <>
struct is_property_key<max_work_group_size_key> : std::true_type {};
template <>
struct is_property_key<max_linear_work_group_size_key> : std::true_type {};
template <>
struct is_property_key<sub_group_size_key> : std::true_type {};
template <>
struct is_property_key<device_has_key> : std::true_type {};

template <int Dims>
inline constexpr nd_range_kernel_key::value_t<Dims> nd_range_kernel{};
inline constexpr single_task_kernel_key::value_t single_task_kernel;
template <std::size_t... Dims>
inline constexpr work_group_size_key::value_t<Dims...> work_group_size{};
template <std::size_t... Dims>
inline constexpr work_group_size_hint_key::value_t<Dims...> work_group_size_hint;
template <std::size_t... Dims>
inline constexpr max_work_group_size_key::value_t<Dims...> max_work_group_size;
template <std::size_t Size>
inline constexpr max_linear_work_group_size_key::value_t<Size> max_linear_work_group_size;
template <std::uint32_t Size>
inline constexpr sub_group_size_key::value_t<Size> sub_group_size;
template <aspect... Aspects>
inline constexpr device_has_key::value_t<Aspects...> device_has;

// Whether a kernel has to be compiled with the property, so that a kernel object cannot get it.
template <class Property>
struct has_compile_time_kernel_effect : std::is_base_of<sycl::detail::function_mark, Property> {};
template <class Property>
inline constexpr bool has_compile_time_kernel_effect_v =
    has_compile_time_kernel_effect<Property>::value;

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
