// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::vec. Source: SYCL 2020 section 4.14.2.
#ifndef TENON_SYCL_VEC_HPP
#define TENON_SYCL_VEC_HPP

#include <sycl/access.hpp>
#include <sycl/bit_cast.hpp>
#include <sycl/detail/swizzle.hpp>

namespace sycl {

namespace detail {

// A single argument is for other constructors, but for a swizzle.
template <class V, class... Args>
constexpr bool makes_vec() noexcept {
  if constexpr (sizeof...(Args) > 1) {
    return are_vec_args<true, typename V::value_type, V::size(), Args...>();
  } else {
    return ((std::is_same_v<elements_of_t<Args>, V> && !std::is_base_of_v<V, Args>) && ...);
  }
}

}  // namespace detail

template <class DataT, int NumElements>
class vec : public detail::vec_base<vec<DataT, NumElements>, DataT, NumElements == 1> {
  static_assert(detail::is_vec_size<NumElements>, "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static_assert(!std::is_const_v<DataT> && !std::is_volatile_v<DataT>,
                "the elements of a vec are neither const nor volatile");
  static_assert(std::is_trivially_copyable_v<DataT>,
                "the elements of a vec are scalars, half or std::byte");

  static constexpr int tn_count = NumElements;
  static constexpr int tn_storage = NumElements == 3 ? 4 : NumElements;
  static constexpr std::size_t tn_alignment =
      sizeof(DataT) * tn_storage < 64 ? sizeof(DataT) * tn_storage : 64;

 public:
  using element_type = DataT;
  using value_type = DataT;
  using tn_elements = vec;
  using tn_mask = vec<typename detail::vec_int<sizeof(DataT)>::type, NumElements>;
  static constexpr bool tn_is_vec = true;
  static constexpr int tn_true = -1;

  vec() = default;
  constexpr vec(const vec &) = default;
  constexpr vec &operator=(const vec &) = default;

  template <int Count = NumElements, std::enable_if_t<(Count > 1), int> = 0>
  explicit constexpr vec(const DataT &arg) : data_{} {
    fill(arg);
  }
  template <int Count = NumElements, std::enable_if_t<Count == 1, int> = 0, class = void>
  constexpr vec(const DataT &arg) : data_{arg} {}
  // From another number, so that braces do not narrow.
  template <class T,
            std::enable_if_t<NumElements == 1 && detail::is_number<T> && detail::is_number<DataT> &&
                                 !std::is_same_v<T, DataT>,
                             int> = 0,
            class = void, class = void>
  constexpr vec(const T &arg) : data_{static_cast<DataT>(arg)} {}
  template <class... Args,
            std::enable_if_t<sizeof...(Args) != 0 && detail::makes_vec<vec, Args...>(), int> = 0>
  constexpr vec(const Args &...args) : data_{} {
    if constexpr (sizeof...(Args) == 1) {
      ((*this = args.tn_value()), ...);
    } else {
      std::size_t at = 0;
      (detail::append_vec_arg(*this, at, args), ...);
    }
  }

  template <class T, std::enable_if_t<std::is_convertible_v<const T &, DataT>, int> = 0>
  constexpr vec &operator=(const T &rhs) {
    fill(static_cast<DataT>(rhs));
    return *this;
  }

  static constexpr std::size_t size() noexcept { return NumElements; }
  static constexpr std::size_t byte_size() noexcept { return sizeof(DataT) * tn_storage; }
  TN_SYCL_DEPRECATED("use size()") static constexpr std::size_t get_count() { return size(); }
  TN_SYCL_DEPRECATED("use byte_size()")
  static constexpr std::size_t get_size() { return byte_size(); }

  template <class ConvertT, rounding_mode Mode = rounding_mode::automatic>
  constexpr vec<ConvertT, NumElements> TN_SYCL_BY_ELEMENT convert() const {
    vec<ConvertT, NumElements> result{};
    TN_SYCL_UNROLL(vec)
    for (int i = 0; i < NumElements; ++i) {
      result[i] = detail::convert_element<ConvertT, Mode>(data_[i]);
    }
    return result;
  }
  template <class AsT>
  constexpr AsT TN_SYCL_BY_ELEMENT as() const {
    return bit_cast<AsT>(*this);
  }

  // A pointer to elements: plain or multi_ptr.
  template <class Pointer>
  constexpr void load(std::size_t offset, Pointer pointer) {
    TN_SYCL_UNROLL(vec)
    for (std::size_t i = 0; i < NumElements; ++i) {
      data_[i] = pointer[offset * NumElements + i];
    }
  }
  template <access::address_space Space, access::decorated IsDecorated>
  constexpr void load(std::size_t offset, multi_ptr<const DataT, Space, IsDecorated> pointer) {
    load<multi_ptr<const DataT, Space, IsDecorated>>(offset, pointer);
  }
  template <class Pointer>
  constexpr void store(std::size_t offset, Pointer pointer) const {
    TN_SYCL_UNROLL(vec)
    for (std::size_t i = 0; i < NumElements; ++i) {
      pointer[offset * NumElements + i] = data_[i];
    }
  }
  template <access::address_space Space, access::decorated IsDecorated>
  constexpr void store(std::size_t offset, multi_ptr<DataT, Space, IsDecorated> pointer) const {
    store<multi_ptr<DataT, Space, IsDecorated>>(offset, pointer);
  }

  constexpr DataT &operator[](int index) noexcept { return data_[index]; }
  constexpr const DataT &operator[](int index) const noexcept { return data_[index]; }

  TN_SYCL_ELEMENT_NAMES(DataT &, )
  TN_SYCL_ELEMENT_NAMES(const DataT &, const)
  TN_SYCL_SWIZZLES()
  TN_SYCL_SWIZZLES(const)

  constexpr DataT *tn_data() noexcept { return data_; }
  constexpr const DataT *tn_data() const noexcept { return data_; }
  template <int... Index>
  constexpr auto tn_swizzle() noexcept {
    return detail::swizzle_access::make<detail::swizzled_vec<DataT, Index...>>(data_);
  }
  template <int... Index>
  constexpr auto tn_swizzle() const noexcept {
    return detail::swizzle_access::make<detail::swizzled_vec<const DataT, Index...>>(data_);
  }

 private:
  constexpr void fill(DataT value) noexcept {
    TN_SYCL_UNROLL(vec)
    for (int i = 0; i < NumElements; ++i) {
      data_[i] = value;
    }
  }

  // Plain elements, which compilers take apart; the fourth of three only fills the space.
  alignas(tn_alignment) DataT data_[tn_storage];
};

template <class T, class... U, class = std::enable_if_t<(std::is_same_v<T, U> && ...)>>
vec(T, U...) -> vec<T, sizeof...(U) + 1>;

}  // namespace sycl

#undef TN_SYCL_ELEMENT_NAME
#undef TN_SYCL_ELEMENT_NAMES
#undef TN_SYCL_SWIZZLES
#undef TN_SYCL_SIMPLE_SWIZZLES

#endif
