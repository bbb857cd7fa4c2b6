// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sycl::reduction gives: a variable, its operation and identity; and how contributions of many
// are kept and put together. Source: SYCL 2020 section 4.9.2.2.
#ifndef TENON_SYCL_DETAIL_REDUCTION_OBJECT_HPP
#define TENON_SYCL_DETAIL_REDUCTION_OBJECT_HPP

#include <sycl/detail/group_primitives.hpp>
#include <sycl/handler.hpp>
#include <sycl/reducer.hpp>

namespace sycl::detail {

template <class T>
T *variable_of(T *pointer) noexcept {
  return pointer;
}
template <class T, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder>
T *variable_of(const accessor<T, Dimensions, Mode, Target, Placeholder> &accessor) noexcept {
  return &accessor[id<Dimensions>()];
}

// Variable is a pointer or an accessor; Extent variables, shown as a span or as one.
template <class T, class Operation, class Identity, class Variable, int Dimensions,
          std::size_t Extent>
struct reduction_object : reduction_tag {
  using value_type = T;
  using identity_type = Identity;
  using operation_type = Operation;
  using reducer_type = reducer<T, Operation, Dimensions, Extent, Identity>;
  using place = accumulator<T, Identity::exists>;
  static constexpr std::size_t extent = Extent;
  // Many elements are better kept once a strip than once a work-item. A work-group of a GPU puts
  // its work-items' together one element after the other.
  static constexpr bool is_small = Extent * sizeof(T) <= 32;
  static constexpr bool is_small_for_groups = Extent <= 8 && Extent * sizeof(T) <= 256;

  reduction_object(const Variable &of, const Operation &with, const Identity &from, bool over)
      : variable(of), operation(with), identity(from), starts_over(over) {}

  // Places for what `count` contribute, in bytes.
  static constexpr std::size_t size_of_places(std::size_t count) {
    return (count * Extent * sizeof(place) + alignment - 1) / alignment * alignment;
  }
  reducer_type make_reducer() const {
    return reducer_access::make<reducer_type>(operation, identity);
  }
  void store(reducer_type &from, void *places, std::size_t index) const {
    __builtin_memcpy(static_cast<place *>(places) + index * Extent, &reducer_access::elements(from),
                     Extent * sizeof(place));
  }
  void merge(reducer_type &into, const void *places, std::size_t begin, std::size_t end) const {
    auto &elements = reducer_access::elements(into);
    const place *from = static_cast<const place *>(places);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t e = 0; e < Extent; ++e) {
        if (from[i * Extent + e].has_value) {
          elements[e].combine(operation, from[i * Extent + e].value);
        }
      }
    }
  }
#ifdef __SYCL_DEVICE_ONLY__
  // All work-items of the sub-group get what they have together. Called by all of them.
  void merge_sub_group(reducer_type &mine) const {
    const std::uint32_t here = lane();
    for (auto &element : reducer_access::elements(mine)) {
      for (std::uint32_t distance = 1; distance < max_lane_count(); distance *= 2) {
        const std::uint32_t there = here ^ distance;
        const T other = shuffle(element.value, there);
        bool has_other = there < lane_count();
        if constexpr (!Identity::exists) {
          has_other = shuffle(element.has_value, there) && has_other;
        }
        if (has_other) {
          element.combine(operation, other);
        }
      }
      const T first = shuffle(element.value, 0);
      __builtin_memcpy(static_cast<void *>(&element.value), &first, sizeof(T));
      if constexpr (!Identity::exists) {
        element.has_value = shuffle(element.has_value, 0);
      }
    }
  }
#endif
  // The end: the variables get what was contributed.
  void finish(reducer_type &total) const {
    const auto &elements = reducer_access::elements(total);
    T *to = variable_of(variable);
    for (std::size_t e = 0; e < Extent; ++e) {
      if (starts_over) {
        to[e] = elements[e].value;
      } else if (elements[e].has_value) {
        to[e] = operation(to[e], elements[e].value);
      }
    }
  }

  static constexpr std::size_t alignment = 128;
  static_assert(alignof(T) <= alignment, "reduction: the type's alignment is over 128 bytes");

  Variable variable;
  Operation operation;
  Identity identity;
  bool starts_over;  // initialize_to_identity
};

template <class... Reductions>
struct reduction_list {
  static constexpr std::size_t size_of_places(std::size_t) { return 0; }
};
template <class Head, class... Tail>
struct reduction_list<Head, Tail...> {
  reduction_list(const Head &first, const Tail &...others) : head(first), tail(others...) {}
  static constexpr std::size_t size_of_places(std::size_t count) {
    return Head::size_of_places(count) + reduction_list<Tail...>::size_of_places(count);
  }
  Head head;
  reduction_list<Tail...> tail;
};

}  // namespace sycl::detail

#endif
