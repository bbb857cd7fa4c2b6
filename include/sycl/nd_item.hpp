// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::nd_item: the ids of a work-item in an nd_range. Source: SYCL 2020 section 4.9.1.5.
#ifndef TENON_SYCL_ND_ITEM_HPP
#define TENON_SYCL_ND_ITEM_HPP

#include <sycl/group.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {

template <int Dimensions = 1>
class nd_item {
 public:
  static constexpr int dimensions = Dimensions;

  nd_item() = delete;

  id<Dimensions> get_global_id() const noexcept { return global_id_; }
  std::size_t get_global_id(int dimension) const noexcept { return global_id_[dimension]; }
  std::size_t get_global_linear_id() const noexcept {
    std::size_t linear = global_id_[0] - offset_[0];
    for (int i = 1; i < Dimensions; ++i) {
      linear = linear * get_global_range(i) + (global_id_[i] - offset_[i]);
    }
    return linear;
  }
  id<Dimensions> get_local_id() const noexcept { return group_.get_local_id(); }
  std::size_t get_local_id(int dimension) const noexcept { return group_.get_local_id(dimension); }
  std::size_t get_local_linear_id() const noexcept { return group_.get_local_linear_id(); }
  group<Dimensions> get_group() const noexcept { return group_; }
  sub_group get_sub_group() const noexcept { return detail::sub_group_maker::make(); }
  std::size_t get_group(int dimension) const noexcept { return group_.get_group_id(dimension); }
  std::size_t get_group_linear_id() const noexcept { return group_.get_group_linear_id(); }
  range<Dimensions> get_group_range() const noexcept { return group_.get_group_range(); }
  std::size_t get_group_range(int dimension) const noexcept {
    return group_.get_group_range(dimension);
  }
  range<Dimensions> get_global_range() const noexcept {
    return group_.get_group_range() * group_.get_local_range();
  }
  std::size_t get_global_range(int dimension) const noexcept {
    return group_.get_group_range(dimension) * group_.get_local_range(dimension);
  }
  range<Dimensions> get_local_range() const noexcept { return group_.get_local_range(); }
  std::size_t get_local_range(int dimension) const noexcept {
    return group_.get_local_range(dimension);
  }
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")
  id<Dimensions> get_offset() const noexcept { return offset_; }
  nd_range<Dimensions> get_nd_range() const noexcept {
    return nd_range<Dimensions>(get_global_range(), get_local_range(), offset_);
  }

  TN_SYCL_DEPRECATED("use sycl::group_barrier")
  TN_SYCL_CHECKS void barrier(
      access::fence_space = access::fence_space::global_and_local) const noexcept {
    detail::work_group_barrier(memory_scope::work_group);
  }
  template <access_mode AccessMode = access_mode::read_write>
  TN_SYCL_DEPRECATED("use sycl::atomic_fence")
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const noexcept {
    detail::legacy_fence<AccessMode>();
  }

  template <class Dest, class Src>
  device_event async_work_group_copy(Dest dest, Src src, std::size_t numElements) const noexcept {
    return group_.async_work_group_copy(dest, src, numElements);
  }
  template <class Dest, class Src>
  device_event async_work_group_copy(Dest dest, Src src, std::size_t numElements,
                                     std::size_t stride) const noexcept {
    return group_.async_work_group_copy(dest, src, numElements, stride);
  }
  template <class... EventTN>
  void wait_for(EventTN... events) const noexcept {
    group_.wait_for(events...);
  }

  friend bool operator==(const nd_item &lhs, const nd_item &rhs) noexcept {
    return lhs.global_id_ == rhs.global_id_ && lhs.offset_ == rhs.offset_ &&
           lhs.group_ == rhs.group_ && lhs.get_local_id() == rhs.get_local_id();
  }
  friend bool operator!=(const nd_item &lhs, const nd_item &rhs) noexcept { return !(lhs == rhs); }

 private:
  friend struct detail::index_maker;
  nd_item(const id<Dimensions> &global_id, const id<Dimensions> &offset,
          const group<Dimensions> &group) noexcept
      : global_id_(global_id), offset_(offset), group_(group) {}

  id<Dimensions> global_id_;
  id<Dimensions> offset_;
  group<Dimensions> group_;
};

}  // namespace sycl

#endif
