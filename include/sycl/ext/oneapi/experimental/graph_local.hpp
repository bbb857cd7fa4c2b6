// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory of kernels in graphs, whose size can be changed: dynamic_work_group_memory and
// dynamic_local_accessor. Included by graph.hpp. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_SYCL_EXT_GRAPH_LOCAL_HPP
#define TENON_SYCL_EXT_GRAPH_LOCAL_HPP

#include "tenon/graph_dynamic.h"
#include <sycl/ext/oneapi/experimental/graph_forward.hpp>
#include <sycl/ext/oneapi/work_group_memory.hpp>
#include <sycl/local_accessor.hpp>
#include <sycl/property.hpp>

namespace sycl::detail {

#ifndef __SYCL_DEVICE_ONLY__
// The runtime's object in host code. In the block of a kernel's arguments the offset of the local
// memory is in its place.
class dynamic_local_link {
 public:
  dynamic_local_link(std::uint32_t dims, const std::size_t *extents, std::size_t elementSize,
                     std::size_t alignment) {
    tn_diag diag;
    check(tn_dynamic_local_create(dims, extents, elementSize, alignment, &object_, &diag), diag);
  }
  dynamic_local_link(const dynamic_local_link &other) {
    tn_dynamic_local_copy(&object_, other.object_);
  }
  dynamic_local_link &operator=(const dynamic_local_link &other) noexcept {
    tn_dynamic_local_retain(other.object_);
    tn_dynamic_local_release(std::exchange(object_, other.object_));
    return *this;
  }
  ~dynamic_local_link() { tn_dynamic_local_release(object_); }

  tn_dynamic_local *get() const noexcept { return object_; }
  void update(const std::size_t *extents) const {
    tn_diag diag;
    check(tn_dynamic_local_update(object_, extents, &diag), diag);
  }
  [[noreturn]] static void raise_get(const char *what) {
    char text[200];
    __builtin_snprintf(text, sizeof(text),
                       "%s::get: there is local memory in kernels only; call get in the kernel",
                       what);
    raise(errc::invalid, text);
  }

 private:
  tn_dynamic_local *object_;  // a reference
};
static_assert(sizeof(dynamic_local_link) == sizeof(memory_link),
              "the layout is the same in both passes");
#endif

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

// A kernel holds a copy of it, or takes it as an argument. Nodes of any graph may use it that
// command_graph::add makes.
template <class DataT>
class dynamic_work_group_memory {
  static_assert(sycl::detail::is_unbounded<DataT>,
                "dynamic_work_group_memory: its type is an array without a bound, as int[]");
  using element_type = std::remove_extent_t<DataT>;

 public:
#ifdef __SYCL_DEVICE_ONLY__
  dynamic_work_group_memory(std::size_t) {}
  dynamic_work_group_memory(const command_graph<graph_state::modifiable> &, std::size_t) {}
  work_group_memory<DataT> get() const { return memory_; }
  void update(std::size_t) {}
  bool tn_is(const dynamic_work_group_memory &) const noexcept { return true; }
#else
  dynamic_work_group_memory(std::size_t num)
      : link_(0, &num, sizeof(element_type), alignof(element_type)) {}
  // The deprecated form, without regard to the graph.
  dynamic_work_group_memory(const command_graph<graph_state::modifiable> &, std::size_t num)
      : dynamic_work_group_memory(num) {}
  // In kernels.
  work_group_memory<DataT> get() const { link_.raise_get("dynamic_work_group_memory"); }
  // Executable graphs see it with their update.
  void update(std::size_t num) { link_.update(&num); }

  bool tn_is(const dynamic_work_group_memory &other) const noexcept {
    return link_.get() == other.link_.get();
  }
#endif

  friend bool operator==(const dynamic_work_group_memory &lhs,
                         const dynamic_work_group_memory &rhs) noexcept {
    return lhs.tn_is(rhs);
  }
  friend bool operator!=(const dynamic_work_group_memory &lhs,
                         const dynamic_work_group_memory &rhs) noexcept {
    return !lhs.tn_is(rhs);
  }

 private:
#ifdef __SYCL_DEVICE_ONLY__
  work_group_memory<DataT> memory_{indeterminate};
#else
  sycl::detail::dynamic_local_link link_;
#endif
};

template <class DataT, int Dimensions = 1>
class dynamic_local_accessor {
  static_assert(Dimensions >= 1 && Dimensions <= 3,
                "dynamic_local_accessor: it has 1 to 3 dimensions");

 public:
#ifdef __SYCL_DEVICE_ONLY__
  dynamic_local_accessor(range<Dimensions>, const property_list & = {}) {}
  dynamic_local_accessor(const command_graph<graph_state::modifiable> &, range<Dimensions>,
                         const property_list & = {}) {}
  local_accessor<DataT, Dimensions> get() const { return accessor_; }
  void update(range<Dimensions>) {}
  bool tn_is(const dynamic_local_accessor &) const noexcept { return true; }
  void tn_link() const {}
#else
  dynamic_local_accessor(range<Dimensions> allocationSize, const property_list & = {})
      : link_(Dimensions, allocationSize.tn_values(), sizeof(DataT), alignof(DataT)),
        extent_(allocationSize) {}
  // The deprecated form, without regard to the graph.
  dynamic_local_accessor(const command_graph<graph_state::modifiable> &,
                         range<Dimensions> allocationSize, const property_list &propList = {})
      : dynamic_local_accessor(allocationSize, propList) {}
  // With the size that another copy was given by `update`.
  dynamic_local_accessor(const dynamic_local_accessor &other)
      : link_(other.link_), extent_(other.tn_extent()) {}
  dynamic_local_accessor &operator=(const dynamic_local_accessor &) = default;
  // In kernels.
  local_accessor<DataT, Dimensions> get() const { link_.raise_get("dynamic_local_accessor"); }
  // Executable graphs see it with their update.
  void update(range<Dimensions> newAllocationSize) { link_.update(newAllocationSize.tn_values()); }

  bool tn_is(const dynamic_local_accessor &other) const noexcept {
    return link_.get() == other.link_.get();
  }

  // For the runtime.
  const sycl::detail::dynamic_local_link &tn_link() const noexcept { return link_; }
#endif

  friend bool operator==(const dynamic_local_accessor &lhs,
                         const dynamic_local_accessor &rhs) noexcept {
    return lhs.tn_is(rhs);
  }
  friend bool operator!=(const dynamic_local_accessor &lhs,
                         const dynamic_local_accessor &rhs) noexcept {
    return !lhs.tn_is(rhs);
  }

 private:
#ifdef __SYCL_DEVICE_ONLY__
  local_accessor<DataT, Dimensions> accessor_;
#else
  range<Dimensions> tn_extent() const {
    std::size_t extents[Dimensions];
    tn_dynamic_local_get_extents(link_.get(), extents);
    if constexpr (Dimensions == 1) {
      return {extents[0]};
    } else if constexpr (Dimensions == 2) {
      return {extents[0], extents[1]};
    } else {
      return {extents[0], extents[1], extents[2]};
    }
  }

  // As the members of local_accessor: of its link, what follows the offset is the host's.
  sycl::detail::dynamic_local_link link_;
  std::size_t rest_[sizeof(sycl::detail::local_link) / sizeof(std::size_t) - 1] = {};
  range<Dimensions> extent_;
  static_assert(sizeof(sycl::detail::local_link) == sizeof(link_) + sizeof(rest_),
                "the layout is the same in both passes");
#endif
};

}  // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {
template <class T>
inline constexpr unsigned
    argument_kind<ext::oneapi::experimental::dynamic_work_group_memory<T>, void> =
        argument_is_local;
}  // namespace sycl::detail

#endif
