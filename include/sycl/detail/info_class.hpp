// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes that info descriptors belong to: get_info of another class does not take part in
// overload resolution. Source: SYCL 2020 section 4.5.5.
#ifndef TENON_SYCL_DETAIL_INFO_CLASS_HPP
#define TENON_SYCL_DETAIL_INFO_CLASS_HPP

#include <type_traits>

namespace sycl {

class platform;
class device;
class context;
class queue;
class event;
class kernel;

namespace detail {

// Each namespace of descriptors declares `info_class<Class> tn_describes(const void *)`, which is
// found by the descriptor's namespace. Those of extensions that do not are for any class.
template <class Class>
struct info_class {
  using type = Class;
};

template <class Class, class Param, class = void>
struct describes : std::true_type {};
template <class Class, class Param>
struct describes<Class, Param, std::void_t<decltype(tn_describes(static_cast<Param *>(nullptr)))>>
    : std::is_same<Class, typename decltype(tn_describes(static_cast<Param *>(nullptr)))::type> {};

template <class Class, class Param>
using info_result = typename std::enable_if_t<describes<Class, Param>::value, Param>::return_type;

// In place of a class, for descriptors that are for one of its functions only.
struct profiling_info;
struct kernel_on_device_info;

}  // namespace detail

}  // namespace sycl

#endif
