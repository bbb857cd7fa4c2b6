// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extensions cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch: types and
// numbers of their binary interface. Private to adapter/opencl.
// Source: OpenCL extension specification, revisions 0.9.4 to 1.0.0 of cl_khr_command_buffer and
// 0.9.2 to 0.9.5 of cl_khr_command_buffer_mutable_dispatch.
#ifndef TN_ADAPTER_OPENCL_OPENCL_COMMAND_BUFFER_H
#define TN_ADAPTER_OPENCL_OPENCL_COMMAND_BUFFER_H

#include "adapter/opencl/opencl_driver.h"

typedef struct tn_cl_command_buffer_handle *tn_cl_command_buffer;
typedef struct tn_cl_mutable_handle *tn_cl_mutable;
typedef uint32_t tn_cl_sync_point;

enum {
  TN_CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE = 0x129a,  // from revision 0.9.6 on
  TN_CL_DEVICE_COMMAND_BUFFER_CAPABILITIES = 0x12a9,
  TN_CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE = 0x12aa,
  TN_CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES = 0x12b0,
};
// Of the capabilities; the second one before revision 0.9.6 only.
enum {
  TN_CL_COMMAND_BUFFER_CAN_SIMULTANEOUS = 1 << 2,
  TN_CL_COMMAND_BUFFER_CAN_OUT_OF_ORDER = 1 << 3
};
enum {
  TN_CL_COMMAND_BUFFER_FLAGS = 0x1293,
  TN_CL_COMMAND_BUFFER_SIMULTANEOUS = 1 << 0,
  TN_CL_COMMAND_BUFFER_MUTABLE = 1 << 1
};
// Offset, global size, local size and arguments.
enum { TN_CL_MUTABLE_FIELDS = 0x12b1, TN_CL_MUTABLE_ALL = 0xf };

typedef struct tn_cl_mutable_argument {
  tn_cl_uint index;
  size_t size;
  const void *value;
} tn_cl_mutable_argument;

typedef struct tn_cl_mutable_config {
  tn_cl_mutable command;
  tn_cl_uint argument_count;
  tn_cl_uint svm_argument_count;
  tn_cl_uint exec_info_count;
  tn_cl_uint dims;
  const tn_cl_mutable_argument *arguments;
  const tn_cl_mutable_argument *svm_arguments;
  const void *exec_infos;
  const size_t *offset;
  const size_t *global;
  const size_t *local;
} tn_cl_mutable_config;

// X(field, symbol, result, parameters). Revision 0.9.5 gave every function that records a command a
// list of properties, which clCommandNDRangeKernelKHR had before.
// clang-format off
#define TN_CL_COMMAND_BUFFER_FUNCTIONS(X) \
  X(create, "clCreateCommandBufferKHR", tn_cl_command_buffer, \
    (tn_cl_uint count, const tn_cl_queue *queues, const tn_cl_bits *properties, \
     tn_cl_int *result)) \
  X(finalize, "clFinalizeCommandBufferKHR", tn_cl_int, (tn_cl_command_buffer buffer)) \
  X(release, "clReleaseCommandBufferKHR", tn_cl_int, (tn_cl_command_buffer buffer)) \
  X(enqueue, "clEnqueueCommandBufferKHR", tn_cl_int, \
    (tn_cl_uint queue_count, tn_cl_queue *queues, tn_cl_command_buffer buffer, tn_cl_uint count, \
     const tn_cl_event *after, tn_cl_event *event)) \
  X(kernel, "clCommandNDRangeKernelKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_queue queue, const tn_cl_bits *properties, \
     tn_cl_kernel kernel, tn_cl_uint dims, const size_t *offset, const size_t *global, \
     const size_t *local, tn_cl_uint count, const tn_cl_sync_point *after, \
     tn_cl_sync_point *out, tn_cl_mutable *handle))
// From revision 0.9.5 on.
#define TN_CL_RECORDING_FUNCTIONS(X) \
  X(barrier, "clCommandBarrierWithWaitListKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_queue queue, const tn_cl_bits *properties, \
     tn_cl_uint count, const tn_cl_sync_point *after, tn_cl_sync_point *out, \
     tn_cl_mutable *handle)) \
  X(copy, "clCommandSVMMemcpyKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_queue queue, const tn_cl_bits *properties, void *dst, \
     const void *src, size_t size, tn_cl_uint count, const tn_cl_sync_point *after, \
     tn_cl_sync_point *out, tn_cl_mutable *handle)) \
  X(fill, "clCommandSVMMemFillKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_queue queue, const tn_cl_bits *properties, void *dst, \
     const void *pattern, size_t pattern_size, size_t size, tn_cl_uint count, \
     const tn_cl_sync_point *after, tn_cl_sync_point *out, tn_cl_mutable *handle))
// Before revision 0.9.5.
#define TN_CL_OLD_RECORDING_FUNCTIONS(X) \
  X(barrier, "clCommandBarrierWithWaitListKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_queue queue, tn_cl_uint count, \
     const tn_cl_sync_point *after, tn_cl_sync_point *out, tn_cl_mutable *handle)) \
  X(copy, "clCommandSVMMemcpyKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_queue queue, void *dst, const void *src, size_t size, \
     tn_cl_uint count, const tn_cl_sync_point *after, tn_cl_sync_point *out, \
     tn_cl_mutable *handle)) \
  X(fill, "clCommandSVMMemFillKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_queue queue, void *dst, const void *pattern, \
     size_t pattern_size, size_t size, tn_cl_uint count, const tn_cl_sync_point *after, \
     tn_cl_sync_point *out, tn_cl_mutable *handle))
#define TN_CL_MUTABLE_FUNCTIONS(X) \
  X(update, "clUpdateMutableCommandsKHR", tn_cl_int, \
    (tn_cl_command_buffer buffer, tn_cl_uint count, const tn_cl_uint *types, \
     const void **configs))
// clang-format on

#define TN_CL_FIELD(field, symbol, result, parameters) result(*field) parameters;
// What the driver of a device has for recording commands; immutable after tn_opencl_recorder_find.
typedef struct tn_opencl_recorder {
  bool is_there;
  bool is_old;           // before revision 0.9.5
  bool is_simultaneous;  // a command buffer may be enqueued while it runs
  bool is_out_of_order;  // for out-of-order queues as well
  bool is_mutable;       // kernels of a finalized command buffer can be changed
  TN_CL_COMMAND_BUFFER_FUNCTIONS(TN_CL_FIELD)
  TN_CL_MUTABLE_FUNCTIONS(TN_CL_FIELD)
  struct {
    TN_CL_RECORDING_FUNCTIONS(TN_CL_FIELD)
  } recent;  // without is_old
  struct {
    TN_CL_OLD_RECORDING_FUNCTIONS(TN_CL_FIELD)
  } old;  // with is_old
} tn_opencl_recorder;
#undef TN_CL_FIELD

// Where a command is recorded: what it follows in its command buffer, and its own sync point.
typedef struct tn_opencl_insertion {
  tn_cl_command_buffer buffer;
  const tn_cl_sync_point *after;
  tn_cl_uint after_count;
  tn_cl_sync_point *out;
} tn_opencl_insertion;

struct tn_adapter_device;
void tn_opencl_recorder_find(struct tn_adapter_device *device);
tn_cl_int tn_opencl_record_barrier(const tn_opencl_recorder *recorder,
                                   const tn_opencl_insertion *insertion);
tn_cl_int tn_opencl_record_copy(const tn_opencl_recorder *recorder,
                                const tn_opencl_insertion *insertion, void *dst, const void *src,
                                size_t size);
tn_cl_int tn_opencl_record_fill(const tn_opencl_recorder *recorder,
                                const tn_opencl_insertion *insertion, void *dst,
                                const void *pattern, size_t pattern_size, size_t size);

#endif
