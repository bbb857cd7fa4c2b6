// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::id. Source: SYCL 2020 section 4.9.1.3.
#ifndef TENON_SYCL_ID_HPP
#define TENON_SYCL_ID_HPP

#include <sycl/range.hpp>

namespace sycl {

template <int Dimensions, bool WithOffset>
class item;

template <int Dimensions = 1>
class id : public detail::index_array<Dimensions>,
           public detail::size_conversion<id<Dimensions>, Dimensions> {
 public:
  static constexpr int dimensions = Dimensions;

  id() noexcept : detail::index_array<Dimensions>() {}
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  id(std::size_t dim0) noexcept {
    this->values_[0] = dim0;
  }
  template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
  id(std::size_t dim0, std::size_t dim1) noexcept {
    this->values_[0] = dim0;
    this->values_[1] = dim1;
  }
  template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
  id(std::size_t dim0, std::size_t dim1, std::size_t dim2) noexcept {
    this->values_[0] = dim0;
    this->values_[1] = dim1;
    this->values_[2] = dim2;
  }
  id(const range<Dimensions> &range) noexcept : detail::index_array<Dimensions>(range) {}
  template <bool WithOffset>
  id(const item<Dimensions, WithOffset> &item) noexcept {
    for (int i = 0; i < Dimensions; ++i) {
      this->values_[i] = item.get_id(i);
    }
  }

  // As in DPC++; an id of one dimension is a number, which makes a range.
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  explicit operator range<D>() const noexcept {
    range<D> result;
    static_cast<detail::index_array<D> &>(result) = *this;
    return result;
  }

  TN_SYCL_INDEX_OPERATORS(id)
  TN_SYCL_INDEX_FLOAT(id, +)
  TN_SYCL_INDEX_FLOAT(id, -)
  TN_SYCL_INDEX_FLOAT(id, *)
  TN_SYCL_INDEX_FLOAT(id, /)
  TN_SYCL_INDEX_FLOAT(id, <)
  TN_SYCL_INDEX_FLOAT(id, >)
  TN_SYCL_INDEX_FLOAT(id, <=)
  TN_SYCL_INDEX_FLOAT(id, >=)

  // Without these, `id<1> == 5` would be ambiguous between id(5) and size_t(id).
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend bool operator==(const id &lhs, const T &rhs) noexcept {
    return lhs[0] == static_cast<std::size_t>(rhs);
  }
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend bool operator==(const T &lhs, const id &rhs) noexcept {
    return static_cast<std::size_t>(lhs) == rhs[0];
  }
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend bool operator!=(const id &lhs, const T &rhs) noexcept {
    return lhs[0] != static_cast<std::size_t>(rhs);
  }
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend bool operator!=(const T &lhs, const id &rhs) noexcept {
    return static_cast<std::size_t>(lhs) != rhs[0];
  }
};

id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;

}  // namespace sycl

#undef TN_SYCL_INDEX_OPERATORS
#undef TN_SYCL_INDEX_BINARY
#undef TN_SYCL_INDEX_FLOAT
#undef TN_SYCL_INDEX_ASSIGN
#undef TN_SYCL_INDEX_STEP

namespace sycl::detail {

// Row-major: the last dimension varies fastest (SYCL 2020 section 3.11.1).
template <int Dimensions>
std::size_t linear_index(const id<Dimensions> &index, const range<Dimensions> &extent) noexcept {
  std::size_t linear = index[0];
  for (int i = 1; i < Dimensions; ++i) {
    linear = linear * extent[i] + index[i];
  }
  return linear;
}

}  // namespace sycl::detail

#endif
