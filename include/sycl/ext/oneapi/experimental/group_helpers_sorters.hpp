// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups with memory for group algorithms, and the sorters that group_sort.hpp uses.
// Source: the SYCL extension sycl_ext_oneapi_group_sort.
#ifndef TENON_SYCL_EXT_GROUP_HELPERS_SORTERS_HPP
#define TENON_SYCL_EXT_GROUP_HELPERS_SORTERS_HPP

#include <sycl/detail/group_sorting.hpp>
#include <sycl/ext/oneapi/experimental/property_types.hpp>
#include <sycl/functional.hpp>
#include <sycl/memory_enums.hpp>
#include <sycl/span.hpp>

#include <bitset>
#include <climits>
#include <tuple>

namespace sycl {
class device;
}

namespace sycl::ext::oneapi::experimental {

// Of N elements a work-item, work-item w of W has w * N + i (blocked) or w + W * i (striped).
enum class group_algorithm_data_placement : std::uint8_t { blocked, striped };

struct input_data_placement_key {
  template <group_algorithm_data_placement Placement>
  using value_t = property_value<input_data_placement_key, Placement>;
};
struct output_data_placement_key {
  template <group_algorithm_data_placement Placement>
  using value_t = property_value<output_data_placement_key, Placement>;
};
template <group_algorithm_data_placement Placement>
inline constexpr input_data_placement_key::value_t<Placement> input_data_placement{};
template <group_algorithm_data_placement Placement>
inline constexpr output_data_placement_key::value_t<Placement> output_data_placement{};
template <>
struct is_property_key<input_data_placement_key> : std::true_type {};
template <>
struct is_property_key<output_data_placement_key> : std::true_type {};

// A group, and memory that all its work-items name alike.
template <class Group, std::size_t Extent>
class group_with_scratchpad {
  static_assert(is_group_v<std::decay_t<Group>>, "a work-group or a sub-group has the memory");

 public:
  group_with_scratchpad(Group group, span<std::byte, Extent> scratch)
      : group_(group), scratch_(scratch) {}
  Group get_group() const { return group_; }
  span<std::byte, Extent> get_memory() const { return scratch_; }

 private:
  Group group_;
  span<std::byte, Extent> scratch_;
};
template <class Group, std::size_t Extent>
group_with_scratchpad(Group, span<std::byte, Extent>) -> group_with_scratchpad<Group, Extent>;

template <class T, class = void>
struct is_group_helper : std::false_type {};
template <class T>
struct is_group_helper<
    T, std::enable_if_t<
           is_group_v<std::decay_t<decltype(std::declval<const T &>().get_group())>> &&
           std::is_convertible_v<decltype(std::declval<const T &>().get_memory()),
                                 span<std::byte>>>> : std::true_type {};
template <class T>
inline constexpr bool is_group_helper_v = is_group_helper<T>::value;

enum class sorting_order { ascending, descending };

}  // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

template <class Key, class Properties>
constexpr bool is_striped_by() noexcept {
  using placement = ext::oneapi::experimental::group_algorithm_data_placement;
  if constexpr (Properties::template has_property<Key>()) {
    return decltype(Properties::template get_property<Key>())::value == placement::striped;
  } else {
    return false;
  }
}
template <class Group, class Key, class Properties, std::size_t Count>
std::size_t placed_element(std::size_t i) noexcept {
  static_assert(Count != dynamic_extent, "a group sorts spans of a fixed size");
  return is_striped_by<Key, Properties>() ? group_index<Group>() + group_size<Group>() * i
                                          : group_index<Group>() * Count + i;
}

// Gives `sort` the elements of all work-items in memory, and takes them out again. `get` and `set`
// are what the work-item has.
template <class Group, class T, class Properties, std::size_t Count, class Get, class Set,
          class Sort>
void sort_in_memory(span<std::byte> scratch, const Get &get, const Set &set, const Sort &sort) {
  using namespace ext::oneapi::experimental;
  static_assert(std::is_trivially_destructible_v<T>,
                "a group sorts elements that are device copyable");
  T *const memory = elements_in<T>(scratch.data());
  for (std::size_t i = 0; i < Count; ++i) {
    const std::size_t at = placed_element<Group, input_data_placement_key, Properties, Count>(i);
    ::new (static_cast<void *>(memory + at)) T(get(i));
  }
  sort(memory);
  for (std::size_t i = 0; i < Count; ++i) {
    set(i, memory[placed_element<Group, output_data_placement_key, Properties, Count>(i)]);
  }
  group_sync<Group>();  // the memory may be used again
}

// What sorters of work-items' elements have in common. Derived has sort<Group, Count>(memory) of T.
template <class Derived, class T, std::size_t ElementsPerWorkItem>
class value_sorter {
 public:
  template <class Group, if_group<Group> = 0>
  T operator()(Group, T value) {
    sort<Group, ext::oneapi::experimental::empty_properties_t, 1>(
        [&](std::size_t) -> const T & { return value; },
        [&](std::size_t, const T &sorted) { value = sorted; });
    return value;
  }
  template <class Group, class Properties = ext::oneapi::experimental::empty_properties_t,
            if_group<Group> = 0>
  void operator()(Group, span<T, ElementsPerWorkItem> values, Properties = {}) {
    sort<Group, Properties, ElementsPerWorkItem>(
        [&](std::size_t i) -> const T & { return values[i]; },
        [&](std::size_t i, const T &sorted) { values[i] = sorted; });
  }

 protected:
  explicit value_sorter(span<std::byte> scratch) : scratch_(scratch) {}
  static constexpr std::size_t bytes_for(std::size_t range_size) noexcept {
    return bytes_of_elements<T>(range_size * ElementsPerWorkItem);
  }

 private:
  template <class Group, class Properties, std::size_t Count, class Get, class Set>
  void sort(const Get &get, const Set &set) {
    sort_in_memory<Group, T, Properties, Count>(scratch_, get, set, [&](T *memory) {
      static_cast<Derived *>(this)->template tn_sort<Group, Count>(memory);
    });
  }

  span<std::byte> scratch_;
};
template <class Derived, class T, class U, std::size_t ElementsPerWorkItem>
class key_value_sorter {
 public:
  template <class Group, if_group<Group> = 0>
  std::tuple<T, U> operator()(Group, T key, U value) {
    sort<Group, ext::oneapi::experimental::empty_properties_t, 1>(
        [&](std::size_t) { return pair{key, value}; },
        [&](std::size_t, const pair &sorted) {
          key = sorted.key;
          value = sorted.value;
        });
    return {key, value};
  }
  template <class Group, class Properties = ext::oneapi::experimental::empty_properties_t,
            if_group<Group> = 0>
  void operator()(Group, span<T, ElementsPerWorkItem> keys, span<U, ElementsPerWorkItem> values,
                  Properties = {}) {
    sort<Group, Properties, ElementsPerWorkItem>(
        [&](std::size_t i) { return pair{keys[i], values[i]}; },
        [&](std::size_t i, const pair &sorted) {
          keys[i] = sorted.key;
          values[i] = sorted.value;
        });
  }

 protected:
  using pair = keyed_value<T, U>;
  explicit key_value_sorter(span<std::byte> scratch) : scratch_(scratch) {}
  static constexpr std::size_t bytes_for(std::size_t range_size) noexcept {
    return bytes_of_elements<pair>(range_size * ElementsPerWorkItem);
  }

 private:
  template <class Group, class Properties, std::size_t Count, class Get, class Set>
  void sort(const Get &get, const Set &set) {
    sort_in_memory<Group, pair, Properties, Count>(scratch_, get, set, [&](pair *memory) {
      static_cast<Derived *>(this)->template tn_sort<Group, Count>(memory);
    });
  }

  span<std::byte> scratch_;
};

// Bits of keys that a radix sorter looks at; by default all.
template <class T>
inline constexpr unsigned radix_key_bits = sizeof(T) * CHAR_BIT;
template <class T>
using radix_mask = std::bitset<radix_key_bits<T>>;
template <class T>
radix_mask<T> every_bit() noexcept {
  return radix_mask<T>(~0ull);
}

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

// The memory that is required does not depend on the device; `range_size` work-items, or elements
// of a joint sort.
namespace default_sorters {

template <class Compare = std::less<>>
class joint_sorter {
 public:
  template <std::size_t Extent>
  joint_sorter(span<std::byte, Extent> scratch, Compare comp = {})
      : scratch_(scratch), comp_(comp) {}

  template <class Group, class Ptr, sycl::detail::if_group<Group> = 0>
  void operator()(Group, Ptr first, Ptr last) {
    using T = typename sycl::detail::sorted_element<Ptr>::type;
    sycl::detail::joint_merge_sort<Group>(first, static_cast<std::size_t>(last - first),
                                          sycl::detail::elements_in<T>(scratch_.data()), comp_);
  }

  template <class T>
  static std::size_t memory_required(memory_scope, std::size_t range_size) noexcept {
    return sycl::detail::bytes_of_elements<T>(range_size);
  }
  template <class T>
  static std::size_t memory_required(const device &, memory_scope scope,
                                     std::size_t range_size) noexcept {
    return memory_required<T>(scope, range_size);
  }

 private:
  span<std::byte> scratch_;
  Compare comp_;
};

template <class T, class Compare = std::less<>, std::size_t ElementsPerWorkItem = 1>
class group_sorter
    : public sycl::detail::value_sorter<group_sorter<T, Compare, ElementsPerWorkItem>, T,
                                        ElementsPerWorkItem> {
  using base = sycl::detail::value_sorter<group_sorter, T, ElementsPerWorkItem>;

 public:
  template <std::size_t Extent>
  group_sorter(span<std::byte, Extent> scratch, Compare comp = {}) : base(scratch), comp_(comp) {}

  static std::size_t memory_required(memory_scope, std::size_t range_size) noexcept {
    return base::bytes_for(range_size);
  }
  static std::size_t memory_required(const device &, memory_scope,
                                     std::size_t range_size) noexcept {
    return base::bytes_for(range_size);
  }

  template <class Group, std::size_t Count>
  void tn_sort(T *memory) {
    sycl::detail::merge_sort<Group, Count>(memory, comp_);
  }

 private:
  Compare comp_;
};

template <class T, class U, class Compare = std::less<>, std::size_t ElementsPerWorkItem = 1>
class group_key_value_sorter
    : public sycl::detail::key_value_sorter<
          group_key_value_sorter<T, U, Compare, ElementsPerWorkItem>, T, U, ElementsPerWorkItem> {
  using base = sycl::detail::key_value_sorter<group_key_value_sorter, T, U, ElementsPerWorkItem>;

 public:
  template <std::size_t Extent>
  group_key_value_sorter(span<std::byte, Extent> scratch, Compare comp = {})
      : base(scratch), comp_(comp) {}

  static std::size_t memory_required(memory_scope, std::size_t range_size) noexcept {
    return base::bytes_for(range_size);
  }
  static std::size_t memory_required(const device &, memory_scope,
                                     std::size_t range_size) noexcept {
    return base::bytes_for(range_size);
  }

  template <class Group, std::size_t Count>
  void tn_sort(sycl::detail::keyed_value<T, U> *memory) {
    sycl::detail::compare_keys<Compare> by_key{comp_};
    sycl::detail::merge_sort<Group, Count>(memory, by_key);
  }

 private:
  Compare comp_;
};

}  // namespace default_sorters

namespace radix_sorters {

template <class T, sorting_order Order = sorting_order::ascending, unsigned int BitsPerPass = 4>
class joint_sorter {
 public:
  template <std::size_t Extent>
  joint_sorter(span<std::byte, Extent> scratch,
               const std::bitset<sizeof(T) * CHAR_BIT> mask = sycl::detail::every_bit<T>())
      : scratch_(scratch), mask_(mask.to_ullong()) {}

  template <class Group, class Ptr, sycl::detail::if_group<Group> = 0>
  void operator()(Group, Ptr first, Ptr last) {
    sycl::detail::joint_radix_sort<Group, Order == sorting_order::descending,
                                   sycl::detail::digit_bits(BitsPerPass)>(
        first, static_cast<std::size_t>(last - first),
        sycl::detail::elements_in<T>(scratch_.data()), mask_, sycl::detail::radix_key_bits<T>,
        sycl::detail::whole_key());
  }

  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) noexcept {
    return sycl::detail::bytes_of_elements<T>(range_size);
  }

 private:
  span<std::byte> scratch_;
  std::uint64_t mask_;
};

template <class T, sorting_order Order = sorting_order::ascending,
          std::size_t ElementsPerWorkItem = 1, unsigned int BitsPerPass = 4>
class group_sorter
    : public sycl::detail::value_sorter<group_sorter<T, Order, ElementsPerWorkItem, BitsPerPass>,
                                        T, ElementsPerWorkItem> {
  using base = sycl::detail::value_sorter<group_sorter, T, ElementsPerWorkItem>;

 public:
  template <std::size_t Extent>
  group_sorter(span<std::byte, Extent> scratch,
               const std::bitset<sizeof(T) * CHAR_BIT> mask = sycl::detail::every_bit<T>())
      : base(scratch), mask_(mask.to_ullong()) {}

  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) noexcept {
    return base::bytes_for(range_size);
  }

  template <class Group, std::size_t Count>
  void tn_sort(T *memory) {
    sycl::detail::radix_sort<Group, Order == sorting_order::descending,
                             sycl::detail::digit_bits(BitsPerPass), Count>(
        memory, mask_, sycl::detail::radix_key_bits<T>, sycl::detail::whole_key());
  }

 private:
  std::uint64_t mask_;
};

template <class T, class U, sorting_order Order = sorting_order::ascending,
          std::size_t ElementsPerWorkItem = 1, unsigned int BitsPerPass = 4>
class group_key_value_sorter
    : public sycl::detail::key_value_sorter<
          group_key_value_sorter<T, U, Order, ElementsPerWorkItem, BitsPerPass>, T, U,
          ElementsPerWorkItem> {
  using base = sycl::detail::key_value_sorter<group_key_value_sorter, T, U, ElementsPerWorkItem>;

 public:
  template <std::size_t Extent>
  group_key_value_sorter(
      span<std::byte, Extent> scratch,
      const std::bitset<sizeof(T) * CHAR_BIT> mask = sycl::detail::every_bit<T>())
      : base(scratch), mask_(mask.to_ullong()) {}

  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) noexcept {
    return base::bytes_for(range_size);
  }

  template <class Group, std::size_t Count>
  void tn_sort(sycl::detail::keyed_value<T, U> *memory) {
    sycl::detail::radix_sort<Group, Order == sorting_order::descending,
                             sycl::detail::digit_bits(BitsPerPass), Count>(
        memory, mask_, sycl::detail::radix_key_bits<T>, sycl::detail::key_of_pair());
  }

 private:
  std::uint64_t mask_;
};

}  // namespace radix_sorters

}  // namespace sycl::ext::oneapi::experimental

#endif
