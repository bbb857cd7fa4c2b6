// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::accessor. Source: SYCL 2020 section 4.7.6.9.
#ifndef TENON_SYCL_ACCESSOR_HPP
#define TENON_SYCL_ACCESSOR_HPP

#include <sycl/detail/accessor_base.hpp>
#include <sycl/detail/owner_order.hpp>
#ifndef __TENON_RTC__
#include <sycl/buffer.hpp>
#include <sycl/ext/oneapi/accessor_property_list.hpp>
#endif

namespace sycl {

#ifdef __TENON_RTC__
class handler;
template <class T, int Dimensions, class AllocatorT, class Always = void>
class buffer;
#endif

namespace detail {
template <class DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder, class Value>
struct flat_iterator<accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>, Value> {
  using type = element_iterator<Value>;
};
}  // namespace detail

template <class DataT, int Dimensions = 1,
          access_mode AccessMode =
              (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write),
          target AccessTarget = target::device,
          access::placeholder IsPlaceholder = access::placeholder::false_t, class PropertyListT>
class accessor : public detail::accessor_members<
                     accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>, DataT,
                     AccessMode, Dimensions>,
                 public detail::owner_order<
                     accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>> {
  using members = detail::accessor_members<accessor, DataT, AccessMode, Dimensions>;
  using tag_type = detail::access_tag<AccessMode, AccessTarget>;
  static constexpr int places = members::places;
  using typename members::id_type;
  using typename members::range_type;
  template <class T>
  using if_shows = typename members::template if_shows<T>;
  template <class T>
  using if_dimensions = typename members::template if_dimensions<T>;
  static_assert(std::is_same_v<PropertyListT, ext::oneapi::accessor_property_list<>>,
                "the last argument of accessor is an ext::oneapi::accessor_property_list");
  static_assert(AccessTarget != target::image && AccessTarget != target::host_image &&
                    AccessTarget != target::image_array,
                "accessors of images are declared by <sycl/accessor_image.hpp>");
  static_assert(AccessTarget != target::constant_buffer || AccessMode == access_mode::read,
                "an accessor with target::constant_buffer has access_mode::read");

 public:
  using typename members::reference;
  using typename members::value_type;
  template <access::decorated IsDecorated>
  using accessor_ptr = std::conditional_t<
      AccessTarget == target::host_task, value_type *,
      multi_ptr<value_type,
                AccessTarget == target::constant_buffer ? access::address_space::constant_space
                                                        : access::address_space::global_space,
                IsDecorated>>;

  accessor() = default;

  template <class T, class A, if_shows<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, const property_list &propList = {})
      : state_(bufferRef.tn_object(), nullptr, nullptr, nullptr, flags, propList) {}
  template <class T, class A, if_shows<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef,
           const property_list &propList = {})
      : state_(bufferRef.tn_object(), nullptr, nullptr, &commandGroupHandlerRef, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, tag_type, const property_list &propList = {})
      : state_(bufferRef.tn_object(), nullptr, nullptr, nullptr, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef, tag_type,
           const property_list &propList = {})
      : state_(bufferRef.tn_object(), nullptr, nullptr, &commandGroupHandlerRef, flags, propList) {}

  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, range_type accessRange, id_type accessOffset,
           const property_list &propList = {})
      : state_(bufferRef.tn_object(), &accessRange, &accessOffset, nullptr, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, range_type accessRange, id_type accessOffset, tag_type,
           const property_list &propList = {})
      : accessor(bufferRef, accessRange, accessOffset, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, range_type accessRange,
           const property_list &propList = {})
      : state_(bufferRef.tn_object(), &accessRange, nullptr, nullptr, flags, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, range_type accessRange, tag_type,
           const property_list &propList = {})
      : accessor(bufferRef, accessRange, propList) {}

  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef, range_type accessRange,
           id_type accessOffset, const property_list &propList = {})
      : state_(bufferRef.tn_object(), &accessRange, &accessOffset, &commandGroupHandlerRef, flags,
               propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef, range_type accessRange,
           id_type accessOffset, tag_type, const property_list &propList = {})
      : accessor(bufferRef, commandGroupHandlerRef, accessRange, accessOffset, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef, range_type accessRange,
           const property_list &propList = {})
      : state_(bufferRef.tn_object(), &accessRange, nullptr, &commandGroupHandlerRef, flags,
               propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  accessor(buffer<T, places, A> &bufferRef, handler &commandGroupHandlerRef, range_type accessRange,
           tag_type, const property_list &propList = {})
      : accessor(bufferRef, commandGroupHandlerRef, accessRange, propList) {}

  template <
      class Other, access_mode OtherMode,
      std::enable_if_t<detail::is_read_conversion<DataT, AccessMode, Other, OtherMode>, int> = 0>
  accessor(const accessor<Other, Dimensions, OtherMode, AccessTarget, IsPlaceholder> &other)
      : state_(other.tn_state()) {
    // The command group reads through it, whatever the accessor it came from may do.
    constexpr std::size_t replaced = detail::link_access_mask | detail::link_no_init;
    state_.link.flags = (state_.link.flags & ~replaced) | flags;
  }

  bool is_placeholder() const { return (state_.link.flags & detail::link_placeholder) != 0; }
  TN_SYCL_DEPRECATED("use accessor::byte_size")
  std::size_t get_size() const noexcept { return this->byte_size(); }
  TN_SYCL_DEPRECATED("use accessor::size")
  std::size_t get_count() const noexcept { return this->size(); }

  template <class Assigned, std::enable_if_t<members::template is_assignable<Assigned>, int> = 0>
  const accessor &operator=(const Assigned &other) const {
    static_cast<reference>(*this) = other;
    return *this;
  }

  // To the buffer's first element, also of a ranged accessor. See sycl/multi_ptr.hpp.
  template <access::decorated IsDecorated>
  accessor_ptr<IsDecorated> get_multi_ptr() const noexcept {
    return accessor_ptr<IsDecorated>(static_cast<value_type *>(state_.link.data));
  }
  template <target Target = AccessTarget, std::enable_if_t<Target == target::host_task, int> = 0>
  std::add_pointer_t<value_type> get_pointer() const noexcept {
    return static_cast<value_type *>(state_.link.data);
  }
  template <target Target = AccessTarget, std::enable_if_t<Target == target::device, int> = 0>
  TN_SYCL_DEPRECATED("use accessor::get_multi_ptr")
  accessor_ptr<access::decorated::legacy> get_pointer() const noexcept {
    return accessor_ptr<access::decorated::legacy>(static_cast<value_type *>(state_.link.data));
  }
  // The pointer's elements are DataT, although they are only read.
  template <target Target = AccessTarget,
            std::enable_if_t<Target == target::constant_buffer, int> = 0>
  TN_SYCL_DEPRECATED("use target::device")
  multi_ptr<DataT, access::address_space::constant_space, access::decorated::legacy> get_pointer()
      const noexcept {
    return static_cast<DataT *>(state_.link.data);
  }

  friend bool operator==(const accessor &lhs, const accessor &rhs) noexcept {
    return lhs.state_.link.flags == rhs.state_.link.flags &&
           lhs.state_.link.buffer == rhs.state_.link.buffer;
  }
  friend bool operator!=(const accessor &lhs, const accessor &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For the runtime and the base class.
  void *tn_data() const noexcept { return state_.link.data; }
  const detail::accessor_link &tn_link() const noexcept { return state_.link; }
  const detail::accessor_view<Dimensions> &tn_view() const noexcept { return state_.view; }
  const detail::accessor_state<Dimensions> &tn_state() const noexcept { return state_; }
  bool tn_is_no_init() const noexcept { return (state_.link.flags & detail::link_no_init) != 0; }

 private:
  static constexpr std::size_t flags =
      detail::access_bits(AccessMode) |
      (AccessTarget == target::host_task ? detail::link_on_host : 0);

  // Both passes have the same bytes here; the first is the address that the runtime writes.
  detail::accessor_state<Dimensions> state_;
};

template <class T, int D, class A>
accessor(buffer<T, D, A> &, const property_list & = {}) -> accessor<T, D>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &, const property_list & = {}) -> accessor<T, D>;
template <class T, int D, class A, access_mode M, target Tg>
accessor(buffer<T, D, A> &, detail::access_tag<M, Tg>, const property_list & = {})
    -> accessor<T, D, M, Tg>;
template <class T, int D, class A, access_mode M, target Tg>
accessor(buffer<T, D, A> &, handler &, detail::access_tag<M, Tg>, const property_list & = {})
    -> accessor<T, D, M, Tg>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, range<D>, const property_list & = {}) -> accessor<T, D>;
template <class T, int D, class A, access_mode M, target Tg>
accessor(buffer<T, D, A> &, range<D>, detail::access_tag<M, Tg>, const property_list & = {})
    -> accessor<T, D, M, Tg>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, range<D>, id<D>, const property_list & = {}) -> accessor<T, D>;
template <class T, int D, class A, access_mode M, target Tg>
accessor(buffer<T, D, A> &, range<D>, id<D>, detail::access_tag<M, Tg>, const property_list & = {})
    -> accessor<T, D, M, Tg>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &, range<D>, const property_list & = {}) -> accessor<T, D>;
template <class T, int D, class A, access_mode M, target Tg>
accessor(buffer<T, D, A> &, handler &, range<D>, detail::access_tag<M, Tg>,
         const property_list & = {}) -> accessor<T, D, M, Tg>;
template <class T, int D, class A>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, const property_list & = {})
    -> accessor<T, D>;
template <class T, int D, class A, access_mode M, target Tg>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, detail::access_tag<M, Tg>,
         const property_list & = {}) -> accessor<T, D, M, Tg>;

template <class DataT, int D, access_mode M, target Tg, access::placeholder P, class Properties>
struct is_property_of<property::no_init, accessor<DataT, D, M, Tg, P, Properties>>
    : std::true_type {};

#ifndef __TENON_RTC__

// With properties in its type.
template <class DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder, class Property, class... Properties>
class accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder,
               ext::oneapi::accessor_property_list<Property, Properties...>>
    : public accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder> {
  using base = accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>;
  using list = ext::oneapi::accessor_property_list<Property, Properties...>;
  template <class P>
  static constexpr bool is_static = ext::oneapi::is_compile_time_property<P>::value;

 public:
  using base::base;
  using base::operator=;

  template <class P, std::enable_if_t<is_static<P>, int> = 0>
  static constexpr bool has_property() noexcept {
    return list::template has_property<P>();
  }
  template <class P, std::enable_if_t<!is_static<P>, int> = 0>
  bool has_property() const noexcept {
    return base::template has_property<P>();
  }
  template <class P, std::enable_if_t<is_static<P>, int> = 0>
  static constexpr auto get_property() noexcept {
    return list::template get_property<P>();
  }
  template <class P, std::enable_if_t<!is_static<P>, int> = 0>
  P get_property() const {
    return base::template get_property<P>();
  }
};

// Of lists that are not empty: braces stand for a property_list.
#define TN_SYCL_LISTED_GUIDE(...)                                                              \
  template <class T, int D, class A, class P, class... Ps>                                     \
  accessor(__VA_ARGS__, const ext::oneapi::accessor_property_list<P, Ps...> &)                 \
      -> accessor<T, D, access_mode::read_write, target::device, access::placeholder::false_t, \
                  ext::oneapi::accessor_property_list<P, Ps...>>;                              \
  template <class T, int D, class A, access_mode M, target Tg, class P, class... Ps>           \
  accessor(__VA_ARGS__, detail::access_tag<M, Tg>,                                             \
           const ext::oneapi::accessor_property_list<P, Ps...> &)                              \
      -> accessor<T, D, M, Tg, access::placeholder::false_t,                                   \
                  ext::oneapi::accessor_property_list<P, Ps...>>;
TN_SYCL_LISTED_GUIDE(buffer<T, D, A> &)
TN_SYCL_LISTED_GUIDE(buffer<T, D, A> &, range<D>)
TN_SYCL_LISTED_GUIDE(buffer<T, D, A> &, range<D>, id<D>)
TN_SYCL_LISTED_GUIDE(buffer<T, D, A> &, handler &)
TN_SYCL_LISTED_GUIDE(buffer<T, D, A> &, handler &, range<D>)
TN_SYCL_LISTED_GUIDE(buffer<T, D, A> &, handler &, range<D>, id<D>)
#undef TN_SYCL_LISTED_GUIDE

#endif

}  // namespace sycl

#ifndef __TENON_RTC__
template <class DataT, int D, sycl::access_mode M, sycl::target Tg, sycl::access::placeholder P,
          class Properties>
struct std::hash<sycl::accessor<DataT, D, M, Tg, P, Properties>> {
  std::size_t operator()(const sycl::accessor<DataT, D, M, Tg, P> &object) const noexcept {
    return object.tn_link().flags;
  }
};
#endif

#endif
