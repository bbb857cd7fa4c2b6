// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::is_device_copyable. Source: SYCL 2020 sections 3.13.1, 4.12.3.
#ifndef TENON_SYCL_DEVICE_COPYABLE_HPP
#define TENON_SYCL_DEVICE_COPYABLE_HPP

#include <sycl/detail/macros.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

#if defined(__GLIBCXX__)
namespace std {
template <class...>
class tuple;
template <class...>
class variant;
template <class>
class optional;
template <class, size_t>
struct array;
}  // namespace std
#define TN_SYCL_STD_FORWARD_DECLARED 1
#endif

namespace sycl {

// The compiler's own trait: the library's is ten class templates for each kernel function.
template <class T>
struct is_device_copyable : std::bool_constant<__is_trivially_copyable(T)> {};
template <class T>
inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

template <class T>
struct is_device_copyable<const T> : is_device_copyable<T> {};
template <class T>
struct is_device_copyable<volatile T> : is_device_copyable<T> {};
template <class T>
struct is_device_copyable<const volatile T> : is_device_copyable<T> {};
template <class T, std::size_t Size>
struct is_device_copyable<T[Size]> : is_device_copyable<T> {};
template <class T, std::size_t Size>
struct is_device_copyable<const T[Size]> : is_device_copyable<T> {};
template <class T, class U>
struct is_device_copyable<std::pair<T, U>>
    : std::bool_constant<is_device_copyable_v<T> && is_device_copyable_v<U>> {};
#ifdef TN_SYCL_STD_FORWARD_DECLARED
template <class... T>
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(is_device_copyable_v<T> && ...)> {
};
template <class... T>
struct is_device_copyable<std::variant<T...>>
    : std::bool_constant<(is_device_copyable_v<T> && ...)> {};
template <class T>
struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <class T, std::size_t Size>
struct is_device_copyable<std::array<T, Size>>
    : std::bool_constant<Size == 0 || is_device_copyable_v<T>> {};
#endif

}  // namespace sycl

#endif
