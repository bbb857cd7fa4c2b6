// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::nd_item: the ids of a work-item in an nd_range. Source: SYCL 2020 section 4.9.1.5.
#ifndef TENON_SYCL_ND_ITEM_HPP
#define TENON_SYCL_ND_ITEM_HPP

#include <sycl/detail/item_queries.hpp>
#include <sycl/ext/oneapi/experimental/use_root_sync_prop.hpp>
#include <sycl/group.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {

// Holds nothing: it is always the calling work-item's.
template <int Dimensions = 1>
class nd_item {
 public:
  static constexpr int dimensions = Dimensions;

  nd_item() = delete;

  id<Dimensions> get_global_id() const noexcept {
      TN_SYCL_ASK_ALL(id, GlobalInvocationId)} std::size_t
      get_global_id(int dimension) const noexcept {
    return TN_SYCL_ASK_AT(GlobalInvocationId, dimension);
  }
  std::size_t get_global_linear_id() const noexcept {
    std::size_t linear = TN_SYCL_ASK_AT(GlobalInvocationId, 0) - TN_SYCL_ASK_AT(GlobalOffset, 0);
    if constexpr (Dimensions > 1) {
      linear = linear * get_global_range(1) + TN_SYCL_ASK_AT(GlobalInvocationId, 1) -
               TN_SYCL_ASK_AT(GlobalOffset, 1);
    }
    if constexpr (Dimensions > 2) {
      linear = linear * get_global_range(2) + TN_SYCL_ASK_AT(GlobalInvocationId, 2) -
               TN_SYCL_ASK_AT(GlobalOffset, 2);
    }
    return linear;
  }
  id<Dimensions> get_local_id() const noexcept {TN_SYCL_ASK_ALL(id, LocalInvocationId)} std::size_t
      get_local_id(int dimension) const noexcept {
    return TN_SYCL_ASK_AT(LocalInvocationId, dimension);
  }
  std::size_t get_local_linear_id() const noexcept {
      TN_SYCL_ASK_LINEAR(get_local_id,
                         get_local_range)} group<Dimensions> get_group() const noexcept {
    return group<Dimensions>(nullptr);
  }
  sub_group get_sub_group() const noexcept { return detail::sub_group_maker::make(); }
  std::size_t get_group(int dimension) const noexcept {
    return TN_SYCL_ASK_AT(WorkgroupId, dimension);
  }
  std::size_t get_group_linear_id() const noexcept {
      TN_SYCL_ASK_LINEAR(get_group,
                         get_group_range)} range<Dimensions> get_group_range() const noexcept {
      TN_SYCL_ASK_ALL(range, NumWorkgroups)} std::size_t
      get_group_range(int dimension) const noexcept {
    return TN_SYCL_ASK_AT(NumWorkgroups, dimension);
  }
  range<Dimensions> get_global_range() const noexcept {
    return get_group_range() * get_local_range();
  }
  std::size_t get_global_range(int dimension) const noexcept {
    return TN_SYCL_ASK_AT(NumWorkgroups, dimension) * TN_SYCL_ASK_AT(WorkgroupSize, dimension);
  }
  range<Dimensions> get_local_range() const noexcept {
      TN_SYCL_ASK_ALL(range, WorkgroupSize)} std::size_t
      get_local_range(int dimension) const noexcept {
    return TN_SYCL_ASK_AT(WorkgroupSize, dimension);
  }
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")
  id<Dimensions> get_offset() const noexcept { return offset(); }
  ext::oneapi::experimental::root_group<Dimensions> ext_oneapi_get_root_group() const noexcept;
  nd_range<Dimensions> get_nd_range() const noexcept {
    return nd_range<Dimensions>(get_global_range(), get_local_range(), offset());
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
    return get_group().async_work_group_copy(dest, src, numElements);
  }
  template <class Dest, class Src>
  device_event async_work_group_copy(Dest dest, Src src, std::size_t numElements,
                                     std::size_t stride) const noexcept {
    return get_group().async_work_group_copy(dest, src, numElements, stride);
  }
  template <class... EventTN>
  void wait_for(EventTN... events) const noexcept {
    get_group().wait_for(events...);
  }

  // A work-item has but one.
  friend bool operator==(const nd_item &, const nd_item &) noexcept { return true; }
  friend bool operator!=(const nd_item &, const nd_item &) noexcept { return false; }

 private:
  friend struct detail::index_maker;
  explicit nd_item(std::nullptr_t) noexcept {}
  static id<Dimensions> offset() noexcept { TN_SYCL_ASK_ALL(id, GlobalOffset) }
};

}  // namespace sycl

#endif
