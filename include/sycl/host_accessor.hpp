// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::host_accessor, and the deprecated accessor with target::host_buffer.
// Source: SYCL 2020 sections 4.7.6.10, 4.7.6.9.3.6.
#ifndef TENON_SYCL_HOST_ACCESSOR_HPP
#define TENON_SYCL_HOST_ACCESSOR_HPP

#include <sycl/accessor.hpp>

namespace sycl {

namespace detail {

// What a host accessor is made of; copies share the host's turn with the buffer.
template <int Dimensions>
struct host_accessor_state {
  static constexpr int places = accessor_view<Dimensions>::places;

  tn_host_accessor link;
  accessor_view<Dimensions> view;

  host_accessor_state() noexcept : link(), view() {}
  host_accessor_state([[maybe_unused]] const buffer_object<places> &from,
                      [[maybe_unused]] const range<places> *extent,
                      [[maybe_unused]] const id<places> *offset, [[maybe_unused]] std::size_t flags,
                      [[maybe_unused]] const property_list &properties);
#ifndef __SYCL_DEVICE_ONLY__
  host_accessor_state(const host_accessor_state &other) noexcept
      : link(other.link), view(other.view) {
    tn_host_access_retain(link.access);
  }
  host_accessor_state &operator=(const host_accessor_state &other) noexcept {
    tn_host_access *const before = link.access;
    tn_host_access_retain(other.link.access);
    link = other.link;
    view = other.view;
    tn_host_access_release(before);
    return *this;
  }
  ~host_accessor_state() { tn_host_access_release(link.access); }
#endif
};

#ifndef __SYCL_DEVICE_ONLY__
inline void create_host_accessor(tn_host_accessor &link, int dimensions, tn_buffer *buffer,
                                 const void *sizes, const void *extents, const void *offsets,
                                 std::size_t flags, unsigned properties) {
  tn_diag diag;
  check(tn_host_accessor_create(&link, buffer, static_cast<std::uint32_t>(dimensions),
                                static_cast<const std::size_t *>(sizes),
                                static_cast<const std::size_t *>(extents),
                                static_cast<const std::size_t *>(offsets),
                                flags | (properties & property_no_init), &diag),
        diag);
}
template <int Dimensions>
host_accessor_state<Dimensions>::host_accessor_state(const buffer_object<places> &from,
                                                     const range<places> *extent,
                                                     const id<places> *offset, std::size_t flags,
                                                     const property_list &properties) {
  create_host_accessor(link, Dimensions, from.object, &from.extent, extent, offset, flags,
                       properties.tn_bits());
}
#else
template <int Dimensions>
host_accessor_state<Dimensions>::host_accessor_state(const buffer_object<places> &,
                                                     const range<places> *, const id<places> *,
                                                     std::size_t, const property_list &) {}
#endif

}  // namespace detail

template <class DataT, int Dimensions = 1,
          access_mode AccessMode =
              (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write)>
class host_accessor : public detail::accessor_members<host_accessor<DataT, Dimensions, AccessMode>,
                                                      DataT, AccessMode, Dimensions> {
  using members = detail::accessor_members<host_accessor, DataT, AccessMode, Dimensions>;
  using tag_type = detail::access_tag<AccessMode, target::device>;
  static constexpr int places = members::places;
  using typename members::id_type;
  using typename members::range_type;
  template <class T>
  using if_shows = typename members::template if_shows<T>;
  template <class T>
  using if_dimensions = typename members::template if_dimensions<T>;

 public:
  using typename members::reference;
  using typename members::value_type;

  host_accessor() = default;

  template <class T, class A, if_shows<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, const property_list &propList = {})
      : state_(bufferRef.tn_object(), nullptr, nullptr, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, tag_type, const property_list &propList = {})
      : state_(bufferRef.tn_object(), nullptr, nullptr, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange, id_type accessOffset,
                const property_list &propList = {})
      : state_(bufferRef.tn_object(), &accessRange, &accessOffset, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange, id_type accessOffset,
                tag_type, const property_list &propList = {})
      : host_accessor(bufferRef, accessRange, accessOffset, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange,
                const property_list &propList = {})
      : state_(bufferRef.tn_object(), &accessRange, nullptr, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange, tag_type,
                const property_list &propList = {})
      : host_accessor(bufferRef, accessRange, propList) {}

  template <
      class Other, access_mode OtherMode,
      std::enable_if_t<detail::is_read_conversion<DataT, AccessMode, Other, OtherMode>, int> = 0>
  host_accessor(const host_accessor<Other, Dimensions, OtherMode> &other)
      : state_(other.tn_state()) {
    state_.link.flags &= ~detail::link_no_init;
  }

  template <class Assigned, std::enable_if_t<members::template is_assignable<Assigned>, int> = 0>
  const host_accessor &operator=(const Assigned &other) const {
    static_cast<reference>(*this) = other;
    return *this;
  }

  // To the buffer's first element, also of a ranged accessor.
  std::add_pointer_t<value_type> get_pointer() const noexcept {
    return static_cast<value_type *>(tn_data());
  }

  friend bool operator==(const host_accessor &lhs, const host_accessor &rhs) noexcept {
    return lhs.state_.link.access == rhs.state_.link.access;
  }
  friend bool operator!=(const host_accessor &lhs, const host_accessor &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For conversions and the base class.
  void *tn_data() const noexcept { return state_.link.data; }
  const detail::accessor_view<Dimensions> &tn_view() const noexcept { return state_.view; }
  const detail::host_accessor_state<Dimensions> &tn_state() const noexcept { return state_; }
  bool tn_is_no_init() const noexcept { return (state_.link.flags & detail::link_no_init) != 0; }

 private:
  static constexpr std::size_t flags = detail::access_bits(AccessMode);

  detail::host_accessor_state<Dimensions> state_;
};

template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, const property_list & = {}) -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, detail::access_tag<M, target::device>, const property_list & = {})
    -> host_accessor<T, D, M>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, range<D>, const property_list & = {}) -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, range<D>, detail::access_tag<M, target::device>,
              const property_list & = {}) -> host_accessor<T, D, M>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, range<D>, id<D>, const property_list & = {})
    -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, range<D>, id<D>, detail::access_tag<M, target::device>,
              const property_list & = {}) -> host_accessor<T, D, M>;

template <class DataT, int D, access_mode M>
struct is_property_of<property::no_init, host_accessor<DataT, D, M>> : std::true_type {};

// Deprecated: what buffer::get_access without a handler gives.
template <class DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, AccessMode, target::host_buffer, IsPlaceholder>
    : public host_accessor<DataT, Dimensions, AccessMode> {
 public:
  using host_accessor<DataT, Dimensions, AccessMode>::host_accessor;
  using host_accessor<DataT, Dimensions, AccessMode>::operator=;
  bool is_placeholder() const { return false; }
  std::size_t get_size() const { return this->byte_size(); }
  std::size_t get_count() const { return this->size(); }
};

}  // namespace sycl

template <class DataT, int D, sycl::access_mode M>
struct std::hash<sycl::host_accessor<DataT, D, M>> {
  std::size_t operator()(const sycl::host_accessor<DataT, D, M> &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_state().link.access);
  }
};
template <class DataT, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<DataT, D, M, sycl::target::host_buffer, P>>
    : std::hash<sycl::host_accessor<DataT, D, M>> {};

#endif
