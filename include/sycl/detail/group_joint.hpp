// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of ranges by a group; group_algorithm.hpp is what users call.
// Source: SYCL 2020 section 4.17.4.
#ifndef TENON_SYCL_DETAIL_GROUP_JOINT_HPP
#define TENON_SYCL_DETAIL_GROUP_JOINT_HPP

#include <sycl/detail/group_quads.hpp>
#include <sycl/detail/group_reduce.hpp>

namespace sycl::detail {

// Of first[from + here], first[from + here + step], … before `to`; the loop has no conditions that
// differ between work-items.
template <class T, class InPtr, class Operation>
T fold_in_turns(InPtr first, std::size_t from, std::size_t to, std::size_t here, std::size_t step,
                const Operation &operation) {
  T folded = identity<Operation, T>::get();
  std::size_t start = from;
  for (; start < to && to - start >= step; start += step) {
    folded = operation(folded, static_cast<T>(first[start + here]));
  }
  if (start + here < to) {
    folded = operation(folded, static_cast<T>(first[start + here]));
  }
  return folded;
}

// The part of a range that a sub-group goes through: side by side, so that each reads on in memory.
template <class Group>
void my_part(std::size_t count, std::size_t &from, std::size_t &to) noexcept {
  from = 0;
  to = count;
  if constexpr (!is_sub_group<Group>) {
    const std::size_t parts = sub_group_count();
    const std::size_t size = (count + parts - 1) / parts;
    from = sub_group_index() * size < count ? sub_group_index() * size : count;
    to = count - from < size ? count : from + size;
  }
}

// first[0], first[1], … and `seed`; in a part of the range, work-items take turns, so that
// neighbors read neighboring elements.
template <class Group, class T, class InPtr, class Operation>
T joint_reduce(InPtr first, InPtr last, const T &seed, const Operation &operation) {
  group_sync<Group>();
  const auto count = static_cast<std::size_t>(last - first);
  if constexpr (has_known_identity_v<Operation, T>) {
#ifdef __NVPTX__
    const T mine =
        fold_far_apart<T>(first, count, group_index<Group>(), group_size<Group>(), operation);
#else
    std::size_t from, to;
    my_part<Group>(count, from, to);
    const T mine = fold_in_turns<T>(first, from, to, lane(), lane_count(), operation);
#endif
    return operation(seed, group_reduce<Group>(mine, operation));
  } else {
    const std::size_t step = group_size<Group>();
    const std::size_t here = group_index<Group>();
    optional_value<T> mine = {seed, here == 0};
    for (std::size_t i = here; i < count; i += step) {
      const T value = static_cast<T>(first[i]);
      mine = {mine.exists ? static_cast<T>(operation(mine.value, value)) : value, true};
    }
    return group_reduce<Group>(mine, optional_operation<Operation>{operation}).value;
  }
}

// What a sub-group's part of a range comes to, in order.
template <class T, class InPtr, class Operation>
T sub_group_total(InPtr first, std::size_t from, std::size_t to, const Operation &operation) {
  const std::size_t lanes = lane_count();
  if constexpr (has_known_identity_v<Operation, T>) {
    return sub_group_reduce(fold_in_turns<T>(first, from, to, lane(), lanes, operation), operation);
  } else {
    T total = static_cast<T>(first[0]);
    for (std::size_t start = from; start < to; start += lanes) {
      const std::size_t last = to - start < lanes ? to - start - 1 : lanes - 1;
      const std::size_t i = lane() < last ? lane() : last;
      const T part = shuffle(sub_group_scan(static_cast<T>(first[start + i]), operation).inclusive,
                             static_cast<std::uint32_t>(last));
      total = start == from ? part : static_cast<T>(operation(total, part));
    }
    return total;
  }
}

template <bool Inclusive, class T, class OutPtr, class Operation>
carried<T> scan_step(const T &value, OutPtr result, std::size_t place, bool is_there,
                     const carried<T> &carry, const Operation &operation) {
  scanned<T> scan = sub_group_scan(value, operation);
  if (carry.exists) {
    scan.inclusive = operation(carry.value, scan.inclusive);
    scan.before = lane() > 0 ? static_cast<T>(operation(carry.value, scan.before)) : carry.value;
    scan.total = operation(carry.value, scan.total);
  }
  if (is_there) {
    result[place] = Inclusive ? scan.inclusive : scan.before;
  }
  return {scan.total, true};
}

template <bool Inclusive, class T, class InPtr, class OutPtr, class Operation>
void sub_group_scan_range(InPtr first, OutPtr result, std::size_t from, std::size_t to,
                          carried<T> carry, const Operation &operation) {
  const std::size_t lanes = lane_count();
  const std::size_t here = lane();
  std::size_t start = from;
  for (; start < to && to - start >= lanes; start += lanes) {
    carry = scan_step<Inclusive>(static_cast<T>(first[start + here]), result, start + here, true,
                                 carry, operation);
  }
  if (start < to) {
    // Behind the end stands any value: nothing before it depends on it.
    const std::size_t i = start + here;
    if constexpr (has_known_identity_v<Operation, T>) {
      T value = identity<Operation, T>::get();
      if (i < to) {
        value = static_cast<T>(first[i]);
      }
      scan_step<Inclusive>(value, result, i, i < to, carry, operation);
    } else {
      scan_step<Inclusive>(static_cast<T>(first[i < to ? i : to - 1]), result, i, i < to, carry,
                           operation);
    }
  }
}

// Each sub-group scans a part of the range, after what all parts come to was scanned. `result` may
// be `first`.
template <class Group, bool Inclusive, class T, class InPtr, class OutPtr, class Operation>
OutPtr joint_scan(InPtr first, InPtr last, OutPtr result, carried<T> carry,
                  const Operation &operation) {
  group_sync<Group>();
  const auto count = static_cast<std::size_t>(last - first);
#ifdef __NVPTX__
  if constexpr (std::is_arithmetic_v<T>) {
    scan_quads<Group, Inclusive>(first, count, result, carry, operation);
    group_sync<Group>();
    return result + static_cast<std::ptrdiff_t>(count);
  }
#endif
  if (count != 0) {
    std::size_t from, to;
    my_part<Group>(count, from, to);
    if constexpr (!is_sub_group<Group>) {
      const T before =
          combine_partials(sub_group_total<T>(first, from, to, operation), operation).before;
      if (sub_group_index() > 0) {
        carry = {carry.exists ? static_cast<T>(operation(carry.value, before)) : before, true};
      }
    }
    sub_group_scan_range<Inclusive>(first, result, from, to, carry, operation);
  }
  group_sync<Group>();
  return result + static_cast<std::ptrdiff_t>(count);
}

}  // namespace sycl::detail

#endif
