// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::item. Source: SYCL 2020 section 4.9.1.4.
#ifndef TENON_SYCL_ITEM_HPP
#define TENON_SYCL_ITEM_HPP

#include <sycl/id.hpp>

namespace sycl {

namespace detail {
struct index_maker;
}

template <int Dimensions = 1, bool WithOffset = true>
class item {
 public:
  static constexpr int dimensions = Dimensions;

  item() = delete;

  id<Dimensions> get_id() const noexcept { return id_; }
  std::size_t get_id(int dimension) const noexcept { return id_[dimension]; }
  std::size_t operator[](int dimension) const noexcept { return id_[dimension]; }
  range<Dimensions> get_range() const noexcept { return range_; }
  std::size_t get_range(int dimension) const noexcept { return range_[dimension]; }

  template <bool W = WithOffset, std::enable_if_t<W, int> = 0>
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")
  id<Dimensions> get_offset() const noexcept {
    return offset_;
  }
  template <bool W = WithOffset, std::enable_if_t<!W, int> = 0>
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")
  operator item<Dimensions, true>() const noexcept {
    return item<Dimensions, true>(id_, range_, offset_);
  }

  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  operator std::size_t() const noexcept {
    return id_[0];
  }
  std::size_t get_linear_id() const noexcept {
    return detail::linear_index<Dimensions>(id_ - offset_, range_);
  }

  friend bool operator==(const item &lhs, const item &rhs) noexcept {
    return lhs.id_ == rhs.id_ && lhs.range_ == rhs.range_ && lhs.offset_ == rhs.offset_;
  }
  friend bool operator!=(const item &lhs, const item &rhs) noexcept { return !(lhs == rhs); }

 private:
  friend struct detail::index_maker;
  template <int, bool>
  friend class item;
  item(const id<Dimensions> &id, const range<Dimensions> &range,
       const sycl::id<Dimensions> &offset) noexcept
      : id_(id), range_(range), offset_(offset) {}

  id<Dimensions> id_;
  range<Dimensions> range_;
  id<Dimensions> offset_;
};

}  // namespace sycl

#endif
