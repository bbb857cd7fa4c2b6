// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts, programs and kernels that the application made with the driver.
//
// A device inside such a context is a device of its own, as a sub-device is: its queues, memory and
// programs are in that context.
#include "adapter/opencl/opencl_code.h"
#include "base/alloc.h"
#include "tenon/native.h"

#include <stdio.h>
#include <string.h>

enum { DEVICES_MAXIMUM = 64 };

// NOLINTBEGIN(performance-no-int-to-ptr)
static tn_cl_context context_of(uint64_t native) { return (tn_cl_context)(uintptr_t)native; }
static tn_cl_program program_of(uint64_t native) { return (tn_cl_program)(uintptr_t)native; }
static tn_cl_kernel kernel_of(uint64_t native) { return (tn_cl_kernel)(uintptr_t)native; }
// NOLINTEND(performance-no-int-to-ptr)

tn_status tn_opencl_fail_object(tn_cl_int result, const char *what, tn_diag *diag) {
  return tn_opencl_fail_as(TN_INVALID_ARGUMENT, result, what, diag);
}

static tn_status fail_null(const char *what, tn_diag *diag) {
  return TN_FAIL(diag, INVALID_ARGUMENT, "the %s is NULL", what);
}

tn_status tn_opencl_check_context(const tn_adapter_device *device, tn_cl_context context,
                                  const char *what, tn_diag *diag) {
  return context == device->context
             ? TN_OK
             : TN_FAIL(
                   diag, INVALID_ARGUMENT,
                   "the %s belongs to another cl_context than the SYCL context on device %s: "
                   "make the context with make_context, or create the %s in the cl_context that "
                   "get_native gives",
                   what, device->name, what);
}

static bool lists_device(const tn_cl_device *devices, size_t size, tn_cl_device device) {
  bool is_listed = false;
  for (size_t i = 0; i < size / sizeof(*devices); i++) {
    is_listed = is_listed || devices[i] == device;
  }
  return is_listed;
}

tn_status tn_opencl_native_context_open(tn_adapter_device *device, uint64_t native,
                                        tn_adapter_device **out, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_context context = context_of(native);
  tn_cl_device devices[DEVICES_MAXIMUM];
  size_t size = 0;
  *out = NULL;
  if (!context) {
    return fail_null("cl_context", diag);
  }
  tn_cl_int result =
      driver->context_info(context, TN_CL_CONTEXT_DEVICES, sizeof(devices), devices, &size);
  if (result != TN_CL_SUCCESS) {
    return tn_opencl_fail_object(result, "the cl_context", diag);
  }
  if (!lists_device(devices, size < sizeof(devices) ? size : sizeof(devices), device->handle)) {
    return TN_FAIL(diag, DEVICE_NOT_FOUND, "device %s is not in the cl_context", device->name);
  }
  tn_adapter_device *made = tn_alloc(sizeof(*made));
  if (!made) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for device %s in a cl_context", device->name);
  }
  tn_opencl_device_init(made, device->adapter, device->platform, device->handle);
  made->is_foreign = true;
  made->context = context;
  (void)driver->device_retain(device->handle);
  result = driver->context_retain(context);
  const tn_status status = result == TN_CL_SUCCESS
                               ? tn_opencl_start(made, diag)
                               : tn_opencl_fail_object(result, "the cl_context", diag);
  tn_opencl_part_keep(made);
  *out = status == TN_OK ? made : NULL;
  return status;
}

// ---- Programs and kernels

// Of the program as it is on the device; built, or linked into another one, where it is none that
// can be launched. The caller owns a reference to *out.
static tn_status make_executable(tn_adapter_device *device, tn_cl_program program,
                                 tn_cl_program *out, tn_diag *diag) {
  tn_cl_uint type = TN_CL_BINARY_NONE;
  tn_cl_int result = device->driver->program_build_info(
      program, device->handle, TN_CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, NULL);
  if (result != TN_CL_SUCCESS) {
    return tn_opencl_fail_object(result, "the cl_program", diag);
  }
  if (type != TN_CL_BINARY_NONE && type != TN_CL_BINARY_EXECUTABLE) {
    return tn_opencl_link_native(device, program, out, diag);
  }
  if (type == TN_CL_BINARY_NONE) {
    TN_TRY(tn_opencl_build_native(device, program, diag));
  }
  result = device->driver->program_retain(program);
  if (result != TN_CL_SUCCESS) {
    return tn_opencl_fail_object(result, "the cl_program", diag);
  }
  *out = program;
  return TN_OK;
}

static tn_status check_program(tn_adapter_device *device, tn_cl_program program, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_device devices[DEVICES_MAXIMUM];
  tn_cl_context context = NULL;
  size_t size = 0;
  if (!program) {
    return fail_null("cl_program", diag);
  }
  TN_TRY(tn_opencl_start(device, diag));
  tn_cl_int result =
      driver->program_info(program, TN_CL_PROGRAM_CONTEXT, sizeof(context), (void *)&context, NULL);
  if (result == TN_CL_SUCCESS) {
    TN_TRY(tn_opencl_check_context(device, context, "cl_program", diag));
    result = driver->program_info(program, TN_CL_PROGRAM_DEVICES, sizeof(devices), devices, &size);
  }
  if (result != TN_CL_SUCCESS) {
    return tn_opencl_fail_object(result, "the cl_program", diag);
  }
  return lists_device(devices, size < sizeof(devices) ? size : sizeof(devices), device->handle)
             ? TN_OK
             : TN_FAIL(diag, DEVICE_NOT_FOUND, "the cl_program has no code for device %s",
                       device->name);
}

static tn_status find_program(const tn_adapter_device *device, tn_cl_kernel kernel,
                              tn_adapter_native_code *out, tn_cl_program *out_program,
                              tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  if (!kernel) {
    return fail_null("cl_kernel", diag);
  }
  tn_cl_int result = driver->kernel_info(kernel, TN_CL_KERNEL_PROGRAM, sizeof(*out_program),
                                         (void *)out_program, NULL);
  if (result == TN_CL_SUCCESS) {
    result = driver->kernel_info(kernel, TN_CL_KERNEL_FUNCTION_NAME, sizeof(out->kernel) - 1,
                                 out->kernel, NULL);
  }
  return result == TN_CL_SUCCESS ? TN_OK : tn_opencl_fail_object(result, "the cl_kernel", diag);
}

tn_status tn_opencl_native_program(tn_adapter_device *device, int32_t what, uint64_t native,
                                   tn_adapter_native_code *out, tn_diag *diag) {
  *out = (tn_adapter_native_code){0};
  tn_cl_kernel kernel = what == TN_NATIVE_KERNEL ? kernel_of(native) : NULL;
  tn_cl_program program = what == TN_NATIVE_PROGRAM ? program_of(native) : NULL;
  tn_cl_program executable = NULL;
  if (what == TN_NATIVE_KERNEL) {
    TN_TRY(find_program(device, kernel, out, &program, diag));
  } else if (what != TN_NATIVE_PROGRAM) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no native object with code", (int)what);
  }
  TN_TRY(check_program(device, program, diag));
  TN_TRY(make_executable(device, program, &executable, diag));
  const tn_status status = tn_opencl_program_of(device, executable, kernel, &out->program, diag);
  (void)device->driver->program_release(executable);
  out->native = (uint64_t)(uintptr_t)executable;
  return status;
}
