// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the command buffers of a driver, and records commands by the functions of its revision.
#include "adapter/opencl/opencl_command_buffer.h"

#include "adapter/opencl/opencl_device.h"
#include "base/alloc.h"

#include <string.h>

typedef struct function_row {
  const char *symbol;
  size_t offset;
} function_row;

// 0: the device does not have the extension, or does not report versions.
static tn_cl_uint version_of(const tn_adapter_device *device, const char *name) {
  size_t count = 0;
  tn_cl_uint version = 0;
  tn_cl_name_version *all =
      tn_opencl_versions(device, TN_CL_DEVICE_EXTENSIONS_WITH_VERSION, &count);
  for (size_t i = 0; i < count && version == 0; i++) {
    version = strncmp(all[i].name, name, sizeof(all[i].name)) == 0 ? all[i].version : 0;
  }
  tn_free(all);
  return version;
}

static bool load(const tn_adapter_device *device, const function_row *rows, size_t count,
                 tn_opencl_recorder *out) {
  for (size_t i = 0; i < count; i++) {
    void *found = device->driver->extension_function(device->platform, rows[i].symbol);
    if (!found) {
      return false;
    }
    memcpy((unsigned char *)out + rows[i].offset, &found, sizeof(found));
  }
  return true;
}

static bool load_all(const tn_adapter_device *device, tn_opencl_recorder *out) {
#define ROW(field, symbol, result, parameters) {symbol, offsetof(tn_opencl_recorder, field)},
#define RECENT(field, symbol, ...) {symbol, offsetof(tn_opencl_recorder, recent.field)},
#define OLD(field, symbol, ...) {symbol, offsetof(tn_opencl_recorder, old.field)},
  static const function_row functions[] = {TN_CL_COMMAND_BUFFER_FUNCTIONS(ROW)};
  static const function_row recent[] = {TN_CL_RECORDING_FUNCTIONS(RECENT)};
  static const function_row old[] = {TN_CL_OLD_RECORDING_FUNCTIONS(OLD)};
#undef OLD
#undef RECENT
#undef ROW
  return load(device, functions, TN_COUNT(functions), out) &&
         (out->is_old ? load(device, old, TN_COUNT(old), out)
                      : load(device, recent, TN_COUNT(recent), out));
}

static bool load_mutable(const tn_adapter_device *device, tn_opencl_recorder *out) {
#define ROW(field, symbol, result, parameters) {symbol, offsetof(tn_opencl_recorder, field)},
  static const function_row functions[] = {TN_CL_MUTABLE_FUNCTIONS(ROW)};
#undef ROW
  // Revision 0.9.2 changed the function's parameters.
  return version_of(device, "cl_khr_command_buffer_mutable_dispatch") >=
             TN_CL_MAKE_VERSION(0, 9, 2) &&
         (tn_opencl_ask_u64(device, TN_CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES) &
          TN_CL_MUTABLE_ALL) == TN_CL_MUTABLE_ALL &&
         load(device, functions, TN_COUNT(functions), out);
}

void tn_opencl_recorder_find(tn_adapter_device *device) {
  tn_opencl_recorder found = {0};
  const tn_cl_uint version = version_of(device, "cl_khr_command_buffer");
  // Queues have nothing but a profile, and their order.
  const uint64_t required = tn_opencl_ask_u64(device, TN_CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE);
  if (version < TN_CL_MAKE_VERSION(0, 9, 4) || version >= TN_CL_MAKE_VERSION(2, 0, 0) ||
      (required & ~(uint64_t)TN_CL_QUEUE_PROFILING) != 0) {
    return;
  }
  found.is_old = version < TN_CL_MAKE_VERSION(0, 9, 5);
  if (!load_all(device, &found)) {
    return;
  }
  const uint64_t can = tn_opencl_ask_u64(device, TN_CL_DEVICE_COMMAND_BUFFER_CAPABILITIES);
  found.is_simultaneous = (can & TN_CL_COMMAND_BUFFER_CAN_SIMULTANEOUS) != 0;
  found.is_out_of_order =
      device->is_out_of_order &&
      (version < TN_CL_MAKE_VERSION(0, 9, 6)
           ? (can & TN_CL_COMMAND_BUFFER_CAN_OUT_OF_ORDER) != 0
           : (tn_opencl_ask_u64(device, TN_CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE) &
              TN_CL_QUEUE_OUT_OF_ORDER) != 0);
  found.is_mutable = load_mutable(device, &found);
  found.is_there = true;
  device->recorder = found;
}

tn_cl_int tn_opencl_record_barrier(const tn_opencl_recorder *recorder,
                                   const tn_opencl_insertion *insertion) {
  return recorder->is_old
             ? recorder->old.barrier(insertion->buffer, NULL, insertion->after_count,
                                     insertion->after, insertion->out, NULL)
             : recorder->recent.barrier(insertion->buffer, NULL, NULL, insertion->after_count,
                                        insertion->after, insertion->out, NULL);
}

tn_cl_int tn_opencl_record_copy(const tn_opencl_recorder *recorder,
                                const tn_opencl_insertion *insertion, void *dst, const void *src,
                                size_t size) {
  return recorder->is_old
             ? recorder->old.copy(insertion->buffer, NULL, dst, src, size, insertion->after_count,
                                  insertion->after, insertion->out, NULL)
             : recorder->recent.copy(insertion->buffer, NULL, NULL, dst, src, size,
                                     insertion->after_count, insertion->after, insertion->out,
                                     NULL);
}

tn_cl_int tn_opencl_record_fill(const tn_opencl_recorder *recorder,
                                const tn_opencl_insertion *insertion, void *dst,
                                const void *pattern, size_t pattern_size, size_t size) {
  return recorder->is_old
             ? recorder->old.fill(insertion->buffer, NULL, dst, pattern, pattern_size, size,
                                  insertion->after_count, insertion->after, insertion->out, NULL)
             : recorder->recent.fill(insertion->buffer, NULL, NULL, dst, pattern, pattern_size,
                                     size, insertion->after_count, insertion->after, insertion->out,
                                     NULL);
}
