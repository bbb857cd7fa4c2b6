// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindless images: CUDA arrays, and texture and surface objects of arrays and USM.
#include "adapter/cuda/cuda_device.h"

#include <stdio.h>
#include <string.h>

static const struct {
  int format;
  bool is_normalized;  // textures give floating-point numbers from 0 or -1 to 1
  bool is_float;
} channels[] = {
    [TN_CHANNEL_SNORM_INT8] = {TN_CU_FORMAT_S8, true, false},
    [TN_CHANNEL_SNORM_INT16] = {TN_CU_FORMAT_S16, true, false},
    [TN_CHANNEL_UNORM_INT8] = {TN_CU_FORMAT_U8, true, false},
    [TN_CHANNEL_UNORM_INT16] = {TN_CU_FORMAT_U16, true, false},
    [TN_CHANNEL_SIGNED_INT8] = {TN_CU_FORMAT_S8, false, false},
    [TN_CHANNEL_SIGNED_INT16] = {TN_CU_FORMAT_S16, false, false},
    [TN_CHANNEL_SIGNED_INT32] = {TN_CU_FORMAT_S32, false, false},
    [TN_CHANNEL_UNSIGNED_INT8] = {TN_CU_FORMAT_U8, false, false},
    [TN_CHANNEL_UNSIGNED_INT16] = {TN_CU_FORMAT_U16, false, false},
    [TN_CHANNEL_UNSIGNED_INT32] = {TN_CU_FORMAT_U32, false, false},
    [TN_CHANNEL_FP16] = {TN_CU_FORMAT_HALF, false, true},
    [TN_CHANNEL_FP32] = {TN_CU_FORMAT_FLOAT, false, true},
};

static tn_status fail(tn_adapter_device *device, tn_cu_result result, const char *what,
                      tn_diag *diag) {
  char text[TN_CUDA_NAME_SIZE + 96];
  if (result == TN_CU_INVALID_VALUE) {
    return TN_FAIL_NATIVE(diag, UNSUPPORTED, result,
                          "%s: %s cannot be made: the device does not support its size, channels, "
                          "sampler, address or pitch",
                          device->name, what);
  }
  (void)snprintf(text, sizeof(text), "%s: %s cannot be made", device->name, what);
  return tn_cuda_device_fail(device, result, text, diag);
}

static uint64_t ask(const tn_adapter_device *device, int what) {
  int value = 0;
  return device->driver->device_attribute(&value, what, device->handle) == TN_CU_SUCCESS &&
                 value > 0
             ? (uint64_t)value
             : 0;
}

// Surfaces are of arrays only. Textures of linear memory of 1 dimension are fetched from, not
// sampled; those of arrays of 1 dimension are sampled, not fetched from.
static void facts(tn_adapter_device *device, tn_bindless_facts *out) {
  enum { MOST_ANISOTROPY = 16 };
  out->features = TN_BINDLESS_HAS_IMAGES | TN_BINDLESS_HAS_1D_USM | TN_BINDLESS_HAS_2D_USM |
                  TN_BINDLESS_HAS_GATHER | TN_BINDLESS_SAMPLES_2D_USM | TN_BINDLESS_FETCHES_1D_USM |
                  TN_BINDLESS_FETCHES_2D | TN_BINDLESS_FETCHES_2D_USM | TN_BINDLESS_FETCHES_3D |
                  TN_BINDLESS_HAS_CUBEMAPS | TN_BINDLESS_HAS_SEAMLESS_CUBEMAPS |
                  TN_BINDLESS_HAS_ARRAYS | TN_BINDLESS_HAS_MIPMAPS | TN_BINDLESS_HAS_ANISOTROPY |
                  TN_BINDLESS_HAS_LEVEL_IMAGES | TN_BINDLESS_HAS_ADDRESSING_PER_DIMENSION;
  if (ask(device, TN_CU_MANAGED_MEMORY) != 0) {
    out->features |= TN_BINDLESS_HAS_SHARED_USM;
  }
  out->row_pitch_alignment = (uint32_t)ask(device, TN_CU_TEXTURE_PITCH_ALIGNMENT);
  out->most_linear_width = ask(device, TN_CU_MAX_LINEAR_TEXTURE_WIDTH);
  out->most_linear_height = ask(device, TN_CU_MAX_LINEAR_TEXTURE_HEIGHT);
  out->most_linear_row_pitch = ask(device, TN_CU_MAX_LINEAR_TEXTURE_PITCH);
  out->most_anisotropy = MOST_ANISOTROPY;
}

// ---- Arrays

static tn_cu_array array_of(const tn_adapter_array *array) { return (tn_cu_array)(uintptr_t)array; }
static tn_cu_mipmap mipmap_of(const tn_adapter_array *array) {
  return (tn_cu_mipmap)(uintptr_t)array;
}

static tn_status create(tn_adapter_device *device, const tn_bindless_description *description,
                        tn_adapter_array **out, tn_diag *diag) {
  const int32_t type = description->type;
  const bool is_layered = type == TN_BINDLESS_ARRAY || type == TN_BINDLESS_CUBEMAP;
  tn_cu_array_props props = {
      .width = description->extent[0],
      .height = description->extent[1],
      .depth = is_layered ? description->layer_count : description->extent[2],
      .format = channels[description->channel_type].format,
      .channel_count = description->channel_count,
      .flags = TN_CU_ARRAY_SURFACE | (type == TN_BINDLESS_ARRAY     ? TN_CU_ARRAY_LAYERED
                                      : type == TN_BINDLESS_CUBEMAP ? TN_CU_ARRAY_CUBEMAP
                                      : type == TN_BINDLESS_GATHER  ? TN_CU_ARRAY_GATHER
                                                                    : 0u),
  };
  tn_cu_array array = NULL;
  tn_cu_mipmap mipmap = NULL;
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_cu_result result = type == TN_BINDLESS_MIPMAP ? device->driver->mipmap_create(
                                                         &mipmap, &props, description->level_count)
                                                   : device->driver->array_create(&array, &props);
  // Then it can be gathered from, at least.
  if (result == TN_CU_INVALID_VALUE && type == TN_BINDLESS_GATHER) {
    props.flags = TN_CU_ARRAY_GATHER;
    result = device->driver->array_create(&array, &props);
  }
  tn_cuda_leave(device, &entry);
  if (result != TN_CU_SUCCESS) {
    return fail(device, result, "the memory of an image", diag);
  }
  *out = mipmap ? (tn_adapter_array *)(void *)mipmap : (tn_adapter_array *)(void *)array;
  return TN_OK;
}

static void destroy(tn_adapter_device *device, tn_adapter_array *array, int32_t type) {
  tn_cuda_entry entry;
  if (tn_cuda_enter(device, &entry, NULL) != TN_OK) {
    return;  // the context is lost, and its memory with it
  }
  if (type == TN_BINDLESS_MIPMAP) {
    (void)device->driver->mipmap_destroy(mipmap_of(array));
  } else {
    (void)device->driver->array_destroy(array_of(array));
  }
  tn_cuda_leave(device, &entry);
}

static tn_status level_of(tn_adapter_device *device, tn_adapter_array *array, uint32_t level,
                          tn_adapter_array **out, tn_diag *diag) {
  tn_cu_array found = NULL;
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->mipmap_level(&found, mipmap_of(array), level);
  tn_cuda_leave(device, &entry);
  *out = (tn_adapter_array *)(void *)found;
  return result == TN_CU_SUCCESS ? TN_OK : fail(device, result, "a level of a mipmap", diag);
}

// ---- Textures and surfaces

static tn_cu_resource resource_of(const tn_adapter_pixels *pixels,
                                  const tn_bindless_description *description) {
  tn_cu_resource resource = {.kind = TN_CU_RESOURCE_ARRAY};
  const int format = channels[description->channel_type].format;
  const unsigned count = description->channel_count;
  const tn_cu_address memory = (tn_cu_address)(uintptr_t)pixels->memory;
  if (pixels->array != NULL && description->type == TN_BINDLESS_MIPMAP) {
    resource.kind = TN_CU_RESOURCE_MIPMAP;
    resource.of.mipmap = mipmap_of(pixels->array);
  } else if (pixels->array != NULL) {
    resource.of.array = array_of(pixels->array);
  } else if (description->extent[1] == 0) {
    resource.kind = TN_CU_RESOURCE_LINEAR;
    resource.of.linear.memory = memory;
    resource.of.linear.format = format;
    resource.of.linear.channel_count = count;
    resource.of.linear.size = pixels->row_pitch;
  } else {
    resource.kind = TN_CU_RESOURCE_ROWS;
    resource.of.rows.memory = memory;
    resource.of.rows.format = format;
    resource.of.rows.channel_count = count;
    resource.of.rows.width = description->extent[0];
    resource.of.rows.height = description->extent[1];
    resource.of.rows.pitch = pixels->row_pitch;
  }
  return resource;
}

static int addressing_of(int32_t mode) {
  switch (mode) {
    case TN_ADDRESSING_MIRRORED_REPEAT:
      return TN_CU_ADDRESS_MIRROR;
    case TN_ADDRESSING_REPEAT:
      return TN_CU_ADDRESS_WRAP;
    case TN_ADDRESSING_CLAMP:
      return TN_CU_ADDRESS_BORDER;
    default:
      return TN_CU_ADDRESS_CLAMP;
  }
}

static tn_cu_texture_props texture_of(const tn_bindless_sampler *sampler,
                                      const tn_bindless_description *description) {
  const int32_t channel_type = description->channel_type;
  const bool is_integer = !channels[channel_type].is_normalized && !channels[channel_type].is_float;
  const bool is_mipmap = description->type == TN_BINDLESS_MIPMAP;
  tn_cu_texture_props props = {
      .filter = sampler->is_linear ? TN_CU_FILTER_LINEAR : TN_CU_FILTER_POINT,
      .flags =
          (is_integer ? TN_CU_READ_AS_INTEGER : 0u) |
          (sampler->is_normalized ? TN_CU_NORMALIZED : 0u) |
          (sampler->is_seamless && description->type == TN_BINDLESS_CUBEMAP ? TN_CU_SEAMLESS_CUBEMAP
                                                                            : 0u),
  };
  // Images of 1 dimension are filtered in a second one as well, half of it beyond the edge.
  for (int i = 0; i < 3; i++) {
    props.addressing[i] = i == 0 || description->extent[i] > 0
                              ? addressing_of(sampler->addressing[i])
                              : TN_CU_ADDRESS_CLAMP;
  }
  if (is_mipmap) {
    props.level_filter =
        sampler->is_linear_between_levels && !is_integer ? TN_CU_FILTER_LINEAR : TN_CU_FILTER_POINT;
    props.least_level = sampler->least_level;
    props.most_level = sampler->most_level;
    props.most_anisotropy = sampler->most_anisotropy > 1 ? (unsigned)sampler->most_anisotropy : 0;
  }
  return props;
}

static tn_status open_image(tn_adapter_device *device, const tn_adapter_pixels *pixels,
                            const tn_bindless_description *description,
                            const tn_bindless_sampler *sampler, uint64_t *out, tn_diag *diag) {
  const tn_cu_resource resource = resource_of(pixels, description);
  unsigned long long made = 0;
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_cu_result result = TN_CU_SUCCESS;
  if (sampler != NULL) {
    const tn_cu_texture_props props = texture_of(sampler, description);
    result = device->driver->texture_create(&made, &resource, &props, NULL);
  } else {
    result = device->driver->surface_create(&made, &resource);
  }
  tn_cuda_leave(device, &entry);
  *out = made;
  return result == TN_CU_SUCCESS
             ? TN_OK
             : fail(device, result, sampler != NULL ? "a texture" : "a surface", diag);
}

static tn_status close_image(tn_adapter_device *device, uint64_t image, bool is_sampled,
                             tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result =
      is_sampled ? device->driver->texture_destroy(image) : device->driver->surface_destroy(image);
  tn_cuda_leave(device, &entry);
  if (result == TN_CU_INVALID_VALUE || result == TN_CU_INVALID_HANDLE) {
    return TN_FAIL_NATIVE(diag, INVALID_ARGUMENT, result,
                          "0x%llx is no %s image of device %s, or was destroyed already",
                          (unsigned long long)image, is_sampled ? "sampled" : "unsampled",
                          device->name);
  }
  return result == TN_CU_SUCCESS ? TN_OK
                                 : tn_cuda_device_fail(device, result, "destroying an image", diag);
}

const tn_adapter_arrays tn_cuda_arrays = {
    .facts = facts,
    .create = create,
    .destroy = destroy,
    .level = level_of,
    .open = open_image,
    .close = close_image,
};

// ---- Copies

static void set_end(const tn_adapter_device *device, tn_cu_copy_end *out,
                    const tn_adapter_array_place *place, const tn_adapter_rect *rect,
                    uint64_t slice, uint64_t height) {
  if (place->array != NULL) {
    *out = (tn_cu_copy_end){.x = place->x,
                            .y = place->y,
                            .z = place->z + slice,
                            .memory_type = TN_CU_MEMORY_ARRAY,
                            .array = array_of(place->array)};
    return;
  }
  tn_cuda_copy_end(device, out, (const unsigned char *)rect->memory + slice * rect->slice_pitch,
                   rect->row_pitch, height);
}

// Rows that a slice takes: what the driver knows slices by. 0: none fit.
static uint64_t rows_of_slice(const tn_adapter_array_place *place, const tn_adapter_rect *rect,
                              uint64_t height) {
  const bool is_whole = rect->row_pitch > 0 && rect->slice_pitch % rect->row_pitch == 0;
  return place->array != NULL ? height : is_whole ? rect->slice_pitch / rect->row_pitch : 0;
}

void tn_cuda_array_copy(tn_adapter_device *device, const tn_adapter_command *command,
                        uint64_t slice, tn_cu_copy_3d *out) {
  const uint64_t height = command->extent[1];
  const uint64_t to = rows_of_slice(&command->arrays[0], &command->rect_dst, height);
  const uint64_t from = rows_of_slice(&command->arrays[1], &command->rect_src, height);
  const bool is_box = to >= height && from >= height;
  *out = (tn_cu_copy_3d){.width = command->extent[0],
                         .height = height,
                         .depth = is_box ? command->extent[2] - slice : 1};
  set_end(device, &out->to, &command->arrays[0], &command->rect_dst, slice, is_box ? to : height);
  set_end(device, &out->from, &command->arrays[1], &command->rect_src, slice,
          is_box ? from : height);
}
