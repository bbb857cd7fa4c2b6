// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of work-items' values; group_joint.hpp has those of ranges, and
// group_algorithm.hpp is what users call.
// A sub-group is a vector of lanes: shuffles have constant distances, so that they become constant
// permutations. Source: SYCL 2020 section 4.17.4.
#ifndef TENON_SYCL_DETAIL_GROUP_REDUCE_HPP
#define TENON_SYCL_DETAIL_GROUP_REDUCE_HPP

#include <sycl/detail/group_primitives.hpp>
#include <sycl/detail/group_whole.hpp>
#include <sycl/functional.hpp>

namespace sycl::detail {

// A tree in which the first lane combines in the order of the lanes; all get what it has.
template <class T, class Operation>
T sub_group_reduce(T value, const Operation &operation) {
#ifdef __NVPTX__
  if (has_whole_sub_groups()) {
    return whole_reduce(value, operation);
  }
#endif
  const std::uint32_t count = lane_count();
  const std::uint32_t here = lane();
  for (std::uint32_t distance = 1; distance < max_lane_count(); distance *= 2) {
    const T other = shuffle(value, here ^ distance);
    if ((here ^ distance) < count) {
      value = operation(value, other);
    }
  }
  return shuffle(value, 0);
}

template <class T>
struct scanned {
  T inclusive;
  T before;  // of all work-items before this one; any value for the first
  T total;
};

template <class T, class Operation>
scanned<T> sub_group_scan(T value, const Operation &operation) {
#ifdef __NVPTX__
  // Before the first there is nobody, also where the sub-group is not whole.
  value = whole_scan(value, operation);
  return {value, shuffle_up(value, 1), shuffle(value, lane_count() - 1)};
#else
  const std::uint32_t here = lane();
  for (std::uint32_t distance = 1; distance < max_lane_count(); distance *= 2) {
    const T other = shuffle(value, here >= distance ? here - distance : here);
    if (here >= distance) {
      value = operation(other, value);
    }
  }
  return {value, shuffle(value, here > 0 ? here - 1 : 0), shuffle(value, lane_count() - 1)};
#endif
}

template <class Group, class T, class Operation>
T group_reduce(const T &value, const Operation &operation) {
#ifdef __NVPTX__
  if constexpr (!is_sub_group<Group> && sizeof(T) <= scratch_size) {
    if (has_whole_sub_groups()) {
      return whole_group_reduce(value, operation);
    }
  }
#endif
  const T result = sub_group_reduce(value, operation);
  if constexpr (is_sub_group<Group>) {
    return result;
  } else {
    return combine_partials(result, operation).total;
  }
}

template <class Group, class T, class Operation>
scanned<T> group_scan(const T &value, const Operation &operation) {
#ifdef __NVPTX__
  if constexpr (!is_sub_group<Group> && sizeof(T) <= scratch_size) {
    if (has_whole_sub_groups()) {
      T here = whole_scan(value, operation);
      const prefixes<T> found = whole_group_prefixes(here, operation);
      if (sub_group_index() > 0) {
        here = operation(found.before, here);
      }
      const T before = shuffle_up(here, 1);
      return {here, lane() > 0 ? before : found.before, found.total};
    }
  }
#endif
  scanned<T> result = sub_group_scan(value, operation);
  if constexpr (!is_sub_group<Group>) {
    const prefixes<T> found = combine_partials(result.total, operation);
    if (sub_group_index() > 0) {
      result.inclusive = operation(found.before, result.inclusive);
      result.before =
          lane() > 0 ? static_cast<T>(operation(found.before, result.before)) : found.before;
    }
    result.total = found.total;
  }
  return result;
}

template <class Group>
bool group_any(bool value) {
#ifdef __NVPTX__
  if constexpr (!is_sub_group<Group>) {
    return __tenon_group_any(value);
  }
#endif
#ifdef __SPIRV__
  const bool result = __spirv_GroupAny(scope_sub_group, value);
#else
  const bool result = ballot(value) != 0;
#endif
  if constexpr (is_sub_group<Group>) {
    return result;
  } else {
    return combine_partials(result, logical_or<bool>()).total;
  }
}

// The place of the work-item in the group and how many there are.
template <class Group>
std::size_t group_index() noexcept {
  return is_sub_group<Group> ? lane() : physical_local_index();
}
template <class Group>
std::size_t group_size() noexcept {
  return is_sub_group<Group> ? lane_count() : physical_local_size();
}
template <class Group>
void group_sync() noexcept {
  if constexpr (is_sub_group<Group>) {
    sub_group_barrier(memory_scope::sub_group);
  } else {
    work_group_barrier(memory_scope::work_group);
  }
}

// A value or none: what work-items contribute whose part of a range is empty.
template <class T>
struct optional_value {
  T value;
  bool exists;
};
template <class Operation>
struct optional_operation {
  const Operation &operation;
  template <class T>
  optional_value<T> operator()(const optional_value<T> &x, const optional_value<T> &y) const {
    if (x.exists && y.exists) {
      return {static_cast<T>(operation(x.value, y.value)), true};
    }
    return x.exists ? x : y;
  }
};

}  // namespace sycl::detail

#endif
