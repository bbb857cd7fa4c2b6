// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native types of HIP, for programs that ask for them where a device is of that backend. No device
// of Tenon's is: get_native and the make functions that take a context throw
// errc::backend_mismatch, make_device, make_platform and make_context errc::invalid.
// Source: DPC++'s header of this name; SYCL 2020 section 4.5.1.
#ifndef TENON_SYCL_EXT_ONEAPI_BACKEND_HIP_HPP
#define TENON_SYCL_EXT_ONEAPI_BACKEND_HIP_HPP

#include <sycl/backend.hpp>

typedef int HIPdevice;
typedef struct ihipCtx_t *HIPcontext;
typedef struct ihipStream_t *HIPstream;
typedef struct ihipEvent_t *HIPevent;
typedef struct ihipModule_t *HIPmodule;
typedef void *HIPdeviceptr;
typedef struct ihipGraph *HIPGraph;

namespace sycl::detail {

TN_SYCL_NATIVE(ext_oneapi_hip, platform, native_list<HIPdevice>)
TN_SYCL_NATIVE(ext_oneapi_hip, device, HIPdevice)
TN_SYCL_NATIVE(ext_oneapi_hip, context, HIPcontext)
TN_SYCL_NATIVE(ext_oneapi_hip, queue, HIPstream)
TN_SYCL_NATIVE(ext_oneapi_hip, event, HIPevent)
TN_SYCL_NATIVE(ext_oneapi_hip, native_memory, HIPdeviceptr)
TN_SYCL_NATIVE(ext_oneapi_hip, native_graph, HIPGraph)
template <bundle_state State>
struct native<backend::ext_oneapi_hip, kernel_bundle<State>> {
  using type = HIPmodule;
};

}  // namespace sycl::detail

#endif
