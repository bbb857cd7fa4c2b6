// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::group: the ids of a work-group. Source: SYCL 2020 section 4.9.1.7.
#ifndef TENON_SYCL_GROUP_HPP
#define TENON_SYCL_GROUP_HPP

#include <sycl/id.hpp>
#include <sycl/memory_enums.hpp>

namespace sycl {

namespace detail {
struct index_maker;
}

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

  // Equal for all work-items of one work-group.
  friend bool operator==(const group &lhs, const group &rhs) noexcept {
    return lhs.group_id_ == rhs.group_id_ && lhs.group_range_ == rhs.group_range_ &&
           lhs.local_range_ == rhs.local_range_;
  }
  friend bool operator!=(const group &lhs, const group &rhs) noexcept { return !(lhs == rhs); }

 private:
  friend struct detail::index_maker;
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
