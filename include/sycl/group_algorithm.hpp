// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group algorithms: any, all, none, reductions and scans over the values of a group's work-items,
// and over ranges. Source: SYCL 2020 section 4.17.4.
#ifndef TENON_SYCL_GROUP_ALGORITHM_HPP
#define TENON_SYCL_GROUP_ALGORITHM_HPP

#include <sycl/detail/group_joint.hpp>
#include <sycl/detail/group_reduce.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/functional.hpp>
#include <sycl/group_functions.hpp>

namespace sycl {

namespace detail {

template <class Pointer>
using pointed = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<Pointer &>())>>;

template <class T, class Operation>
constexpr void check_operation() {
  static_assert(is_device_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "group algorithms take types that are device copyable");
  static_assert(
      std::is_invocable_r_v<T, const Operation &, const T &, const T &>,
      "a group algorithm's operation combines two values of a type into one of that type");
}
template <class T, class Operation>
constexpr void check_identity() {
  static_assert(has_known_identity_v<Operation, T>,
                "this operation has no known identity for this type: use the form with an initial "
                "value");
}

}  // namespace detail

template <class Group, detail::if_group<Group> = 0>
bool any_of_group(Group, bool pred) {
  return detail::group_any<Group>(pred);
}
template <class Group, detail::if_group<Group> = 0>
bool all_of_group(Group, bool pred) {
  return !detail::group_any<Group>(!pred);
}
template <class Group, detail::if_group<Group> = 0>
bool none_of_group(Group, bool pred) {
  return !detail::group_any<Group>(pred);
}
template <class Group, class T, class Predicate, detail::if_group<Group> = 0>
bool any_of_group(Group g, T x, Predicate pred) {
  return any_of_group(g, static_cast<bool>(pred(x)));
}
template <class Group, class T, class Predicate, detail::if_group<Group> = 0>
bool all_of_group(Group g, T x, Predicate pred) {
  return all_of_group(g, static_cast<bool>(pred(x)));
}
template <class Group, class T, class Predicate, detail::if_group<Group> = 0>
bool none_of_group(Group g, T x, Predicate pred) {
  return none_of_group(g, static_cast<bool>(pred(x)));
}

template <class Group, class Ptr, class Predicate, detail::if_group<Group> = 0>
bool joint_any_of(Group g, Ptr first, Ptr last, Predicate pred) {
  detail::group_sync<Group>();
  const auto count = static_cast<std::size_t>(last - first);
  const std::size_t step = detail::group_size<Group>();
  bool found = false;
  for (std::size_t i = detail::group_index<Group>(); i < count; i += step) {
    found = found || static_cast<bool>(pred(first[i]));
  }
  return any_of_group(g, found);
}
template <class Group, class Ptr, class Predicate, detail::if_group<Group> = 0>
bool joint_all_of(Group g, Ptr first, Ptr last, Predicate pred) {
  return !joint_any_of(g, first, last,
                       [&](const auto &value) { return !static_cast<bool>(pred(value)); });
}
template <class Group, class Ptr, class Predicate, detail::if_group<Group> = 0>
bool joint_none_of(Group g, Ptr first, Ptr last, Predicate pred) {
  return !joint_any_of(g, first, last, pred);
}

template <class Group, class T, class BinaryOperation, detail::if_group<Group> = 0>
T reduce_over_group(Group, T x, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return detail::group_reduce<Group>(x, binary_op);
}
template <class Group, class V, class T, class BinaryOperation, detail::if_group<Group> = 0>
T reduce_over_group(Group, V x, T init, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return binary_op(init, detail::group_reduce<Group>(static_cast<T>(x), binary_op));
}

template <class Group, class Ptr, class BinaryOperation, detail::if_group<Group> = 0>
detail::pointed<Ptr> joint_reduce(Group, Ptr first, Ptr last, BinaryOperation binary_op) {
  using T = detail::pointed<Ptr>;
  detail::check_operation<T, BinaryOperation>();
  detail::check_identity<T, BinaryOperation>();
  return detail::joint_reduce<Group, T>(first, last, detail::identity<BinaryOperation, T>::get(),
                                        binary_op);
}
template <class Group, class Ptr, class T, class BinaryOperation, detail::if_group<Group> = 0>
T joint_reduce(Group, Ptr first, Ptr last, T init, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return detail::joint_reduce<Group, T>(first, last, init, binary_op);
}

template <class Group, class T, class BinaryOperation, detail::if_group<Group> = 0>
T inclusive_scan_over_group(Group, T x, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return detail::group_scan<Group>(x, binary_op).inclusive;
}
template <class Group, class V, class T, class BinaryOperation, detail::if_group<Group> = 0>
T inclusive_scan_over_group(Group, V x, BinaryOperation binary_op, T init) {
  detail::check_operation<T, BinaryOperation>();
  return binary_op(init, detail::group_scan<Group>(static_cast<T>(x), binary_op).inclusive);
}
template <class Group, class V, class T, class BinaryOperation, detail::if_group<Group> = 0>
T exclusive_scan_over_group(Group, V x, T init, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  const T before = detail::group_scan<Group>(static_cast<T>(x), binary_op).before;
  return detail::group_index<Group>() > 0 ? static_cast<T>(binary_op(init, before)) : init;
}
template <class Group, class T, class BinaryOperation, detail::if_group<Group> = 0>
T exclusive_scan_over_group(Group, T x, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  detail::check_identity<T, BinaryOperation>();
  const T before = detail::group_scan<Group>(x, binary_op).before;
  return detail::group_index<Group>() > 0 ? before : detail::identity<BinaryOperation, T>::get();
}

template <class Group, class InPtr, class OutPtr, class BinaryOperation,
          detail::if_group<Group> = 0>
OutPtr joint_inclusive_scan(Group, InPtr first, InPtr last, OutPtr result,
                            BinaryOperation binary_op) {
  using T = detail::pointed<OutPtr>;
  detail::check_operation<T, BinaryOperation>();
  if (first == last) {
    return result;
  }
  return detail::joint_scan<Group, true, T>(first, last, result, {static_cast<T>(*first), false},
                                            binary_op);
}
template <class Group, class InPtr, class OutPtr, class T, class BinaryOperation,
          detail::if_group<Group> = 0>
OutPtr joint_inclusive_scan(Group, InPtr first, InPtr last, OutPtr result,
                            BinaryOperation binary_op, T init) {
  detail::check_operation<T, BinaryOperation>();
  return detail::joint_scan<Group, true, T>(first, last, result, {init, true}, binary_op);
}
template <class Group, class InPtr, class OutPtr, class T, class BinaryOperation,
          detail::if_group<Group> = 0>
OutPtr joint_exclusive_scan(Group, InPtr first, InPtr last, OutPtr result, T init,
                            BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return detail::joint_scan<Group, false, T>(first, last, result, {init, true}, binary_op);
}
template <class Group, class InPtr, class OutPtr, class BinaryOperation,
          detail::if_group<Group> = 0>
OutPtr joint_exclusive_scan(Group g, InPtr first, InPtr last, OutPtr result,
                            BinaryOperation binary_op) {
  using T = detail::pointed<OutPtr>;
  detail::check_identity<T, BinaryOperation>();
  return joint_exclusive_scan(g, first, last, result, detail::identity<BinaryOperation, T>::get(),
                              binary_op);
}

}  // namespace sycl

#endif
