// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and images that the application made with the driver. They stay mapped as long as they
// are open, so that their bytes are host memory: devices whose memory is the host's give out the
// object's own bytes, others copy.
#include "adapter/opencl/opencl_device.h"

// NOLINTBEGIN(performance-no-int-to-ptr)
static tn_cl_memory memory_of(uint64_t native) { return (tn_cl_memory)(uintptr_t)native; }
// NOLINTEND(performance-no-int-to-ptr)

static uint32_t dimensions_of(tn_cl_uint type) {
  return type == TN_CL_MEM_TYPE_IMAGE1D   ? 1
         : type == TN_CL_MEM_TYPE_IMAGE2D ? 2
         : type == TN_CL_MEM_TYPE_IMAGE3D ? 3
                                          : 0;
}

static tn_status check_object(const tn_adapter_device *device, tn_cl_memory memory,
                              tn_adapter_native_memory *out, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_context context = NULL;
  tn_cl_uint type = 0;
  size_t size = 0;
  tn_cl_int result =
      driver->memory_info(memory, TN_CL_MEM_CONTEXT, sizeof(context), (void *)&context, NULL);
  if (result == TN_CL_SUCCESS) {
    TN_TRY(tn_opencl_check_context(device, context, "cl_mem", diag));
    result = driver->memory_info(memory, TN_CL_MEM_TYPE, sizeof(type), &type, NULL);
  }
  out->image.dimensions = dimensions_of(type);
  if (result == TN_CL_SUCCESS && type != TN_CL_MEM_TYPE_BUFFER && out->image.dimensions == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the cl_mem is neither a buffer nor an image of 1, 2 or 3 dimensions (an image "
                   "of layers or of a buffer, or a pipe)");
  }
  if (result == TN_CL_SUCCESS) {
    result = driver->memory_info(memory, TN_CL_MEM_SIZE, sizeof(size), &size, NULL);
  }
  out->size = size;
  return result == TN_CL_SUCCESS ? TN_OK : tn_opencl_fail_object(result, "the cl_mem", diag);
}

// In the order of sycl::image_format.
static const tn_cl_image_format formats[] = {
    {TN_CL_RGBA, TN_CL_UNORM_INT8},     {TN_CL_RGBA, TN_CL_UNORM_INT16},
    {TN_CL_RGBA, TN_CL_SIGNED_INT8},    {TN_CL_RGBA, TN_CL_SIGNED_INT16},
    {TN_CL_RGBA, TN_CL_SIGNED_INT32},   {TN_CL_RGBA, TN_CL_UNSIGNED_INT8},
    {TN_CL_RGBA, TN_CL_UNSIGNED_INT16}, {TN_CL_RGBA, TN_CL_UNSIGNED_INT32},
    {TN_CL_RGBA, TN_CL_HALF_FLOAT},     {TN_CL_RGBA, TN_CL_FLOAT},
    {TN_CL_BGRA, TN_CL_UNORM_INT8}};

static tn_status find_format(tn_cl_image_format format, int32_t *out, tn_diag *diag) {
  for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
    if (formats[i].order == format.order && formats[i].type == format.type) {
      *out = (int32_t)i;
      return TN_OK;
    }
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "the image's pixels (channel order 0x%x, channel type 0x%x) are none of "
                 "sycl::image_format",
                 format.order, format.type);
}

static tn_status describe_image(const tn_cl_driver *driver, tn_cl_memory memory,
                                tn_native_image *image, tn_diag *diag) {
  static const tn_cl_uint extents[] = {TN_CL_IMAGE_WIDTH, TN_CL_IMAGE_HEIGHT, TN_CL_IMAGE_DEPTH};
  tn_cl_image_format format = {0};
  tn_cl_int result = driver->image_info(memory, TN_CL_IMAGE_FORMAT, sizeof(format), &format, NULL);
  for (uint32_t d = 0; d < 3; d++) {
    image->extent[d] = 1;
    if (d < image->dimensions && result == TN_CL_SUCCESS) {
      result =
          driver->image_info(memory, extents[d], sizeof(image->extent[d]), &image->extent[d], NULL);
    }
  }
  return result == TN_CL_SUCCESS ? find_format(format, &image->format, diag)
                                 : tn_opencl_fail_object(result, "the cl_mem", diag);
}

static void *map(tn_adapter_device *device, tn_cl_memory memory, tn_adapter_native_memory *out,
                 tn_cl_int *result) {
  const tn_cl_driver *driver = device->driver;
  const tn_cl_bits flags = TN_CL_MAP_READ | TN_CL_MAP_WRITE;
  tn_native_image *image = &out->image;
  if (image->dimensions == 0) {
    return driver->memory_map(device->queue, memory, 1, flags, 0, out->size, 0, NULL, NULL, result);
  }
  static const size_t origin[3] = {0};
  size_t pixel_size = 0;
  *result =
      driver->image_info(memory, TN_CL_IMAGE_ELEMENT_SIZE, sizeof(pixel_size), &pixel_size, NULL);
  if (*result != TN_CL_SUCCESS) {
    return NULL;
  }
  void *bytes = driver->image_map(device->queue, memory, 1, flags, origin, image->extent,
                                  &image->row_pitch, &image->slice_pitch, 0, NULL, NULL, result);
  // What an image does not have drivers tell as 0, or not at all.
  if (image->dimensions == 1) {
    image->row_pitch = image->extent[0] * pixel_size;
  }
  if (image->dimensions < 3) {
    image->slice_pitch = image->row_pitch * image->extent[1];
  }
  out->size = (uint64_t)image->slice_pitch * image->extent[2];
  return bytes;
}

tn_status tn_opencl_native_memory_open(tn_adapter_device *device, uint64_t native,
                                       tn_adapter_native_memory *out, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_memory memory = memory_of(native);
  *out = (tn_adapter_native_memory){.native = native};
  if (!memory) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the cl_mem is NULL");
  }
  TN_TRY(tn_opencl_start(device, diag));
  TN_TRY(check_object(device, memory, out, diag));
  if (out->image.dimensions > 0) {
    TN_TRY(describe_image(driver, memory, &out->image, diag));
  }
  tn_cl_int result = driver->memory_retain(memory);
  if (result != TN_CL_SUCCESS) {
    return tn_opencl_fail_object(result, "the cl_mem", diag);
  }
  out->memory = map(device, memory, out, &result);
  if (!out->memory) {
    (void)driver->memory_release(memory);
    return tn_opencl_fail_object(result, "the cl_mem cannot be mapped for reading and writing",
                                 diag);
  }
  return TN_OK;
}

void tn_opencl_native_memory_close(tn_adapter_device *device,
                                   const tn_adapter_native_memory *memory) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_memory object = memory_of(memory->native);
  tn_cl_event done = NULL;
  if (driver->memory_unmap(device->queue, object, memory->memory, 0, NULL, &done) ==
      TN_CL_SUCCESS) {
    (void)driver->wait_events(1, (const tn_cl_event *)&done);
    (void)driver->event_release(done);
  }
  (void)driver->memory_release(object);
}
