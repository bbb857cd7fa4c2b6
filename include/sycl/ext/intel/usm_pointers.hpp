// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device_ptr and host_ptr: pointers to global memory that say which kind of USM it is.
// Source: the SYCL extension sycl_ext_intel_usm_address_spaces.
#ifndef TENON_SYCL_EXT_INTEL_USM_POINTERS_HPP
#define TENON_SYCL_EXT_INTEL_USM_POINTERS_HPP

#include <sycl/multi_ptr.hpp>

namespace sycl::ext::intel {

template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using device_ptr =
    multi_ptr<ElementType, access::address_space::ext_intel_global_device_space, IsDecorated>;
template <class ElementType, access::decorated IsDecorated = access::decorated::legacy>
using host_ptr =
    multi_ptr<ElementType, access::address_space::ext_intel_global_host_space, IsDecorated>;
template <class ElementType>
using raw_device_ptr = device_ptr<ElementType, access::decorated::no>;
template <class ElementType>
using raw_host_ptr = host_ptr<ElementType, access::decorated::no>;
template <class ElementType>
using decorated_device_ptr = device_ptr<ElementType, access::decorated::yes>;
template <class ElementType>
using decorated_host_ptr = host_ptr<ElementType, access::decorated::yes>;

}  // namespace sycl::ext::intel

#endif
