// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a reduction ends on NVIDIA GPUs: each work-group puts its work-items' contributions together,
// and the group that ends last those of all. One kernel does, over ranges and nd_ranges.
#ifndef TENON_SYCL_DETAIL_REDUCTION_GROUP_HPP
#define TENON_SYCL_DETAIL_REDUCTION_GROUP_HPP

#include <sycl/detail/group_reduce.hpp>
#include <sycl/detail/reduction_object.hpp>
#include <sycl/group.hpp>

#if defined(__SYCL_DEVICE_ONLY__) && defined(__NVPTX__)
#define TN_SYCL_REDUCES_BY_GROUPS 1

namespace sycl::detail {

// SPIR-V's numbers: the device; acquire and release of global memory.
inline void fence_device() noexcept { __spirv_MemoryBarrier(1, 0x208); }

// All work-items of the work-group get what they have together.
template <class Element, class Operation>
void merge_group_element(Element &element, const Operation &operation) {
  using T = decltype(element.value);
  const auto combine = [&](const T &x, const T &y) {
    return combine_any_order<Operation, T>(operation, x, y);
  };
  if constexpr (has_known_identity_v<Operation, T>) {
    const T all = group_reduce<group<1>>(element.value, operation);
    __builtin_memcpy(static_cast<void *>(&element.value), &all, sizeof(T));
  } else if constexpr (Element::has_identity) {
    const T all = group_reduce<group<1>>(element.value, combine);
    __builtin_memcpy(static_cast<void *>(&element.value), &all, sizeof(T));
  } else {
    const optional_value<T> mine = {element.value, element.has_value};
    const auto all = group_reduce<group<1>>(mine, optional_operation<decltype(combine)>{combine});
    __builtin_memcpy(static_cast<void *>(&element.value), &all.value, sizeof(T));
    element.has_value = all.exists;
  }
}
template <class Reduction>
void merge_group(const Reduction &reduction, typename Reduction::reducer_type &mine) {
  for (auto &element : reducer_access::elements(mine)) {
    merge_group_element(element, reduction.operation);
  }
}
inline void merge_groups(const reduction_list<> &) {}
template <class Head, class... Tail, class First, class... Others>
void merge_groups(const reduction_list<Head, Tail...> &list, First &first, Others &...others) {
  merge_group(list.head, first);
  merge_groups(list.tail, others...);
}

inline void store_groups(const reduction_list<> &, char *, std::size_t, std::size_t) {}
template <class Head, class... Tail, class First, class... Others>
void store_groups(const reduction_list<Head, Tail...> &list, char *places, std::size_t index,
                  std::size_t count, First &first, Others &...others) {
  list.head.store(first, places, index);
  store_groups(list.tail, places + Head::size_of_places(count), index, count, others...);
}

inline void total_up_groups(const reduction_list<> &, const char *, std::size_t) {}
template <class Head, class... Tail>
void total_up_groups(const reduction_list<Head, Tail...> &list, const char *places,
                     std::size_t count) {
  auto total = list.head.make_reducer();
  const std::size_t step = physical_local_size();
  std::size_t i = physical_local_index();
  for (; i + 3 * step < count; i += 4 * step) {
    list.head.merge(total, places, i, i + 1);
    list.head.merge(total, places, i + step, i + step + 1);
    list.head.merge(total, places, i + 2 * step, i + 2 * step + 1);
    list.head.merge(total, places, i + 3 * step, i + 3 * step + 1);
  }
#pragma clang loop unroll(disable)
  for (; i < count; i += step) {
    list.head.merge(total, places, i, i + 1);
  }
  merge_group(list.head, total);
  if (physical_local_index() == 0) {
    list.head.finish(total);
  }
  total_up_groups(list.tail, places + Head::size_of_places(count), count);
}

// Called by all work-items; `index` of `count` is the group's number. `ended` counts the groups
// that have ended and is 0 between launches.
template <class... Reductions, class... Reducers>
void end_group(const reduction_list<Reductions...> &list, char *places, volatile unsigned *ended,
               std::size_t index, std::size_t count, Reducers &...reducers) {
  merge_groups(list, reducers...);
  bool is_last = false;
  if (physical_local_index() == 0) {
    store_groups(list, places, index, count, reducers...);
    fence_device();
    is_last = __atomic_fetch_add(ended, 1u, __ATOMIC_RELAXED) + 1 == count;
    if (is_last) {
      __atomic_store_n(ended, 0u, __ATOMIC_RELAXED);
      fence_device();
    }
  }
  if (__tenon_group_any(is_last)) {
    total_up_groups(list, places, count);
  }
}

}  // namespace sycl::detail

#else
#define TN_SYCL_REDUCES_BY_GROUPS 0
#endif
#endif
