// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device's memory for other processes.
#include "adapter/cuda/cuda_device.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(tn_cu_ipc) == TN_ADAPTER_IPC_SIZE, "a handle fits");

static tn_status fail(tn_adapter_device *device, tn_cu_result result, const char *what,
                      tn_diag *diag) {
  char text[TN_CUDA_NAME_SIZE + 96];
  (void)snprintf(text, sizeof(text), "%s: memory cannot be %s", device->name, what);
  return tn_cuda_device_fail(device, result, text, diag);
}

tn_status tn_cuda_ipc_memory_get(tn_adapter_device *device, void *memory,
                                 unsigned char out_handle[TN_ADAPTER_IPC_SIZE],
                                 uint64_t *out_offset, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_cu_ipc handle;
  tn_cu_address begin = 0;
  const tn_cu_address address = (tn_cu_address)(uintptr_t)memory;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_cu_result result = device->driver->pointer_get(&begin, TN_CU_POINTER_BEGIN, address);
  if (result == TN_CU_SUCCESS) {
    result = device->driver->ipc_get(&handle, address);
  }
  tn_cuda_leave(device, &entry);
  if (result != TN_CU_SUCCESS) {
    return fail(device, result, "shared with other processes", diag);
  }
  memcpy(out_handle, &handle, sizeof(handle));
  *out_offset = address - begin;
  return TN_OK;
}

tn_status tn_cuda_ipc_memory_open(tn_adapter_device *device,
                                  const unsigned char handle[TN_ADAPTER_IPC_SIZE], void **out,
                                  tn_diag *diag) {
  tn_cuda_entry entry;
  tn_cu_ipc native;
  tn_cu_address address = 0;
  memcpy(&native, handle, sizeof(native));
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->ipc_open(&address, native, TN_CU_IPC_PEER_ACCESS);
  tn_cuda_leave(device, &entry);
  if (result == TN_CU_INVALID_VALUE || result == TN_CU_INVALID_HANDLE) {
    return TN_FAIL_NATIVE(diag, INVALID_ARGUMENT, result,
                          "%s: memory of another process cannot be opened: it is gone, or its "
                          "process has ended",
                          device->name);
  }
  if (result != TN_CU_SUCCESS) {
    return fail(device, result, "opened that is of another process", diag);
  }
  *out = (void *)(uintptr_t)address;  // NOLINT(performance-no-int-to-ptr)
  return TN_OK;
}

tn_status tn_cuda_ipc_memory_close(tn_adapter_device *device, void *memory, tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->ipc_close((tn_cu_address)(uintptr_t)memory);
  tn_cuda_leave(device, &entry);
  return result == TN_CU_SUCCESS ? TN_OK : fail(device, result, "closed", diag);
}
