// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What accessor and host_accessor have in common: which elements of a buffer they show, and how.
// Both passes see the same layout; only what a copy does differs (design 3.1).
#ifndef TENON_SYCL_DETAIL_ACCESSOR_BASE_HPP
#define TENON_SYCL_DETAIL_ACCESSOR_BASE_HPP

#include <sycl/access.hpp>
#include <sycl/detail/device_builtins.hpp>
#include <sycl/id.hpp>
#include <sycl/property.hpp>
#ifndef __TENON_RTC__
#include "tenon/accessor.h"
#include <sycl/detail/buffer_state.hpp>
#endif

#include <iterator>

namespace sycl {

class handler;

namespace detail {

// `flags` of a link, as the runtime knows them (tenon/accessor.h, tenon/memory.h). Above them is a
// number that copies share.
inline constexpr std::size_t link_read = 1;
inline constexpr std::size_t link_write = 2;
inline constexpr std::size_t link_discard = 4;
inline constexpr std::size_t link_on_host = 8;
inline constexpr std::size_t link_access_mask = 0xff;
inline constexpr std::size_t link_placeholder = 1u << 8;
inline constexpr std::size_t link_no_init = 1u << 9;

// `data` is the address of the buffer's bytes, written by the runtime at launch.
#ifdef __TENON_RTC__
struct accessor_link {
  void *data;
  void *buffer;
  std::size_t flags;
};
#else
using accessor_link = tn_accessor;
static_assert(link_read == TN_ACCESS_READ && link_write == TN_ACCESS_WRITE &&
                  link_discard == TN_ACCESS_NO_INIT && link_on_host == TN_ACCESS_ON_HOST &&
                  link_access_mask == TN_ACCESSOR_ACCESS_MASK &&
                  link_placeholder == TN_ACCESSOR_PLACEHOLDER &&
                  link_no_init == TN_ACCESSOR_NO_INIT &&
                  link_no_init == std::size_t{property_no_init},
              "the runtime looks at these bits");
#endif
static_assert(sizeof(accessor_link) == 24, "the layout is the same in both passes");

// Which elements: a box of `extent` at `offset` in memory of `memory` elements a dimension. Follows
// a tn_accessor, which says what is where.
template <int Dimensions>
struct accessor_view {
  static constexpr int places = Dimensions == 0 ? 1 : Dimensions;
  std::size_t extent[places];
  std::size_t memory[places];
  std::size_t offset[places];
  std::size_t shift;  // elements from the start of the bytes to the box

  std::size_t size() const noexcept {
    std::size_t count = extent[0];
    if constexpr (places > 1) {
      count *= extent[1];
    }
    if constexpr (places > 2) {
      count *= extent[2];
    }
    return count;
  }
  std::size_t place(const id<places> &index) const noexcept {
    std::size_t linear = index[0];
    if constexpr (places > 1) {
      linear = linear * memory[1] + index[1];
    }
    if constexpr (places > 2) {
      linear = linear * memory[2] + index[2];
    }
    return shift + linear;
  }
  TN_SYCL_CHECKS void check([[maybe_unused]] const id<places> &index) const noexcept {
    TN_SYCL_CHECK_INDEX(index[0], extent[0], 0);
    if constexpr (places > 1) {
      TN_SYCL_CHECK_INDEX(index[1], extent[1], 1);
    }
    if constexpr (places > 2) {
      TN_SYCL_CHECK_INDEX(index[2], extent[2], 2);
    }
  }
  // The element at a position of the box's own row-major order.
  std::size_t place_at(std::size_t position) const noexcept {
    id<places> index;
    for (int i = places - 1; i > 0; --i) {
      index[i] = position % extent[i];
      position /= extent[i];
    }
    index[0] = position;
    return place(index);
  }
};

#if !defined(__SYCL_DEVICE_ONLY__) && !defined(__TENON_RTC__)
void bind_accessor(accessor_link &link, int dimensions, const void *sizes, const void *extents,
                   const void *offsets, handler *cgh, const property_list &properties);
#endif

// What an accessor is made of. Plain data, which the runtime fills in and copies.
template <int Dimensions>
struct accessor_state {
  static constexpr int places = accessor_view<Dimensions>::places;

  accessor_link link;
  accessor_view<Dimensions> view;

  accessor_state() noexcept : link(), view() {}
#ifndef __TENON_RTC__
  accessor_state([[maybe_unused]] const buffer_object<places> &from,
                 [[maybe_unused]] const range<places> *extent,
                 [[maybe_unused]] const id<places> *offset, [[maybe_unused]] handler *cgh,
                 [[maybe_unused]] std::size_t flags,
                 [[maybe_unused]] const property_list &properties) {
#ifndef __SYCL_DEVICE_ONLY__
    link.buffer = from.object;
    link.flags = flags;
    bind_accessor(link, Dimensions, &from.extent, extent, offset, cgh, properties);
#endif
  }
#endif
#ifndef __SYCL_DEVICE_ONLY__
  accessor_state(const accessor_state &other) {
    tn_accessor_copy(&link, &other.link, sizeof(*this));
  }
  accessor_state &operator=(const accessor_state &other) noexcept {
    tn_accessor_assign(&link, &other.link, sizeof(*this));
    return *this;
  }
  ~accessor_state() { tn_buffer_release(link.buffer); }
#endif
};

// What iterators of accessors have in common. Self has `reference tn_at(n)`, `tn_move(n)`, and
// tn_position(), by which they are compared.
template <class Self, class Value>
struct iterator_operators {
  using value_type = std::remove_const_t<Value>;
  using difference_type = std::ptrdiff_t;
  using pointer = Value *;
  using reference = Value &;
  using iterator_category = std::random_access_iterator_tag;

  reference operator*() const { return self().tn_at(0); }
  pointer operator->() const { return &self().tn_at(0); }
  reference operator[](difference_type n) const { return self().tn_at(n); }
  friend Self &operator+=(Self &it, difference_type n) { return it.tn_move(n); }
  friend Self &operator-=(Self &it, difference_type n) { return it.tn_move(-n); }
  friend Self &operator++(Self &it) { return it.tn_move(1); }
  friend Self &operator--(Self &it) { return it.tn_move(-1); }
  friend Self operator++(Self &it, int) {
    const Self before = it;
    it.tn_move(1);
    return before;
  }
  friend Self operator--(Self &it, int) {
    const Self before = it;
    it.tn_move(-1);
    return before;
  }
  friend Self operator+(Self it, difference_type n) { return it.tn_move(n); }
  friend Self operator+(difference_type n, Self it) { return it.tn_move(n); }
  friend Self operator-(Self it, difference_type n) { return it.tn_move(-n); }
  friend difference_type operator-(const Self &a, const Self &b) {
    return static_cast<difference_type>(a.tn_position() - b.tn_position());
  }
  friend bool operator==(const Self &a, const Self &b) {
    return a.tn_position() == b.tn_position();
  }
  friend bool operator!=(const Self &a, const Self &b) { return !(a == b); }
  friend bool operator<(const Self &a, const Self &b) { return a.tn_position() < b.tn_position(); }
  friend bool operator>(const Self &a, const Self &b) { return b < a; }
  friend bool operator<=(const Self &a, const Self &b) { return !(b < a); }
  friend bool operator>=(const Self &a, const Self &b) { return !(a < b); }

 private:
  const Self &self() const { return static_cast<const Self &>(*this); }
};

// U const may be made of Value.
template <class Value, class U>
using if_adds_const =
    std::enable_if_t<std::is_same_v<const Value, U> && !std::is_same_v<Value, U>, int>;

template <class Value, int Dimensions>
class view_iterator : public iterator_operators<view_iterator<Value, Dimensions>, Value> {
 public:
  view_iterator() = default;
  view_iterator(Value *data, const accessor_view<Dimensions> &view, std::size_t position)
      : data_(data), view_(view), position_(position) {}
  template <class Other, if_adds_const<Other, Value> = 0>
  view_iterator(const view_iterator<Other, Dimensions> &other)
      : data_(other.data_), view_(other.view_), position_(other.position_) {}

  Value &tn_at(std::ptrdiff_t n) const {
    return data_[view_.place_at(position_ + static_cast<std::size_t>(n))];
  }
  view_iterator &tn_move(std::ptrdiff_t n) {
    position_ += static_cast<std::size_t>(n);
    return *this;
  }
  std::size_t tn_position() const { return position_; }

 private:
  template <class, int>
  friend class view_iterator;
  Value *data_ = nullptr;
  accessor_view<Dimensions> view_ = {};
  std::size_t position_ = 0;
};

// Of an accessor of one dimension: a type of its own, so that a kernel's name that is made of it
// is not that of the same kernel over a local_accessor, whose iterators are pointers.
template <class Value>
class element_iterator : public iterator_operators<element_iterator<Value>, Value> {
 public:
#ifdef __cpp_lib_concepts
  using iterator_concept = std::contiguous_iterator_tag;
#endif
  element_iterator() = default;
  explicit element_iterator(Value *at) : at_(at) {}
  template <class Other, if_adds_const<Other, Value> = 0>
  element_iterator(const element_iterator<Other> &other) : at_(other.tn_position()) {}

  Value &tn_at(std::ptrdiff_t n) const { return at_[n]; }
  element_iterator &tn_move(std::ptrdiff_t n) {
    at_ += n;
    return *this;
  }
  Value *tn_position() const { return at_; }

 private:
  Value *at_ = nullptr;
};

// The iterators over elements that follow each other. sycl/accessor.hpp has accessor's.
template <class Accessor, class Value>
struct flat_iterator {
  using type = Value *;
};

// What the last subscript gives. sycl/atomic.hpp has it for access_mode::atomic.
template <class Value, access_mode Mode,
          access::address_space = access::address_space::global_space>
struct element_access {
  static_assert(Mode != access_mode::atomic,
                "accessors with the deprecated access_mode::atomic need sycl/atomic.hpp");
  using type = Value &;
  static type of(Value &element) { return element; }
};

// What `acc[i]` gives in two and three dimensions before the last subscript.
template <class Value, class Element, int Dimensions, int Left>
class row {
 public:
  row(Value *data, const accessor_view<Dimensions> &view, const id<Dimensions> &index)
      : data_(data), view_(view), index_(index) {}
  TN_SYCL_CHECKS decltype(auto) operator[](std::size_t index) const {
    TN_SYCL_CHECK_INDEX(index, view_.extent[Dimensions - Left], Dimensions - Left);
    id<Dimensions> next = index_;
    next[Dimensions - Left] = index;
    if constexpr (Left == 1) {
      return Element::of(data_[view_.place(next)]);
    } else {
      return row<Value, Element, Dimensions, Left - 1>(data_, view_, next);
    }
  }

 private:
  Value *data_;
  const accessor_view<Dimensions> &view_;  // the accessor's
  id<Dimensions> index_;
};

struct no_element {};  // what accessors with dimensions convert to

// Elements of a buffer of T may be shown as DataT.
template <class DataT, class T>
inline constexpr bool shows_elements = std::is_same_v<DataT, T> || std::is_same_v<DataT, const T>;

// The members that accessors of all kinds have. Derived has tn_data(), tn_view(), tn_is_no_init().
template <class Derived, class DataT, access_mode Mode, int Dimensions>
class accessor_members {
  static_assert(Dimensions >= 0 && Dimensions <= 3, "an accessor has 0 to 3 dimensions");
  static_assert(!std::is_const_v<DataT> || Mode == access_mode::read,
                "an accessor to const elements has access_mode::read");

  using element =
      element_access<std::conditional_t<Mode == access_mode::read, const DataT, DataT>, Mode>;
  using element_type = typename element::type;

 public:
  using value_type = std::conditional_t<Mode == access_mode::read, const DataT, DataT>;
  using reference = value_type &;
  using const_reference = const DataT &;
  using iterator =
      std::conditional_t<(Dimensions < 2), typename flat_iterator<Derived, value_type>::type,
                         view_iterator<value_type, Dimensions>>;
  using const_iterator =
      std::conditional_t<(Dimensions < 2), typename flat_iterator<Derived, const DataT>::type,
                         view_iterator<const DataT, Dimensions>>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = typename std::iterator_traits<iterator>::difference_type;
  using size_type = std::size_t;

  void swap(Derived &other) {
    Derived &self = static_cast<Derived &>(*this);
    const Derived copy = other;
    other = self;
    self = copy;
  }

  template <class Property>
  bool has_property() const noexcept {
    static_assert(is_property_v<Property>, "not a property");
    return std::is_same_v<Property, property::no_init> &&
           static_cast<const Derived *>(this)->tn_is_no_init();
  }
#ifndef __TENON_RTC__
  template <class Property>
  Property get_property() const {
    if (!has_property<Property>()) {
      raise(errc::invalid,
            "get_property: the accessor was made without this property; ask has_property first");
    }
    return Property();
  }
#endif

  size_type size() const noexcept { return view().size(); }
  size_type byte_size() const noexcept { return size() * sizeof(DataT); }
  size_type max_size() const noexcept { return size(); }
  bool empty() const noexcept { return size() == 0; }

  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  range<D> get_range() const {
    return index_of<range<D>>(view().extent);
  }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  id<D> get_offset() const {
    return index_of<id<D>>(view().offset);
  }

  // Not a template: those do not take part in `static_cast<int>(acc)`.
  operator std::conditional_t<Dimensions == 0, element_type, no_element>() const {
    if constexpr (Dimensions == 0) {
      return element::of(data()[view().shift]);
    } else {
      return {};
    }
  }
  TN_SYCL_CHECKS element_type operator[](id<Dimensions == 0 ? 1 : Dimensions> index) const {
    static_assert(Dimensions > 0, "an accessor of no dimensions is used like its one element");
    view().check(index);
    return element::of(data()[view().place(index)]);
  }
  // A template, so that `acc[item]` prefers the id.
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  TN_SYCL_CHECKS element_type operator[](std::size_t index) const {
    TN_SYCL_CHECK_INDEX(index, view().extent[0], 0);
    return element::of(data()[view().shift + index]);
  }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  TN_SYCL_CHECKS row<value_type, element, D, D - 1> operator[](std::size_t index) const {
    TN_SYCL_CHECK_INDEX(index, view().extent[0], 0);
    id<D> first;
    first[0] = index;
    return {data(), view(), first};
  }

  iterator begin() const noexcept { return at<iterator>(0); }
  iterator end() const noexcept { return at<iterator>(size()); }
  const_iterator cbegin() const noexcept { return at<const_iterator>(0); }
  const_iterator cend() const noexcept { return at<const_iterator>(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

 protected:
  static constexpr int places = accessor_view<Dimensions>::places;
  using range_type = range<places>;
  using id_type = id<places>;
  template <class T>
  using if_shows = std::enable_if_t<shows_elements<DataT, T>, int>;
  // Ranges, offsets and tags are for accessors with dimensions.
  template <class T>
  using if_dimensions = std::enable_if_t<shows_elements<DataT, T> && (Dimensions > 0), int>;
  template <class T>
  static constexpr bool is_assignable =
      Dimensions == 0 && Mode != access_mode::read && Mode != access_mode::atomic &&
      std::is_assignable_v<DataT &, const T &> && !std::is_base_of_v<accessor_members, T>;

 private:
  value_type *data() const noexcept {
    return static_cast<value_type *>(static_cast<const Derived *>(this)->tn_data());
  }
  const accessor_view<Dimensions> &view() const noexcept {
    return static_cast<const Derived *>(this)->tn_view();
  }
  template <class Index>
  static Index index_of(const std::size_t *values) noexcept {
    Index result;
    for (int i = 0; i < Dimensions; ++i) {
      result[i] = values[i];
    }
    return result;
  }
  template <class Iterator>
  Iterator at(std::size_t position) const noexcept {
    if constexpr (Dimensions < 2) {
      return Iterator(data() + view().shift + position);
    } else {
      return Iterator(data(), view(), position);
    }
  }
};

// Read-only accessors of both kinds of elements, and read-write ones, convert to read-only ones.
template <class ToData, access_mode ToMode, class FromData, access_mode FromMode>
inline constexpr bool is_read_conversion =
    ToMode == access_mode::read &&
    std::is_same_v<std::remove_const_t<ToData>, std::remove_const_t<FromData>> &&
    (FromMode == access_mode::read || FromMode == access_mode::read_write) &&
    !(std::is_same_v<ToData, FromData> && ToMode == FromMode);

// What an accessor may do with a buffer.
constexpr std::size_t access_bits(access_mode mode) noexcept {
  switch (mode) {
    case access_mode::read:
      return link_read;
    case access_mode::write:
      return link_write;
    case access_mode::discard_write:
      return link_write | link_discard;
    case access_mode::discard_read_write:
      return link_read | link_write | link_discard;
    default:
      return link_read | link_write;
  }
}

#ifndef __SYCL_DEVICE_ONLY__

tn_command_group *command_group_of(handler *cgh) noexcept;  // NULL of none

inline void bind_accessor(accessor_link &link, int dimensions, const void *sizes,
                          const void *extents, const void *offsets, handler *cgh,
                          const property_list &properties) {
  link.flags |= properties.tn_bits() & property_no_init;
  tn_diag diag;
  check(tn_accessor_init(&link, static_cast<std::uint32_t>(dimensions),
                         static_cast<const std::size_t *>(sizes),
                         static_cast<const std::size_t *>(extents),
                         static_cast<const std::size_t *>(offsets), command_group_of(cgh), &diag),
        diag);
}

#endif

}  // namespace detail
}  // namespace sycl

#endif
