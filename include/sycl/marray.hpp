// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::marray. Source: SYCL 2020 section 4.14.3.
#ifndef TENON_SYCL_MARRAY_HPP
#define TENON_SYCL_MARRAY_HPP

#include <sycl/detail/macros.hpp>
#include <sycl/detail/vec_operators.hpp>

namespace sycl {

template <class T>
struct is_device_copyable;

template <class DataT, std::size_t NumElements>
class marray : public detail::vec_base<marray<DataT, NumElements>, DataT, NumElements == 1> {
  static_assert(NumElements > 0, "an marray has elements");

 public:
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;
  using iterator = DataT *;
  using const_iterator = const DataT *;
  using tn_elements = marray;
  using tn_mask = marray<bool, NumElements>;
  static constexpr bool tn_is_vec = false;
  static constexpr int tn_true = 1;

  marray() = default;
  constexpr marray(const marray &) = default;
  constexpr marray(marray &&) = default;
  constexpr marray &operator=(const marray &) = default;
  constexpr marray &operator=(marray &&) = default;

  explicit constexpr marray(const DataT &arg) : data_{} { fill(arg); }
  // A single argument for a single element; more, of scalars and marrays, for more.
  template <class... Args,
            std::enable_if_t<(sizeof...(Args) > 1 || (NumElements == 1 && sizeof...(Args) == 1)) &&
                                 detail::are_vec_args<false, DataT, NumElements, Args...>(),
                             int> = 0>
  constexpr marray(const Args &...args) : data_{} {
    std::size_t at = 0;
    (detail::append_vec_arg(*this, at, args), ...);
  }

  constexpr marray &operator=(const DataT &rhs) {
    const DataT value = rhs;
    fill(value);
    return *this;
  }

  static constexpr std::size_t size() noexcept { return NumElements; }

  constexpr reference operator[](std::size_t index) { return data_[index]; }
  constexpr const_reference operator[](std::size_t index) const { return data_[index]; }

  constexpr iterator begin() { return data_; }
  constexpr const_iterator begin() const { return data_; }
  constexpr iterator end() { return data_ + NumElements; }
  constexpr const_iterator end() const { return data_ + NumElements; }

  constexpr DataT *tn_data() noexcept { return data_; }
  constexpr const DataT *tn_data() const noexcept { return data_; }

 private:
  constexpr void fill(const DataT &value) {
    TN_SYCL_UNROLL(marray)
    for (std::size_t i = 0; i < NumElements; ++i) {
      data_[i] = value;
    }
  }

  DataT data_[NumElements];
};

template <class T, class... U, class = std::enable_if_t<(std::is_same_v<T, U> && ...)>>
marray(T, U...) -> marray<T, sizeof...(U) + 1>;

template <class DataT, std::size_t NumElements>
struct is_device_copyable<marray<DataT, NumElements>>
    : std::bool_constant<is_device_copyable<DataT>::value> {};

}  // namespace sycl

#endif
