// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::host_accessor, and the deprecated accessor with target::host_buffer. Made with a handler,
// as in DPC++, they are accessors of a host task.
// Source: SYCL 2020 sections 4.7.6.10, 4.7.6.9.3.6.
#ifndef TENON_SYCL_HOST_ACCESSOR_HPP
#define TENON_SYCL_HOST_ACCESSOR_HPP

#include <sycl/accessor.hpp>
#include <sycl/detail/owner_order.hpp>

namespace sycl {

namespace detail {

// What a host accessor is made of: the host's turn with the buffer, which copies share, or, made
// with a handler, what accessor has with target::host_task. link_on_host in the flags tells.
template <int Dimensions>
struct host_accessor_state {
  static constexpr int places = accessor_view<Dimensions>::places;

  union {
    tn_host_accessor link;
    tn_accessor command;
  };
  accessor_view<Dimensions> view;

  host_accessor_state() noexcept : link(), view() {}
  host_accessor_state([[maybe_unused]] const buffer_object<places> &from,
                      [[maybe_unused]] const range<places> *extent,
                      [[maybe_unused]] const id<places> *offset, [[maybe_unused]] std::size_t flags,
                      [[maybe_unused]] const property_list &properties);
  host_accessor_state([[maybe_unused]] const buffer_object<places> &from,
                      [[maybe_unused]] handler &cgh, [[maybe_unused]] const range<places> *extent,
                      [[maybe_unused]] const id<places> *offset, [[maybe_unused]] std::size_t flags,
                      [[maybe_unused]] const property_list &properties)
      : command() {
#ifndef __SYCL_DEVICE_ONLY__
    command.buffer = from.object;
    command.flags = flags | link_on_host;
    bind_accessor(command, Dimensions, &from.extent, extent, offset, &cgh, properties);
#endif
  }
#ifndef __SYCL_DEVICE_ONLY__
  host_accessor_state(const host_accessor_state &other) {
    if (other.is_in_command()) {
      tn_accessor_copy(&command, &other.command, sizeof(*this));
    } else {
      link = other.link;
      view = other.view;
      retain();
    }
  }
  host_accessor_state &operator=(const host_accessor_state &other) noexcept {
    other.retain();
    release();
    link = other.link;
    view = other.view;
    return *this;
  }
  ~host_accessor_state() { release(); }
#endif
  bool is_in_command() const noexcept { return (link.flags & link_on_host) != 0; }

 private:
#ifndef __SYCL_DEVICE_ONLY__
  void retain() const noexcept {
    if (is_in_command()) {
      tn_buffer_retain(command.buffer);
    } else {
      tn_host_access_retain(link.access);
    }
  }
  void release() noexcept {
    if (is_in_command()) {
      tn_buffer_release(command.buffer);
    } else {
      tn_host_access_release(link.access);
    }
  }
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
                                                      DataT, AccessMode, Dimensions>,
                      public detail::owner_order<host_accessor<DataT, Dimensions, AccessMode>> {
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

  template <class T, class A, if_shows<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef,
                const property_list &propList = {})
      : state_(bufferRef.tn_object(), commandGroupHandlerRef, nullptr, nullptr, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef, tag_type,
                const property_list &propList = {})
      : host_accessor(bufferRef, commandGroupHandlerRef, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef,
                range_type accessRange, id_type accessOffset, const property_list &propList = {})
      : state_(bufferRef.tn_object(), commandGroupHandlerRef, &accessRange, &accessOffset, flags,
               propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef,
                range_type accessRange, id_type accessOffset, tag_type,
                const property_list &propList = {})
      : host_accessor(bufferRef, commandGroupHandlerRef, accessRange, accessOffset, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef,
                range_type accessRange, const property_list &propList = {})
      : state_(bufferRef.tn_object(), commandGroupHandlerRef, &accessRange, nullptr, flags,
               propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef,
                range_type accessRange, tag_type, const property_list &propList = {})
      : host_accessor(bufferRef, commandGroupHandlerRef, accessRange, propList) {}

  template <
      class Other, access_mode OtherMode,
      std::enable_if_t<detail::is_read_conversion<DataT, AccessMode, Other, OtherMode>, int> = 0>
  host_accessor(const host_accessor<Other, Dimensions, OtherMode> &other)
      : state_(other.tn_state()) {
    constexpr std::size_t kept = ~(detail::link_access_mask | detail::link_no_init);
    state_.link.flags = (state_.link.flags & (kept | detail::link_on_host)) | flags;
  }

  TN_SYCL_DEPRECATED("use host_accessor::byte_size")
  std::size_t get_size() const { return this->byte_size(); }
  TN_SYCL_DEPRECATED("use host_accessor::size")
  std::size_t get_count() const { return this->size(); }

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
    return lhs.tn_identity() == rhs.tn_identity();
  }
  friend bool operator!=(const host_accessor &lhs, const host_accessor &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For conversions and the base class.
  void *tn_data() const noexcept { return state_.link.data; }
  const detail::accessor_view<Dimensions> &tn_view() const noexcept { return state_.view; }
  const detail::host_accessor_state<Dimensions> &tn_state() const noexcept { return state_; }
  // Differs between accessors that are not copies: a number, or the address of the host's turn.
  std::uintptr_t tn_identity() const noexcept {
    return state_.is_in_command() ? state_.command.flags
                                  : reinterpret_cast<std::uintptr_t>(state_.link.access);
  }
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
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, handler &, const property_list & = {}) -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, handler &, detail::access_tag<M, target::device>,
              const property_list & = {}) -> host_accessor<T, D, M>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, handler &, range<D>, const property_list & = {})
    -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, handler &, range<D>, detail::access_tag<M, target::device>,
              const property_list & = {}) -> host_accessor<T, D, M>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, const property_list & = {})
    -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, detail::access_tag<M, target::device>,
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
};

}  // namespace sycl

template <class DataT, int D, sycl::access_mode M>
struct std::hash<sycl::host_accessor<DataT, D, M>> {
  std::size_t operator()(const sycl::host_accessor<DataT, D, M> &object) const noexcept {
    return object.tn_identity();
  }
};
template <class DataT, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<DataT, D, M, sycl::target::host_buffer, P>>
    : std::hash<sycl::host_accessor<DataT, D, M>> {};

#endif
