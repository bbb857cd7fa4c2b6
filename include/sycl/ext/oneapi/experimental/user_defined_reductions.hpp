// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_over_group and joint_reduce with any operation, on any type.
// Source: the SYCL extension sycl_ext_oneapi_user_defined_reductions.
#ifndef TENON_SYCL_EXT_USER_DEFINED_REDUCTIONS_HPP
#define TENON_SYCL_EXT_USER_DEFINED_REDUCTIONS_HPP

#include <sycl/ext/oneapi/experimental/group_helpers_sorters.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/half.hpp>

namespace sycl::detail {

// Operations need not be const.
template <class T, class Operation>
struct changing_operation {
  Operation &operation;
  T operator()(const T &x, const T &y) const { return operation(x, y); }
};

// Group functions move bytes between work-items.
template <class T>
inline constexpr bool is_moved_as_bytes =
    is_device_copyable_v<T> && std::is_trivially_destructible_v<T>;

// Of the first `count` work-items, at least one; of values that need the group's memory.
template <class Group, class T, class Operation>
T reduce_in_memory(span<std::byte> scratch, const T *mine, std::size_t count,
                   Operation &operation) {
  T *const memory = reinterpret_cast<T *>(scratch.data());
  const std::size_t here = group_index<Group>();
  if (here < count) {
    ::new (static_cast<void *>(memory + here)) T(*mine);
  }
  for (std::size_t left = count; left > 1; left -= left / 2) {
    const std::size_t partner = here + left - left / 2;
    group_sync<Group>();
    if (partner < left) {
      T both = operation(memory[here], memory[partner]);
      memory[here].~T();
      ::new (static_cast<void *>(memory + here)) T(static_cast<T &&>(both));
    }
  }
  group_sync<Group>();
  T result = memory[0];
  group_sync<Group>();
  if (here < count) {
    memory[here].~T();
  }
  return result;
}

template <class Group, class T, class Operation>
T reduce_values(span<std::byte> scratch, const T &value, Operation &operation) {
  if constexpr (is_moved_as_bytes<T>) {
    return group_reduce<Group>(value, changing_operation<T, Operation>{operation});
  } else {
    return reduce_in_memory<Group>(scratch, &value, group_size<Group>(), operation);
  }
}

// first[here], first[here + group size], …
template <class Group, class T, class Ptr, class Operation>
T fold_from(Ptr first, std::size_t here, std::size_t count, Operation &operation) {
  T folded = static_cast<T>(first[static_cast<std::ptrdiff_t>(here)]);
  for (std::size_t i = here + group_size<Group>(); i < count; i += group_size<Group>()) {
    T next = operation(folded, static_cast<T>(first[static_cast<std::ptrdiff_t>(i)]));
    folded.~T();
    ::new (static_cast<void *>(&folded)) T(static_cast<T &&>(next));
  }
  return folded;
}

// Of a range that is not empty.
template <class Group, class T, class Ptr, class Operation>
T reduce_elements(span<std::byte> scratch, Ptr first, std::size_t count, Operation &operation) {
  group_sync<Group>();
  const std::size_t here = group_index<Group>();
  if constexpr (is_moved_as_bytes<T>) {
    const changing_operation<T, Operation> changing{operation};
    const bool exists = here < count;
    const optional_value<T> mine = {
        fold_from<Group, T>(first, exists ? here : 0, exists ? count : 1, operation), exists};
    return group_reduce<Group>(mine,
                               optional_operation<changing_operation<T, Operation>>{changing})
        .value;
  } else {
    const std::size_t parts = count < group_size<Group>() ? count : group_size<Group>();
    const bool exists = here < count;
    const T mine =
        fold_from<Group, T>(first, exists ? here : 0, exists ? count : 1, operation);
    return reduce_in_memory<Group>(scratch, &mine, parts, operation);
  }
}

// What SYCL's own functions take; the group's memory is not used then.
template <class T, class Operation>
inline constexpr bool is_native_reduction =
    (std::is_arithmetic_v<T> || std::is_same_v<T, half>)&&has_known_identity_v<Operation, T>;

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class GroupHelper, class T, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
T reduce_over_group(GroupHelper g, T x, BinaryOperation binary_op) {
  using group_type = std::decay_t<decltype(g.get_group())>;
  static_assert(std::is_invocable_r_v<T, BinaryOperation &, const T &, const T &>,
                "the operation of a reduction combines two values of a type into one of that type");
  if constexpr (sycl::detail::is_native_reduction<T, BinaryOperation>) {
    return sycl::reduce_over_group(g.get_group(), x, binary_op);
  } else {
    return sycl::detail::reduce_values<group_type>(g.get_memory(), x, binary_op);
  }
}
template <class GroupHelper, class V, class T, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
T reduce_over_group(GroupHelper g, V x, T init, BinaryOperation binary_op) {
  return binary_op(init, experimental::reduce_over_group(g, static_cast<T>(x), binary_op));
}

template <class GroupHelper, class Ptr, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
typename sycl::detail::sorted_element<Ptr>::type joint_reduce(GroupHelper g, Ptr first, Ptr last,
                                                          BinaryOperation binary_op) {
  using T = typename sycl::detail::sorted_element<Ptr>::type;
  using group_type = std::decay_t<decltype(g.get_group())>;
  static_assert(std::is_invocable_r_v<T, BinaryOperation &, const T &, const T &>,
                "the operation of a reduction combines two values of a type into one of that type");
  if constexpr (sycl::detail::is_native_reduction<T, BinaryOperation>) {
    return sycl::joint_reduce(g.get_group(), first, last, binary_op);
  } else {
    return sycl::detail::reduce_elements<group_type, T>(
        g.get_memory(), first, static_cast<std::size_t>(last - first), binary_op);
  }
}
// `init` alone of an empty range.
template <class GroupHelper, class Ptr, class T, class BinaryOperation,
          std::enable_if_t<is_group_helper_v<GroupHelper>, int> = 0>
T joint_reduce(GroupHelper g, Ptr first, Ptr last, T init, BinaryOperation binary_op) {
  using group_type = std::decay_t<decltype(g.get_group())>;
  if constexpr (sycl::detail::is_native_reduction<T, BinaryOperation>) {
    return sycl::joint_reduce(g.get_group(), first, last, init, binary_op);
  } else if (first == last) {
    return init;
  } else {
    return binary_op(init, sycl::detail::reduce_elements<group_type, T>(
                               g.get_memory(), first, static_cast<std::size_t>(last - first),
                               binary_op));
  }
}

}  // namespace sycl::ext::oneapi::experimental

#endif
