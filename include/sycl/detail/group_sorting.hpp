// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a group sorts: by merging runs, and by the digits of keys. Both are stable.
// Source: the SYCL extension sycl_ext_oneapi_group_sort.
#ifndef TENON_SYCL_DETAIL_GROUP_SORTING_HPP
#define TENON_SYCL_DETAIL_GROUP_SORTING_HPP

#include <sycl/detail/group_reduce.hpp>

#include <new>

namespace sycl::detail {

// Elements in memory of any alignment.
template <class T>
constexpr std::size_t bytes_of_elements(std::size_t count) noexcept {
  return count * sizeof(T) + alignof(T) - 1;
}
template <class T>
T *elements_in(std::byte *bytes) noexcept {
  const std::uintptr_t beyond = reinterpret_cast<std::uintptr_t>(bytes) % alignof(T);
  return reinterpret_cast<T *>(bytes + (beyond != 0 ? alignof(T) - beyond : 0));
}

// What an iterator's elements are: not what a proxy refers to, as of zip iterators.
template <class Iterator, class = void>
struct sorted_element {
  using type = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<Iterator &>())>>;
};
template <class Iterator>
struct sorted_element<Iterator, std::void_t<typename Iterator::value_type>> {
  using type = std::remove_cv_t<typename Iterator::value_type>;
};

// A range that is raw memory: elements are made there, not assigned to.
template <class T>
struct raw_elements {
  T *first;
  const T &operator[](std::size_t i) const noexcept { return first[i]; }
  void put(std::size_t i, const T &value) const { ::new (static_cast<void *>(first + i)) T(value); }
};
template <class Iterator>
struct ranged_elements {
  Iterator first;
  decltype(auto) operator[](std::size_t i) const {
    return first[static_cast<std::ptrdiff_t>(i)];
  }
  template <class T>
  void put(std::size_t i, const T &value) const {
    first[static_cast<std::ptrdiff_t>(i)] = value;
  }
};

// Where element i is after its run and the other one of a pair are merged. Runs are of a power of
// two of elements, the last two may be shorter. Of equal elements those of the first run are first.
template <class Elements, class T, class Compare>
std::size_t merged_place(const Elements &in, std::size_t i, std::size_t width, std::size_t count,
                         const T &value, Compare &comp) {
  const std::size_t begin = i & ~(2 * width - 1);
  const std::size_t middle = count - begin < width ? count : begin + width;
  const std::size_t end = count - middle < width ? count : middle + width;
  const bool is_first = i < middle;
  const std::size_t others = is_first ? middle : begin;
  std::size_t from = others;
  std::size_t to = is_first ? end : middle;
  while (from < to) {
    const std::size_t half = from + (to - from) / 2;
    const bool is_before = is_first ? static_cast<bool>(comp(in[half], value))
                                    : !static_cast<bool>(comp(value, in[half]));
    if (is_before) {
      from = half + 1;
    } else {
      to = half;
    }
  }
  return i - (is_first ? 0 : middle - begin) + (from - others);
}

template <class Group, class T, class In, class Out, class Compare>
void merge_runs(const In &in, const Out &out, std::size_t width, std::size_t count,
                Compare &comp) {
  const std::size_t step = group_size<Group>();
  for (std::size_t i = group_index<Group>(); i < count; i += step) {
    const T value = in[i];
    out.put(merged_place(in, i, width, count, value, comp), value);
  }
  group_sync<Group>();
}

// A range with as much memory beside it.
template <class Group, class Iterator, class T, class Compare>
void joint_merge_sort(Iterator first, std::size_t count, T *memory, Compare &comp) {
  static_assert(std::is_trivially_destructible_v<T>,
                "a group sorts elements that are device copyable");
  const ranged_elements<Iterator> range{first};
  const raw_elements<T> beside{memory};
  bool is_beside = false;
  group_sync<Group>();
  for (std::size_t width = 1; width < count; width *= 2) {
    if (is_beside) {
      merge_runs<Group, T>(beside, range, width, count, comp);
    } else {
      merge_runs<Group, T>(range, beside, width, count, comp);
    }
    is_beside = !is_beside;
  }
  if (is_beside) {
    const std::size_t step = group_size<Group>();
    for (std::size_t i = group_index<Group>(); i < count; i += step) {
      range.put(i, beside[i]);
    }
    group_sync<Group>();
  }
}

// What a work-item holds while all elements in memory change their places.
template <class T, std::size_t Count>
struct held_elements {
  uninitialized<T> values[Count];
  std::size_t places[Count];

  void take(std::size_t i, const T &value) {
    ::new (static_cast<void *>(&values[i].value)) T(value);
  }
  template <class Group>
  void put_all(T *memory) const {
    group_sync<Group>();
    for (std::size_t i = 0; i < Count; ++i) {
      ::new (static_cast<void *>(memory + places[i])) T(values[i].value);
    }
    group_sync<Group>();
  }
};

// As many elements of each work-item, in memory.
template <class Group, std::size_t Count, class T, class Compare>
void merge_sort(T *memory, Compare &comp) {
  const std::size_t step = group_size<Group>();
  const std::size_t count = step * Count;
  group_sync<Group>();
  for (std::size_t width = 1; width < count; width *= 2) {
    held_elements<T, Count> held;
    for (std::size_t i = 0; i < Count; ++i) {
      const std::size_t at = group_index<Group>() + i * step;
      held.take(i, memory[at]);
      held.places[i] =
          merged_place(memory, at, width, count, held.values[i].value, comp);
    }
    held.template put_all<Group>(memory);
  }
}

// An unsigned number whose order is that of a value.
template <class T>
auto ordered_bits(const T &value) noexcept {
  using bits = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  static_assert(sizeof(bits) == sizeof(T), "radix sorters take numbers of 8 to 64 bits");
  constexpr auto sign = static_cast<bits>(bits{1} << (sizeof(T) * 8 - 1));
  const bits from = __builtin_bit_cast(bits, value);
  if constexpr (!std::is_integral_v<T>) {
    return static_cast<bits>((from & sign) != 0 ? ~from : from | sign);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<bits>(from ^ sign);
  } else {
    return from;
  }
}

// The digit of a key that a pass sorts by.
template <bool IsDescending, unsigned BitCount>
struct radix_digit {
  std::uint64_t mask;
  unsigned shift;
  template <class Key>
  unsigned operator()(const Key &key) const noexcept {
    const std::uint64_t bits = ordered_bits(key);
    return static_cast<unsigned>(((IsDescending ? ~bits : bits) & mask) >> shift) &
           ((1u << BitCount) - 1);
  }
};

// How many elements have each digit.
template <unsigned DigitCount>
struct digit_counts {
  std::uint32_t of[DigitCount];
};
struct add_counts {
  template <unsigned DigitCount>
  digit_counts<DigitCount> operator()(const digit_counts<DigitCount> &x,
                                      const digit_counts<DigitCount> &y) const noexcept {
    digit_counts<DigitCount> sum;
    for (unsigned i = 0; i < DigitCount; ++i) {
      sum.of[i] = x.of[i] + y.of[i];
    }
    return sum;
  }
};
// Where a work-item's first element with each digit goes, when work-items have them in order.
template <class Group, unsigned DigitCount>
digit_counts<DigitCount> digit_places(const digit_counts<DigitCount> &mine) {
  const auto scan = group_scan<Group>(mine, add_counts());
  digit_counts<DigitCount> places;
  std::uint32_t smaller = 0;
  for (unsigned i = 0; i < DigitCount; ++i) {
    places.of[i] = smaller + (group_index<Group>() > 0 ? scan.before.of[i] : 0);
    smaller += scan.total.of[i];
  }
  return places;
}

// More digits at once take more registers than they save passes.
constexpr unsigned digit_bits(unsigned asked) noexcept { return asked < 4 ? asked : 4; }

// Key gives an element's key.
template <class Group, bool IsDescending, unsigned BitCount, class Iterator, class T, class Key>
void joint_radix_sort(Iterator first, std::size_t count, T *memory, std::uint64_t mask,
                      unsigned key_bits, const Key &key) {
  const std::size_t chunk = (count + group_size<Group>() - 1) / group_size<Group>();
  const std::size_t from =
      group_index<Group>() * chunk < count ? group_index<Group>() * chunk : count;
  const std::size_t to = count - from < chunk ? count : from + chunk;
  const ranged_elements<Iterator> range{first};
  const raw_elements<T> beside{memory};
  group_sync<Group>();
  for (unsigned shift = 0; shift < key_bits; shift += BitCount) {
    const radix_digit<IsDescending, BitCount> digit{mask, shift};
    digit_counts<1u << BitCount> counts = {};
    for (std::size_t i = from; i < to; ++i) {
      ++counts.of[digit(key(static_cast<T>(range[i])))];
    }
    auto places = digit_places<Group>(counts);
    for (std::size_t i = from; i < to; ++i) {
      const T value = range[i];
      beside.put(places.of[digit(key(value))]++, value);
    }
    group_sync<Group>();
    for (std::size_t i = group_index<Group>(); i < count; i += group_size<Group>()) {
      range.put(i, beside[i]);
    }
    group_sync<Group>();
  }
}

// As many elements of each work-item, in memory.
template <class Group, bool IsDescending, unsigned BitCount, std::size_t Count, class T, class Key>
void radix_sort(T *memory, std::uint64_t mask, unsigned key_bits, const Key &key) {
  group_sync<Group>();
  for (unsigned shift = 0; shift < key_bits; shift += BitCount) {
    const radix_digit<IsDescending, BitCount> digit{mask, shift};
    held_elements<T, Count> held;
    digit_counts<1u << BitCount> counts = {};
    for (std::size_t i = 0; i < Count; ++i) {
      held.take(i, memory[group_index<Group>() * Count + i]);
      ++counts.of[digit(key(held.values[i].value))];
    }
    auto places = digit_places<Group>(counts);
    for (std::size_t i = 0; i < Count; ++i) {
      held.places[i] = places.of[digit(key(held.values[i].value))]++;
    }
    held.template put_all<Group>(memory);
  }
}

// Keys that are sorted with their values.
template <class T, class U>
struct keyed_value {
  T key;
  U value;
};
template <class Compare>
struct compare_keys {
  Compare &comp;
  template <class T, class U>
  bool operator()(const keyed_value<T, U> &x, const keyed_value<T, U> &y) const {
    return static_cast<bool>(comp(x.key, y.key));
  }
};
struct whole_key {
  template <class T>
  const T &operator()(const T &value) const noexcept {
    return value;
  }
};
struct key_of_pair {
  template <class T, class U>
  const T &operator()(const keyed_value<T, U> &pair) const noexcept {
    return pair.key;
  }
};

}  // namespace sycl::detail

#endif
