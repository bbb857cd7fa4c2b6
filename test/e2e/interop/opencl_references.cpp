// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::opencl::get_reference_count asks OpenCL, and a failure is errc::invalid. The functions here
// stand in for OpenCL's; without its header there is nothing to test.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include <sycl/backend/opencl.hpp>
#include <sycl/sycl.hpp>

#include <cstdio>

#if __has_include(<CL/cl.h>)
static cl_uint asked;

template <class T>
static cl_int answer(T object, cl_uint what, std::size_t size, void *value) {
  asked = what;
  if (!object || size != sizeof(cl_uint)) {
    return CL_INVALID_VALUE;
  }
  *static_cast<cl_uint *>(value) = 7;
  return CL_SUCCESS;
}

#define STAND_IN(name, Object, What)                                                     \
  extern "C" cl_int name(Object object, What what, size_t size, void *value, size_t *) { \
    return answer(object, what, size, value);                                            \
  }
STAND_IN(clGetDeviceInfo, cl_device_id, cl_device_info)
STAND_IN(clGetContextInfo, cl_context, cl_context_info)
STAND_IN(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
STAND_IN(clGetEventInfo, cl_event, cl_event_info)
STAND_IN(clGetMemObjectInfo, cl_mem, cl_mem_info)
STAND_IN(clGetSamplerInfo, cl_sampler, cl_sampler_info)
STAND_IN(clGetProgramInfo, cl_program, cl_program_info)
STAND_IN(clGetKernelInfo, cl_kernel, cl_kernel_info)

template <class T>
static int check(cl_uint what) {
  T object = reinterpret_cast<T>(&asked);
  if (sycl::opencl::get_reference_count(object) != 7 || asked != what) {
    std::printf("the count of query %#x is wrong\n", what);
    return 1;
  }
  try {
    sycl::opencl::get_reference_count(T());
    std::printf("query %#x of no object throws nothing\n", what);
    return 1;
  } catch (const sycl::exception &error) {
    return error.code() != sycl::errc::invalid;
  }
}

int main() {
  return check<cl_device_id>(CL_DEVICE_REFERENCE_COUNT) +
         check<cl_context>(CL_CONTEXT_REFERENCE_COUNT) +
         check<cl_command_queue>(CL_QUEUE_REFERENCE_COUNT) +
         check<cl_event>(CL_EVENT_REFERENCE_COUNT) + check<cl_mem>(CL_MEM_REFERENCE_COUNT) +
         check<cl_sampler>(CL_SAMPLER_REFERENCE_COUNT) +
         check<cl_program>(CL_PROGRAM_REFERENCE_COUNT) +
         check<cl_kernel>(CL_KERNEL_REFERENCE_COUNT);
}
#else
int main() {}
#endif
