// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the adapter share: a device, its streams and what runs on them.
#ifndef TN_ADAPTER_CUDA_CUDA_DEVICE_H
#define TN_ADAPTER_CUDA_CUDA_DEVICE_H

#include "adapter/cuda/cuda.h"
#include "adapter/cuda/cuda_driver.h"
#include "base/arena.h"
#include "base/thread.h"

enum {
  TN_CUDA_STREAMS = 2,
  TN_CUDA_NAME_SIZE = 256,
  TN_CUDA_IDENTITY_SIZE = 128,
  TN_CUDA_LAUNCH_WORDS = 7
};

// A command that was given to the device and has not been told of.
typedef struct tn_cuda_work tn_cuda_work;
typedef struct tn_cuda_aligned tn_cuda_aligned;  // cuda_memory.c
typedef struct tn_cuda_name tn_cuda_name;        // cuda_names.c
typedef struct tn_cuda_place tn_cuda_place;      // cuda_place.c
typedef struct tn_cuda_stage tn_cuda_stage;      // cuda_stage.c

struct tn_adapter_stream {
  tn_adapter_device *device;
  tn_cu_stream handle;
  const char *_Atomic kernel;  // the last one's name: for what is heard of when somebody waits
  tn_adapter_stream *next;     // among the device's spare ones; under its work_mu
  _Atomic uint64_t given_count;  // of the commands whose end is told; changes under its work_mu
  _Atomic uint64_t ended_count;  // of these, so many are known to have ended well
  bool is_foreign;             // the program's own (cuda_native.c)
  bool is_taken;               // such a one, destroyed with ours
};

struct tn_adapter_mark {
  tn_adapter_mark *next;
  tn_adapter_device *device;
  tn_cu_event event;
  const char *kernel;  // the last one before; of the device's names
  bool is_foreign;     // as above
  bool is_taken;
};

struct tn_adapter_device {
  const tn_cuda_driver *driver;
  tn_cu_device handle;
  char name[TN_CUDA_NAME_SIZE];
  char processor[16];  // "sm_90"
  int major, minor;
  bool is_managed_concurrent;  // managed memory can be moved and advised about
  _Atomic uint64_t aspects;    // 0: nobody has asked yet
  char identity[TN_CUDA_IDENTITY_SIZE];  // of code that the driver makes
  // The primary context, from the first use of the device on.
  tn_mutex mu;
  bool is_starting TN_GUARDED_BY(&mu);
  tn_cuda_aligned *aligned TN_GUARDED_BY(&mu);
  _Atomic(tn_cu_context) ready;  // NULL before
  tn_cu_stream streams[TN_CUDA_STREAMS];
  tn_adapter_stream own_streams[TN_CUDA_STREAMS];  // the same
  tn_cu_stream memory_stream;                      // where buffers' memory comes and goes
  tn_cu_event origin;  // recorded at `origin_ns`
  uint64_t origin_ns;
  atomic_uint next_stream;
  atomic_bool is_prepared;  // tn_cuda_program_prepare was called
  atomic_bool has_output;  // a program of it calls printf: see tn_cuda_ask_event
  tn_adapter *adapter;
  tn_cu_pool pool;  // of buffers' memory; NULL where the driver has none
  tn_cuda_stage *_Atomic stage;  // owned; from the first large copy of pageable memory on
  // What kernels are called, for messages: kept until the end, as what is told of may come late.
  tn_cuda_name *names TN_GUARDED_BY(&mu);
  // What the context was lost to, as it was told (tn_cuda_is_lost). Empty: it works.
  char lost_to[400] TN_GUARDED_BY(&mu);
  // cuda_work.c: what runs, and the thread that looks after it.
  tn_mutex work_mu;
  tn_cond work_cond;
  tn_cuda_work *running TN_GUARDED_BY(&work_mu);  // oldest first
  tn_cuda_work *running_last TN_GUARDED_BY(&work_mu);
  tn_cuda_work *ended TN_GUARDED_BY(&work_mu);  // not told yet, oldest first
  tn_cuda_work *ended_last TN_GUARDED_BY(&work_mu);
  unsigned work_count TN_GUARDED_BY(&work_mu);
  tn_cuda_work *spare TN_GUARDED_BY(&work_mu);
  tn_adapter_mark *spare_marks TN_GUARDED_BY(&work_mu);
  tn_adapter_stream *spare_streams TN_GUARDED_BY(&work_mu);
  bool is_looked_at TN_GUARDED_BY(&work_mu);  // somebody asks for the ends of what runs
  bool is_urgent TN_GUARDED_BY(&work_mu);     // somebody waits for an end
  bool is_asleep TN_GUARDED_BY(&work_mu);     // the watcher, until it is woken
  bool has_watcher TN_GUARDED_BY(&work_mu);
  bool is_ending TN_GUARDED_BY(&work_mu);
  tn_thread watcher;
};

struct tn_adapter {
  const tn_cuda_driver *driver;
  size_t device_count;
  tn_adapter_device devices[];
};

enum { TN_CUDA_WARP = 32 };  // of work-items

struct tn_adapter_kernel {
  tn_adapter_kernel *next;
  tn_adapter_program *program;
  tn_cu_function function;
  const char *name;                 // of the program's arena
  const char *_Atomic shown;        // of the device's names
  tn_str path;                      // of the program's arena; empty: the code has no lines
  uint64_t line;
  uint32_t max_threads;             // for its registers
  uint32_t static_shared;           // bytes
  uint32_t private_size;            // bytes of a work-item
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

// What a call about the device answered, as tn_cuda_fail. The first failure that the device is lost
// to is told as itself, the others as what follows from it.
TN_MUST_USE tn_status tn_cuda_device_fail(tn_adapter_device *device, tn_cu_result result,
                                          const char *what, tn_diag *diag);

// cuda_facts.c
tn_status tn_cuda_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag);
uint64_t tn_cuda_local_memory(const tn_adapter_device *device);
// Of that, what the kernel's variables take.
uint64_t tn_cuda_static_local(const tn_adapter_kernel *kernel);

// cuda_memory.c
tn_status tn_cuda_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                               size_t alignment, void **out, tn_diag *diag);
void tn_cuda_memory_free(tn_adapter_device *device, int32_t kind, void *memory);
int32_t tn_cuda_memory_kind(tn_adapter_device *device, const void *memory);
tn_status tn_cuda_host_register(tn_adapter_device *device, void *memory, size_t size,
                                int is_read_only, tn_diag *diag);
tn_status tn_cuda_host_unregister(tn_adapter_device *device, void *memory, tn_diag *diag);
// The pool of buffers' memory. The context is the thread's.
void tn_cuda_pool_end(tn_adapter_device *device);

// cuda_peer.c
tn_status tn_cuda_device_peer(tn_adapter_device *device, tn_adapter_device *peer, int32_t what,
                              int32_t *out_answer, tn_diag *diag);
// After the device's context was made.
void tn_cuda_pool_share(tn_adapter_device *device);

// cuda_image.c
extern const tn_adapter_arrays tn_cuda_arrays;
// Of a copy with an array, slices from `slice` on: out->depth of them.
void tn_cuda_array_copy(tn_adapter_device *device, const tn_adapter_command *command,
                        uint64_t slice, tn_cu_copy_3d *out);

// cuda_ipc.c
tn_status tn_cuda_ipc_memory_get(tn_adapter_device *device, void *memory,
                                 unsigned char out_handle[TN_ADAPTER_IPC_SIZE],
                                 uint64_t *out_offset, tn_diag *diag);
tn_status tn_cuda_ipc_memory_open(tn_adapter_device *device,
                                  const unsigned char handle[TN_ADAPTER_IPC_SIZE], void **out,
                                  tn_diag *diag);
tn_status tn_cuda_ipc_memory_close(tn_adapter_device *device, void *memory, tn_diag *diag);

// cuda_program.c
tn_status tn_cuda_program_load(tn_adapter_device *device, const void *code, size_t size,
                               tn_adapter_program **out, tn_diag *diag);
void tn_cuda_program_unload(tn_adapter_program *program);
tn_status tn_cuda_program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                    tn_diag *diag);
tn_status tn_cuda_kernel_find(tn_adapter_program *program, const char *name,
                              tn_adapter_kernel **out, tn_diag *diag);
void tn_cuda_kernel_show_as(tn_adapter_kernel *kernel, const char *name);
tn_status tn_cuda_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag);

tn_status tn_cuda_program_set_variable(tn_adapter_program *program, const char *variable,
                                       const void *values, size_t size, tn_diag *diag);

// cuda_processor.c
uint32_t tn_cuda_image_fit(tn_adapter_device *device, const tn_adapter_image *image,
                           uint32_t *out_flags, tn_diag *diag);
// How well code for a processor, "sm_90a", suits the device's; `is_machine`: machine code, not PTX.
// 0 when it does not run there, 1 when a processor is not known.
uint32_t tn_cuda_processor_fit(tn_str image, bool is_machine, tn_str device);

// cuda_link.c
void tn_cuda_link_describe(tn_adapter_device *device);
// cuda_prepare.c
void tn_cuda_program_prepare(tn_adapter_device *device);
const char *tn_cuda_device_processor(tn_adapter_device *device);
const char *tn_cuda_device_identity(tn_adapter_device *device);
tn_status tn_cuda_image_prepare(tn_adapter_device *device, const tn_adapter_image *image,
                                const tn_adapter_code *code, const tn_adapter_linkage *linkage,
                                tn_adapter_prepared *out, tn_diag *diag);
tn_status tn_cuda_program_link(tn_adapter_device *device, const tn_adapter_code *pieces,
                               size_t count, uint32_t group_shape, void **out,
                               size_t *out_size, tn_diag *diag);
void tn_cuda_code_free(void *code);
// Whether a function that is not in the code is declared, in PTX, or a symbol, in machine code.
bool tn_cuda_code_calls(tn_str code, tn_str function);
// PTX is text for the driver, which ends in NUL; machine code says how long it is.
bool tn_cuda_is_machine_code(const void *code, size_t size);

// cuda_copy.c: one side of a copy in a graph or of an array, where the driver does not find out by
// itself that memory is the host's. `height`: rows from one slice to the next.
void tn_cuda_copy_end(const tn_adapter_device *device, tn_cu_copy_end *out, const void *memory,
                      uint64_t row_pitch, uint64_t height);
// cuda_launch.c, cuda_copy.c: put a command into a stream. The context is the thread's.
TN_MUST_USE tn_status tn_cuda_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                                     tn_cu_stream stream, tn_diag *diag);
tn_status tn_cuda_kernel_root_groups(tn_adapter_device *device, tn_adapter_kernel *kernel,
                                     uint64_t group_items, uint64_t local_size, uint64_t *out,
                                     tn_diag *diag);
// Code depends on a work-group by how many registers it leaves to each warp: the shape is the
// number of warps.
uint32_t tn_cuda_group_shape(tn_adapter_device *device, const uint64_t local[3]);
bool tn_cuda_kernel_suits(const tn_adapter_kernel *kernel, uint32_t group_shape);
TN_MUST_USE tn_status tn_cuda_move(tn_adapter_device *device, const tn_adapter_command *command,
                                   tn_cu_stream stream, tn_diag *diag);

// The parameters of a launch as a graph of the driver's takes them; they point into themselves, and
// to the launch's arguments.
typedef struct tn_cuda_params {
  tn_cu_kernel_node node;
  uint64_t words[TN_CUDA_LAUNCH_WORDS];
  void *both[2];
} tn_cuda_params;
TN_MUST_USE tn_status tn_cuda_launch_params(tn_adapter_device *device,
                                            const tn_adapter_launch *launch, tn_cuda_params *out,
                                            tn_diag *diag);
// The shortest part of a fill's pattern that says the same.
uint64_t tn_cuda_pattern_size(const unsigned char *pattern, uint64_t size);

// cuda_graph.c
tn_status tn_cuda_graph_create(tn_adapter_device *device, const tn_adapter_graph_node *nodes,
                               size_t count, tn_adapter_graph **out, tn_diag *diag);
void tn_cuda_graph_destroy(tn_adapter_graph *graph);
tn_status tn_cuda_graph_update(tn_adapter_graph *graph, size_t index,
                               const tn_adapter_command *command, tn_diag *diag);
// The context is the thread's.
TN_MUST_USE tn_status tn_cuda_graph_launch(tn_adapter_graph *graph, tn_cu_stream stream,
                                           tn_diag *diag);
const char *tn_cuda_graph_kernel(const tn_adapter_graph *graph);  // for messages; may be NULL
tn_status tn_cuda_native_capture(tn_adapter_device *device, void *stream, bool begins,
                                 tn_diag *diag);

// cuda_native.c
tn_status tn_cuda_native_get(tn_adapter_device *device, int32_t what, const void *object,
                             uint64_t *out, tn_diag *diag);
tn_status tn_cuda_native_stream(tn_adapter_device *device, uint64_t native, bool take,
                                tn_adapter_stream **out, tn_diag *diag);
void tn_cuda_native_stream_end(tn_adapter_stream *stream);
tn_status tn_cuda_native_mark(tn_adapter_device *device, uint64_t native, bool take,
                              tn_adapter_mark **out, tn_diag *diag);
void tn_cuda_native_mark_end(tn_adapter_mark *mark);
tn_cu_module tn_cuda_program_module(const tn_adapter_program *program);  // cuda_program.c

// cuda_place.c: the kernels' places in their sources; NULL where the code has none. Of the arena.
tn_cuda_place *tn_cuda_places_read(tn_str ptx, tn_arena *arena);
bool tn_cuda_place_find(const tn_cuda_place *places, const char *symbol, tn_str *out_path,
                        uint64_t *out_line);

// cuda_names.c: a copy of the name that stays; words in its place when there is no memory.
const char *tn_cuda_name_keep(tn_adapter_device *device, const char *name);
void tn_cuda_names_end(tn_adapter_device *device);

// cuda_stage.c: a large copy from or to pageable memory. False: it is none, or it is somebody
// else's turn. The context is the thread's.
bool tn_cuda_stage_copy(tn_adapter_device *device, const tn_adapter_command *command,
                        tn_cu_stream stream, tn_cu_result *out);
void tn_cuda_stage_end(tn_adapter_device *device);

// cuda_work.c
tn_status tn_cuda_submit(tn_adapter_device *device, const tn_adapter_command *command,
                         tn_adapter_done_fn done, void *user, tn_diag *diag);
bool tn_cuda_help(tn_adapter_device *device);
void tn_cuda_flush(tn_adapter_device *device);
bool tn_cuda_await(tn_adapter_device *device, const void *user);
void tn_cuda_work_end(tn_adapter_device *device);
// The same behind all in `stream`; `command` may be NULL.
TN_MUST_USE tn_status tn_cuda_submit_in(tn_adapter_stream *stream,
                                        const tn_adapter_command *command, tn_adapter_done_fn done,
                                        void *user, tn_diag *diag);
// Calls `done` when the event, which was recorded, is there. It stays the caller's.
TN_MUST_USE tn_status tn_cuda_watch(tn_adapter_device *device, tn_cu_event event,
                                    const char *kernel, tn_adapter_done_fn done, void *user,
                                    tn_diag *diag);
// Until all in the stream has ended, and tells of it. The context is the thread's.
TN_MUST_USE tn_cu_result tn_cuda_sync_stream(tn_adapter_stream *stream);
// "kernel K on device D" and the like.
void tn_cuda_say_what(const tn_adapter_device *device, const char *kernel, char *out, size_t size);

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
// Whether the device has come there: SUCCESS, NOT_READY or a failure. What kernels have printed the
// driver hands on when somebody waits, not when somebody asks; so who hears that it has come there
// waits as well, where there may be text.
tn_cu_result tn_cuda_ask_event(tn_adapter_device *device, tn_cu_event event);
tn_status tn_cuda_mark_watch(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                             tn_diag *diag);
tn_status tn_cuda_stream_after(tn_adapter_stream *stream, tn_adapter_mark *mark, tn_diag *diag);
// Streams and marks that wait for their next use.
void tn_cuda_streams_end(tn_adapter_device *device);

#endif
