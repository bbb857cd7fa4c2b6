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

#define TN_SYCL_NATIVE(T, Type)               \
  template <>                                 \
  struct native<backend::ext_oneapi_hip, T> { \
    using type = Type;                        \
  };
TN_SYCL_NATIVE(platform, native_list<HIPdevice>)
TN_SYCL_NATIVE(device, HIPdevice)
TN_SYCL_NATIVE(context, HIPcontext)
TN_SYCL_NATIVE(queue, HIPstream)
TN_SYCL_NATIVE(event, HIPevent)
TN_SYCL_NATIVE(native_memory, HIPdeviceptr)
TN_SYCL_NATIVE(native_graph, HIPGraph)
#undef TN_SYCL_NATIVE
template <bundle_state State>
struct native<backend::ext_oneapi_hip, kernel_bundle<State>> {
  using type = HIPmodule;
};

#ifndef __SYCL_DEVICE_ONLY__
template <>
struct native_access<backend::ext_oneapi_hip> {
  template <class T>
  [[noreturn]] static backend_return_t<backend::ext_oneapi_hip, T> get(const T &) {
    raise_other_backend("get_native");
  }
};
#endif

}  // namespace sycl::detail

#endif
