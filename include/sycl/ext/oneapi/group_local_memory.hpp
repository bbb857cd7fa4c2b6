// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// group_local_memory: local memory that a kernel's code asks for, in place of a local_accessor.
// Source: the SYCL extension sycl_ext_oneapi_local_memory.
#ifndef TENON_SYCL_EXT_GROUP_LOCAL_MEMORY_HPP
#define TENON_SYCL_EXT_GROUP_LOCAL_MEMORY_HPP

#include <new>
#include <type_traits>
#include <utility>

#include <sycl/detail/device_builtins.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

namespace detail {

template <class T>
using group_memory_pointer =
    multi_ptr<T, access::address_space::local_space, access::decorated::legacy>;

template <class Group>
inline constexpr bool is_work_group = is_group_v<Group> && !is_sub_group<Group>;

// A place of the group's memory for each place that calls it.
template <class T>
[[gnu::always_inline]] inline T *group_memory() noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  return static_cast<T *>(__tenon_group_memory(sizeof(T), alignof(T)));
#else
  return nullptr;  // only kernels have groups
#endif
}

}  // namespace detail

namespace ext::oneapi {

// The object is default-initialized: the value of a trivial type is indeterminate.
template <class T, class Group>
[[gnu::always_inline]] inline std::enable_if_t<
    std::is_trivially_destructible_v<T> && sycl::detail::is_work_group<Group>,
    sycl::detail::group_memory_pointer<T>>
group_local_memory_for_overwrite([[maybe_unused]] Group g) {
  T *object = sycl::detail::group_memory<T>();
  if constexpr (!std::is_trivially_default_constructible_v<T>) {
    if (g.leader()) {
      ::new (static_cast<void *>(object)) T;
    }
    group_barrier(g);
  }
  return sycl::detail::group_memory_pointer<T>(object);
}

// One work-item makes the object from the arguments; the others see it.
template <class T, class Group, class... Args>
[[gnu::always_inline]] inline std::enable_if_t<
    std::is_trivially_destructible_v<T> && sycl::detail::is_work_group<Group>,
    sycl::detail::group_memory_pointer<T>>
group_local_memory(Group g, Args &&...args) {
  T *object = sycl::detail::group_memory<T>();
  if (g.leader()) {
    ::new (static_cast<void *>(object)) T{std::forward<Args>(args)...};
  }
  group_barrier(g);
  return sycl::detail::group_memory_pointer<T>(object);
}

}  // namespace ext::oneapi
}  // namespace sycl

#endif
