// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::buffer. Source: SYCL 2020 section 4.7.2.
#ifndef TENON_SYCL_DETAIL_BUFFER_CLASS_HPP
#define TENON_SYCL_DETAIL_BUFFER_CLASS_HPP

#include <sycl/access.hpp>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/handle.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/id.hpp>

#include <iterator>

namespace sycl {

class handler;
template <class DataT, int Dimensions, access_mode AccessMode>
class host_accessor;

template <class T>
using buffer_allocator = std::allocator<T>;

namespace detail {

template <class Container, class T>
using if_container = std::enable_if_t<
    std::is_convertible_v<decltype(std::data(std::declval<Container &>())), const T *> &&
        std::is_convertible_v<decltype(std::size(std::declval<Container &>())), std::size_t>,
    int>;
template <class Iterator>
using if_iterator = std::enable_if_t<
    std::is_convertible_v<typename std::iterator_traits<Iterator>::iterator_category,
                          std::input_iterator_tag>,
    int>;

struct boolean {
  template <class T>
  boolean(const T &from) : value(from) {}
  bool value;
};

}  // namespace detail

// The last parameter, always void, is DPC++'s: programs specialize templates for a buffer of four.
template <class T, int Dimensions = 1, class AllocatorT = buffer_allocator<std::remove_const_t<T>>,
          class Always = void>
class buffer : public detail::owner_order<buffer<T, Dimensions, AllocatorT>> {
  static_assert(is_device_copyable_v<std::remove_const_t<T>>,
                "the elements of a buffer have to be device copyable");
  static_assert(Dimensions >= 1 && Dimensions <= 3, "a buffer has 1 to 3 dimensions");
  using element = std::remove_const_t<T>;

 public:
  using value_type = T;
  using reference = value_type &;
  using const_reference = const value_type &;
  using allocator_type = AllocatorT;

  buffer(const range<Dimensions> &bufferRange, AllocatorT allocator,
         const property_list &propList = {})
      : memory_{allocator},
        object_(elements, bufferRange, TN_CONTENTS_NONE, nullptr, propList, memory_) {}
  buffer(const range<Dimensions> &bufferRange, const property_list &propList = {})
      : object_(elements, bufferRange, TN_CONTENTS_NONE, nullptr, propList, memory_) {}

  buffer(T *hostData, const range<Dimensions> &bufferRange, AllocatorT allocator,
         const property_list &propList = {})
      : memory_{allocator},
        object_(elements, bufferRange, contents<T>, hostData, propList, memory_) {}
  buffer(T *hostData, const range<Dimensions> &bufferRange, const property_list &propList = {})
      : object_(elements, bufferRange, contents<T>, hostData, propList, memory_) {}
  template <class U = T, std::enable_if_t<!std::is_const_v<U>, int> = 0>
  buffer(const T *hostData, const range<Dimensions> &bufferRange, AllocatorT allocator,
         const property_list &propList = {})
      : memory_{allocator},
        object_(elements, bufferRange, TN_CONTENTS_CONSTANT, hostData, propList, memory_) {}
  template <class U = T, std::enable_if_t<!std::is_const_v<U>, int> = 0>
  buffer(const T *hostData, const range<Dimensions> &bufferRange,
         const property_list &propList = {})
      : object_(elements, bufferRange, TN_CONTENTS_CONSTANT, hostData, propList, memory_) {}

  template <class Container, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
            detail::if_container<Container, T> = 0>
  buffer(Container &container, AllocatorT allocator, const property_list &propList = {})
      : memory_{allocator},
        object_(elements, range<1>(std::size(container)), contents_of<Container>,
                std::data(container), propList, memory_) {}
  template <class Container, int D = Dimensions, std::enable_if_t<D == 1, int> = 0,
            detail::if_container<Container, T> = 0>
  buffer(Container &container, const property_list &propList = {})
      : object_(elements, range<1>(std::size(container)), contents_of<Container>,
                std::data(container), propList, memory_) {}

  buffer(const std::shared_ptr<T> &hostData, const range<Dimensions> &bufferRange,
         AllocatorT allocator, const property_list &propList = {});
  buffer(const std::shared_ptr<T> &hostData, const range<Dimensions> &bufferRange,
         const property_list &propList = {})
      : buffer(hostData, bufferRange, AllocatorT(), propList) {}
  buffer(const std::shared_ptr<T[]> &hostData, const range<Dimensions> &bufferRange,
         AllocatorT allocator, const property_list &propList = {})
      : buffer(std::shared_ptr<T>(hostData, hostData.get()), bufferRange, allocator, propList) {}
  buffer(const std::shared_ptr<T[]> &hostData, const range<Dimensions> &bufferRange,
         const property_list &propList = {})
      : buffer(hostData, bufferRange, AllocatorT(), propList) {}

  template <class InputIterator, detail::if_iterator<InputIterator> = 0, int D = Dimensions,
            std::enable_if_t<D == 1, int> = 0>
  buffer(InputIterator first, InputIterator last, AllocatorT allocator,
         const property_list &propList = {})
      : buffer(std::vector<in_array>(first, last), std::move(allocator), propList, copied()) {}
  template <class InputIterator, detail::if_iterator<InputIterator> = 0, int D = Dimensions,
            std::enable_if_t<D == 1, int> = 0>
  buffer(InputIterator first, InputIterator last, const property_list &propList = {})
      : buffer(first, last, AllocatorT(), propList) {}

  buffer(buffer &b, const id<Dimensions> &baseIndex, const range<Dimensions> &subRange)
      : memory_(b.memory_),
        object_(b.object_, elements, baseIndex.tn_values(), subRange) {}

  range<Dimensions> get_range() const { return object_.extent; }
  std::size_t size() const noexcept { return object_.extent.size(); }
  std::size_t byte_size() const noexcept { return size() * sizeof(T); }
  TN_SYCL_DEPRECATED("use buffer::size")
  std::size_t get_count() const { return size(); }
  TN_SYCL_DEPRECATED("use buffer::byte_size")
  std::size_t get_size() const { return byte_size(); }
  AllocatorT get_allocator() const {
    if constexpr (has_default_memory) {
      return AllocatorT();
    } else {
      return memory_.allocator;
    }
  }

  template <access_mode Mode = access_mode::read_write, target Targ = target::device>
  accessor<T, Dimensions, Mode, Targ, access::placeholder::false_t> get_access(
      handler &commandGroupHandler) {
    return {*this, commandGroupHandler};
  }
  template <access_mode Mode = access_mode::read_write, target Targ = target::device>
  accessor<T, Dimensions, Mode, Targ, access::placeholder::false_t> get_access(
      handler &commandGroupHandler, range<Dimensions> accessRange,
      id<Dimensions> accessOffset = {}) {
    return {*this, commandGroupHandler, accessRange, accessOffset};
  }
  template <access_mode Mode>
  TN_SYCL_DEPRECATED("use buffer::get_host_access")
  accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t> get_access() {
    return {*this};
  }
  template <access_mode Mode>
  TN_SYCL_DEPRECATED("use buffer::get_host_access")
  accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t> get_access(
      range<Dimensions> accessRange, id<Dimensions> accessOffset = {}) {
    return {*this, accessRange, accessOffset};
  }
  template <class... Ts>
  auto get_access(Ts... args) {
    return accessor{*this, args...};
  }
  template <class... Ts>
  auto get_access(handler &commandGroupHandler, Ts... args) {
    return accessor{*this, commandGroupHandler, args...};
  }
  template <class... Ts>
  auto get_host_access(Ts... args) {
    return host_accessor{*this, args...};
  }
  template <class... Ts>
  auto get_host_access(handler &commandGroupHandler, Ts... args) {
    return host_accessor{*this, commandGroupHandler, args...};
  }

  template <class Destination = std::nullptr_t>
  void set_final_data(Destination finalData = nullptr);
  void set_write_back(bool flag = true) { tn_buffer_enable_write_back(object_.object, flag); }
  bool is_sub_buffer() const { return tn_buffer_is_part(object_.object) != 0; }

  template <class ReinterpretT, int ReinterpretDim>
  buffer<ReinterpretT, ReinterpretDim,
         typename std::allocator_traits<AllocatorT>::template rebind_alloc<ReinterpretT>>
  reinterpret(range<ReinterpretDim> reinterpretRange) const;
  template <class ReinterpretT, int ReinterpretDim = Dimensions,
            std::enable_if_t<ReinterpretDim == 1 || (ReinterpretDim == Dimensions &&
                                                     sizeof(ReinterpretT) == sizeof(T)),
                             int> = 0>
  auto reinterpret() const {
    if constexpr (ReinterpretDim == Dimensions && sizeof(ReinterpretT) == sizeof(T)) {
      return reinterpret<ReinterpretT, ReinterpretDim>(object_.extent);
    } else {
      return reinterpret<ReinterpretT, 1>(range<1>(byte_size() / sizeof(ReinterpretT)));
    }
  }

  template <class Property>
  bool has_property() const noexcept {
    static_assert(is_property_v<Property>, "not a property");
    return (tn_buffer_properties(object_.object) & Property::tn_bit) != 0;
  }
  template <class Property>
  Property get_property() const {
    static_assert(is_property_v<Property>, "not a property");
    return detail::get_property<Property>(tn_buffer_properties(object_.object),
                                          tn_buffer_get_extra(object_.object));
  }

  friend bool operator==(const buffer &lhs, const buffer &rhs) noexcept {
    return lhs.object_.object == rhs.object_.object;
  }
  friend bool operator!=(const buffer &lhs, const buffer &rhs) noexcept { return !(lhs == rhs); }

  // The runtime's way of making one: takes over the owner's reference.
  struct tn_taken {};
  buffer(tn_buffer *taken, const range<Dimensions> &bufferRange, tn_taken)
      : object_(taken, bufferRange) {}
  buffer(tn_buffer *taken, const range<Dimensions> &bufferRange, const AllocatorT &allocator,
         tn_taken)
      : memory_{allocator}, object_(taken, bufferRange) {}

  // For accessors and the runtime.
  tn_buffer *tn_get() const noexcept { return object_.object; }
  const detail::buffer_object<Dimensions> &tn_object() const noexcept { return object_; }

 private:
  template <class, int, class, class>
  friend class buffer;
  static constexpr bool has_default_memory = std::is_same_v<AllocatorT, buffer_allocator<element>>;
  using memory = std::conditional_t<has_default_memory, detail::default_memory,
                                    detail::own_memory<AllocatorT>>;
  static constexpr tn_buffer_elements elements = {
      sizeof(tn_buffer_elements), std::is_const_v<T> ? TN_ELEMENTS_CONST : 0u, sizeof(T),
      Dimensions, alignof(T)};
  template <class Data>
  static constexpr std::uint32_t contents =
      std::is_const_v<Data> || std::is_const_v<T> ? TN_CONTENTS_CONSTANT : TN_CONTENTS_SHARED;
  template <class Container>
  static constexpr std::uint32_t contents_of =
      contents<std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>>;

  // std::vector<bool> has no array of its elements.
  using in_array = std::conditional_t<std::is_same_v<element, bool>, detail::boolean, element>;
  struct copied {};
  buffer(const std::vector<in_array> &data, AllocatorT allocator, const property_list &propList,
         copied)
      : memory_{allocator},
        object_(elements, range<1>(data.size()), TN_CONTENTS_COPIED, data.data(), propList,
                memory_) {}
  struct reinterpreted {};
  buffer(tn_buffer *same, const range<Dimensions> &range, AllocatorT allocator, reinterpreted)
      : memory_{allocator}, object_(same, elements, range) {}

  memory memory_;
  detail::buffer_object<Dimensions> object_;
};

template <class InputIterator, class AllocatorT, detail::if_iterator<InputIterator> = 0>
buffer(InputIterator, InputIterator, AllocatorT, const property_list & = {})
    -> buffer<typename std::iterator_traits<InputIterator>::value_type, 1, AllocatorT>;
template <class InputIterator, detail::if_iterator<InputIterator> = 0>
buffer(InputIterator, InputIterator, const property_list & = {})
    -> buffer<typename std::iterator_traits<InputIterator>::value_type, 1>;
template <class T, int Dimensions, class AllocatorT>
buffer(const T *, const range<Dimensions> &, AllocatorT, const property_list & = {})
    -> buffer<T, Dimensions, AllocatorT>;
template <class T, int Dimensions>
buffer(const T *, const range<Dimensions> &, const property_list & = {}) -> buffer<T, Dimensions>;
template <class Container, class AllocatorT>
buffer(Container &, AllocatorT, const property_list & = {})
    -> buffer<typename Container::value_type, 1, AllocatorT>;
template <class Container>
buffer(Container &, const property_list & = {}) -> buffer<typename Container::value_type, 1>;

template <class Property, class T, int Dimensions, class AllocatorT>
struct is_property_of<Property, buffer<T, Dimensions, AllocatorT>>
    : std::bool_constant<std::is_same_v<Property, property::buffer::use_host_ptr> ||
                         std::is_same_v<Property, property::buffer::use_mutex> ||
                         std::is_same_v<Property, property::buffer::context_bound> ||
                         std::is_same_v<Property,
                                        ext::oneapi::property::buffer::use_pinned_host_memory>> {
};

}  // namespace sycl

template <class T, int Dimensions, class AllocatorT>
struct std::hash<sycl::buffer<T, Dimensions, AllocatorT>> {
  std::size_t operator()(const sycl::buffer<T, Dimensions, AllocatorT> &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
