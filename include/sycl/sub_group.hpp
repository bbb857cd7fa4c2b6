// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::sub_group: the work-items that run as the lanes of one vector. Source: SYCL 2020 section
// 4.9.1.8. The deprecated members that it had before SYCL 2020, barrier, the shuffles and the block
// loads and stores, come from the extension SYCL_INTEL_sub_group.
#ifndef TENON_SYCL_SUB_GROUP_HPP
#define TENON_SYCL_SUB_GROUP_HPP

#include <sycl/access.hpp>
#include <sycl/detail/group_primitives.hpp>
#include <sycl/id.hpp>

namespace sycl {

template <class DataT, int NumElements>
class vec;

namespace detail {
struct sub_group_maker;

// A block load or store of N elements a work-item: element i of work-item l is at l + i * size, of
// the sub-group's full size also where the sub-group is not full.
inline std::size_t block_position(int i) noexcept {
  return lane() + static_cast<std::size_t>(i) * max_lane_count();
}
template <class T>
void check_block_element() noexcept {
  static_assert(std::is_trivially_copyable_v<T>,
                "sub_group::load and store take elements that are trivially copyable");
}
template <int N, class T>
auto load_block(T *from) noexcept {
  check_block_element<T>();
  vec<std::remove_cv_t<T>, N> result;
  for (int i = 0; i < N; ++i) {
    result[i] = from[block_position(i)];
  }
  return result;
}
template <int N, class T>
void store_block(T *to, const vec<T, N> &x) noexcept {
  check_block_element<T>();
  for (int i = 0; i < N; ++i) {
    to[block_position(i)] = x[i];
  }
}
template <access::address_space Space>
void check_block_space() noexcept {
  static_assert(Space != access::address_space::private_space &&
                    Space != access::address_space::constant_space,
                "sub_group::load and store take pointers to global or local memory");
}
}  // namespace detail

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

  TN_SYCL_DEPRECATED("use sycl::group_barrier")
  void barrier(access::fence_space = access::fence_space::global_and_local) const noexcept {
    detail::sub_group_barrier(memory_scope::sub_group);
  }

  template <class T>
  TN_SYCL_DEPRECATED("use sycl::select_from_group")
  T shuffle(T x, id_type local_id) const noexcept {
    return detail::shuffle(x, static_cast<std::uint32_t>(local_id[0]));
  }
  template <class T>
  TN_SYCL_DEPRECATED("use sycl::shift_group_left")
  T shuffle_down(T x, std::uint32_t delta) const noexcept {
    return detail::shuffle_down(x, delta);
  }
  template <class T>
  TN_SYCL_DEPRECATED("use sycl::shift_group_right")
  T shuffle_up(T x, std::uint32_t delta) const noexcept {
    return detail::shuffle_up(x, delta);
  }
  template <class T>
  TN_SYCL_DEPRECATED("use sycl::permute_group_by_xor")
  T shuffle_xor(T x, id_type mask) const noexcept {
    return detail::shuffle_xor(x, static_cast<std::uint32_t>(mask[0]));
  }

  // The pointer is the same in all work-items of the sub-group.
  template <class T>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_load")
  std::remove_cv_t<T> load(T *src) const noexcept {
    detail::check_block_element<T>();
    return src[detail::block_position(0)];
  }
  template <class T, access::address_space Space, access::decorated IsDecorated>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_load")
  std::remove_cv_t<T> load(multi_ptr<T, Space, IsDecorated> src) const noexcept {
    detail::check_block_space<Space>();
    detail::check_block_element<T>();
    return src.get_raw()[detail::block_position(0)];
  }
  template <int N, class T>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_load")
  vec<std::remove_cv_t<T>, N> load(T *src) const noexcept {
    return detail::load_block<N>(src);
  }
  template <int N, class T, access::address_space Space, access::decorated IsDecorated>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_load")
  vec<std::remove_cv_t<T>, N> load(multi_ptr<T, Space, IsDecorated> src) const noexcept {
    detail::check_block_space<Space>();
    return detail::load_block<N>(src.get_raw());
  }

  template <class T>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_store")
  void store(T *dst, const std::remove_cv_t<T> &x) const noexcept {
    detail::check_block_element<T>();
    dst[detail::block_position(0)] = x;
  }
  template <class T, access::address_space Space, access::decorated IsDecorated>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_store")
  void store(multi_ptr<T, Space, IsDecorated> dst, const std::remove_cv_t<T> &x) const noexcept {
    detail::check_block_space<Space>();
    detail::check_block_element<T>();
    dst.get_raw()[detail::block_position(0)] = x;
  }
  template <int N, class T>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_store")
  void store(T *dst, const vec<T, N> &x) const noexcept {
    detail::store_block<N>(dst, x);
  }
  template <int N, class T, access::address_space Space, access::decorated IsDecorated>
  TN_SYCL_DEPRECATED("use sycl::ext::oneapi::experimental::group_store")
  void store(multi_ptr<T, Space, IsDecorated> dst, const vec<T, N> &x) const noexcept {
    detail::check_block_space<Space>();
    detail::store_block<N>(dst.get_raw(), x);
  }

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
