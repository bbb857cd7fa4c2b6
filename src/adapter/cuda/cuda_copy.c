// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills. The driver knows both sides of a copy by their addresses.
#include "adapter/cuda/cuda_device.h"

#include <string.h>

static tn_cu_address address_of(const void *memory) { return (tn_cu_address)(uintptr_t)memory; }

static tn_cu_result copy_slices(const tn_cuda_driver *driver, const tn_adapter_command *command,
                                tn_cu_stream stream) {
  const tn_adapter_rect *to = &command->rect_dst;
  const tn_adapter_rect *from = &command->rect_src;
  for (uint64_t slice = 0; slice < command->extent[2]; slice++) {
    const tn_cu_copy_3d copy = {
        .from = {.memory_type = TN_CU_MEMORY_UNIFIED,
                 .device = address_of(from->memory) + slice * from->slice_pitch,
                 .pitch = from->row_pitch,
                 .height = command->extent[1]},
        .to = {.memory_type = TN_CU_MEMORY_UNIFIED,
               .device = address_of(to->memory) + slice * to->slice_pitch,
               .pitch = to->row_pitch,
               .height = command->extent[1]},
        .width = command->extent[0],
        .height = command->extent[1],
        .depth = 1,
    };
    const tn_cu_result result = driver->copy_3d_async(&copy, stream);
    if (result != TN_CU_SUCCESS) {
      return result;
    }
  }
  return TN_CU_SUCCESS;
}

// A pattern of up to 4 bytes that says the same: its size, and the value.
static uint64_t shortest(const unsigned char *pattern, uint64_t size) {
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
  const uint64_t part = shortest(pattern, command->pattern_size);
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

static tn_cu_result fill_rows(const tn_cuda_driver *driver, const tn_adapter_command *command,
                              tn_cu_stream stream) {
  const tn_adapter_rect *to = &command->rect_dst;
  for (uint64_t slice = 0; slice < command->extent[2]; slice++) {
    for (uint64_t row = 0; row < command->extent[1]; row++) {
      const tn_cu_address at =
          address_of(to->memory) + slice * to->slice_pitch + row * to->row_pitch;
      const tn_cu_result result = fill_bytes(driver, at, command->extent[0], command, stream);
      if (result != TN_CU_SUCCESS) {
        return result;
      }
    }
  }
  return TN_CU_SUCCESS;
}

tn_status tn_cuda_move(tn_adapter_device *device, const tn_adapter_command *command,
                       tn_cu_stream stream, tn_diag *diag) {
  const tn_cuda_driver *driver = device->driver;
  tn_cu_result result = TN_CU_INVALID_VALUE;
  const char *what = "a copy";
  switch (command->kind) {
    case TN_ADAPTER_COPY:
      result = driver->copy_async(address_of(command->dst), address_of(command->src), command->size,
                                  stream);
      break;
    case TN_ADAPTER_COPY_RECT:
      result = copy_slices(driver, command, stream);
      break;
    case TN_ADAPTER_FILL:
      what = "a fill";
      result = fill_bytes(driver, address_of(command->dst), command->size, command, stream);
      break;
    default:
      what = "a fill";
      result = fill_rows(driver, command, stream);
      break;
  }
  return result == TN_CU_SUCCESS ? TN_OK : tn_cuda_fail(device->driver, result, what, diag);
}
