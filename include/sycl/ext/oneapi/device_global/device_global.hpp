// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device_global: a variable that each device has one of, and that lasts from kernel to kernel.
// Source: the SYCL extension sycl_ext_oneapi_device_global; docs/decisions/device-globals.md.
#ifndef TENON_SYCL_EXT_DEVICE_GLOBAL_HPP
#define TENON_SYCL_EXT_DEVICE_GLOBAL_HPP

#include <sycl/ext/oneapi/device_global/device_global_properties.hpp>
#include <sycl/multi_ptr.hpp>
#ifndef __TENON_RTC__
#include <sycl/queue.hpp>
#endif
#ifndef __SYCL_DEVICE_ONLY__
#include "tenon/memory.h"
#endif

namespace sycl {

namespace detail {
struct device_global_access;

// Follows the value in device code of those with device_image_scope: compile/lower finds it. As
// large as the value's alignment, so that the variable has no padding and is of its class in LLVM.
template <std::size_t Size>
struct device_image_scope_mark {
  char bytes[Size] = {};
};
struct no_mark {};
}  // namespace detail

namespace ext::oneapi::experimental {

// Declared at namespace scope or as a static member. compile/lower finds the variables of this type
// in device code by its name; the begin of the host's object is what the runtime knows them by.
template <class T, class PropertyListT = empty_properties_t>
class device_global {
  static_assert(std::is_trivially_destructible_v<T>,
                "device_global: nobody would call the destructor of T");
  static_assert(!std::is_volatile_v<T> && !std::is_reference_v<T>,
                "device_global: T is a type without volatile or &");
  static_assert(is_property_list_v<PropertyListT>,
                "device_global: the second argument is a list of properties");

 public:
  using element_type = std::remove_extent_t<T>;

  // Has to be constant: each device begins with its bytes.
  constexpr device_global() = default;
  template <class First, class... Rest,
            std::enable_if_t<std::is_constructible_v<T, First, Rest...>, int> = 0>
  explicit constexpr device_global(First &&first, Rest &&...rest)
      : value_(static_cast<First &&>(first), static_cast<Rest &&>(rest)...) {}
  // The elements of an array.
  template <class... Elements,
            std::enable_if_t<std::rank_v<T> == 1 && sizeof...(Elements) != 0 &&
                                 (std::is_convertible_v<const Elements &, element_type> && ...),
                             int> = 0,
            class = void>
  explicit constexpr device_global(const Elements &...elements)
      : value_{static_cast<element_type>(elements)...} {}

  device_global(const device_global &) = delete;
  device_global(device_global &&) = delete;
  // Another one's value is on devices.
  template <class Other, class OtherProperties>
  device_global(device_global<Other, OtherProperties> &) = delete;
  template <class Other, class OtherProperties>
  device_global(const device_global<Other, OtherProperties> &) = delete;
  device_global &operator=(const device_global &) = delete;
  device_global &operator=(device_global &&) = delete;

#ifdef __SYCL_DEVICE_ONLY__
  template <access::decorated IsDecorated = access::decorated::no>
  multi_ptr<T, access::address_space::global_space, IsDecorated> get_multi_ptr() noexcept {
    return multi_ptr<T, access::address_space::global_space, IsDecorated>(&value_);
  }
  template <access::decorated IsDecorated = access::decorated::no>
  multi_ptr<const T, access::address_space::global_space, IsDecorated> get_multi_ptr()
      const noexcept {
    return multi_ptr<const T, access::address_space::global_space, IsDecorated>(&value_);
  }

  T &get() noexcept { return value_; }
  const T &get() const noexcept { return value_; }
  operator T &() noexcept { return value_; }
  operator const T &() const noexcept { return value_; }

  device_global &operator=(const T &value) noexcept {
    value_ = value;
    return *this;
  }
  template <class U = T>
  auto &operator[](std::ptrdiff_t index) {
    return static_cast<U &>(value_)[index];
  }
  template <class U = T>
  const auto &operator[](std::ptrdiff_t index) const {
    return static_cast<const U &>(value_)[index];
  }
  // For pointers, and classes with operator->.
  T &operator->() noexcept { return value_; }
  const T &operator->() const noexcept { return value_; }
#else
  // The host has none of a device's objects; what is here is for device code to compile.
  template <access::decorated IsDecorated = access::decorated::no>
  multi_ptr<T, access::address_space::global_space, IsDecorated> get_multi_ptr() noexcept {
    return multi_ptr<T, access::address_space::global_space, IsDecorated>(nullptr);
  }
  template <access::decorated IsDecorated = access::decorated::no>
  multi_ptr<const T, access::address_space::global_space, IsDecorated> get_multi_ptr()
      const noexcept {
    return multi_ptr<const T, access::address_space::global_space, IsDecorated>(nullptr);
  }

  T &get() { return fail(); }
  const T &get() const { return fail(); }
  operator T &() { return fail(); }
  operator const T &() const { return fail(); }
  device_global &operator=(const T &value) {
    fail() = value;
    return *this;
  }
  template <class U = T>
  auto &operator[](std::ptrdiff_t index) {
    return static_cast<U &>(fail())[index];
  }
  template <class U = T>
  const auto &operator[](std::ptrdiff_t index) const {
    return static_cast<const U &>(fail())[index];
  }
  T &operator->() { return fail(); }
  const T &operator->() const { return fail(); }
#endif

  template <class Property>
  static constexpr bool has_property() noexcept {
    return PropertyListT::template has_property<Property>();
  }
  template <class Property>
  static constexpr auto get_property() noexcept {
    static_assert(has_property<Property>(), "the device_global has no such property");
    return PropertyListT::template get_property<Property>();
  }

 private:
  friend struct sycl::detail::device_global_access;

#ifndef __SYCL_DEVICE_ONLY__
  T &fail() const {
    sycl::detail::raise(errc::invalid,
                        "device_global: its value is on devices; the host reads and writes it by "
                        "queue::copy and queue::memcpy");
  }

  // First: its address is the object's.
  mutable tn_device_global slot_ = {nullptr, &value_, sizeof(T), alignof(T)};
#endif
  T value_{};
#ifdef __SYCL_DEVICE_ONLY__
  [[no_unique_address]] std::conditional_t<
      PropertyListT::template has_property<device_image_scope_key>(),
      sycl::detail::device_image_scope_mark<alignof(T)>, sycl::detail::no_mark> mark_;
#endif
};

}  // namespace ext::oneapi::experimental

#ifndef __TENON_RTC__

namespace detail {

using ext::oneapi::experimental::host_access_enum;
using ext::oneapi::experimental::host_access_key;

template <class P>
constexpr host_access_enum host_access_of() noexcept {
  if constexpr (P::template has_property<host_access_key>()) {
    return P::template get_property<host_access_key>().value;
  } else {
    return host_access_enum::read_write;
  }
}
template <class P>
constexpr void check_host_read() noexcept {
  static_assert(host_access_of<P>() == host_access_enum::read ||
                    host_access_of<P>() == host_access_enum::read_write,
                "the host does not read this device_global: its host_access says so");
}
template <class P>
constexpr void check_host_write() noexcept {
  static_assert(host_access_of<P>() == host_access_enum::write ||
                    host_access_of<P>() == host_access_enum::read_write,
                "the host does not write this device_global: its host_access says so");
}

// A part of a device global, in bytes.
struct global_part {
  std::size_t count;
  std::size_t begin;
};

#ifndef __SYCL_DEVICE_ONLY__
TN_SYCL_COLD inline void *find_global(tn_device_global *slot, tn_device *dev,
                                      const global_part &part) {
  if (part.begin > slot->size || part.count > slot->size - part.begin) {
    raise(errc::invalid, "device_global: the part that is to be copied does not lie inside");
  }
  void *memory = nullptr;
  tn_diag diag;
  check(tn_device_global_get(slot, dev, &memory, &diag), diag);
  return static_cast<unsigned char *>(memory) + part.begin;
}
#endif

struct device_global_access {
  // Where the part lies on the device.
  template <class T, class P>
  TN_SYCL_HIDDEN static void *find(const device_global<T, P> &global, tn_device *dev,
                                   const global_part &part) {
    static_assert(std::is_trivially_copyable_v<T> || is_device_copyable_v<T>,
                  "device_global: T is copied byte by byte");
#ifdef __SYCL_DEVICE_ONLY__
    (void)global, (void)dev, (void)part;
    return nullptr;
#else
    return find_global(&global.slot_, dev, part);
#endif
  }
};

template <class T, class P>
void *global_to_write(tn_device *dev, const device_global<T, P> &global, const global_part &part) {
  check_host_write<P>();
  return device_global_access::find(global, dev, part);
}
template <class T, class P>
const void *global_to_read(tn_device *dev, const device_global<T, P> &global,
                           const global_part &part) {
  check_host_read<P>();
  return device_global_access::find(global, dev, part);
}

}  // namespace detail

#ifdef __SYCL_DEVICE_ONLY__
template <class T, class P, class... Events>
event queue::copy_to_global(detail::device_global<T, P> &, const void *, std::size_t, std::size_t,
                            const Events &...) {
  return event();
}
template <class T, class P, class... Events>
event queue::copy_from_global(void *, const detail::device_global<T, P> &, std::size_t, std::size_t,
                              const Events &...) {
  return event();
}
template <class T, class P>
void handler::memcpy(detail::device_global<T, P> &, const void *, std::size_t, std::size_t) {}
template <class T, class P>
void handler::memcpy(void *, const detail::device_global<T, P> &, std::size_t, std::size_t) {}
#else
template <class T, class P, class... Events>
event queue::copy_to_global(detail::device_global<T, P> &dest, const void *src, std::size_t size,
                            std::size_t begin, const Events &...events) {
  return memcpy(detail::global_to_write(tn_queue_device(object_), dest, {size, begin}), src, size,
                events...);
}
template <class T, class P, class... Events>
event queue::copy_from_global(void *dest, const detail::device_global<T, P> &src, std::size_t size,
                              std::size_t begin, const Events &...events) {
  return memcpy(dest, detail::global_to_read(tn_queue_device(object_), src, {size, begin}), size,
                events...);
}
template <class T, class P>
void handler::memcpy(detail::device_global<T, P> &dest, const void *src, std::size_t numBytes,
                     std::size_t offset) {
  memcpy(detail::global_to_write(tn_queue_device(group_.queue), dest, {numBytes, offset}), src,
         numBytes);
}
template <class T, class P>
void handler::memcpy(void *dest, const detail::device_global<T, P> &src, std::size_t numBytes,
                     std::size_t offset) {
  memcpy(dest, detail::global_to_read(tn_queue_device(group_.queue), src, {numBytes, offset}),
         numBytes);
}
#endif

#endif

}  // namespace sycl

#endif
