// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::specialization_id, and the variable that device code reads for one.
// Source: SYCL 2020 section 4.9.5; docs/decisions/specialization-constants.md.
#ifndef TENON_SYCL_SPECIALIZATION_ID_HPP
#define TENON_SYCL_SPECIALIZATION_ID_HPP

#include <sycl/device_copyable.hpp>

#include <type_traits>

namespace sycl {

namespace detail {
struct spec_access;
}

// Declared constexpr or const, at namespace scope or as a static member; its address is its
// identity.
template <class T>
class specialization_id {
 public:
  using value_type = T;

  template <class... Args>
  explicit constexpr specialization_id(Args &&...args) : default_(static_cast<Args &&>(args)...) {}

  specialization_id(const specialization_id &) = delete;
  specialization_id(specialization_id &&) = delete;
  specialization_id &operator=(const specialization_id &) = delete;
  specialization_id &operator=(specialization_id &&) = delete;

 private:
  static_assert(std::is_same_v<T, std::remove_cv_t<std::remove_reference_t<T>>>,
                "specialization_id: the type is not const, volatile or a reference");
  static_assert(is_device_copyable_v<T>, "specialization_id: the type has to be device copyable");
  friend struct detail::spec_access;

  T default_;
};

namespace detail {

template <class Id>
struct spec_type {
  static_assert(std::is_void_v<Id>,
                "a specialization constant is named by a sycl::specialization_id");
  using type = int;  // one error is enough
};
template <class T>
struct spec_type<specialization_id<T>> {
  using type = T;
};
template <auto &Id>
using spec_value_t =
    typename spec_type<std::remove_cv_t<std::remove_reference_t<decltype(Id)>>>::type;

struct spec_access {
  template <class T>
  static constexpr const T &default_of(const specialization_id<T> &id) noexcept {
    return id.default_;
  }
};

#ifdef __SYCL_DEVICE_ONLY__
// Whether the default can be read at compile time, as that of a constexpr id.
template <auto &Id, class = void>
inline constexpr bool is_spec_constexpr = false;
template <auto &Id>
inline constexpr bool is_spec_constexpr<
    Id,
    std::enable_if_t<(static_cast<void>(spec_value_t<Id>(spec_access::default_of(Id))), true)>> =
    true;

// Of an id that is const alone, the front end may not read the default: compile/lower copies the
// initializer of the id's own variable. It finds this type by its name.
struct spec_reference {
  const void *id;
};
template <auto &Id>
using spec_variable = std::conditional_t<is_spec_constexpr<Id>, spec_value_t<Id>, spec_reference>;
template <auto &Id>
constexpr spec_variable<Id> spec_initial() noexcept {
  if constexpr (is_spec_constexpr<Id>) {
    return spec_access::default_of(Id);
  } else {
    return {__builtin_addressof(Id)};
  }
}
#endif

// Its name is how both sides call the constant. In device code `value` is a variable that is not
// constant as far as clang knows: compile/lower finds it by its symbol, and what is built gets the
// value of the launch in its place. What an error here says about a constant initializer: copying
// the default has to be constexpr.
template <auto &Id>
struct spec_constant {
#ifdef __SYCL_DEVICE_ONLY__
  [[_Clang::__require_constant_initialization__]] static spec_variable<Id> value;
#endif
};
#ifdef __SYCL_DEVICE_ONLY__
template <auto &Id>
spec_variable<Id> spec_constant<Id>::value = spec_initial<Id>();
#endif

}  // namespace detail

}  // namespace sycl

#endif
