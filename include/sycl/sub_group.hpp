// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::sub_group: the work-items that run as the lanes of one vector. Source: SYCL 2020 section
// 4.9.1.8.
#ifndef TENON_SYCL_SUB_GROUP_HPP
#define TENON_SYCL_SUB_GROUP_HPP

#include <sycl/detail/group_primitives.hpp>
#include <sycl/id.hpp>

namespace sycl {

namespace detail {
struct sub_group_maker;
}

// Holds nothing: it is always the calling work-item's.
class sub_group {
 public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  sub_group() = delete;

  id_type get_group_id() const noexcept { return id_type(detail::sub_group_index()); }
  id_type get_local_id() const noexcept { return id_type(detail::lane()); }
  range_type get_local_range() const noexcept { return range_type(detail::lane_count()); }
  range_type get_group_range() const noexcept { return range_type(detail::sub_group_count()); }
  range_type get_max_local_range() const noexcept { return range_type(detail::max_lane_count()); }
  linear_id_type get_group_linear_id() const noexcept { return detail::sub_group_index(); }
  linear_id_type get_local_linear_id() const noexcept { return detail::lane(); }
  linear_id_type get_group_linear_range() const noexcept { return detail::sub_group_count(); }
  linear_id_type get_local_linear_range() const noexcept { return detail::lane_count(); }
  bool leader() const noexcept { return detail::lane() == 0; }

  friend bool operator==(const sub_group &, const sub_group &) noexcept { return true; }
  friend bool operator!=(const sub_group &, const sub_group &) noexcept { return false; }

 private:
  friend struct detail::sub_group_maker;
  explicit sub_group(int) noexcept {}
};

namespace detail {
struct sub_group_maker {
  static sub_group make() noexcept { return sub_group(0); }
};
}  // namespace detail

}  // namespace sycl

#endif
