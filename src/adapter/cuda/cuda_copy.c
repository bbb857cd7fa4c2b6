// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies, fills, and where managed memory is wanted. The driver knows both sides of a copy by their
// addresses, also when they are of two devices.
#include "adapter/cuda/cuda_device.h"

#include <stdio.h>
#include <string.h>

static tn_cu_address address_of(const void *memory) { return (tn_cu_address)(uintptr_t)memory; }

// Slices that are whole rows apart are one box for the driver, else one each.
static bool is_one_box(const tn_adapter_rect *rect) {
  return rect->row_pitch > 0 && rect->slice_pitch % rect->row_pitch == 0;
}

static tn_cu_copy_end end_of(const tn_adapter_rect *rect, uint64_t slice, bool is_box,
                             uint64_t height) {
  return (tn_cu_copy_end){.memory_type = TN_CU_MEMORY_UNIFIED,
                          .device = address_of(rect->memory) + slice * rect->slice_pitch,
                          .pitch = rect->row_pitch,
                          .height = is_box ? rect->slice_pitch / rect->row_pitch : height};
}

void tn_cuda_copy_end(const tn_adapter_device *device, tn_cu_copy_end *out, const void *memory,
                      uint64_t row_pitch, uint64_t height) {
  unsigned kind = 0;
  const tn_cu_address at = address_of(memory);
  const bool is_known =
      device->driver->pointer_get(&kind, TN_CU_POINTER_MEMORY_TYPE, at) == TN_CU_SUCCESS &&
      kind != 0;
  *out = (tn_cu_copy_end){.memory_type = is_known ? TN_CU_MEMORY_UNIFIED : TN_CU_MEMORY_HOST,
                          .host = is_known ? NULL : memory,
                          .device = is_known ? at : 0,
                          .pitch = row_pitch,
                          .height = height};
}

static tn_cu_result copy_box(const tn_cuda_driver *driver, const tn_adapter_command *command,
                             tn_cu_stream stream) {
  const tn_adapter_rect *to = &command->rect_dst;
  const tn_adapter_rect *from = &command->rect_src;
  const uint64_t height = command->extent[1];
  const bool is_box = command->extent[2] > 1 && is_one_box(to) && is_one_box(from);
  const uint64_t depth = is_box ? command->extent[2] : 1;
  for (uint64_t slice = 0; slice < command->extent[2]; slice += depth) {
    const tn_cu_copy_3d copy = {
        .from = end_of(from, slice, is_box, height),
        .to = end_of(to, slice, is_box, height),
        .width = command->extent[0],
        .height = height,
        .depth = depth,
    };
    const tn_cu_result result = driver->copy_3d_async(&copy, stream);
    if (result != TN_CU_SUCCESS) {
      return result;
    }
  }
  return TN_CU_SUCCESS;
}

static tn_cu_result copy_arrays(tn_adapter_device *device, const tn_adapter_command *command,
                                tn_cu_stream stream) {
  tn_cu_result result = TN_CU_SUCCESS;
  tn_cu_copy_3d copy;
  for (uint64_t slice = 0; slice < command->extent[2] && result == TN_CU_SUCCESS;
       slice += copy.depth) {
    tn_cuda_array_copy(device, command, slice, &copy);
    result = device->driver->copy_3d_async(&copy, stream);
  }
  return result;
}

// A pattern of up to 4 bytes that says the same: its size, and the value.
uint64_t tn_cuda_pattern_size(const unsigned char *pattern, uint64_t size) {
  for (uint64_t part = 1; part < size; part++) {
    if (size % part == 0 && memcmp(pattern, pattern + part, size - part) == 0) {
      return part;
    }
  }
  return size;
}

// `width` elements of `size` bytes in each of `height` rows, all the same.
static tn_cu_result fill_lane(const tn_cuda_driver *driver, tn_cu_address to, uint64_t pitch,
                              const unsigned char *value, uint64_t size, uint64_t height,
                              tn_cu_stream stream) {
  if (size == 1) {
    return driver->fill8_rows_async(to, pitch, value[0], 1, height, stream);
  }
  unsigned word = 0;
  memcpy(&word, value, sizeof(word));
  return driver->fill32_rows_async(to, pitch, word, 1, height, stream);
}

// Longer patterns: the same lane of each at a time.
static tn_cu_result fill_lanes(const tn_cuda_driver *driver, tn_cu_address to, uint64_t count,
                               const unsigned char *pattern, uint64_t size, tn_cu_stream stream) {
  const uint64_t lane = size % 4 == 0 && to % 4 == 0 ? 4 : 1;
  for (uint64_t at = 0; at < size; at += lane) {
    const tn_cu_result result = fill_lane(driver, to + at, size, pattern + at, lane, count, stream);
    if (result != TN_CU_SUCCESS) {
      return result;
    }
  }
  return TN_CU_SUCCESS;
}

static tn_cu_result fill_bytes(const tn_cuda_driver *driver, tn_cu_address to, uint64_t size,
                               const tn_adapter_command *command, tn_cu_stream stream) {
  const unsigned char *pattern = command->pattern;
  const uint64_t part = tn_cuda_pattern_size(pattern, command->pattern_size);
  unsigned short half = 0;
  unsigned word = 0;
  if (part == 1) {
    return driver->fill8_async(to, pattern[0], size, stream);
  }
  if (part == 2 && to % 2 == 0) {
    memcpy(&half, pattern, sizeof(half));
    return driver->fill16_async(to, half, size / 2, stream);
  }
  if (part == 4 && to % 4 == 0) {
    memcpy(&word, pattern, sizeof(word));
    return driver->fill32_async(to, word, size / 4, stream);
  }
  return fill_lanes(driver, to, size / part, pattern, part, stream);
}

// Rows of one value at a time, where the driver has such a fill. False: not for this pattern.
static bool fill_slice(const tn_cuda_driver *driver, tn_cu_address to, uint64_t pitch,
                       const tn_adapter_command *command, tn_cu_stream stream, tn_cu_result *out) {
  const unsigned char *pattern = command->pattern;
  const uint64_t part = tn_cuda_pattern_size(pattern, command->pattern_size);
  const uint64_t width = command->extent[0];
  const uint64_t height = command->extent[1];
  unsigned short half = 0;
  unsigned word = 0;
  if (pitch < width || (part != 1 && part != 2 && part != 4) || (to | pitch) % part != 0) {
    return false;
  }
  if (part == 1) {
    *out = driver->fill8_rows_async(to, pitch, pattern[0], width, height, stream);
  } else if (part == 2) {
    memcpy(&half, pattern, sizeof(half));
    *out = driver->fill16_rows_async(to, pitch, half, width / 2, height, stream);
  } else {
    memcpy(&word, pattern, sizeof(word));
    *out = driver->fill32_rows_async(to, pitch, word, width / 4, height, stream);
  }
  return true;
}

static tn_cu_result fill_rows(const tn_cuda_driver *driver, tn_cu_address to, uint64_t pitch,
                              const tn_adapter_command *command, tn_cu_stream stream) {
  tn_cu_result result = TN_CU_SUCCESS;
  for (uint64_t row = 0; row < command->extent[1] && result == TN_CU_SUCCESS; row++) {
    result = fill_bytes(driver, to + row * pitch, command->extent[0], command, stream);
  }
  return result;
}

static tn_cu_result fill_box(const tn_cuda_driver *driver, const tn_adapter_command *command,
                             tn_cu_stream stream) {
  const tn_adapter_rect *to = &command->rect_dst;
  tn_cu_result result = TN_CU_SUCCESS;
  for (uint64_t slice = 0; slice < command->extent[2] && result == TN_CU_SUCCESS; slice++) {
    const tn_cu_address at = address_of(to->memory) + slice * to->slice_pitch;
    if (!fill_slice(driver, at, to->row_pitch, command, stream, &result)) {
      result = fill_rows(driver, at, to->row_pitch, command, stream);
    }
  }
  return result;
}

// Hints: what the device cannot take is none the worse for it.
static tn_cu_result hint(const tn_adapter_device *device, const tn_adapter_command *command,
                         tn_cu_stream stream) {
  const tn_cuda_driver *driver = device->driver;
  const tn_cu_address at = address_of(command->dst);
  unsigned is_managed = 0;
  if (driver->pointer_get(&is_managed, TN_CU_POINTER_IS_MANAGED, at) != TN_CU_SUCCESS ||
      is_managed == 0 || !device->is_managed_concurrent) {
    return TN_CU_SUCCESS;
  }
  const tn_cu_device to =
      command->advice == TN_PREFETCH_TO_HOST ? TN_CU_DEVICE_CPU : device->handle;
  const tn_cu_result result =
      command->kind == TN_ADAPTER_PREFETCH
          ? driver->prefetch(at, command->size, to, stream)
          : driver->advise(at, command->size, command->advice, device->handle);
  return result == TN_CU_INVALID_VALUE ? TN_CU_SUCCESS : result;
}

tn_status tn_cuda_move(tn_adapter_device *device, const tn_adapter_command *command,
                       tn_cu_stream stream, tn_diag *diag) {
  const tn_cuda_driver *driver = device->driver;
  tn_cu_result result = TN_CU_INVALID_VALUE;
  char what[TN_CUDA_NAME_SIZE + 64];
  const char *kind = "a copy of";
  uint64_t size = command->size;
  if (command->kind == TN_ADAPTER_GRAPH) {
    return tn_cuda_graph_launch(command->graph, stream, diag);
  }
  if (command->kind == TN_ADAPTER_NATIVE) {
    return command->native(command->native_user, stream, NULL, diag);
  }
  switch (command->kind) {
    case TN_ADAPTER_COPY:
      if (!tn_cuda_stage_copy(device, command, stream, &result)) {
        result = driver->copy_async(address_of(command->dst), address_of(command->src),
                                    command->size, stream);
      }
      break;
    case TN_ADAPTER_COPY_RECT:
      size = command->extent[0] * command->extent[1] * command->extent[2];
      result = copy_box(driver, command, stream);
      break;
    case TN_ADAPTER_COPY_ARRAY:
      kind = "a copy of an image of";
      size = command->extent[0] * command->extent[1] * command->extent[2];
      result = copy_arrays(device, command, stream);
      break;
    case TN_ADAPTER_FILL:
      kind = "a fill of";
      result = fill_bytes(driver, address_of(command->dst), command->size, command, stream);
      break;
    case TN_ADAPTER_PREFETCH:
    case TN_ADAPTER_ADVISE:
      kind = "a hint about";
      result = hint(device, command, stream);
      break;
    default:
      kind = "a fill of";
      size = command->extent[0] * command->extent[1] * command->extent[2];
      result = fill_box(driver, command, stream);
      break;
  }
  if (result == TN_CU_SUCCESS) {
    return TN_OK;
  }
  (void)snprintf(what, sizeof(what), "%s %llu bytes on device %s", kind, (unsigned long long)size,
                 device->name);
  return tn_cuda_device_fail(device, result, what, diag);
}
