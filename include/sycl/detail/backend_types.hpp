// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::backend, and the native types of each. Source: SYCL 2020 sections 4.1, 4.5.1, appendix C
// (OpenCL); the SYCL extension sycl_ext_oneapi_backend_cuda.
#ifndef TENON_SYCL_DETAIL_BACKEND_TYPES_HPP
#define TENON_SYCL_DETAIL_BACKEND_TYPES_HPP

#include "tenon/device.h"
#include <sycl/detail/macros.hpp>

#include <iosfwd>

// As cuda.h has them, which a program may include as well.
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUgraph_st *CUgraph;
typedef unsigned long long CUdeviceptr;
// As CL/cl.h has them.
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_event *cl_event;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_program *cl_program;
typedef struct _cl_mem *cl_mem;

struct tn_event;
struct tn_queue;

namespace sycl {

enum class backend : int {
  tenon_cpu = TN_BACKEND_CPU,
  ext_oneapi_native_cpu = tenon_cpu,  // DPC++'s name of its CPU
  ext_oneapi_cuda = TN_BACKEND_CUDA,
  opencl = TN_BACKEND_OPENCL,
  ext_oneapi_level_zero = TN_BACKEND_LEVEL_ZERO,
  ext_oneapi_hip = TN_BACKEND_HIP,
  tenon_mock = TN_BACKEND_MOCK
};

// By the enumerator's name.
template <class Char, class Traits>
std::basic_ostream<Char, Traits> &operator<<(std::basic_ostream<Char, Traits> &out, backend of) {
  switch (of) {
    case backend::tenon_cpu:
      return out << "tenon_cpu";
    case backend::ext_oneapi_cuda:
      return out << "ext_oneapi_cuda";
    case backend::opencl:
      return out << "opencl";
    case backend::ext_oneapi_level_zero:
      return out << "ext_oneapi_level_zero";
    case backend::ext_oneapi_hip:
      return out << "ext_oneapi_hip";
    case backend::tenon_mock:
      return out << "tenon_mock";
  }
  return out << static_cast<int>(of);
}

class platform;
class device;
class context;
class queue;
class event;
class kernel;

namespace detail {
// What stands for a list, which only programs that ask for it compile.
template <class T>
struct native_list {};
struct native_memory;  // of accessors
struct native_graph;

template <backend Backend, class T>
struct native {};
// The headers of other backends use it as well.
#define TN_SYCL_NATIVE(Backend, T, Type) \
  template <>                            \
  struct native<backend::Backend, T> {   \
    using type = Type;                   \
  };
TN_SYCL_NATIVE(ext_oneapi_cuda, platform, native_list<CUdevice>)
TN_SYCL_NATIVE(ext_oneapi_cuda, device, CUdevice)
TN_SYCL_NATIVE(ext_oneapi_cuda, context, CUcontext)
TN_SYCL_NATIVE(ext_oneapi_cuda, queue, CUstream)
TN_SYCL_NATIVE(ext_oneapi_cuda, event, CUevent)
TN_SYCL_NATIVE(ext_oneapi_cuda, kernel, CUfunction)
TN_SYCL_NATIVE(ext_oneapi_cuda, native_memory, CUdeviceptr)
TN_SYCL_NATIVE(ext_oneapi_cuda, native_graph, CUgraph)
TN_SYCL_NATIVE(opencl, platform, cl_platform_id)
TN_SYCL_NATIVE(opencl, device, cl_device_id)
TN_SYCL_NATIVE(opencl, context, cl_context)
TN_SYCL_NATIVE(opencl, queue, cl_command_queue)
TN_SYCL_NATIVE(opencl, event, native_list<cl_event>)
TN_SYCL_NATIVE(opencl, kernel, cl_kernel)
TN_SYCL_NATIVE(opencl, native_memory, native_list<cl_mem>)
TN_SYCL_NATIVE(opencl, native_graph, void *)
// Nothing is beneath the CPU: its native objects are those of Tenon's C API.
TN_SYCL_NATIVE(tenon_cpu, device, tn_device *)
TN_SYCL_NATIVE(tenon_cpu, context, tn_context *)
TN_SYCL_NATIVE(tenon_cpu, queue, tn_queue *)
TN_SYCL_NATIVE(tenon_cpu, event, tn_event *)
TN_SYCL_NATIVE(tenon_cpu, native_memory, void *)
template <backend Backend, class T>
using native_t = typename native<Backend, T>::type;

// errc::backend_mismatch: `what` was asked for the native object of another backend than its own.
[[noreturn]] void raise_other_backend(const char *what);
void check_backend(backend wanted, backend of, const char *what);
}  // namespace detail

}  // namespace sycl

#endif
