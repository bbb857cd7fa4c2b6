// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command that was given to the device, between cuda_work.c, which gives it, and cuda_ends.c,
// which notices its end.
#ifndef TN_ADAPTER_CUDA_CUDA_WORK_H
#define TN_ADAPTER_CUDA_CUDA_WORK_H

#include "adapter/cuda/cuda_device.h"

struct tn_cuda_work {
  tn_cuda_work *next;
  tn_adapter_stream *stream;  // NULL: of no known one
  tn_cu_event start;          // timed, made when first needed
  tn_cu_event end;
  tn_cu_event place;    // untimed
  tn_cu_event awaited;  // the one of these, or another's, that tells of the end
  bool has_times;
  bool has_ended;   // `result` is there
  bool is_asked;    // by who looks, with others of its stream
  uint64_t number;        // in its stream, as they were noted in the list
  uint64_t number_before;  // all up to this one were in the stream before it
  tn_adapter_done_fn done;
  void *user;
  tn_cu_result result;  // of the last look
  uint64_t start_ns;
  uint64_t end_ns;
  uint32_t kind;       // TN_ADAPTER_…; 0: none
  const char *kernel;  // of the device's names; NULL: no kernel
};

// Of the device's spare ones, or new; NULL when there is no memory.
tn_cuda_work *tn_cuda_work_take(tn_adapter_device *device);
void tn_cuda_work_give_back(tn_adapter_device *device, tn_cuda_work *work);
// The thread that looks for ends, once a device.
TN_MUST_USE tn_status tn_cuda_ends_start(tn_adapter_device *device, tn_diag *diag);
// It runs: its end will be told. True when it is time to look.
bool tn_cuda_ends_add(tn_adapter_device *device, tn_cuda_work *work);
// Tells of all that has ended. True when there was any.
bool tn_cuda_ends_look(tn_adapter_device *device);

#endif
