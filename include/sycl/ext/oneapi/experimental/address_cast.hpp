// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to an address space of generic ones: unchecked, and null where they point elsewhere.
// Source: the SYCL extension sycl_ext_oneapi_address_cast.
#ifndef TENON_SYCL_EXT_ADDRESS_CAST_HPP
#define TENON_SYCL_EXT_ADDRESS_CAST_HPP

#include <sycl/khr/dynamic_addrspace_cast.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl::ext::oneapi::experimental {

template <access::address_space Space, class ElementType>
multi_ptr<ElementType, Space, access::decorated::no> static_address_cast(ElementType *ptr) {
  return khr::static_addrspace_cast<Space>(ptr);
}
template <access::address_space Space, access::decorated DecorateAddress, class ElementType>
multi_ptr<ElementType, Space, DecorateAddress> static_address_cast(
    multi_ptr<ElementType, access::address_space::generic_space, DecorateAddress> ptr) {
  return khr::static_addrspace_cast<Space>(ptr);
}
template <access::address_space Space, class ElementType>
multi_ptr<ElementType, Space, access::decorated::no> dynamic_address_cast(ElementType *ptr) {
  return khr::dynamic_addrspace_cast<Space>(ptr);
}
template <access::address_space Space, access::decorated DecorateAddress, class ElementType>
multi_ptr<ElementType, Space, DecorateAddress> dynamic_address_cast(
    multi_ptr<ElementType, access::address_space::generic_space, DecorateAddress> ptr) {
  return khr::dynamic_addrspace_cast<Space>(ptr);
}

}  // namespace sycl::ext::oneapi::experimental

#endif
