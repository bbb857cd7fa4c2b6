// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What classes with common reference semantics have of sycl_ext_oneapi_weak_object. The bodies are
// in sycl/ext/oneapi/weak_object.hpp.
#ifndef TENON_SYCL_DETAIL_OWNER_ORDER_HPP
#define TENON_SYCL_DETAIL_OWNER_ORDER_HPP

namespace sycl {

namespace ext::oneapi {
template <class SyclObject>
class weak_object;
}

namespace detail {

// Object is the class itself, or one that is derived from it.
template <class T>
class owner_order {
 public:
  template <class Object>
  bool ext_oneapi_owner_before(const ext::oneapi::weak_object<Object> &other) const noexcept;
  bool ext_oneapi_owner_before(const T &other) const noexcept;
};

}  // namespace detail

}  // namespace sycl

#endif
