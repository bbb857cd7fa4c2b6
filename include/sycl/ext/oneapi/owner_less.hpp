// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// owner_less: the order of SYCL objects, and weak references to them, by what their copies share.
// Source: the SYCL extension sycl_ext_oneapi_weak_object.
#ifndef TENON_SYCL_EXT_OWNER_LESS_HPP
#define TENON_SYCL_EXT_OWNER_LESS_HPP

#include <sycl/ext/oneapi/weak_object.hpp>

namespace sycl::ext::oneapi {

template <class SyclObject>
struct owner_less {
  bool operator()(const SyclObject &lhs, const SyclObject &rhs) const noexcept {
    return lhs.ext_oneapi_owner_before(rhs);
  }
  bool operator()(const weak_object<SyclObject> &lhs,
                  const weak_object<SyclObject> &rhs) const noexcept {
    return lhs.owner_before(rhs);
  }
  bool operator()(const SyclObject &lhs, const weak_object<SyclObject> &rhs) const noexcept {
    return lhs.ext_oneapi_owner_before(rhs);
  }
  bool operator()(const weak_object<SyclObject> &lhs, const SyclObject &rhs) const noexcept {
    return lhs.owner_before(rhs);
  }
};

}  // namespace sycl::ext::oneapi

#endif
