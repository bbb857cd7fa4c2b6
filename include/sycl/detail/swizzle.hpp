// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of some elements of a vec, and the names of elements that they share with vec.
// Source: SYCL 2020 sections 4.14.2.3, 4.14.2.4.
#ifndef TENON_SYCL_DETAIL_SWIZZLE_HPP
#define TENON_SYCL_DETAIL_SWIZZLE_HPP

#include <sycl/detail/vec_convert.hpp>
#ifdef SYCL_SIMPLE_SWIZZLES
#include <sycl/detail/swizzle_names.hpp>
#else
#define TN_SYCL_SIMPLE_SWIZZLES(qualifier)
#endif

namespace sycl {

template <class DataT, int NumElements>
class vec;

struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3;
  static constexpr int r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

namespace detail {

template <class T, int... Index>
class swizzled_vec;

// The only maker of swizzles: users cannot construct them.
struct swizzle_access {
  template <class Swizzle, class T>
  static constexpr Swizzle make(T *elements) noexcept {
    return Swizzle(elements);
  }
};

template <class Int, Int... Index>
struct swizzle_indices {};

template <int... Index>
constexpr bool swizzle_repeats() noexcept {
  unsigned seen = 0;
  unsigned sum = 0;
  ((seen |= 1u << Index, sum += 1u << Index), ...);
  return seen != sum;
}

template <int Count>
constexpr bool is_vec_size =
    Count == 1 || Count == 2 || Count == 3 || Count == 4 || Count == 8 || Count == 16;

// First, First + Step, ...: half of Count elements, three being four of which one is undefined.
template <int First, int Step, class Vector, int... I>
constexpr auto vec_half(Vector &vector, swizzle_indices<int, I...>) noexcept {
  return vector.template tn_swizzle<(First + Step * I)...>();
}
template <int First, int Step, int Count, class Vector>
constexpr auto vec_half(Vector &vector) noexcept {
  static_assert(Count > 1, "a vec of one element has no halves");
  return vec_half<First, Step>(vector, TN_SYCL_SEQUENCE(swizzle_indices, int, (Count + 1) / 2)());
}

}  // namespace detail
}  // namespace sycl

#define TN_SYCL_ELEMENT_NAME(name, index, exists, type, qualifier)                \
  constexpr type name() qualifier noexcept {                                      \
    static_assert((exists) && (index) < tn_count, "no such element in this vec"); \
    return (*this)[index];                                                        \
  }
#define TN_SYCL_ELEMENT_NAMES(type, qualifier)               \
  TN_SYCL_ELEMENT_NAME(x, 0, tn_count <= 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(y, 1, tn_count <= 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(z, 2, tn_count <= 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(w, 3, tn_count <= 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(r, 0, tn_count == 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(g, 1, tn_count == 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(b, 2, tn_count == 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(a, 3, tn_count == 4, type, qualifier) \
  TN_SYCL_ELEMENT_NAME(s0, 0, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s1, 1, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s2, 2, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s3, 3, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s4, 4, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s5, 5, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s6, 6, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s7, 7, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s8, 8, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(s9, 9, true, type, qualifier)         \
  TN_SYCL_ELEMENT_NAME(sA, 10, true, type, qualifier)        \
  TN_SYCL_ELEMENT_NAME(sB, 11, true, type, qualifier)        \
  TN_SYCL_ELEMENT_NAME(sC, 12, true, type, qualifier)        \
  TN_SYCL_ELEMENT_NAME(sD, 13, true, type, qualifier)        \
  TN_SYCL_ELEMENT_NAME(sE, 14, true, type, qualifier)        \
  TN_SYCL_ELEMENT_NAME(sF, 15, true, type, qualifier)

#define TN_SYCL_SWIZZLES(qualifier)                                                            \
  template <int... At>                                                                         \
  constexpr auto swizzle() qualifier noexcept {                                                \
    static_assert(detail::is_vec_size<sizeof...(At)>,                                          \
                  "a swizzle has 1, 2, 3, 4, 8 or 16 elements");                               \
    static_assert(((At >= 0 && At < tn_count) && ...), "no such element in this vec");         \
    return tn_swizzle<At...>();                                                                \
  }                                                                                            \
  constexpr auto lo() qualifier noexcept { return detail::vec_half<0, 1, tn_count>(*this); }   \
  constexpr auto hi() qualifier noexcept {                                                     \
    return detail::vec_half<(tn_count + 1) / 2, 1, tn_count>(*this);                           \
  }                                                                                            \
  constexpr auto odd() qualifier noexcept { return detail::vec_half<1, 2, tn_count>(*this); }  \
  constexpr auto even() qualifier noexcept { return detail::vec_half<0, 2, tn_count>(*this); } \
  TN_SYCL_SIMPLE_SWIZZLES(qualifier)

namespace sycl::detail {

// A view of a vec's elements; T is const for one that cannot be written through.
template <class T, int... Index>
class swizzled_vec
    : public vec_base<swizzled_vec<T, Index...>, std::remove_const_t<T>, sizeof...(Index) == 1> {
  static constexpr int tn_count = sizeof...(Index);

 public:
  using element_type = std::remove_const_t<T>;
  using value_type = element_type;
  using tn_elements = vec<element_type, tn_count>;
  static constexpr bool tn_is_writable = !std::is_const_v<T> && !swizzle_repeats<Index...>();

  swizzled_vec() = delete;
  swizzled_vec(const swizzled_vec &) = delete;

  TN_SYCL_BY_ELEMENT constexpr operator tn_elements() const { return tn_value(); }

  static constexpr std::size_t size() noexcept { return tn_count; }
  static constexpr std::size_t byte_size() noexcept { return sizeof(tn_elements); }
  TN_SYCL_DEPRECATED("use size()") static constexpr std::size_t get_count() { return size(); }
  TN_SYCL_DEPRECATED("use byte_size()")
  static constexpr std::size_t get_size() { return byte_size(); }

  template <class ConvertT, rounding_mode Mode = rounding_mode::automatic>
  constexpr vec<ConvertT, tn_count> TN_SYCL_BY_ELEMENT convert() const {
    return tn_value().template convert<ConvertT, Mode>();
  }
  template <class AsT>
  constexpr AsT TN_SYCL_BY_ELEMENT as() const {
    return tn_value().template as<AsT>();
  }

  // Offsets count whole swizzles, as those of vec count whole vectors.
  template <class Pointer>
  constexpr void load(std::size_t offset, Pointer pointer) const {
    tn_elements value{};
    value.load(offset, pointer);
    *this = value;
  }
  template <class Pointer>
  constexpr void store(std::size_t offset, Pointer pointer) const {
    tn_value().store(offset, pointer);
  }

  constexpr T &operator[](int index) const noexcept { return elements_[place(index)]; }
  TN_SYCL_ELEMENT_NAMES(T &, const)
  TN_SYCL_SWIZZLES(const)

  constexpr const swizzled_vec &operator=(const swizzled_vec &rhs) const {
    return *this = rhs.tn_value();
  }
  template <class U, int... Other,
            std::enable_if_t<std::is_same_v<std::remove_const_t<U>, element_type> &&
                                 sizeof...(Other) == tn_count,
                             int> = 0>
  constexpr const swizzled_vec &operator=(const swizzled_vec<U, Other...> &rhs) const {
    return *this = static_cast<tn_elements>(rhs);
  }
  constexpr const swizzled_vec &operator=(const element_type &rhs) const {
    static_assert(tn_is_writable, "a swizzle of a constant or with repeated elements is read-only");
    if constexpr (tn_is_writable) {
      const element_type value = rhs;
      ((elements_[Index] = value), ...);
    }
    return *this;
  }
  // A number is as near to half as to a vec of one half.
  template <class U, std::enable_if_t<tn_count == 1 && is_number<U> &&
                                          !std::is_same_v<U, element_type>,
                                      int> = 0>
  constexpr const swizzled_vec &operator=(const U &rhs) const {
    return *this = static_cast<element_type>(rhs);
  }
  constexpr const swizzled_vec &operator=(const tn_elements &rhs) const {
    static_assert(tn_is_writable, "a swizzle of a constant or with repeated elements is read-only");
    if constexpr (tn_is_writable) {
      const tn_elements value = rhs;
      int i = 0;
      ((elements_[Index] = value.tn_data()[i++]), ...);
    }
    return *this;
  }

  template <int... Other>
  constexpr auto tn_swizzle() const noexcept {
    return swizzle_access::make<swizzled_vec<T, place(Other)...>>(elements_);
  }
  constexpr tn_elements TN_SYCL_BY_ELEMENT tn_value() const {
    return tn_elements(elements_[Index]...);
  }

 private:
  friend struct swizzle_access;
  explicit constexpr swizzled_vec(T *elements) noexcept : elements_(elements) {}

  // The undefined fourth of three elements is the third.
  static constexpr int place(int index) noexcept {
    const int places[] = {Index...};
    return places[index < tn_count ? index : tn_count - 1];
  }

  T *elements_;
};

}  // namespace sycl::detail

#endif
