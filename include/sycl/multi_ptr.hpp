// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::multi_ptr, its aliases and casts. Source: SYCL 2020 sections 4.7.7.1, 4.7.7.2; of
// khr::static_addrspace_cast the extension sycl_khr_static_addrspace_cast.
// A decorated pointer is the plain one: memory of all address spaces has one kind of address.
#ifndef TENON_SYCL_MULTI_PTR_HPP
#define TENON_SYCL_MULTI_PTR_HPP

#include <sycl/access.hpp>

#include <cstddef>
#include <type_traits>

#if defined(__GLIBCXX__) && __has_include(<bits/stl_iterator_base_types.h>)
#include <bits/stl_iterator_base_types.h>  // the part of <iterator> that has the tags
#else
#include <iterator>
#endif

namespace sycl {

template <class DataT, int Dimensions>
class local_accessor;

template <class T>
struct remove_decoration {
  using type = T;
};
template <class T>
using remove_decoration_t = typename remove_decoration<T>::type;

namespace detail {

using access::address_space;

// A U * may become a T * without a cast.
template <class U, class T>
inline constexpr bool points_alike =
    (std::is_const_v<T> || !std::is_const_v<U>) &&
    (std::is_void_v<T> || std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>>);
// A cast back from void.
template <class U, class T>
inline constexpr bool points_from_void =
    std::is_void_v<U> && !std::is_void_v<T> && (std::is_const_v<T> || !std::is_const_v<U>);

// Global memory of which it is said whose USM it is.
template <address_space Space>
inline constexpr bool is_usm_space = Space == address_space::ext_intel_global_device_space ||
                                     Space == address_space::ext_intel_global_host_space;

template <address_space From, address_space To>
inline constexpr bool widens_space =
    From == To || (To == address_space::generic_space && From != address_space::constant_space) ||
    (To == address_space::global_space && is_usm_space<From>);
template <address_space From, address_space To>
inline constexpr bool narrows_space =
    (From == address_space::generic_space && To != address_space::generic_space &&
     To != address_space::constant_space) ||
    (From == address_space::global_space && is_usm_space<To>);

// Which accessors' memory a pointer may be made to.
template <address_space Space>
inline constexpr bool is_global_like = Space == address_space::global_space ||
                                       Space == address_space::generic_space || is_usm_space<Space>;
template <address_space Space>
inline constexpr bool is_local_like =
    Space == address_space::local_space || Space == address_space::generic_space;

// A parameter that takes an argument of no other type.
template <class P, class T>
using if_same = std::enable_if_t<std::is_same_v<P, T>, int>;

#define TN_SYCL_POINTER_COMPARE(op)                                        \
  friend bool operator op(const Self &lhs, const Self &rhs) noexcept {     \
    return lhs.get_raw() op rhs.get_raw();                                 \
  }                                                                        \
  friend bool operator op(const Self &lhs, std::nullptr_t) noexcept {      \
    return lhs.get_raw() op static_cast<decltype(lhs.get_raw())>(nullptr); \
  }                                                                        \
  friend bool operator op(std::nullptr_t, const Self &rhs) noexcept {      \
    return static_cast<decltype(rhs.get_raw())>(nullptr) op rhs.get_raw(); \
  }                                                                        \
  template <class P, if_same<P, ElementType *> = 0>                        \
  friend bool operator op(const Self &lhs, P rhs) noexcept {               \
    return lhs.get_raw() op rhs;                                           \
  }                                                                        \
  template <class P, if_same<P, ElementType *> = 0>                        \
  friend bool operator op(P lhs, const Self &rhs) noexcept {               \
    return lhs op rhs.get_raw();                                           \
  }

template <class Self, class ElementType>
struct pointer_operators {
  TN_SYCL_POINTER_COMPARE(==)
  TN_SYCL_POINTER_COMPARE(!=)
  TN_SYCL_POINTER_COMPARE(<)
  TN_SYCL_POINTER_COMPARE(>)
  TN_SYCL_POINTER_COMPARE(<=)
  TN_SYCL_POINTER_COMPARE(>=)

  friend Self &operator+=(Self &lhs, std::ptrdiff_t r) noexcept { return lhs.tn_move(r); }
  friend Self &operator-=(Self &lhs, std::ptrdiff_t r) noexcept { return lhs.tn_move(-r); }
  friend Self &operator++(Self &mp) noexcept { return mp.tn_move(1); }
  friend Self &operator--(Self &mp) noexcept { return mp.tn_move(-1); }
  friend Self operator++(Self &mp, int) noexcept {
    const Self before = mp;
    mp.tn_move(1);
    return before;
  }
  friend Self operator--(Self &mp, int) noexcept {
    const Self before = mp;
    mp.tn_move(-1);
    return before;
  }
  friend Self operator+(const Self &lhs, std::ptrdiff_t r) noexcept {
    Self result = lhs;
    return result.tn_move(r);
  }
  friend Self operator-(const Self &lhs, std::ptrdiff_t r) noexcept {
    Self result = lhs;
    return result.tn_move(-r);
  }
};

#undef TN_SYCL_POINTER_COMPARE

}  // namespace detail

// ElementType may be void and const void; then there is nothing to dereference or to step over.
template <class ElementType, access::address_space Space, access::decorated DecorateAddress>
class multi_ptr : public detail::pointer_operators<multi_ptr<ElementType, Space, DecorateAddress>,
                                                   ElementType> {
  static constexpr bool is_legacy = DecorateAddress == access::decorated::legacy;

 public:
  static constexpr bool is_decorated = DecorateAddress == access::decorated::yes;
  static constexpr access::address_space address_space = Space;

  using value_type = ElementType;
  using pointer = ElementType *;
  using reference = std::add_lvalue_reference_t<ElementType>;
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  // The names of decorated::legacy.
  using element_type = ElementType;
  using pointer_t = ElementType *;
  using const_pointer_t = const ElementType *;
  using reference_t = reference;
  using const_reference_t = std::add_lvalue_reference_t<const ElementType>;

  multi_ptr() noexcept : pointer_(nullptr) {}
  multi_ptr(std::nullptr_t) noexcept : pointer_(nullptr) {}
  template <bool IsLegacy = is_legacy, std::enable_if_t<!IsLegacy, int> = 0>
  explicit multi_ptr(pointer ptr) noexcept : pointer_(ptr) {}
  template <bool IsLegacy = is_legacy, std::enable_if_t<IsLegacy, int> = 0, class = void>
  multi_ptr(pointer ptr) noexcept : pointer_(ptr) {}

  // To const, to void, to generic, and between decorated and not.
  template <class U, access::address_space From, access::decorated D,
            std::enable_if_t<
                detail::points_alike<U, ElementType> && detail::widens_space<From, Space>, int> = 0>
  multi_ptr(const multi_ptr<U, From, D> &other) noexcept : pointer_(other.get_raw()) {}
  // From generic to the space that the caller knows it is, and from void.
  template <class U, access::address_space From, access::decorated D,
            std::enable_if_t<(detail::points_alike<U, ElementType> &&
                              detail::narrows_space<From, Space>) ||
                                 (detail::points_from_void<U, ElementType> && From == Space),
                             int> = 0,
            class = void>
  explicit multi_ptr(const multi_ptr<U, From, D> &other) noexcept
      : pointer_(static_cast<pointer>(other.get_raw())) {}

  template <class T, int Dimensions, access_mode Mode, access::placeholder P,
            std::enable_if_t<
                detail::is_global_like<Space> &&
                    detail::points_alike<std::conditional_t<Mode == access_mode::read, const T, T>,
                                         ElementType>,
                int> = 0>
  multi_ptr(const accessor<T, Dimensions, Mode, target::device, P> &acc) noexcept
      : pointer_(acc.template get_multi_ptr<access::decorated::no>().get_raw()) {}
  template <class T, int Dimensions,
            std::enable_if_t<detail::is_local_like<Space> && detail::points_alike<T, ElementType>,
                             int> = 0>
  multi_ptr(const local_accessor<T, Dimensions> &acc) noexcept
      : pointer_(acc.template get_multi_ptr<access::decorated::no>().get_raw()) {}
  template <class T, int Dimensions, access_mode Mode, access::placeholder P,
            std::enable_if_t<detail::is_local_like<Space> && detail::points_alike<T, ElementType>,
                             int> = 0,
            class = void>
  multi_ptr(const accessor<T, Dimensions, Mode, target::local, P> &acc) noexcept
      : pointer_(acc.template get_multi_ptr<access::decorated::no>().get_raw()) {}

  // As it came, without a thought of const: such memory is only read.
  template <class T, int Dimensions, access_mode Mode, access::placeholder P,
            std::enable_if_t<
                Space == access::address_space::constant_space &&
                    (std::is_void_v<ElementType> ||
                     std::is_same_v<std::remove_const_t<T>, std::remove_const_t<ElementType>>),
                int> = 0>
  multi_ptr(const accessor<T, Dimensions, Mode, target::constant_buffer, P> &acc) noexcept
      : pointer_(const_cast<std::remove_const_t<T> *>(acc.get_pointer().get_raw())) {}

  multi_ptr(const multi_ptr &) = default;
  multi_ptr(multi_ptr &&) = default;
  multi_ptr &operator=(const multi_ptr &) = default;
  multi_ptr &operator=(multi_ptr &&) = default;
  multi_ptr &operator=(std::nullptr_t) noexcept {
    pointer_ = nullptr;
    return *this;
  }

  reference operator*() const noexcept { return *pointer_; }
  pointer operator->() const noexcept { return pointer_; }
  reference operator[](std::ptrdiff_t index) const noexcept { return pointer_[index]; }

  pointer get() const noexcept { return pointer_; }
  pointer get_raw() const noexcept { return pointer_; }
  pointer get_decorated() const noexcept { return pointer_; }
  operator pointer() const noexcept { return pointer_; }

  // A hint.
  void prefetch(std::size_t numElements) const noexcept {
    static_assert(Space == access::address_space::global_space || is_legacy,
                  "prefetch is for global memory");
    constexpr std::size_t line = 64;
    const char *bytes = reinterpret_cast<const char *>(pointer_);
    for (std::size_t at = 0; at < numElements * sizeof(ElementType); at += line) {
      __builtin_prefetch(bytes + at);
    }
  }

  // For the operators.
  multi_ptr &tn_move(std::ptrdiff_t count) noexcept {
    pointer_ += count;
    return *this;
  }

 private:
  pointer pointer_;
};

template <class T, int Dimensions, access::placeholder P>
multi_ptr(const accessor<T, Dimensions, access_mode::read, target::device, P> &)
    -> multi_ptr<const T, access::address_space::global_space, access::decorated::no>;
template <class T, int Dimensions, access::placeholder P>
multi_ptr(const accessor<T, Dimensions, access_mode::write, target::device, P> &)
    -> multi_ptr<T, access::address_space::global_space, access::decorated::no>;
template <class T, int Dimensions, access::placeholder P>
multi_ptr(const accessor<T, Dimensions, access_mode::read_write, target::device, P> &)
    -> multi_ptr<T, access::address_space::global_space, access::decorated::no>;
template <class T, int Dimensions, access::placeholder P>
multi_ptr(const accessor<T, Dimensions, access_mode::read, target::constant_buffer, P> &)
    -> multi_ptr<const T, access::address_space::constant_space, access::decorated::no>;
template <class T, int Dimensions>
multi_ptr(const local_accessor<T, Dimensions> &)
    -> multi_ptr<T, access::address_space::local_space, access::decorated::no>;

template <access::address_space Space, access::decorated DecorateAddress, class ElementType>
multi_ptr<ElementType, Space, DecorateAddress> address_space_cast(ElementType *ptr) noexcept {
  return multi_ptr<ElementType, Space, DecorateAddress>(ptr);
}
template <class ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy>  // as in SYCL 1.2.1
TN_SYCL_DEPRECATED("use address_space_cast")
multi_ptr<ElementType, Space, DecorateAddress> make_ptr(ElementType *ptr) noexcept {
  return multi_ptr<ElementType, Space, DecorateAddress>(ptr);
}

namespace khr {
template <access::address_space Space, class ElementType>
multi_ptr<ElementType, Space, access::decorated::no> static_addrspace_cast(
    ElementType *ptr) noexcept {
  return multi_ptr<ElementType, Space, access::decorated::no>(ptr);
}
template <access::address_space Space, class ElementType, access::decorated DecorateAddress>
multi_ptr<ElementType, Space, DecorateAddress> static_addrspace_cast(
    multi_ptr<ElementType, access::address_space::generic_space, DecorateAddress> ptr) noexcept {
  return multi_ptr<ElementType, Space, DecorateAddress>(ptr.get_raw());
}
}  // namespace khr

template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using global_ptr = multi_ptr<ElementType, access::address_space::global_space, IsDecorated>;
template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using generic_ptr = multi_ptr<ElementType, access::address_space::generic_space, IsDecorated>;
template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using local_ptr = multi_ptr<ElementType, access::address_space::local_space, IsDecorated>;
template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using private_ptr = multi_ptr<ElementType, access::address_space::private_space, IsDecorated>;
template <class ElementType>
using constant_ptr =
    multi_ptr<ElementType, access::address_space::constant_space, access::decorated::legacy>;

template <class ElementType>
using raw_global_ptr = global_ptr<ElementType, access::decorated::no>;
template <class ElementType>
using raw_generic_ptr = generic_ptr<ElementType, access::decorated::no>;
template <class ElementType>
using raw_local_ptr = local_ptr<ElementType, access::decorated::no>;
template <class ElementType>
using raw_private_ptr = private_ptr<ElementType, access::decorated::no>;
template <class ElementType>
using decorated_global_ptr = global_ptr<ElementType, access::decorated::yes>;
template <class ElementType>
using decorated_generic_ptr = generic_ptr<ElementType, access::decorated::yes>;
template <class ElementType>
using decorated_local_ptr = local_ptr<ElementType, access::decorated::yes>;
template <class ElementType>
using decorated_private_ptr = private_ptr<ElementType, access::decorated::yes>;

}  // namespace sycl

#endif
