// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of memory objects that the application made with a device's driver. The adapter makes the
// object's bytes addressable by the host, and they are the buffer's bytes on the host: the buffer
// is one of host memory that is used in place.
#include "base/log.h"
#include "run/memory/memory.h"

tn_status tn_buffer_create_native(tn_device *device, uint64_t native, size_t element_size,
                                  tn_buffer **out, tn_diag *diag) {
  tn_adapter_native_memory memory;
  *out = NULL;
  TN_TRY(device->api->native_memory_open(device->adapter_device, native, &memory, diag));
  const bool is_whole = element_size > 0 && memory.size % element_size == 0;
  const tn_buffer_params params = {.struct_size = sizeof(params),
                                   .flags = TN_BUFFER_USE_HOST_PTR,
                                   .size = (size_t)memory.size,
                                   .host_data = memory.memory};
  const tn_status status =
      is_whole ? tn_buffer_create(&params, out, diag)
               : TN_FAIL(diag, INVALID_ARGUMENT,
                         "make_buffer: the native memory object has %llu bytes, which is no whole "
                         "number of elements of %zu bytes",
                         (unsigned long long)memory.size, element_size);
  if (status != TN_OK) {
    device->api->native_memory_close(device->adapter_device, &memory);
    return status;
  }
  tn_device_hold(device);
  (*out)->native_device = device;
  (*out)->native = memory;
  TN_LOG(memory, "buffer %p in native memory of %s", (void *)*out, device->name);
  return TN_OK;
}

void tn_buffer_close_native(tn_buffer *buffer) {
  tn_device *device = buffer->native_device;
  if (device != NULL) {
    device->api->native_memory_close(device->adapter_device, &buffer->native);
    tn_device_drop(device);
  }
}
