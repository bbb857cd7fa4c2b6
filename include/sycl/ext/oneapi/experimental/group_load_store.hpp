// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// group_load and group_store: a group's work-items read or write one range, blocked or striped.
// Source: the SYCL extension sycl_ext_oneapi_group_load_store.
#ifndef TENON_SYCL_EXT_GROUP_LOAD_STORE_HPP
#define TENON_SYCL_EXT_GROUP_LOAD_STORE_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/span.hpp>
#include <sycl/vec.hpp>

namespace sycl::ext::oneapi::experimental {

// Of N elements a work-item, work-item w of W has w * N + i (blocked) or w + W * i (striped).
enum class data_placement_enum { blocked, striped };

struct data_placement_key {
  template <data_placement_enum Placement>
  using value_t = property_value<data_placement_key, Placement>;
};
template <data_placement_enum Placement>
inline constexpr data_placement_key::value_t<Placement> data_placement{};
inline constexpr data_placement_key::value_t<data_placement_enum::blocked> data_placement_blocked{};
inline constexpr data_placement_key::value_t<data_placement_enum::striped> data_placement_striped{};

// Promises of the caller, which no device of this version needs.
struct contiguous_memory_key {
  using value_t = property_value<contiguous_memory_key>;
};
inline constexpr contiguous_memory_key::value_t contiguous_memory{};
struct full_group_key {
  using value_t = property_value<full_group_key>;
};
inline constexpr full_group_key::value_t full_group{};

template <>
struct is_property_key<data_placement_key> : std::true_type {};
template <>
struct is_property_key<contiguous_memory_key> : std::true_type {};
template <>
struct is_property_key<full_group_key> : std::true_type {};

}  // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

template <class Iterator>
using iterated = std::remove_cv_t<
    std::remove_reference_t<decltype(std::declval<const Iterator &>()[std::size_t{0}])>>;

template <class From, class To>
inline constexpr bool is_moved_by_group =
    std::is_convertible_v<From, To> && std::is_trivially_copyable_v<From> &&
    std::is_default_constructible_v<From> && std::is_trivially_copyable_v<To> &&
    std::is_default_constructible_v<To>;

template <class Group, class From, class To, class Properties>
using if_moved_by_group =
    std::enable_if_t<is_group_v<Group> && is_moved_by_group<From, To> &&
                         ext::oneapi::experimental::is_property_list_v<Properties>,
                     int>;

template <class Properties>
constexpr bool is_striped() noexcept {
  using key = ext::oneapi::experimental::data_placement_key;
  if constexpr (Properties::template has_property<key>()) {
    return decltype(Properties::template get_property<key>())::value ==
           ext::oneapi::experimental::data_placement_enum::striped;
  } else {
    return false;
  }
}

template <class Properties, std::size_t Count, class Group>
std::size_t element_of_group(const Group &g, std::size_t i) noexcept {
  static_assert(Count != dynamic_extent, "group_load and group_store take spans of a fixed size");
  const std::size_t item = g.get_local_linear_id();
  return is_striped<Properties>() ? item + g.get_local_linear_range() * i : item * Count + i;
}

// Group functions synchronize as barriers do: what was stored before is seen by the loads.
template <class Properties, std::size_t Count, class Group, class Iterator, class Elements>
void load_elements(Group g, const Iterator &from, Elements &to) {
  group_barrier(g);
  for (std::size_t i = 0; i < Count; ++i) {
    to[i] = static_cast<iterated<Elements>>(from[element_of_group<Properties, Count>(g, i)]);
  }
  group_barrier(g);
}
template <class Properties, std::size_t Count, class Group, class Elements, class Iterator>
void store_elements(Group g, const Elements &from, const Iterator &to) {
  group_barrier(g);
  for (std::size_t i = 0; i < Count; ++i) {
    to[element_of_group<Properties, Count>(g, i)] = static_cast<iterated<Iterator>>(from[i]);
  }
  group_barrier(g);
}

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class Group, class InputIterator, class Output, std::size_t Count,
          class Properties = empty_properties_t,
          sycl::detail::if_moved_by_group<Group, sycl::detail::iterated<InputIterator>, Output,
                                          Properties> = 0>
void group_load(Group g, InputIterator in_ptr, span<Output, Count> out, Properties = {}) {
  sycl::detail::load_elements<Properties, Count>(g, in_ptr, out);
}
template <class Group, class InputIterator, class Output, int Count,
          class Properties = empty_properties_t,
          sycl::detail::if_moved_by_group<Group, sycl::detail::iterated<InputIterator>, Output,
                                          Properties> = 0>
void group_load(Group g, InputIterator in_ptr, vec<Output, Count> &out, Properties = {}) {
  sycl::detail::load_elements<Properties, Count>(g, in_ptr, out);
}
template <class Group, class InputIterator, class Output, class Properties = empty_properties_t,
          sycl::detail::if_moved_by_group<Group, sycl::detail::iterated<InputIterator>, Output,
                                          Properties> = 0>
void group_load(Group g, InputIterator in_ptr, Output &out, Properties = {}) {
  Output *only = &out;
  sycl::detail::load_elements<Properties, 1>(g, in_ptr, only);
}

template <class Group, class Input, std::size_t Count, class OutputIterator,
          class Properties = empty_properties_t,
          sycl::detail::if_moved_by_group<
              Group, Input, sycl::detail::iterated<OutputIterator>, Properties> = 0>
void group_store(Group g, const span<Input, Count> in, OutputIterator out_ptr, Properties = {}) {
  sycl::detail::store_elements<Properties, Count>(g, in, out_ptr);
}
template <class Group, class Input, int Count, class OutputIterator,
          class Properties = empty_properties_t,
          sycl::detail::if_moved_by_group<
              Group, Input, sycl::detail::iterated<OutputIterator>, Properties> = 0>
void group_store(Group g, const vec<Input, Count> &in, OutputIterator out_ptr, Properties = {}) {
  sycl::detail::store_elements<Properties, Count>(g, in, out_ptr);
}
template <class Group, class Input, class OutputIterator, class Properties = empty_properties_t,
          sycl::detail::if_moved_by_group<
              Group, Input, sycl::detail::iterated<OutputIterator>, Properties> = 0>
void group_store(Group g, const Input &in, OutputIterator out_ptr, Properties = {}) {
  const Input *only = &in;
  sycl::detail::store_elements<Properties, 1>(g, only, out_ptr);
}

}  // namespace sycl::ext::oneapi::experimental

#endif
