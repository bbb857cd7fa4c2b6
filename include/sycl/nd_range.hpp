// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::nd_range. Source: SYCL 2020 section 4.9.1.2.
#ifndef TENON_SYCL_ND_RANGE_HPP
#define TENON_SYCL_ND_RANGE_HPP

#include <sycl/id.hpp>

namespace sycl {

template <int Dimensions = 1>
class nd_range {
 public:
  static constexpr int dimensions = Dimensions;

  nd_range() noexcept = default;  // DPC++'s: empty ranges
  nd_range(range<Dimensions> globalSize, range<Dimensions> localSize,
           id<Dimensions> offset = id<Dimensions>()) noexcept
      : global_(globalSize), local_(localSize), offset_(offset) {}

  range<Dimensions> get_global_range() const noexcept { return global_; }
  range<Dimensions> get_local_range() const noexcept { return local_; }
  range<Dimensions> get_group_range() const noexcept { return global_ / local_; }
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")
  id<Dimensions> get_offset() const noexcept { return offset_; }

  // For launches: no deprecation, no copies.
  const std::size_t *tn_global() const noexcept { return global_.tn_values(); }
  const std::size_t *tn_local() const noexcept { return local_.tn_values(); }
  const std::size_t *tn_offset() const noexcept { return offset_.tn_values(); }

  friend bool operator==(const nd_range &lhs, const nd_range &rhs) noexcept {
    return lhs.global_ == rhs.global_ && lhs.local_ == rhs.local_ && lhs.offset_ == rhs.offset_;
  }
  friend bool operator!=(const nd_range &lhs, const nd_range &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  range<Dimensions> global_;
  range<Dimensions> local_;
  id<Dimensions> offset_;
};

}  // namespace sycl

#endif
