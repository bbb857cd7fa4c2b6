// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's answers as statuses and in words.
#include "adapter/cuda/cuda_device.h"

#include <stdio.h>

bool tn_cuda_is_lost(tn_cu_result result) {
  switch (result) {
    case TN_CU_ILLEGAL_ADDRESS:
    case TN_CU_LAUNCH_TIMEOUT:
    case TN_CU_ASSERT:
    case TN_CU_HARDWARE_STACK_ERROR:
    case TN_CU_ILLEGAL_INSTRUCTION:
    case TN_CU_MISALIGNED_ADDRESS:
    case TN_CU_INVALID_ADDRESS_SPACE:
    case TN_CU_INVALID_PC:
    case TN_CU_LAUNCH_FAILED:
    case TN_CU_ECC_UNCORRECTABLE:
    case TN_CU_CONTAINED:
    case TN_CU_CONTEXT_IS_DESTROYED:
      return true;
    default:
      return false;
  }
}

static const char *advice(tn_cu_result result) {
  switch (result) {
    case TN_CU_ILLEGAL_ADDRESS:
      return "a kernel read or wrote memory that is not the device's, or its calls went deeper "
             "than "
             "the device's stack; CUDA_LAUNCH_BLOCKING=1 tells which kernel, and TENON_CHECK=1 on "
             "the CPU finds accesses out of bounds";
    case TN_CU_MISALIGNED_ADDRESS:
      return "a kernel used an address that is not aligned to the size of what it reads or writes";
    case TN_CU_ASSERT:
      return "an assert of a kernel failed";
    case TN_CU_LAUNCH_OUT_OF_RESOURCES:
      return "the kernel needs more registers than a work-group of that size has; launch it with "
             "smaller work-groups";
    case TN_CU_HARDWARE_STACK_ERROR:
      return "a kernel's calls went deeper than the device's stack";
    case TN_CU_NO_BINARY_FOR_GPU:
      return "the image is for another processor: compile it for this one, or to PTX";
    case TN_CU_UNSUPPORTED_PTX_VERSION:
      return "the driver is older than the PTX: update it, or compile for an older one";
    case TN_CU_JIT_COMPILER_NOT_FOUND:
      return "the driver's compiler, libnvidia-ptxjitcompiler.so.1, is not installed: install it, "
             "or compile to machine code (--offload-arch=)";
    case TN_CU_STUB_LIBRARY:
      return "the library that was found is the toolkit's stub, not the driver: take its folder "
             "out of LD_LIBRARY_PATH";
    case TN_CU_LAUNCH_FAILED:
      return "a kernel trapped, or failed in another way of its own";
    case TN_CU_OUT_OF_MEMORY:
      return "free memory, or use less of it at a time";
    case TN_CU_NOT_INITIALIZED:
      return "this is the child of a process that used the device before fork(); the driver works "
             "in one of the two only: fork before the first use, or start the child with exec";
    case TN_CU_DEINITIALIZED:
      return "the process is ending, and the driver ended first";
    case TN_CU_DEVICES_UNAVAILABLE:
      return "another process has the device for itself (nvidia-smi shows the compute mode)";
    case TN_CU_ECC_UNCORRECTABLE:
      return "the device's memory has an error that cannot be corrected: see nvidia-smi, and reset "
             "the device";
    case TN_CU_CONTAINED:
      return "the device's memory had an error, and this process was using that memory: start it "
             "again";
    case TN_CU_CONTEXT_IS_DESTROYED:
    case TN_CU_INVALID_CONTEXT:
    case TN_CU_INVALID_HANDLE:
      return "something else in this process destroyed or reset the device's context "
             "(cudaDeviceReset, cuDevicePrimaryCtxReset)";
    case TN_CU_OPERATING_SYSTEM:
      return "the device or its driver is gone: see the system's log, and nvidia-smi";
    default:
      return NULL;
  }
}

static tn_status status_of(tn_cu_result result) {
  switch (result) {
    case TN_CU_OUT_OF_MEMORY:
      return TN_OUT_OF_MEMORY;
    case TN_CU_LAUNCH_OUT_OF_RESOURCES:
      return TN_ND_RANGE;
    case TN_CU_INVALID_IMAGE:
    case TN_CU_NO_BINARY_FOR_GPU:
    case TN_CU_INVALID_PTX:
    case TN_CU_JIT_COMPILER_NOT_FOUND:
    case TN_CU_UNSUPPORTED_PTX_VERSION:
      return TN_BUILD_FAILED;
    default:
      return TN_DEVICE_FAILED;
  }
}

tn_status tn_cuda_fail(const tn_cuda_driver *driver, tn_cu_result result, const char *what,
                       tn_diag *diag) {
  const char *name = NULL;
  const char *text = NULL;
  if (driver->error_name(result, &name) != TN_CU_SUCCESS || !name) {
    name = "an unknown error";
  }
  if (driver->error_text(result, &text) != TN_CU_SUCCESS || !text) {
    text = "the driver has no words for it";
  }
  const char *more = advice(result);
  const char *end = tn_cuda_is_lost(result) ? "; the device's context is lost: it takes no more "
                                              "work from this process, other devices do"
                                            : "";
  return tn_diag_set(diag, status_of(result), result, __FILE__, __LINE__, "%s: %s (%s)%s%s%s", what,
                     text, name, more ? ": " : "", more ? more : "", end);
}

// True for the first failure that somebody is told of; the others get its words.
static bool is_first_loss(tn_adapter_device *device, tn_cu_result result, const char *what,
                          char *out, size_t size) {
  const char *name = NULL;
  if (device->driver->error_name(result, &name) != TN_CU_SUCCESS || !name) {
    name = "an unknown error";
  }
  tn_mutex_lock(&device->mu);
  const bool is_first = device->lost_to[0] == '\0';
  if (is_first) {
    (void)snprintf(device->lost_to, sizeof(device->lost_to), "%.300s: %s", what, name);
  }
  (void)snprintf(out, size, "%s", device->lost_to);
  tn_mutex_unlock(&device->mu);
  return is_first;
}

tn_status tn_cuda_device_fail(tn_adapter_device *device, tn_cu_result result, const char *what,
                              tn_diag *diag) {
  char cause[sizeof(device->lost_to)];
  if (!diag || !tn_cuda_is_lost(result) ||
      is_first_loss(device, result, what, cause, sizeof(cause))) {
    return tn_cuda_fail(device->driver, result, what, diag);
  }
  return tn_diag_set(diag, TN_DEVICE_FAILED, result, __FILE__, __LINE__,
                     "%s: not done, as the device's context was lost before (%s); it takes no more "
                     "work from this process, other devices do",
                     what, cause);
}
