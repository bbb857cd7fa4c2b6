// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sub_group_mask: a bit for each work-item of a sub-group, and group_ballot.
// Source: the SYCL extension sycl_ext_oneapi_sub_group_mask.
#ifndef TENON_SYCL_EXT_SUB_GROUP_MASK_HPP
#define TENON_SYCL_EXT_SUB_GROUP_MASK_HPP

#include <sycl/marray.hpp>
#include <sycl/sub_group.hpp>

namespace sycl::ext::oneapi {

struct sub_group_mask;
namespace detail {
struct Builder;
}
template <class Group>
std::enable_if_t<std::is_same_v<std::decay_t<Group>, sycl::sub_group>, sub_group_mask> group_ballot(
    Group g, bool predicate = true);

// Bit i is the work-item with local id i. Bits at size() and above are 0.
struct sub_group_mask {
  static constexpr std::size_t max_bits = 64;

  class reference {
   public:
    reference &operator=(bool value) noexcept {
      const std::uint64_t bit = std::uint64_t{1} << index_;
      mask_->bits_ = value ? mask_->bits_ | bit : mask_->bits_ & ~bit;
      return *this;
    }
    reference &operator=(const reference &other) noexcept { return *this = bool(other); }
    reference(const reference &) = default;
    bool operator~() const noexcept { return !*this; }
    operator bool() const noexcept { return (mask_->bits_ >> index_ & 1) != 0; }
    reference &flip() noexcept { return *this = !*this; }

   private:
    friend struct sub_group_mask;
    reference(sub_group_mask *mask, std::size_t index) noexcept : mask_(mask), index_(index) {}
    sub_group_mask *mask_;
    std::size_t index_;
  };

  // No bit of the calling sub-group's size; of all that there may be on the host, which has no
  // sub-groups.
  sub_group_mask() noexcept : sub_group_mask(0, default_size()) {}
  sub_group_mask(unsigned long long value) noexcept : sub_group_mask(value, default_size()) {}
  template <class T, std::size_t K, class = std::enable_if_t<std::is_integral_v<T>>>
  sub_group_mask(const marray<T, K> &value) noexcept : sub_group_mask() {
    insert_bits(value);
  }

  bool operator[](id<1> index) const noexcept { return (bits_ >> index[0] & 1) != 0; }
  reference operator[](id<1> index) noexcept { return reference(this, index[0]); }
  bool test(id<1> index) const noexcept { return (*this)[index]; }
  bool all() const noexcept { return bits_ == valid(); }
  bool any() const noexcept { return bits_ != 0; }
  bool none() const noexcept { return bits_ == 0; }
  std::uint32_t count() const noexcept {
    return static_cast<std::uint32_t>(__builtin_popcountll(bits_));
  }
  std::uint32_t size() const noexcept { return size_; }
  // size() where no bit is set.
  id<1> find_low() const noexcept {
    return id<1>(bits_ == 0 ? size_ : static_cast<std::size_t>(__builtin_ctzll(bits_)));
  }
  id<1> find_high() const noexcept {
    return id<1>(bits_ == 0 ? size_ : static_cast<std::size_t>(63 - __builtin_clzll(bits_)));
  }

  // The bits from `position` on are those of the value; of the value's own none is beyond size().
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  void insert_bits(T value, id<1> position = 0) noexcept {
    put(static_cast<std::make_unsigned_t<T>>(value), sizeof(T) * 8, position[0]);
  }
  template <class T, std::size_t K, class = std::enable_if_t<std::is_integral_v<T>>>
  void insert_bits(const marray<T, K> &value, id<1> position = 0) noexcept {
    for (std::size_t i = 0; i < K; ++i) {
      put(static_cast<std::make_unsigned_t<T>>(value[i]), sizeof(T) * 8,
          position[0] + i * sizeof(T) * 8);
    }
  }
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  void extract_bits(T &value, id<1> position = 0) const noexcept {
    value = static_cast<T>(shifted(position[0]));
  }
  template <class T, std::size_t K, class = std::enable_if_t<std::is_integral_v<T>>>
  void extract_bits(marray<T, K> &value, id<1> position = 0) const noexcept {
    for (std::size_t i = 0; i < K; ++i) {
      value[i] = static_cast<T>(shifted(position[0] + i * sizeof(T) * 8));
    }
  }

  void set() noexcept { bits_ = valid(); }
  void set(id<1> index, bool value = true) noexcept { (*this)[index] = value; }
  void reset() noexcept { bits_ = 0; }
  void reset(id<1> index) noexcept { (*this)[index] = false; }
  void reset_low() noexcept { bits_ &= bits_ - 1; }
  void reset_high() noexcept { reset(find_high()); }
  void flip() noexcept { bits_ ^= valid(); }
  void flip(id<1> index) noexcept { (*this)[index].flip(); }

  sub_group_mask &operator&=(const sub_group_mask &rhs) noexcept {
    bits_ &= rhs.bits_;
    return *this;
  }
  sub_group_mask &operator|=(const sub_group_mask &rhs) noexcept {
    bits_ |= rhs.bits_;
    return *this;
  }
  sub_group_mask &operator^=(const sub_group_mask &rhs) noexcept {
    bits_ ^= rhs.bits_;
    return *this;
  }
  sub_group_mask &operator<<=(std::size_t shift) noexcept {
    bits_ = shift < max_bits ? bits_ << shift & valid() : 0;
    return *this;
  }
  sub_group_mask &operator>>=(std::size_t shift) noexcept {
    bits_ = shifted(shift);
    return *this;
  }
  sub_group_mask operator~() const noexcept { return sub_group_mask(bits_ ^ valid(), size_); }
  sub_group_mask operator<<(std::size_t shift) const noexcept {
    return sub_group_mask(*this) <<= shift;
  }
  sub_group_mask operator>>(std::size_t shift) const noexcept {
    return sub_group_mask(*this) >>= shift;
  }
  friend sub_group_mask operator&(const sub_group_mask &lhs, const sub_group_mask &rhs) noexcept {
    return sub_group_mask(lhs) &= rhs;
  }
  friend sub_group_mask operator|(const sub_group_mask &lhs, const sub_group_mask &rhs) noexcept {
    return sub_group_mask(lhs) |= rhs;
  }
  friend sub_group_mask operator^(const sub_group_mask &lhs, const sub_group_mask &rhs) noexcept {
    return sub_group_mask(lhs) ^= rhs;
  }
  friend bool operator==(const sub_group_mask &lhs, const sub_group_mask &rhs) noexcept {
    return lhs.bits_ == rhs.bits_;
  }
  friend bool operator!=(const sub_group_mask &lhs, const sub_group_mask &rhs) noexcept {
    return lhs.bits_ != rhs.bits_;
  }

 private:
  friend struct detail::Builder;
  template <class Group>
  friend std::enable_if_t<std::is_same_v<std::decay_t<Group>, sycl::sub_group>, sub_group_mask>
  group_ballot(Group g, bool predicate);

  sub_group_mask(std::uint64_t bits, std::uint32_t size) noexcept : bits_(0), size_(size) {
    bits_ = bits & valid();
  }
  static std::uint32_t default_size() noexcept {
#ifdef __SYCL_DEVICE_ONLY__
    return sycl::detail::max_lane_count();
#else
    return max_bits;
#endif
  }
  std::uint64_t valid() const noexcept {
    return size_ < max_bits ? (std::uint64_t{1} << size_) - 1 : ~std::uint64_t{0};
  }
  std::uint64_t shifted(std::size_t by) const noexcept { return by < max_bits ? bits_ >> by : 0; }
  void put(std::uint64_t value, std::size_t width, std::size_t at) noexcept {
    if (at < max_bits) {
      const std::uint64_t ones = ~std::uint64_t{0} >> (max_bits - width);
      bits_ = ((bits_ & ~(ones << at)) | value << at) & valid();
    }
  }

  std::uint64_t bits_;
  std::uint32_t size_;
};

// For which work-items of the sub-group the predicate is true.
template <class Group>
std::enable_if_t<std::is_same_v<std::decay_t<Group>, sycl::sub_group>, sub_group_mask> group_ballot(
    Group, bool predicate) {
  return sub_group_mask(sycl::detail::ballot(predicate), sycl::detail::max_lane_count());
}

namespace detail {
// By this name oneDPL makes masks of its own.
struct Builder {
  template <class Mask>
  static Mask createSubGroupMask(std::uint64_t bits, std::size_t size) noexcept {
    return Mask(bits, static_cast<std::uint32_t>(size));
  }
};
}  // namespace detail

}  // namespace sycl::ext::oneapi

#endif
