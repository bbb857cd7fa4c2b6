// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the adapter share: a device, its streams and what runs on them.
#ifndef TN_ADAPTER_CUDA_CUDA_DEVICE_H
#define TN_ADAPTER_CUDA_CUDA_DEVICE_H

#include "adapter/cuda/cuda.h"
#include "adapter/cuda/cuda_driver.h"
#include "base/thread.h"

enum { TN_CUDA_STREAMS = 8, TN_CUDA_NAME_SIZE = 256, TN_CUDA_LAUNCH_WORDS = 7 };

// A command that was given to the device and has not been seen to end.
typedef struct tn_cuda_work tn_cuda_work;
typedef struct tn_cuda_aligned tn_cuda_aligned;  // cuda_memory.c

struct tn_adapter_device {
  const tn_cuda_driver *driver;
  tn_cu_device handle;
  char name[TN_CUDA_NAME_SIZE];
  char processor[16];  // "sm_90"
  int major, minor;
  // The primary context, from the first use of the device on.
  tn_mutex mu;
  bool is_starting TN_GUARDED_BY(&mu);
  tn_cuda_aligned *aligned TN_GUARDED_BY(&mu);
  _Atomic(tn_cu_context) ready;  // NULL before
  tn_cu_stream streams[TN_CUDA_STREAMS];
  tn_cu_event origin;  // recorded at `origin_ns`
  uint64_t origin_ns;
  atomic_uint next_stream;
  // cuda_work.c: what runs, and the thread that looks after it.
  tn_mutex work_mu;
  tn_cond work_cond;
  tn_cuda_work *running TN_GUARDED_BY(&work_mu);
  tn_cuda_work *spare TN_GUARDED_BY(&work_mu);
  tn_adapter_mark *spare_marks TN_GUARDED_BY(&work_mu);
  bool has_watcher TN_GUARDED_BY(&work_mu);
  bool is_ending TN_GUARDED_BY(&work_mu);
  tn_thread watcher;
};

struct tn_adapter {
  const tn_cuda_driver *driver;
  size_t device_count;
  tn_adapter_device devices[];
};

struct tn_adapter_kernel {
  tn_adapter_kernel *next;
  tn_adapter_program *program;
  tn_cu_function function;
  const char *name;                 // of the program's arena
  uint32_t max_threads;             // for its registers
  uint32_t static_shared;           // bytes
  _Atomic uint32_t dynamic_shared;  // that it may ask for
  tn_cu_address specs;              // the program's
};

// cuda_context.c: the context is made, and becomes the thread's; leave gives back what was.
typedef struct tn_cuda_entry {
  tn_cu_context before;
} tn_cuda_entry;
TN_MUST_USE tn_status tn_cuda_enter(tn_adapter_device *device, tn_cuda_entry *out, tn_diag *diag);
void tn_cuda_leave(tn_adapter_device *device, const tn_cuda_entry *entry);
void tn_cuda_context_end(tn_adapter_device *device);

// cuda_facts.c
tn_status tn_cuda_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag);
uint64_t tn_cuda_local_memory(const tn_adapter_device *device);

// cuda_memory.c
tn_status tn_cuda_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                               size_t alignment, void **out, tn_diag *diag);
void tn_cuda_memory_free(tn_adapter_device *device, int32_t kind, void *memory);

// cuda_program.c
tn_status tn_cuda_program_load(tn_adapter_device *device, const void *code, size_t size,
                               tn_adapter_program **out, tn_diag *diag);
void tn_cuda_program_unload(tn_adapter_program *program);
tn_status tn_cuda_program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                    tn_diag *diag);
tn_status tn_cuda_kernel_find(tn_adapter_program *program, const char *name,
                              tn_adapter_kernel **out, tn_diag *diag);
tn_status tn_cuda_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag);

// cuda_launch.c, cuda_copy.c: put a command into a stream. The context is the thread's.
TN_MUST_USE tn_status tn_cuda_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                                     tn_cu_stream stream, tn_diag *diag);
TN_MUST_USE tn_status tn_cuda_move(tn_adapter_device *device, const tn_adapter_command *command,
                                   tn_cu_stream stream, tn_diag *diag);

// cuda_work.c
tn_status tn_cuda_submit(tn_adapter_device *device, const tn_adapter_command *command,
                         tn_adapter_done_fn done, void *user, tn_diag *diag);
bool tn_cuda_help(tn_adapter_device *device);
void tn_cuda_work_end(tn_adapter_device *device);
// The same behind all in `stream`; `command` may be NULL.
TN_MUST_USE tn_status tn_cuda_submit_in(tn_adapter_device *device, tn_cu_stream stream,
                                        const tn_adapter_command *command, tn_adapter_done_fn done,
                                        void *user, tn_diag *diag);
// Calls `done` when the event, which was recorded, is there. It stays the caller's.
TN_MUST_USE tn_status tn_cuda_watch(tn_adapter_device *device, tn_cu_event event,
                                    tn_adapter_done_fn done, void *user, tn_diag *diag);

// cuda_stream.c
tn_status tn_cuda_stream_create(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag);
void tn_cuda_stream_destroy(tn_adapter_stream *stream);
tn_status tn_cuda_stream_launch(tn_adapter_stream *stream, const tn_adapter_command *command,
                                tn_diag *diag);
tn_status tn_cuda_stream_submit(tn_adapter_stream *stream, const tn_adapter_command *command,
                                tn_adapter_done_fn done, void *user, tn_diag *diag);
tn_status tn_cuda_stream_wait(tn_adapter_stream *stream, tn_diag *diag);
bool tn_cuda_stream_is_idle(tn_adapter_stream *stream);
tn_status tn_cuda_mark_create(tn_adapter_stream *stream, tn_adapter_mark **out, tn_diag *diag);
void tn_cuda_mark_destroy(tn_adapter_mark *mark);
tn_status tn_cuda_mark_wait(tn_adapter_mark *mark, tn_diag *diag);
bool tn_cuda_mark_is_done(tn_adapter_mark *mark);
tn_status tn_cuda_mark_watch(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                             tn_diag *diag);
void tn_cuda_marks_end(tn_adapter_device *device);

#endif
