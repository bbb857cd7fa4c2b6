// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions with lists of properties that types know. Reductions are deterministic anyhow: what
// work-items contribute is put together in an order that only the launch decides.
// Source: the SYCL extension sycl_ext_oneapi_reduction_properties.
#ifndef TENON_SYCL_EXT_REDUCTION_PROPERTIES_HPP
#define TENON_SYCL_EXT_REDUCTION_PROPERTIES_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>
#include <sycl/reduction.hpp>

namespace sycl {

namespace ext::oneapi::experimental {

struct deterministic_key {
  using value_t = property_value<deterministic_key>;
};
struct initialize_to_identity_key {
  using value_t = property_value<initialize_to_identity_key>;
};
inline constexpr deterministic_key::value_t deterministic;
inline constexpr initialize_to_identity_key::value_t initialize_to_identity;
template <>
struct is_property_key<deterministic_key> : std::true_type {};
template <>
struct is_property_key<initialize_to_identity_key> : std::true_type {};

}  // namespace ext::oneapi::experimental

namespace detail {

template <class List>
inline constexpr bool are_of_reductions = false;
template <class... Properties>
inline constexpr bool are_of_reductions<ext::oneapi::experimental::properties<Properties...>> =
    ((std::is_same_v<Properties, ext::oneapi::experimental::deterministic_key::value_t> ||
      std::is_same_v<Properties, ext::oneapi::experimental::initialize_to_identity_key::value_t>) &&
     ...);
template <class List>
using if_of_reductions = std::enable_if_t<are_of_reductions<List>, int>;

template <class List>
property_list reduction_properties_of() {
  if constexpr (List::template has_property<
                    ext::oneapi::experimental::initialize_to_identity_key>()) {
    return property::reduction::initialize_to_identity();
  } else {
    return {};
  }
}
template <class T, class Operation, class List>
property_list reduction_properties_for() {
  static_assert(
      !List::template has_property<ext::oneapi::experimental::initialize_to_identity_key>() ||
          has_known_identity_v<Operation, T>,
      "reduction: initialize_to_identity needs an identity, and none is known for this "
      "operation and type; give one after the variable");
  return reduction_properties_of<List>();
}

}  // namespace detail

template <class T, int Dimensions, class AllocatorT, class BinaryOperation, class PropertyList,
          detail::if_of_reductions<PropertyList> = 0>
auto reduction(buffer<T, Dimensions, AllocatorT> vars, handler &cgh, BinaryOperation combiner,
               PropertyList) {
  return reduction(vars, cgh, combiner,
                   detail::reduction_properties_for<T, BinaryOperation, PropertyList>());
}
template <class T, class BinaryOperation, class PropertyList,
          detail::if_of_reductions<PropertyList> = 0>
auto reduction(T *var, BinaryOperation combiner, PropertyList) {
  return reduction(var, combiner,
                   detail::reduction_properties_for<T, BinaryOperation, PropertyList>());
}
template <class T, std::size_t Extent, class BinaryOperation, class PropertyList,
          detail::if_of_reductions<PropertyList> = 0>
auto reduction(span<T, Extent> vars, BinaryOperation combiner, PropertyList) {
  return reduction(vars, combiner,
                   detail::reduction_properties_for<T, BinaryOperation, PropertyList>());
}

template <class T, int Dimensions, class AllocatorT, class BinaryOperation, class PropertyList,
          detail::if_of_reductions<PropertyList> = 0>
auto reduction(buffer<T, Dimensions, AllocatorT> vars, handler &cgh,
               const std::remove_const_t<T> &identity, BinaryOperation combiner, PropertyList) {
  return reduction(vars, cgh, identity, combiner, detail::reduction_properties_of<PropertyList>());
}
template <class T, class BinaryOperation, class PropertyList,
          detail::if_of_reductions<PropertyList> = 0>
auto reduction(T *var, const std::remove_const_t<T> &identity, BinaryOperation combiner,
               PropertyList) {
  return reduction(var, identity, combiner, detail::reduction_properties_of<PropertyList>());
}
template <class T, std::size_t Extent, class BinaryOperation, class PropertyList,
          detail::if_of_reductions<PropertyList> = 0>
auto reduction(span<T, Extent> vars, const std::remove_const_t<T> &identity,
               BinaryOperation combiner, PropertyList) {
  return reduction(vars, identity, combiner, detail::reduction_properties_of<PropertyList>());
}

}  // namespace sycl

#endif
