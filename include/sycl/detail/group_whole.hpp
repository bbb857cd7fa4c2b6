// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of groups whose sub-groups are all whole, on NVIDIA GPUs.
// Source: SYCL 2020 section 4.17.4.
#ifndef TENON_SYCL_DETAIL_GROUP_WHOLE_HPP
#define TENON_SYCL_DETAIL_GROUP_WHOLE_HPP

#include <sycl/detail/group_primitives.hpp>
#include <sycl/functional.hpp>

#ifdef __NVPTX__

namespace sycl::detail {

// Groups of whole sub-groups need no comparisons with their sizes. All work-items of a group take
// the same way.
inline bool has_whole_sub_groups() noexcept {
  return physical_local_size() % max_lane_count() == 0;
}

// Whether both orders of two operands give the same bits: then a reduction that goes both ways
// gives the same to all lanes.
template <class Operation, class T>
inline constexpr bool is_symmetric =
    (std::is_integral_v<T> && has_known_identity_v<Operation, T>) ||
    is_operation<plus, Operation, T> || is_operation<multiplies, Operation, T>;

// The number of the operation that the device has for whole sub-groups; -1: none.
template <class Operation, class T>
constexpr int device_reduction() noexcept {
  if constexpr (!std::is_integral_v<T> || sizeof(T) != 4) {
    return -1;
  } else {
    constexpr int of_unsigned = std::is_signed_v<T> ? 0 : 2;
    return is_operation<plus, Operation, T>      ? 0
           : is_operation<bit_and, Operation, T> ? 1
           : is_operation<bit_or, Operation, T>  ? 2
           : is_operation<bit_xor, Operation, T> ? 3
           : is_operation<minimum, Operation, T> ? 4 + of_unsigned
           : is_operation<maximum, Operation, T> ? 5 + of_unsigned
                                            : -1;
  }
}

template <class T, class Operation>
T whole_reduce(T value, const Operation &operation) {
  constexpr int device_operation = device_reduction<Operation, T>();
  if constexpr (device_operation >= 0) {
    return static_cast<T>(
        __tenon_sub_group_reduce(device_operation, static_cast<std::uint32_t>(value)));
  }
#pragma clang loop unroll(full)
  for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
    value = operation(value, shuffle_xor(value, distance));
  }
  if constexpr (is_symmetric<Operation, T>) {
    return value;
  } else {
    return shuffle(value, 0);
  }
}
template <class T, class Operation>
T whole_scan(T value, const Operation &operation) {
#pragma clang loop unroll(full)
  for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
    const T other = shuffle_up(value, distance);
    if (lane() >= distance) {
      value = operation(other, value);
    }
  }
  return value;
}

// Of a work-group: each sub-group puts the partials together by itself, so that nobody waits for
// another to read what comes of them.
template <class T, class Operation>
T whole_group_reduce(const T &mine, const Operation &operation) {
  T value = whole_reduce(mine, operation);
  const std::uint32_t count = sub_group_count();
  const std::uint32_t here = lane();
  if (here == 0) {
    store_partial(sub_group_index(), value);
  }
  work_group_barrier(memory_scope::work_group);
  if constexpr (has_known_identity_v<Operation, T>) {
    value = here < count ? load_partial<T>(here) : identity<Operation, T>::get();
    value = whole_reduce(value, operation);
  } else {
    value = load_partial<T>(here < count ? here : 0);
    for (std::uint32_t distance = 1; distance < count; distance *= 2) {
      const T other = shuffle_xor(value, distance);
      if ((here ^ distance) < count) {
        value = operation(value, other);
      }
    }
    value = shuffle(value, 0);
  }
  work_group_barrier(memory_scope::work_group);
  return value;
}

// What comes before the sub-group (any value in the first), and what all come to; `mine` is what
// the last lane's are.
template <class T, class Operation>
prefixes<T> whole_group_prefixes(const T &mine, const Operation &operation) {
  const std::uint32_t last = sub_group_count() - 1;
  const std::uint32_t index = sub_group_index();
  if (lane() == 31) {
    store_partial(index, mine);
  }
  work_group_barrier(memory_scope::work_group);
  const T all = whole_scan(load_partial<T>(lane() < last ? lane() : last), operation);
  work_group_barrier(memory_scope::work_group);
  return {shuffle(all, index > 0 ? index - 1 : 0), shuffle(all, last)};
}

}  // namespace sycl::detail

#endif
#endif
