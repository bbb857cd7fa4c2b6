// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of properties whose types say which they are.
// Source: the SYCL extension sycl_ext_oneapi_properties.
#ifndef TENON_SYCL_EXT_PROPERTIES_HPP
#define TENON_SYCL_EXT_PROPERTIES_HPP

#include <type_traits>

namespace sycl::ext::oneapi::experimental {

// A property that is known at compile time: all of it is its type.
template <class Key, auto... Values>
struct property_value {
  using key_t = Key;
};
template <class Key, auto Value>
struct property_value<Key, Value> {
  using key_t = Key;
  using value_t = decltype(Value);
  static constexpr value_t value = Value;
};
template <class Key, auto... A, auto... B>
constexpr bool operator==(property_value<Key, A...>, property_value<Key, B...>) noexcept {
  return std::is_same_v<property_value<Key, A...>, property_value<Key, B...>>;
}
template <class Key, auto... A, auto... B>
constexpr bool operator!=(property_value<Key, A...>, property_value<Key, B...>) noexcept {
  return !std::is_same_v<property_value<Key, A...>, property_value<Key, B...>>;
}

// A function object's get(properties_tag) gives the properties of the kernel
// (sycl_ext_oneapi_kernel_properties).
struct properties_tag {};

template <class T>
struct is_property_key : std::false_type {};
template <class T, class = void>
struct is_property_value : is_property_key<T> {};
template <class T>
struct is_property_value<T, std::void_t<typename T::key_t>> : is_property_key<typename T::key_t> {};
template <class T>
inline constexpr bool is_property_key_v = is_property_key<T>::value;
template <class T>
inline constexpr bool is_property_value_v = is_property_value<T>::value;

// Properties of different types, each once.
template <class... Properties>
class properties : private Properties... {
  static_assert((is_property_value_v<Properties> && ...), "not a property");

  template <class T, class = void>
  struct key_of {
    using type = T;
  };
  template <class T>
  struct key_of<T, std::void_t<typename T::key_t>> {
    using type = typename T::key_t;
  };
  template <class Key, class First, class... Rest>
  static constexpr auto find(const First *, const Rest *...rest) noexcept {
    if constexpr (std::is_same_v<Key, typename key_of<First>::type>) {
      return static_cast<const First *>(nullptr);
    } else {
      return find<Key>(rest...);
    }
  }
  template <class Key>
  static constexpr const Key *find() noexcept {
    return nullptr;
  }
  template <class Key>
  using found = std::remove_cv_t<
      std::remove_pointer_t<decltype(find<Key>(static_cast<const Properties *>(nullptr)...))>>;

 public:
  constexpr properties(const Properties &...props) : Properties(props)... {}

  template <class Property>
  static constexpr bool has_property() noexcept {
    return (std::is_same_v<Property, typename key_of<Properties>::type> || ...);
  }
  // Of one that is known at compile time: a value of its type.
  template <class Property, std::enable_if_t<!std::is_same_v<found<Property>, Property>, int> = 0>
  static constexpr found<Property> get_property() noexcept {
    return {};
  }
  template <class Property, std::enable_if_t<std::is_same_v<found<Property>, Property>, int> = 0>
  constexpr const Property &get_property() const noexcept {
    static_assert(has_property<Property>(), "the list has no such property");
    return *this;
  }
};
template <class... Properties>
properties(const Properties &...) -> properties<Properties...>;
using empty_properties_t = properties<>;

template <class T>
struct is_property_list : std::false_type {};
template <class... Properties>
struct is_property_list<properties<Properties...>> : std::true_type {};
template <class T>
inline constexpr bool is_property_list_v = is_property_list<T>::value;

}  // namespace sycl::ext::oneapi::experimental

#endif
