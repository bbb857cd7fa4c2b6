// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// joint_sort, sort_over_group and sort_key_value_over_group.
// Source: the SYCL extension sycl_ext_oneapi_group_sort.
#ifndef TENON_SYCL_EXT_GROUP_SORT_HPP
#define TENON_SYCL_EXT_GROUP_SORT_HPP

#include <sycl/ext/oneapi/experimental/group_helpers_sorters.hpp>

namespace sycl::detail {

template <class T>
using if_group_helper =
    std::enable_if_t<ext::oneapi::experimental::is_group_helper_v<T>, int>;
template <class Sorter, class Group, class... Elements>
using if_sorter = std::enable_if_t<
    is_group_v<std::decay_t<Group>> && std::is_invocable_v<Sorter &, Group, Elements...>, int>;
template <class Compare, class T>
using if_comparison =
    std::enable_if_t<std::is_invocable_r_v<bool, Compare &, const T &, const T &>, int>;
template <class Compare, class Iterator>
using if_element_comparison = if_comparison<Compare, typename sorted_element<Iterator>::type>;
template <class T>
using if_one_value = std::enable_if_t<!is_span<T>, int>;
template <class T>
using if_properties_of_sort =
    std::enable_if_t<ext::oneapi::experimental::is_property_list_v<std::decay_t<T>>, int>;

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class GroupHelper, class Ptr, sycl::detail::if_group_helper<GroupHelper> = 0>
void joint_sort(GroupHelper gh, Ptr first, Ptr last) {
  default_sorters::joint_sorter<>(gh.get_memory())(gh.get_group(), first, last);
}
template <class GroupHelper, class Ptr, class Compare,
          sycl::detail::if_group_helper<GroupHelper> = 0,
          sycl::detail::if_element_comparison<Compare, Ptr> = 0>
void joint_sort(GroupHelper gh, Ptr first, Ptr last, Compare comp) {
  default_sorters::joint_sorter<Compare>(gh.get_memory(), comp)(gh.get_group(), first, last);
}
template <class Group, class Ptr, class Sorter,
          sycl::detail::if_sorter<Sorter, Group, Ptr, Ptr> = 0>
void joint_sort(Group g, Ptr first, Ptr last, Sorter sorter) {
  sorter(g, first, last);
}

template <class GroupHelper, class T, sycl::detail::if_group_helper<GroupHelper> = 0,
          sycl::detail::if_one_value<T> = 0>
T sort_over_group(GroupHelper gh, T value) {
  return default_sorters::group_sorter<T>(gh.get_memory())(gh.get_group(), value);
}
template <class GroupHelper, class T, class Compare,
          sycl::detail::if_group_helper<GroupHelper> = 0, sycl::detail::if_one_value<T> = 0,
          sycl::detail::if_comparison<Compare, T> = 0>
T sort_over_group(GroupHelper gh, T value, Compare comp) {
  return default_sorters::group_sorter<T, Compare>(gh.get_memory(), comp)(gh.get_group(), value);
}
template <class Group, class T, class Sorter, sycl::detail::if_one_value<T> = 0,
          sycl::detail::if_sorter<Sorter, Group, T> = 0>
T sort_over_group(Group g, T value, Sorter sorter) {
  return sorter(g, value);
}

template <class GroupHelper, class T, class U, sycl::detail::if_group_helper<GroupHelper> = 0,
          sycl::detail::if_one_value<T> = 0>
std::tuple<T, U> sort_key_value_over_group(GroupHelper gh, T key, U value) {
  return default_sorters::group_key_value_sorter<T, U>(gh.get_memory())(gh.get_group(), key, value);
}
template <class GroupHelper, class T, class U, class Compare,
          sycl::detail::if_group_helper<GroupHelper> = 0, sycl::detail::if_one_value<T> = 0,
          sycl::detail::if_comparison<Compare, T> = 0>
std::tuple<T, U> sort_key_value_over_group(GroupHelper gh, T key, U value, Compare comp) {
  return default_sorters::group_key_value_sorter<T, U, Compare>(gh.get_memory(),
                                                                comp)(gh.get_group(), key, value);
}
template <class Group, class T, class U, class Sorter, sycl::detail::if_one_value<T> = 0,
          sycl::detail::if_sorter<Sorter, Group, T, U> = 0>
std::tuple<T, U> sort_key_value_over_group(Group g, T key, U value, Sorter sorter) {
  return sorter(g, key, value);
}

// As many elements of each work-item.
template <class GroupHelper, class T, std::size_t ElementsPerWorkItem,
          class Properties = empty_properties_t, sycl::detail::if_group_helper<GroupHelper> = 0,
          sycl::detail::if_properties_of_sort<Properties> = 0>
void sort_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> values,
                     Properties properties = {}) {
  default_sorters::group_sorter<T, std::less<>, ElementsPerWorkItem>(gh.get_memory())(
      gh.get_group(), values, properties);
}
template <class GroupHelper, class T, std::size_t ElementsPerWorkItem, class Compare,
          class Properties = empty_properties_t, sycl::detail::if_group_helper<GroupHelper> = 0,
          sycl::detail::if_comparison<Compare, T> = 0,
          sycl::detail::if_properties_of_sort<Properties> = 0>
void sort_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> values, Compare comp,
                     Properties properties = {}) {
  default_sorters::group_sorter<T, Compare, ElementsPerWorkItem>(gh.get_memory(), comp)(
      gh.get_group(), values, properties);
}
template <class Group, class T, std::size_t ElementsPerWorkItem, class Sorter,
          class Properties = empty_properties_t,
          sycl::detail::if_sorter<Sorter, Group, span<T, ElementsPerWorkItem>, Properties> = 0,
          sycl::detail::if_properties_of_sort<Properties> = 0>
void sort_over_group(Group g, span<T, ElementsPerWorkItem> values, Sorter sorter,
                     Properties properties = {}) {
  sorter(g, values, properties);
}

template <class GroupHelper, class T, class U, std::size_t ElementsPerWorkItem,
          class Properties = empty_properties_t, sycl::detail::if_group_helper<GroupHelper> = 0,
          sycl::detail::if_properties_of_sort<Properties> = 0>
void sort_key_value_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> keys,
                               span<U, ElementsPerWorkItem> values, Properties properties = {}) {
  default_sorters::group_key_value_sorter<T, U, std::less<>, ElementsPerWorkItem>(
      gh.get_memory())(gh.get_group(), keys, values, properties);
}
template <class GroupHelper, class T, class U, std::size_t ElementsPerWorkItem, class Compare,
          class Properties = empty_properties_t, sycl::detail::if_group_helper<GroupHelper> = 0,
          sycl::detail::if_comparison<Compare, T> = 0,
          sycl::detail::if_properties_of_sort<Properties> = 0>
void sort_key_value_over_group(GroupHelper gh, span<T, ElementsPerWorkItem> keys,
                               span<U, ElementsPerWorkItem> values, Compare comp,
                               Properties properties = {}) {
  default_sorters::group_key_value_sorter<T, U, Compare, ElementsPerWorkItem>(
      gh.get_memory(), comp)(gh.get_group(), keys, values, properties);
}
template <class Group, class T, class U, std::size_t ElementsPerWorkItem, class Sorter,
          class Properties = empty_properties_t,
          sycl::detail::if_sorter<Sorter, Group, span<T, ElementsPerWorkItem>,
                                  span<U, ElementsPerWorkItem>, Properties> = 0,
          sycl::detail::if_properties_of_sort<Properties> = 0>
void sort_key_value_over_group(Group g, span<T, ElementsPerWorkItem> keys,
                               span<U, ElementsPerWorkItem> values, Sorter sorter,
                               Properties properties = {}) {
  sorter(g, keys, values, properties);
}

}  // namespace sycl::ext::oneapi::experimental

#endif
