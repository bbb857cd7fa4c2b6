// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::span: C++20's span for C++17. Source: SYCL 2020 section 4.17.10 (C++20 features).
#ifndef TENON_SYCL_SPAN_HPP
#define TENON_SYCL_SPAN_HPP

#include <cstddef>
#include <type_traits>

namespace sycl {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class ElementType, std::size_t Extent = dynamic_extent>
class span;

namespace detail {

// The number of elements, which takes no space where the type says it.
template <std::size_t Extent>
class span_size {
 public:
  constexpr span_size() noexcept = default;
  constexpr explicit span_size(std::size_t) noexcept {}
  constexpr std::size_t get() const noexcept { return Extent; }
};
template <>
class span_size<dynamic_extent> {
 public:
  constexpr span_size() noexcept = default;
  constexpr explicit span_size(std::size_t size) noexcept : size_(size) {}
  constexpr std::size_t get() const noexcept { return size_; }

 private:
  std::size_t size_ = 0;
};

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t Extent>
inline constexpr bool is_span<span<T, Extent>> = true;

// From elements of one type to what a span shows: nothing but const may be added.
template <class From, class To>
using if_span_elements = std::enable_if_t<std::is_convertible_v<From (*)[], To (*)[]>, int>;

// Something with data() and size() that is no span and no array.
template <class Container, class T>
using if_span_container = std::enable_if_t<
    !is_span<std::remove_cv_t<Container>> && !std::is_array_v<Container> &&
        std::is_convertible_v<
            std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[], T (*)[]> &&
        std::is_convertible_v<decltype(std::declval<Container &>().size()), std::size_t>,
    int>;

}  // namespace detail

template <class ElementType, std::size_t Extent>
class span : private detail::span_size<Extent> {
  using count = detail::span_size<Extent>;
  static constexpr bool is_dynamic = Extent == dynamic_extent;

 public:
  using element_type = ElementType;
  using value_type = std::remove_cv_t<ElementType>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = ElementType *;
  using const_pointer = const ElementType *;
  using reference = ElementType &;
  using const_reference = const ElementType &;
  using iterator = pointer;

  static constexpr std::size_t extent = Extent;

  template <std::size_t E = Extent, std::enable_if_t<E == 0 || E == dynamic_extent, int> = 0>
  constexpr span() noexcept {}
  constexpr span(pointer first, size_type size) noexcept : count(size), data_(first) {}
  constexpr span(pointer first, pointer last) noexcept
      : count(static_cast<size_type>(last - first)), data_(first) {}
  template <std::size_t Size, std::enable_if_t<is_dynamic || Size == Extent, int> = 0>
  constexpr span(element_type (&array)[Size]) noexcept : count(Size), data_(array) {}
  template <class Container, detail::if_span_container<Container, ElementType> = 0>
  constexpr span(Container &container) : count(container.size()), data_(container.data()) {}
  template <class Container, detail::if_span_container<const Container, ElementType> = 0>
  constexpr span(const Container &container) : count(container.size()), data_(container.data()) {}
  template <class Other, std::size_t OtherExtent, detail::if_span_elements<Other, ElementType> = 0,
            std::enable_if_t<is_dynamic || OtherExtent == dynamic_extent || OtherExtent == Extent,
                             int> = 0>
  constexpr span(const span<Other, OtherExtent> &other) noexcept
      : count(other.size()), data_(other.data()) {}

  constexpr pointer data() const noexcept { return data_; }
  constexpr size_type size() const noexcept { return count::get(); }
  constexpr size_type size_bytes() const noexcept { return size() * sizeof(ElementType); }
  [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }
  constexpr reference operator[](size_type index) const { return data_[index]; }
  constexpr reference front() const { return data_[0]; }
  constexpr reference back() const { return data_[size() - 1]; }
  constexpr iterator begin() const noexcept { return data_; }
  constexpr iterator end() const noexcept { return data_ + size(); }

  template <std::size_t Count>
  constexpr span<ElementType, Count> first() const {
    return {data_, Count};
  }
  template <std::size_t Count>
  constexpr span<ElementType, Count> last() const {
    return {data_ + (size() - Count), Count};
  }
  constexpr span<ElementType> first(size_type size) const { return {data_, size}; }
  constexpr span<ElementType> last(size_type size) const {
    return {data_ + (this->size() - size), size};
  }
  constexpr span<ElementType> subspan(size_type offset, size_type size = dynamic_extent) const {
    return {data_ + offset, size == dynamic_extent ? this->size() - offset : size};
  }
  template <std::size_t Offset, std::size_t Count = dynamic_extent>
  constexpr auto subspan() const {
    constexpr std::size_t rest = is_dynamic ? dynamic_extent : Extent - Offset;
    constexpr std::size_t result = Count == dynamic_extent ? rest : Count;
    return span<ElementType, result>(data_ + Offset,
                                     Count == dynamic_extent ? size() - Offset : Count);
  }

 private:
  pointer data_ = nullptr;
};

template <class T, std::size_t Size>
span(T (&)[Size]) -> span<T, Size>;
template <class Container>
span(Container &) -> span<std::remove_pointer_t<decltype(std::declval<Container &>().data())>>;
template <class Container>
span(const Container &)
    -> span<std::remove_pointer_t<decltype(std::declval<const Container &>().data())>>;

template <class T, std::size_t Size>
auto as_bytes(span<T, Size> of) noexcept {
  constexpr std::size_t size = Size == dynamic_extent ? Size : Size * sizeof(T);
  return span<const std::byte, size>(reinterpret_cast<const std::byte *>(of.data()),
                                     of.size_bytes());
}
template <class T, std::size_t Size, std::enable_if_t<!std::is_const_v<T>, int> = 0>
auto as_writable_bytes(span<T, Size> of) noexcept {
  constexpr std::size_t size = Size == dynamic_extent ? Size : Size * sizeof(T);
  return span<std::byte, size>(reinterpret_cast<std::byte *>(of.data()), of.size_bytes());
}

}  // namespace sycl

#endif
