// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// khr::work_group, khr::sub_group and khr::member_item: groups of work-items with one interface.
// Source: the SYCL extension sycl_khr_group_interface.
#ifndef TENON_SYCL_KHR_GROUP_INTERFACE_HPP
#define TENON_SYCL_KHR_GROUP_INTERFACE_HPP

#include <sycl/group.hpp>
#include <sycl/sub_group.hpp>

// What needs std::extents is there as of C++23, with a standard library that has <mdspan>.
#if __cplusplus >= 202302L && __has_include(<mdspan>)
#include <mdspan>
#define TN_SYCL_HAS_EXTENTS 1
#else
#define TN_SYCL_HAS_EXTENTS 0
#endif

namespace sycl::khr {

template <int Dimensions>
class work_group;
class sub_group;
template <class ParentGroup>
class member_item;

}  // namespace sycl::khr

namespace sycl::detail {

template <class T>
inline constexpr bool has_members = false;
template <int Dimensions>
inline constexpr bool has_members<khr::work_group<Dimensions>> = true;
template <>
inline constexpr bool has_members<khr::sub_group> = true;

template <class T>
inline constexpr bool has_leader = has_members<T>;
template <class ParentGroup>
inline constexpr bool has_leader<khr::member_item<ParentGroup>> = true;

#if TN_SYCL_HAS_EXTENTS
// std::extents of which each is 1.
template <class Index, int Dimensions>
struct single_extents;
template <class Index>
struct single_extents<Index, 1> {
  using type = std::extents<Index, 1>;
};
template <class Index>
struct single_extents<Index, 2> {
  using type = std::extents<Index, 1, 1>;
};
template <class Index>
struct single_extents<Index, 3> {
  using type = std::extents<Index, 1, 1, 1>;
};
#endif

// What the calling work-item is in a group, for khr::get_member_item.
struct member_maker {
  template <int Dimensions>
  static id<Dimensions> index(const khr::work_group<Dimensions> &of) noexcept {
    return group<Dimensions>(of).get_local_id();
  }
  template <int Dimensions>
  static range<Dimensions> extent(const khr::work_group<Dimensions> &of) noexcept {
    return group<Dimensions>(of).get_local_range();
  }
  template <class SubGroup>
  static id<1> index(const SubGroup &of) noexcept {
    return sycl::sub_group(of).get_local_id();
  }
  template <class SubGroup>
  static range<1> extent(const SubGroup &of) noexcept {
    return sycl::sub_group(of).get_local_range();
  }
  template <class Group>
  static khr::member_item<Group> make(const Group &of) noexcept {
    return khr::member_item<Group>(of);
  }
};

}  // namespace sycl::detail

namespace sycl::khr {

#if TN_SYCL_HAS_EXTENTS
#define TN_SYCL_STATIC_EXTENTS                                                              \
  static constexpr typename extents_type::rank_type rank() noexcept {                       \
    return extents_type::rank();                                                            \
  }                                                                                         \
  static constexpr typename extents_type::rank_type rank_dynamic() noexcept {               \
    return extents_type::rank_dynamic();                                                    \
  }                                                                                         \
  static constexpr std::size_t static_extent(typename extents_type::rank_type r) noexcept { \
    return extents_type::static_extent(r);                                                  \
  }
#endif

template <int Dimensions = 1>
class work_group {
 public:
  using id_type = sycl::id<Dimensions>;
  using linear_id_type = std::size_t;
  using range_type = sycl::range<Dimensions>;
  using size_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  work_group(const group<Dimensions> &g) noexcept : group_(g) {}
  operator group<Dimensions>() const noexcept { return group_; }

  id_type id() const noexcept { return group_.get_group_id(); }
  linear_id_type linear_id() const noexcept { return group_.get_group_linear_id(); }
  range_type range() const noexcept { return group_.get_group_range(); }
  size_type size() const noexcept { return group_.get_local_linear_range(); }

#if TN_SYCL_HAS_EXTENTS
  using extents_type = std::dextents<std::size_t, Dimensions>;
  extents_type extents() const noexcept {
    const range_type local = group_.get_local_range();
    if constexpr (Dimensions == 1) {
      return extents_type(local[0]);
    } else if constexpr (Dimensions == 2) {
      return extents_type(local[0], local[1]);
    } else {
      return extents_type(local[0], local[1], local[2]);
    }
  }
  typename extents_type::index_type extent(typename extents_type::rank_type r) const noexcept {
    return group_.get_local_range(static_cast<int>(r));
  }
  TN_SYCL_STATIC_EXTENTS
#endif

  friend bool operator==(const work_group &lhs, const work_group &rhs) noexcept {
    return lhs.group_ == rhs.group_;
  }
  friend bool operator!=(const work_group &lhs, const work_group &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  group<Dimensions> group_;
};

class sub_group {
 public:
  using id_type = sycl::id<1>;
  using linear_id_type = std::uint32_t;
  using range_type = sycl::range<1>;
  using size_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  sub_group(const sycl::sub_group &sg) noexcept : group_(sg) {}
  operator sycl::sub_group() const noexcept { return group_; }

  id_type id() const noexcept { return group_.get_group_id(); }
  linear_id_type linear_id() const noexcept { return group_.get_group_linear_id(); }
  range_type range() const noexcept { return group_.get_group_range(); }
  size_type size() const noexcept { return group_.get_local_linear_range(); }
  size_type max_size() const noexcept {
    return static_cast<size_type>(group_.get_max_local_range()[0]);
  }

#if TN_SYCL_HAS_EXTENTS
  using extents_type = std::dextents<std::uint32_t, 1>;
  extents_type extents() const noexcept { return extents_type(size()); }
  extents_type::index_type extent(extents_type::rank_type r) const noexcept {
    return extents().extent(r);
  }
  TN_SYCL_STATIC_EXTENTS
#endif

  friend bool operator==(const sub_group &lhs, const sub_group &rhs) noexcept {
    return lhs.group_ == rhs.group_;
  }
  friend bool operator!=(const sub_group &lhs, const sub_group &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  sycl::sub_group group_;
};

// One work-item as a member of a group; a copy stays that of the same work-item.
template <class ParentGroup>
class member_item {
 public:
  using id_type = typename ParentGroup::id_type;
  using linear_id_type = typename ParentGroup::linear_id_type;
  using range_type = typename ParentGroup::range_type;
  using size_type = typename ParentGroup::size_type;
  static constexpr int dimensions = ParentGroup::dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_item;

  id_type id() const noexcept { return id_; }
  linear_id_type linear_id() const noexcept {
    std::size_t linear = id_[0];
    for (int i = 1; i < dimensions; ++i) {
      linear = linear * range_[i] + id_[i];
    }
    return static_cast<linear_id_type>(linear);
  }
  range_type range() const noexcept { return range_; }
  constexpr size_type size() const noexcept { return 1; }

#if TN_SYCL_HAS_EXTENTS
  using extents_type =
      typename detail::single_extents<typename ParentGroup::extents_type::index_type,
                                      dimensions>::type;
  constexpr extents_type extents() const noexcept { return extents_type(); }
  constexpr typename extents_type::index_type extent(
      [[maybe_unused]] typename extents_type::rank_type r) const noexcept {
    return 1;
  }
  TN_SYCL_STATIC_EXTENTS
#endif

  friend bool operator==(const member_item &lhs, const member_item &rhs) noexcept {
    return lhs.parent_ == rhs.parent_ && lhs.id_ == rhs.id_ && lhs.range_ == rhs.range_;
  }
  friend bool operator!=(const member_item &lhs, const member_item &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  friend struct detail::member_maker;
  explicit member_item(const ParentGroup &parent) noexcept
      : parent_(parent),
        id_(detail::member_maker::index(parent)),
        range_(detail::member_maker::extent(parent)) {}

  ParentGroup parent_;
  id_type id_;
  range_type range_;
};

#undef TN_SYCL_STATIC_EXTENTS

template <class Group, std::enable_if_t<detail::has_members<Group>, int> = 0>
member_item<Group> get_member_item(const Group &g) noexcept {
  return detail::member_maker::make(g);
}

// The leader is the work-item with index 0.
template <class Group, std::enable_if_t<detail::has_leader<Group>, int> = 0>
bool leader_of([[maybe_unused]] const Group &g) noexcept {
  if constexpr (detail::has_members<Group>) {
    return get_member_item(g).linear_id() == 0;
  } else {
    return true;
  }
}

}  // namespace sycl::khr

#undef TN_SYCL_HAS_EXTENTS

#endif
