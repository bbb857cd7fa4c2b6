// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::ext::oneapi::accessor_property_list: properties of an accessor that are part of its type,
// and properties of SYCL 2020. no_alias and no_offset are promises that nothing is made of.
// Source: sycl_ext_oneapi_accessor_properties.
#ifndef TENON_SYCL_EXT_ACCESSOR_PROPERTY_LIST_HPP
#define TENON_SYCL_EXT_ACCESSOR_PROPERTY_LIST_HPP

#include <sycl/access.hpp>
#include <sycl/property.hpp>

namespace sycl {

namespace ext::oneapi {

namespace property {
// An `instance` stands in lists; the class around it is the property's name.
struct no_offset {
  template <bool Value = true>
  struct instance {
    using tn_property = no_offset;
    friend constexpr bool operator==(const instance &, const instance &) { return true; }
    friend constexpr bool operator!=(const instance &, const instance &) { return false; }
  };
};
struct no_alias {
  template <bool Value = true>
  struct instance {
    using tn_property = no_alias;
    friend constexpr bool operator==(const instance &, const instance &) { return true; }
    friend constexpr bool operator!=(const instance &, const instance &) { return false; }
  };
};
}  // namespace property

inline constexpr property::no_offset::instance<> no_offset;
inline constexpr property::no_alias::instance<> no_alias;

template <class Property>
struct is_compile_time_property : std::false_type {};
template <>
struct is_compile_time_property<property::no_offset> : std::true_type {};
template <>
struct is_compile_time_property<property::no_alias> : std::true_type {};

}  // namespace ext::oneapi

template <>
struct is_property<ext::oneapi::property::no_offset> : std::true_type {};
template <>
struct is_property<ext::oneapi::property::no_alias> : std::true_type {};
template <class DataT, int D, access_mode M, target Tg, access::placeholder P, class Properties>
struct is_property_of<ext::oneapi::property::no_offset, accessor<DataT, D, M, Tg, P, Properties>>
    : std::true_type {};
template <class DataT, int D, access_mode M, target Tg, access::placeholder P, class Properties>
struct is_property_of<ext::oneapi::property::no_alias, accessor<DataT, D, M, Tg, P, Properties>>
    : std::true_type {};

namespace detail {

template <class T, class = void>
struct property_of_instance {
  using type = void;
};
template <class T>
struct property_of_instance<T, std::void_t<typename T::tn_property>> {
  using type = typename T::tn_property;
};
// The first of the instances that is one of the property.
template <class Property, class Instance, class... Others>
constexpr auto find_instance(Instance instance, Others... others) noexcept {
  if constexpr (std::is_same_v<typename property_of_instance<Instance>::type, Property>) {
    return instance;
  } else {
    return find_instance<Property>(others...);
  }
}

}  // namespace detail

namespace ext::oneapi {

template <class... Properties>
class accessor_property_list {
  template <class Property>
  static constexpr bool is_static = is_compile_time_property<Property>::value;
  template <class Property>
  static constexpr bool has =
      (std::is_same_v<typename sycl::detail::property_of_instance<Properties>::type, Property> ||
       ...);

 public:
  accessor_property_list(Properties... properties) { (add(properties), ...); }
  accessor_property_list(const sycl::property_list &properties) : list_(properties) {}

  operator sycl::property_list() const { return list_; }

  template <class Property, std::enable_if_t<is_static<Property>, int> = 0>
  static constexpr bool has_property() noexcept {
    return has<Property>;
  }
  template <class Property, std::enable_if_t<!is_static<Property>, int> = 0>
  bool has_property() const noexcept {
    return list_.has_property<Property>();
  }
  template <class Property, std::enable_if_t<is_static<Property> && has<Property>, int> = 0>
  static constexpr auto get_property() noexcept {
    return sycl::detail::find_instance<Property>(Properties()...);
  }
  template <class Property, std::enable_if_t<!is_static<Property>, int> = 0>
  Property get_property() const {
    return list_.get_property<Property>();
  }

 private:
  template <class Property>
  void add([[maybe_unused]] const Property &property) {
    if constexpr (is_property_v<Property>) {
      list_.tn_add(property);
    } else {
      static_assert(!std::is_void_v<typename sycl::detail::property_of_instance<Property>::type>,
                    "not a property of an accessor");
    }
  }

  sycl::property_list list_;
};

}  // namespace ext::oneapi
}  // namespace sycl

#endif
