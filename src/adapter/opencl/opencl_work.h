// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command under way. Private to adapter/opencl.
#ifndef TN_ADAPTER_OPENCL_OPENCL_WORK_H
#define TN_ADAPTER_OPENCL_OPENCL_WORK_H

#include "adapter/opencl/opencl_device.h"

typedef struct tn_opencl_work {
  tn_adapter_device *device;
  tn_adapter_done_fn done;
  void *user;
  tn_cl_event event;   // owned; NULL: the command has been done already
  void *expanded;      // owned; the pattern of a fill, repeated
  const char *kernel;  // for messages; NULL: not a kernel. Borrowed from the kernel
  bool wants_times;
  uint64_t submit_ns;
  uint64_t clock_offset;  // from the device's clock to the runtime's
} tn_opencl_work;

// Enqueues a copy or a fill, or does it.
tn_status tn_opencl_move(tn_opencl_work *work, const tn_adapter_command *command, tn_diag *diag);

#endif
