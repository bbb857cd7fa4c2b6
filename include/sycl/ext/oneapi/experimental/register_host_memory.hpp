// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the program's own as USM of the host.
// Source: the SYCL extension sycl_ext_oneapi_register_host_memory.
#ifndef TENON_SYCL_EXT_REGISTER_HOST_MEMORY_HPP
#define TENON_SYCL_EXT_REGISTER_HOST_MEMORY_HPP

#include <sycl/context.hpp>
#include <sycl/ext/oneapi/experimental/property_types.hpp>
#include <tenon/host_memory.h>

#include <cstddef>
#include <type_traits>

namespace sycl::ext::oneapi::experimental {

struct read_only_key {
  using value_t = property_value<read_only_key>;
};
inline constexpr read_only_key::value_t read_only;
template <>
struct is_property_key<read_only_key> : std::true_type {};

// Whole pages, which stay the program's. errc::invalid for other addresses and sizes,
// errc::feature_not_supported when a device of the context does not have
// aspect::ext_oneapi_register_host_memory, errc::runtime for memory that cannot be taken.
template <class Properties = empty_properties_t>
std::enable_if_t<is_property_list_v<Properties>> register_host_memory(void *ptr,
                                                                      std::size_t numBytes,
                                                                      const context &ctxt,
                                                                      Properties props = {});
template <class Property>
std::enable_if_t<!is_property_list_v<Property>> register_host_memory(void *ptr,
                                                                     std::size_t numBytes,
                                                                     const context &ctxt,
                                                                     Property property) {
  register_host_memory(ptr, numBytes, ctxt, properties{property});
}
// After the last command with the memory.
void unregister_host_memory(void *ptr, const context &ctxt);

#ifndef __SYCL_DEVICE_ONLY__
template <class Properties>
std::enable_if_t<is_property_list_v<Properties>> register_host_memory(void *ptr,
                                                                      std::size_t numBytes,
                                                                      const context &ctxt,
                                                                      Properties) {
  tn_diag diag;
  tn_status status = tn_usm_register_host(
      ctxt.tn_get(), ptr, numBytes,
      Properties::template has_property<read_only_key>() ? TN_REGISTER_READ_ONLY : 0u, &diag);
  status = status == TN_OUT_OF_MEMORY ? TN_DEVICE_FAILED : status;
  sycl::detail::check(status, diag);
}
TN_SYCL_COLD inline void unregister_host_memory(void *ptr, const context &ctxt) {
  tn_diag diag;
  sycl::detail::check(tn_usm_unregister_host(ctxt.tn_get(), ptr, &diag), diag);
}
#endif

}  // namespace sycl::ext::oneapi::experimental

#endif
