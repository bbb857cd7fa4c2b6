// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::item. Source: SYCL 2020 section 4.9.1.4.
#ifndef TENON_SYCL_ITEM_HPP
#define TENON_SYCL_ITEM_HPP

#include <sycl/id.hpp>

namespace sycl {

template <int Dimensions = 1, bool WithOffset = true>
class item;

namespace detail {
struct index_maker;
struct hierarchy;
template <int Dimensions, bool WithOffset>
struct offset_conversion {
  operator item<Dimensions, false>() const noexcept;
};
template <int Dimensions>
struct offset_conversion<Dimensions, false> {
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")
  operator item<Dimensions, true>() const noexcept;
};
}  // namespace detail

template <int Dimensions, bool WithOffset>
class item : public detail::size_conversion<item<Dimensions, WithOffset>, Dimensions>,
             public detail::offset_conversion<Dimensions, WithOffset> {
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
  std::size_t get_linear_id() const noexcept {
    return detail::linear_index<Dimensions>(id_ - offset_, range_);
  }

  friend bool operator==(const item &lhs, const item &rhs) noexcept {
    return lhs.id_ == rhs.id_ && lhs.range_ == rhs.range_ && lhs.offset_ == rhs.offset_;
  }
  friend bool operator!=(const item &lhs, const item &rhs) noexcept { return !(lhs == rhs); }

 private:
  friend struct detail::index_maker;
  friend struct detail::hierarchy;
  template <int, bool>
  friend struct detail::offset_conversion;
  item(const id<Dimensions> &id, const range<Dimensions> &range,
       const sycl::id<Dimensions> &offset) noexcept
      : id_(id), range_(range), offset_(offset) {}

  id<Dimensions> id_;
  range<Dimensions> range_;
  id<Dimensions> offset_;
};

template <int Dimensions, bool WithOffset>
detail::offset_conversion<Dimensions, WithOffset>::operator item<Dimensions, false>()
    const noexcept {
  const auto &self = static_cast<const item<Dimensions, WithOffset> &>(*this);
  return item<Dimensions, false>(self.id_, self.range_, self.offset_);
}
template <int Dimensions>
detail::offset_conversion<Dimensions, false>::operator item<Dimensions, true>() const noexcept {
  const auto &self = static_cast<const item<Dimensions, false> &>(*this);
  return item<Dimensions, true>(self.id_, self.range_, self.offset_);
}

}  // namespace sycl

#endif
