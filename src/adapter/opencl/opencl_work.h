// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command under way. Private to adapter/opencl.
#ifndef TN_ADAPTER_OPENCL_OPENCL_WORK_H
#define TN_ADAPTER_OPENCL_OPENCL_WORK_H

#include "adapter/opencl/opencl_device.h"

typedef struct tn_opencl_work {
  tn_adapter_device *device;
  tn_adapter_stream *stream;  // borrowed while the command is given; NULL: the device's own queue
  tn_cl_queue queue;
  tn_adapter_done_fn done;  // NULL: nobody is notified
  void *user;
  tn_cl_event event;   // owned; NULL: the command has been done already
  tn_cl_event before;  // owned; of a graph: complete when the graph starts. NULL unless wants_times
  void *expanded;      // owned; the pattern of a fill, repeated
  const char *kernel;  // for messages; NULL: not a kernel. Borrowed from the kernel
  bool wants_times;
  uint64_t submit_ns;
  uint64_t clock_offset;  // from the device's clock to the runtime's
} tn_opencl_work;

// Gives a command to the stream, or to the device's own queue; NULL is one that does nothing.
// `done` may be NULL for streams.
tn_status tn_opencl_give(tn_adapter_device *device, tn_adapter_stream *stream,
                         const tn_adapter_command *command, tn_adapter_done_fn done, void *user,
                         tn_diag *diag);
// Calls `done` when the event is complete. Takes over the event, even on failure.
tn_status tn_opencl_watch(tn_adapter_device *device, tn_cl_event event, const char *kernel,
                          tn_adapter_done_fn done, void *user, tn_diag *diag);

// Whether the calling thread does it when nothing is before it.
bool tn_opencl_is_done_here(const tn_adapter_device *device, const tn_adapter_command *command);
// Enqueues a copy or a fill, or does it.
tn_status tn_opencl_move(tn_opencl_work *work, const tn_adapter_command *command, tn_diag *diag);
// Whether the driver fills with a pattern of that size.
bool tn_opencl_is_pattern_taken(const void *to, uint64_t size, uint64_t pattern_size);
// A step of the host's in a queue in order: what follows waits for it.
tn_status tn_opencl_step(tn_adapter_device *device, tn_cl_queue queue,
                         const tn_adapter_command *command, tn_cl_event *out, tn_diag *diag);

#endif
