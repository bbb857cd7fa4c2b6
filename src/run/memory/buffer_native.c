// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of memory objects that the application made with a device's driver. The adapter makes the
// object's bytes addressable by the host, and they are the buffer's bytes on the host: the buffer
// is one of host memory that is used in place.
#include "base/log.h"
#include "run/memory/memory.h"

static tn_status check(const tn_adapter_native_memory *memory, size_t element_size,
                       uint32_t dimensions, tn_diag *diag) {
  const uint32_t found = memory->image.dimensions;
  if ((dimensions > 0) != (found > 0)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s",
                   found == 0
                       ? "the native memory object is a buffer, not an image: use make_buffer"
                       : "the native memory object is an image, not a buffer: use "
                         "make_unsampled_image or make_sampled_image");
  }
  if (dimensions != found) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "make_unsampled_image, make_sampled_image: the native image has %u dimensions, "
                   "not %u",
                   found, dimensions);
  }
  return element_size > 0 && memory->size % element_size == 0
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT,
                       "make_buffer: the native memory object has %llu bytes, which is no whole "
                       "number of elements of %zu bytes",
                       (unsigned long long)memory->size, element_size);
}

tn_status tn_buffer_create_native(tn_device *device, uint64_t native, size_t element_size,
                                  uint32_t dimensions, tn_native_image *out_image, tn_buffer **out,
                                  tn_diag *diag) {
  tn_adapter_native_memory memory;
  *out = NULL;
  TN_TRY(device->api->native_memory_open(device->adapter_device, native, &memory, diag));
  tn_status status = check(&memory, element_size, dimensions, diag);
  const tn_buffer_params params = {.struct_size = sizeof(params),
                                   .flags = TN_BUFFER_USE_HOST_PTR,
                                   .size = (size_t)memory.size,
                                   .host_data = memory.memory};
  if (status == TN_OK) {
    status = tn_buffer_create(&params, out, diag);
  }
  if (status != TN_OK) {
    device->api->native_memory_close(device->adapter_device, &memory);
    return status;
  }
  tn_device_hold(device);
  (*out)->native_device = device;
  (*out)->native = memory;
  if (dimensions > 0) {
    *out_image = memory.image;
  }
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
