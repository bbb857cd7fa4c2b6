// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// opportunistic_group: work-items that happen to run together. Here always the calling one alone:
// work-items of a vector part and meet again where the compiler decides, so that a larger group
// would not be the same one at its leader's branch and at its broadcast.
// Source: the SYCL extension sycl_ext_oneapi_non_uniform_groups.
#ifndef TENON_SYCL_EXT_OPPORTUNISTIC_GROUP_HPP
#define TENON_SYCL_EXT_OPPORTUNISTIC_GROUP_HPP

#include <sycl/atomic_fence.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/id.hpp>

namespace sycl::ext::oneapi::experimental {

class opportunistic_group;

namespace this_kernel {
opportunistic_group get_opportunistic_group();
}

class opportunistic_group {
 public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id_type get_group_id() const noexcept { return id_type(0); }
  id_type get_local_id() const noexcept { return id_type(0); }
  range_type get_group_range() const noexcept { return range_type(1); }
  range_type get_local_range() const noexcept { return range_type(1); }
  linear_id_type get_group_linear_id() const noexcept { return 0; }
  linear_id_type get_local_linear_id() const noexcept { return 0; }
  linear_id_type get_group_linear_range() const noexcept { return 1; }
  linear_id_type get_local_linear_range() const noexcept { return 1; }
  bool leader() const noexcept { return true; }

 private:
  friend opportunistic_group this_kernel::get_opportunistic_group();
  opportunistic_group() noexcept {}
};

namespace this_kernel {
#ifdef __SYCL_DEVICE_ONLY__
inline opportunistic_group get_opportunistic_group() { return opportunistic_group(); }
#else
inline opportunistic_group get_opportunistic_group() {
  oneapi::this_work_item::raise_outside_kernel();
}
#endif
}  // namespace this_kernel

// The newer name.
namespace this_work_item {
using this_kernel::get_opportunistic_group;
}

}  // namespace sycl::ext::oneapi::experimental

// Group functions and algorithms of one work-item.
namespace sycl {

inline void group_barrier(ext::oneapi::experimental::opportunistic_group,
                          memory_scope fenceScope = memory_scope::sub_group) noexcept {
  atomic_fence(memory_order::acq_rel, fenceScope);
}

template <class T>
T group_broadcast(ext::oneapi::experimental::opportunistic_group, T x) noexcept {
  return x;
}
template <class T>
T group_broadcast(ext::oneapi::experimental::opportunistic_group, T x, std::uint32_t) noexcept {
  return x;
}
template <class T>
T group_broadcast(ext::oneapi::experimental::opportunistic_group, T x, id<1>) noexcept {
  return x;
}
template <class T>
T select_from_group(ext::oneapi::experimental::opportunistic_group, T x, id<1>) noexcept {
  return x;
}
template <class T>
T shift_group_left(ext::oneapi::experimental::opportunistic_group, T x,
                   std::uint32_t = 1) noexcept {
  return x;
}
template <class T>
T shift_group_right(ext::oneapi::experimental::opportunistic_group, T x,
                    std::uint32_t = 1) noexcept {
  return x;
}
template <class T>
T permute_group_by_xor(ext::oneapi::experimental::opportunistic_group, T x,
                       std::uint32_t) noexcept {
  return x;
}

inline bool any_of_group(ext::oneapi::experimental::opportunistic_group, bool pred) { return pred; }
inline bool all_of_group(ext::oneapi::experimental::opportunistic_group, bool pred) { return pred; }
inline bool none_of_group(ext::oneapi::experimental::opportunistic_group, bool pred) {
  return !pred;
}
template <class T, class Predicate>
bool any_of_group(ext::oneapi::experimental::opportunistic_group, T x, Predicate pred) {
  return pred(x);
}
template <class T, class Predicate>
bool all_of_group(ext::oneapi::experimental::opportunistic_group, T x, Predicate pred) {
  return pred(x);
}
template <class T, class Predicate>
bool none_of_group(ext::oneapi::experimental::opportunistic_group, T x, Predicate pred) {
  return !pred(x);
}

template <class T, class BinaryOperation>
T reduce_over_group(ext::oneapi::experimental::opportunistic_group, T x, BinaryOperation) {
  detail::check_operation<T, BinaryOperation>();
  return x;
}
template <class V, class T, class BinaryOperation>
T reduce_over_group(ext::oneapi::experimental::opportunistic_group, V x, T init,
                    BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return binary_op(init, T(x));
}
template <class T, class BinaryOperation>
T inclusive_scan_over_group(ext::oneapi::experimental::opportunistic_group, T x, BinaryOperation) {
  detail::check_operation<T, BinaryOperation>();
  return x;
}
template <class V, class BinaryOperation, class T>
T inclusive_scan_over_group(ext::oneapi::experimental::opportunistic_group, V x,
                            BinaryOperation binary_op, T init) {
  detail::check_operation<T, BinaryOperation>();
  return binary_op(init, T(x));
}
template <class T, class BinaryOperation>
T exclusive_scan_over_group(ext::oneapi::experimental::opportunistic_group, T, BinaryOperation) {
  detail::check_identity<T, BinaryOperation>();
  return known_identity_v<BinaryOperation, T>;
}
template <class V, class T, class BinaryOperation>
T exclusive_scan_over_group(ext::oneapi::experimental::opportunistic_group, V, T init,
                            BinaryOperation) {
  detail::check_operation<T, BinaryOperation>();
  return init;
}

}  // namespace sycl

#endif
