// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::group: a work-group, with its copies and its loops over logical work-items.
// Source: SYCL 2020 sections 4.9.1.7, 4.9.4.2.3.
#ifndef TENON_SYCL_GROUP_HPP
#define TENON_SYCL_GROUP_HPP

#include <sycl/detail/group_copy.hpp>
#include <sycl/detail/group_primitives.hpp>
#include <sycl/detail/item_queries.hpp>
#include <sycl/id.hpp>
#include <sycl/memory_enums.hpp>

namespace sycl {

template <int Dimensions>
class nd_item;

namespace detail {
struct index_maker;
struct hierarchy;
}  // namespace detail

// Holds where it is, so that the host can read one that a kernel stored; its local ids are the
// calling work-item's.
template <int Dimensions = 1>
class group {
 public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  group() = delete;

  id<Dimensions> get_group_id() const noexcept { return index_; }
  std::size_t get_group_id(int dimension) const noexcept { return index_[dimension]; }
  id<Dimensions> get_local_id() const noexcept {TN_SYCL_ASK_ALL(id, LocalInvocationId)} std::size_t
      get_local_id(int dimension) const noexcept {
    return TN_SYCL_ASK_AT(LocalInvocationId, dimension);
  }
  range<Dimensions> get_local_range() const noexcept { return local_range_; }
  std::size_t get_local_range(int dimension) const noexcept { return local_range_[dimension]; }
  range<Dimensions> get_group_range() const noexcept { return group_range_; }
  std::size_t get_group_range(int dimension) const noexcept { return group_range_[dimension]; }
  range<Dimensions> get_max_local_range() const noexcept { return local_range_; }
  std::size_t operator[](int dimension) const noexcept { return index_[dimension]; }
  std::size_t get_group_linear_id() const noexcept {
      TN_SYCL_ASK_LINEAR(get_group_id, get_group_range)} std::size_t
      get_local_linear_id() const noexcept {
          TN_SYCL_ASK_LINEAR(get_local_id, get_local_range)} std::size_t
      get_group_linear_range() const noexcept {
    return group_range_.size();
  }
  std::size_t get_local_linear_range() const noexcept { return local_range_.size(); }
  bool leader() const noexcept { return get_local_linear_id() == 0; }

  // SYCL 1.2.1's names.
  TN_SYCL_DEPRECATED("use get_group_id") id<Dimensions> get_id() const noexcept { return index_; }
  TN_SYCL_DEPRECATED("use get_group_id")
  std::size_t get_id(int dimension) const noexcept { return index_[dimension]; }
  TN_SYCL_DEPRECATED("use get_group_linear_id")
  std::size_t get_linear_id() const noexcept { return get_group_linear_id(); }
  TN_SYCL_DEPRECATED("use get_group_range and get_local_range")
  range<Dimensions> get_global_range() const noexcept { return group_range_ * local_range_; }
  TN_SYCL_DEPRECATED("use get_group_range and get_local_range")
  std::size_t get_global_range(int dimension) const noexcept {
    return group_range_[dimension] * local_range_[dimension];
  }

  // In a kernel of parallel_for_work_group: runs the function for each logical work-item of the
  // work-group. Defined in h_item.hpp.
  template <class WorkItemFunctionT>
  void parallel_for_work_item(const WorkItemFunctionT &func) const noexcept;
  template <class WorkItemFunctionT>
  void parallel_for_work_item(range<Dimensions> logicalRange,
                              const WorkItemFunctionT &func) const noexcept;

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

  friend bool operator==(const group &lhs, const group &rhs) noexcept {
    return lhs.index_ == rhs.index_ && lhs.local_range_ == rhs.local_range_ &&
           lhs.group_range_ == rhs.group_range_;
  }
  friend bool operator!=(const group &lhs, const group &rhs) noexcept { return !(lhs == rhs); }

 private:
  friend class nd_item<Dimensions>;
  friend struct detail::hierarchy;
  explicit group(std::nullptr_t) noexcept : group(ask_local_range()) {}
  // In hierarchical kernels, where one work-item runs the work-group, the range is the kernel's.
  explicit group(const range<Dimensions> &local_range) noexcept
      : index_(ask_id()), local_range_(local_range), group_range_(ask_group_range()) {}
  static id<Dimensions> ask_id() noexcept { TN_SYCL_ASK_ALL(id, WorkgroupId) }
  static range<Dimensions> ask_local_range() noexcept { TN_SYCL_ASK_ALL(range, WorkgroupSize) }
  static range<Dimensions> ask_group_range() noexcept {TN_SYCL_ASK_ALL(range, NumWorkgroups)}

  id<Dimensions> index_;
  range<Dimensions> local_range_;
  range<Dimensions> group_range_;
};

}  // namespace sycl

#endif
