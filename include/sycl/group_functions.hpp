// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group functions: broadcasts, and the shuffles of a sub-group; group_barrier has its own header.
// Source: SYCL 2020 sections 4.17.3, 4.17.4.
#ifndef TENON_SYCL_GROUP_FUNCTIONS_HPP
#define TENON_SYCL_GROUP_FUNCTIONS_HPP

#include <sycl/detail/group_reduce.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/group_barrier.hpp>

namespace sycl {

namespace detail {
template <class Group, class T>
using if_shuffled = std::enable_if_t<is_sub_group<Group> && is_device_copyable_v<T>, int>;
}  // namespace detail

template <class Group, class T, detail::if_group<Group> = 0>
T group_broadcast(Group, T x, typename Group::linear_id_type local_linear_id) noexcept {
  static_assert(is_device_copyable_v<T>, "group_broadcast: the type has to be device copyable");
  if constexpr (detail::is_sub_group<Group>) {
    return detail::shuffle(x, local_linear_id);
  } else {
    return detail::work_group_broadcast(x, detail::physical_local_index() == local_linear_id);
  }
}
template <class Group, class T, detail::if_group<Group> = 0>
T group_broadcast(Group g, T x) noexcept {
  return group_broadcast(g, x, typename Group::linear_id_type(0));
}
template <class Group, class T, detail::if_group<Group> = 0>
T group_broadcast(Group g, T x, typename Group::id_type local_id) noexcept {
  return group_broadcast(g, x,
                         static_cast<typename Group::linear_id_type>(
                             detail::linear_index(local_id, g.get_local_range())));
}

// Values from beyond the ends of the sub-group are unspecified.
template <class Group, class T, detail::if_shuffled<Group, T> = 0>
T shift_group_left(Group, T x, typename Group::linear_id_type delta = 1) noexcept {
  return detail::shuffle_down(x, delta);
}
template <class Group, class T, detail::if_shuffled<Group, T> = 0>
T shift_group_right(Group, T x, typename Group::linear_id_type delta = 1) noexcept {
  return detail::shuffle_up(x, delta);
}
template <class Group, class T, detail::if_shuffled<Group, T> = 0>
T permute_group_by_xor(Group, T x, typename Group::linear_id_type mask) noexcept {
  return detail::shuffle_xor(x, mask);
}
template <class Group, class T, detail::if_shuffled<Group, T> = 0>
T select_from_group(Group, T x, typename Group::id_type remote_local_id) noexcept {
  return detail::shuffle(x, static_cast<std::uint32_t>(remote_local_id[0]));
}

}  // namespace sycl

#endif
