// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// khr::dynamic_addrspace_cast: a pointer to an address space, if it points there.
// Source: the SYCL extension sycl_khr_dynamic_addrspace_cast.
#ifndef TENON_SYCL_KHR_DYNAMIC_ADDRSPACE_CAST_HPP
#define TENON_SYCL_KHR_DYNAMIC_ADDRSPACE_CAST_HPP

#include <sycl/detail/device_builtins.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

namespace detail {

// SPIR-V's number of the storage class; 0 for the generic space, which has all of them. Constants
// at namespace scope are in global memory.
constexpr int storage_class_of(access::address_space space) noexcept {
  return space == access::address_space::local_space     ? 4
         : space == access::address_space::private_space ? 7
         : space == access::address_space::generic_space ? 0
                                                         : 5;
}

// The host runs no work-item, and takes the caller's word.
template <access::address_space Space>
bool is_in_space([[maybe_unused]] const volatile void *pointer) noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  if constexpr (storage_class_of(Space) != 0) {
    return __tenon_is_in_space(const_cast<const void *>(pointer), storage_class_of(Space));
  }
#endif
  return true;
}

}  // namespace detail

namespace khr {

template <access::address_space Space, class ElementType>
multi_ptr<ElementType, Space, access::decorated::no> dynamic_addrspace_cast(ElementType *ptr) {
  return multi_ptr<ElementType, Space, access::decorated::no>(
      sycl::detail::is_in_space<Space>(ptr) ? ptr : nullptr);
}
template <access::address_space Space, class ElementType, access::decorated DecorateAddress>
multi_ptr<ElementType, Space, DecorateAddress> dynamic_addrspace_cast(
    multi_ptr<ElementType, access::address_space::generic_space, DecorateAddress> ptr) {
  return multi_ptr<ElementType, Space, DecorateAddress>(
      sycl::detail::is_in_space<Space>(ptr.get_raw()) ? ptr.get_raw() : nullptr);
}

}  // namespace khr
}  // namespace sycl

#endif
