// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::group: a work-group, with its copies and its loops over logical work-items.
// Source: SYCL 2020 sections 4.9.1.7, 4.9.4.2.3.
#ifndef TENON_SYCL_GROUP_HPP
#define TENON_SYCL_GROUP_HPP

#include <sycl/detail/group_copy.hpp>
#include <sycl/detail/group_primitives.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_enums.hpp>

namespace sycl {

namespace detail {
struct index_maker;
struct hierarchy;
}  // namespace detail

template <int Dimensions = 1>
class group {
 public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  group() = delete;

  id<Dimensions> get_group_id() const noexcept { return group_id_; }
  std::size_t get_group_id(int dimension) const noexcept { return group_id_[dimension]; }
  id<Dimensions> get_local_id() const noexcept { return local_id_; }
  std::size_t get_local_id(int dimension) const noexcept { return local_id_[dimension]; }
  range<Dimensions> get_local_range() const noexcept { return local_range_; }
  std::size_t get_local_range(int dimension) const noexcept { return local_range_[dimension]; }
  range<Dimensions> get_group_range() const noexcept { return group_range_; }
  std::size_t get_group_range(int dimension) const noexcept { return group_range_[dimension]; }
  range<Dimensions> get_max_local_range() const noexcept { return local_range_; }
  std::size_t operator[](int dimension) const noexcept { return group_id_[dimension]; }
  std::size_t get_group_linear_id() const noexcept {
    return detail::linear_index(group_id_, group_range_);
  }
  std::size_t get_local_linear_id() const noexcept {
    return detail::linear_index(local_id_, local_range_);
  }
  std::size_t get_group_linear_range() const noexcept { return group_range_.size(); }
  std::size_t get_local_linear_range() const noexcept { return local_range_.size(); }
  bool leader() const noexcept { return get_local_linear_id() == 0; }

  // In a kernel of parallel_for_work_group: runs the function for each logical work-item of the
  // work-group. Defined in h_item.hpp.
  template <class WorkItemFunctionT>
  void parallel_for_work_item(const WorkItemFunctionT &func) const;
  template <class WorkItemFunctionT>
  void parallel_for_work_item(range<Dimensions> logicalRange, const WorkItemFunctionT &func) const;

  template <access_mode AccessMode = access_mode::read_write>
  TN_SYCL_DEPRECATED("use sycl::atomic_fence")
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const noexcept {
    detail::legacy_fence<AccessMode>();
  }

  // From global to local memory or back; complete after wait_for or device_event::wait, which all
  // work-items of the work-group call. The stride is that of the global side.
  template <class Dest, class Src>
  device_event async_work_group_copy(Dest dest, Src src, std::size_t numElements) const noexcept {
    return detail::copy_in_group(dest, src, numElements);
  }
  template <class Dest, class Src>
  device_event async_work_group_copy(Dest dest, Src src, std::size_t numElements,
                                     std::size_t stride) const noexcept {
    return detail::copy_in_group(dest, src, numElements, stride);
  }
  template <class... EventTN>
  void wait_for(EventTN... events) const noexcept {
    static_assert((std::is_same_v<EventTN, device_event> && ...), "wait_for takes device events");
    (static_cast<void>(events), ...);
    detail::work_group_barrier(fence_scope);
  }

  // Equal for all work-items of one work-group.
  friend bool operator==(const group &lhs, const group &rhs) noexcept {
    return lhs.group_id_ == rhs.group_id_ && lhs.group_range_ == rhs.group_range_ &&
           lhs.local_range_ == rhs.local_range_;
  }
  friend bool operator!=(const group &lhs, const group &rhs) noexcept { return !(lhs == rhs); }

 private:
  friend struct detail::index_maker;
  friend struct detail::hierarchy;
  group(const id<Dimensions> &group_id, const range<Dimensions> &group_range,
        const id<Dimensions> &local_id, const range<Dimensions> &local_range) noexcept
      : group_id_(group_id),
        group_range_(group_range),
        local_id_(local_id),
        local_range_(local_range) {}

  id<Dimensions> group_id_;
  range<Dimensions> group_range_;
  id<Dimensions> local_id_;
  range<Dimensions> local_range_;
};

}  // namespace sycl

#endif
