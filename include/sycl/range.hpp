// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::range. Source: SYCL 2020 section 4.9.1.1.
#ifndef TENON_SYCL_RANGE_HPP
#define TENON_SYCL_RANGE_HPP

#include <sycl/detail/index_ops.hpp>

namespace sycl {

template <int Dimensions = 1>
class range : public detail::index_array<Dimensions> {
 public:
  static constexpr int dimensions = Dimensions;

  range() noexcept : detail::index_array<Dimensions>() {}
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  range(std::size_t dim0) noexcept {
    this->values_[0] = dim0;
  }
  template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
  range(std::size_t dim0, std::size_t dim1) noexcept {
    this->values_[0] = dim0;
    this->values_[1] = dim1;
  }
  template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
  range(std::size_t dim0, std::size_t dim1, std::size_t dim2) noexcept {
    this->values_[0] = dim0;
    this->values_[1] = dim1;
    this->values_[2] = dim2;
  }

  std::size_t size() const noexcept {
    if constexpr (Dimensions == 1) {
      return this->values_[0];
    } else if constexpr (Dimensions == 2) {
      return this->values_[0] * this->values_[1];
    } else {
      return this->values_[0] * this->values_[1] * this->values_[2];
    }
  }

  TN_SYCL_INDEX_OPERATORS(range)
};

range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

}  // namespace sycl

#endif
