// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device of an OpenCL driver, its programs and commands. Private to adapter/opencl.
#ifndef TN_ADAPTER_OPENCL_OPENCL_DEVICE_H
#define TN_ADAPTER_OPENCL_OPENCL_DEVICE_H

#include "adapter/opencl/opencl.h"
#include "adapter/opencl/opencl_command_buffer.h"
#include "adapter/opencl/opencl_driver.h"
#include "base/thread.h"

enum { TN_OPENCL_LEFT_OUT_SIZE = 400 };
enum { TN_OPENCL_NAME_SIZE = 128, TN_OPENCL_IDENTITY_SIZE = 1200 };
enum { TN_OPENCL_SUB_GROUPS_MAXIMUM = 256 };  // group functions have local memory for so many
enum { TN_OPENCL_LOCAL_ALIGNMENT = 128 };     // of local memory, as device code expects it

// Where USM comes from.
typedef enum tn_opencl_memory_api {
  TN_OPENCL_MEMORY_NONE,
  TN_OPENCL_MEMORY_USM,     // cl_intel_unified_shared_memory
  TN_OPENCL_MEMORY_FINE,    // fine-grained SVM
  TN_OPENCL_MEMORY_COARSE,  // coarse-grained SVM: the host cannot read it
} tn_opencl_memory_api;

typedef struct tn_opencl_allocation tn_opencl_allocation;

// The process's own memory as an object of the driver's.
typedef struct tn_opencl_view {
  void *memory;
  uint64_t size;
  tn_cl_memory object;  // owned
} tn_opencl_view;
enum { TN_OPENCL_VIEWS = 64 };

struct tn_adapter_device {
  // Immutable after create.
  tn_adapter *adapter;
  const tn_cl_driver *driver;  // static
  tn_cl_platform platform;
  tn_cl_device handle;
  tn_cl_usm usm;  // of TN_OPENCL_MEMORY_USM
  tn_opencl_recorder recorder;
  tn_opencl_memory_api memory_api;
  bool is_host_memory;     // a CPU: all its memory is the process's own
  bool has_system_memory;  // kernels read and write any memory of the process
  bool is_foreign;         // in a context that the program made; tn_opencl_adopt.c
  bool is_out_of_order;
  bool has_spec_constants;
  uint32_t sub_group_sizes;  // the sum of those that kernels may require, 4 to 64
  uint64_t max_group_size;
  uint64_t sure_group_size;  // has no more sub-groups than may be, whatever their size
  uint64_t local_memory_size;
  uint64_t aspects;
  int32_t partition_kind;  // of a sub-device
  int32_t partition_domain;
  tn_adapter_device *next_part;  // of the adapter's
  char name[TN_OPENCL_NAME_SIZE];
  char platform_name[TN_OPENCL_NAME_SIZE];
  char identity[TN_OPENCL_IDENTITY_SIZE];
  tn_mutex mu;
  tn_cond cond;  // is_starting became false
  bool is_starting TN_GUARDED_BY(&mu);
  bool is_started TN_GUARDED_BY(&mu);
  tn_opencl_allocation *allocations TN_GUARDED_BY(&mu);  // those that the driver does not know
  size_t allocation_count TN_GUARDED_BY(&mu);
  tn_adapter_stream *spare_streams TN_GUARDED_BY(&mu);       // owned
  tn_opencl_view views[TN_OPENCL_VIEWS] TN_GUARDED_BY(&mu);  // those given out last
  size_t next_view TN_GUARDED_BY(&mu);
  _Atomic(struct tn_spirv_assert *) asserts;  // owned; NULL until a program has any
  // Set by tn_opencl_start, immutable afterwards.
  tn_cl_context context;
  tn_cl_queue queue;
};

// A queue of the driver's whose commands run in order.
struct tn_adapter_stream {
  tn_adapter_stream *next;  // of the spare ones
  tn_adapter_device *device;
  tn_cl_queue queue;             // owned
  bool is_out_of_order;          // foreign: barriers keep its commands in order
  _Atomic bool is_shared;        // the program has the queue as well
  _Atomic(const char *) kernel;  // launched last, for messages
  // Commands that somebody began to give, that were given, that are complete for sure.
  _Atomic uint64_t begun_count;
  _Atomic uint64_t given_count;
  _Atomic uint64_t done_count;
  tn_mutex mu;
  tn_cl_event end TN_GUARDED_BY(&mu);  // owned; behind the first `end_count` commands
  uint64_t end_count TN_GUARDED_BY(&mu);
};

struct tn_adapter_mark {
  tn_adapter_device *device;
  tn_cl_event event;   // owned
  const char *kernel;  // launched last before it, for messages
};

struct tn_adapter {
  const tn_cl_driver *driver;
  char left_out[TN_OPENCL_LEFT_OUT_SIZE];  // devices, and why
  _Atomic(tn_adapter_device *) parts;      // owned; all sub-devices
  size_t device_count;
  tn_adapter_device devices[];
};

typedef struct tn_opencl_object tn_opencl_object;
struct tn_adapter_kernel {
  tn_adapter_kernel *next;
  tn_adapter_program *program;
  const char *name;             // as the runtime names it; in the program's arena
  const char *symbol;           // as the driver does
  _Atomic(const char *) shown;  // for messages
  uint32_t argument_count;
  uint64_t local_size;                          // TN_KERNEL_INFO_LOCAL_MEM_SIZE
  size_t required_size[3];                      // of its work-groups; 0: any
  const struct tn_opencl_arguments *arguments;  // set one by one; NULL: one block. The program's
  bool is_native;                               // its launches' blocks list the arguments
  tn_mutex mu;
  tn_opencl_object *objects TN_GUARDED_BY(&mu);  // owned, not in use
  tn_opencl_object *given TN_GUARDED_BY(&mu);    // owned; the program has it
};

// `what`: the command or the thing that failed.
tn_status tn_opencl_fail(tn_cl_int result, const char *what, tn_diag *diag);
// With that status, whatever the driver reported.
tn_status tn_opencl_fail_as(tn_status status, tn_cl_int result, const char *what, tn_diag *diag);

// Devices of all platforms that take Tenon's SPIR-V. UNSUPPORTED without a platform.
tn_status tn_opencl_discover(const tn_cl_driver *driver, tn_adapter **out, tn_diag *diag);
// What there is to know of a device that the driver listed or divided; `out` is 0.
void tn_opencl_device_init(tn_adapter_device *out, tn_adapter *adapter, tn_cl_platform platform,
                           tn_cl_device handle);
uint32_t tn_opencl_partition_maximum(const tn_adapter_device *device);
uint32_t tn_opencl_partition_kinds(const tn_adapter_device *device);
uint32_t tn_opencl_partition_domains(const tn_adapter_device *device);
tn_status tn_opencl_divide(tn_adapter_device *device, int32_t kind, const size_t *counts,
                           int32_t domain, tn_adapter_device **out, size_t capacity,
                           size_t *out_count, tn_diag *diag);
// The adapter keeps the device until it ends, and releases its handle then.
void tn_opencl_part_keep(tn_adapter_device *take_part);
void tn_opencl_parts_end(tn_adapter *adapter);
// The context and its queue, made at the first use.
tn_status tn_opencl_start(tn_adapter_device *device, tn_diag *diag);
void tn_opencl_end(tn_adapter_device *device);

uint64_t tn_opencl_ask_u64(const tn_adapter_device *device, tn_cl_uint what);
uint32_t tn_opencl_ask_u32(const tn_adapter_device *device, tn_cl_uint what);
// Their names, with blanks between them; the caller's, tn_free. NULL when the driver does not tell.
char *tn_opencl_extensions(const tn_adapter_device *device);
// A list of names with versions that the driver has, owned by the caller; NULL when it has none, or
// there is no memory.
tn_cl_name_version *tn_opencl_versions(const tn_adapter_device *device, tn_cl_uint what,
                                       size_t *out_count);
bool tn_opencl_has_extension(const tn_adapter_device *device, const char *name);
uint32_t tn_opencl_max_sub_groups(const tn_adapter_device *device);  // in a work-group
// memory_api, aspects and the limits of a device that was found.
void tn_opencl_facts_find(tn_adapter_device *device);
// Of local memory the part that LOCAL_MEM_SIZE counts: some is left to group functions.
uint64_t tn_opencl_local_beyond_reserve(uint64_t size);
tn_status tn_opencl_platform_get_info(tn_adapter_device *device, int32_t what, void *out,
                                      size_t size, size_t *out_size, tn_diag *diag);
tn_status tn_opencl_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                    size_t *out_size, tn_diag *diag);

tn_status tn_opencl_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                                 size_t alignment, void **out, tn_diag *diag);
void tn_opencl_memory_free(tn_adapter_device *device, int32_t kind, void *memory);
// Permits the kernel, once or for each launch, memory whose addresses are in its argument block.
tn_cl_int tn_opencl_memory_prepare(tn_adapter_device *device, tn_cl_kernel kernel);
tn_cl_int tn_opencl_memory_use(tn_adapter_device *device, tn_cl_kernel kernel);

uint32_t tn_opencl_image_fit(tn_adapter_device *device, const tn_adapter_image *image,
                             uint32_t *out_flags, tn_diag *diag);
tn_status tn_opencl_image_prepare(tn_adapter_device *device, const tn_adapter_image *image,
                                  const tn_adapter_code *code, const tn_adapter_linkage *linkage,
                                  tn_adapter_prepared *out, tn_diag *diag);
tn_status tn_opencl_program_link(tn_adapter_device *device, const tn_adapter_code *pieces,
                                 size_t count, uint32_t group_shape, void **out,
                                 size_t *out_size, tn_diag *diag);
void tn_opencl_code_free(void *code);

tn_status tn_opencl_program_load(tn_adapter_device *device, const void *code, size_t size,
                                 tn_adapter_program **out, tn_diag *diag);
void tn_opencl_program_unload(tn_adapter_program *program);
// Where programs note asserts that fail; NULL where the host cannot read the device's memory.
struct tn_spirv_assert *tn_opencl_assert_memory(tn_adapter_device *device);
// Prints the one that failed, if any, as the host's assert does, and forgets it: DEVICE_FAILED.
tn_status tn_opencl_assert_check(tn_adapter_device *device, const char *kernel, tn_diag *diag);
tn_status tn_opencl_program_set_image_specs(tn_adapter_program *program, uint64_t image_index,
                                            const void *values, size_t size, tn_diag *diag);
tn_status tn_opencl_program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                      tn_diag *diag);
// A program that is built already, which is retained; `kernel` is one of its, retained, or NULL.
tn_status tn_opencl_program_of(tn_adapter_device *device, tn_cl_program handle, tn_cl_kernel kernel,
                               tn_adapter_program **out, tn_diag *diag);
tn_adapter_device *tn_opencl_program_device(const tn_adapter_program *program);
tn_cl_program tn_opencl_program_handle(const tn_adapter_program *program);

tn_status tn_opencl_kernel_find(tn_adapter_program *program, const char *name,
                                tn_adapter_kernel **out, tn_diag *diag);
// The driver's object of a kernel: KERNEL_NOT_FOUND when the program has none of the name.
tn_status tn_opencl_kernel_begin(tn_adapter_kernel *kernel, tn_diag *diag);
void tn_opencl_kernel_end(tn_adapter_kernel *kernel);
// The one that the program may have: launches use others. It stays the kernel's.
tn_status tn_opencl_kernel_handle(tn_adapter_kernel *kernel, tn_cl_kernel *out, tn_diag *diag);
// Makes the program's own object the one that tn_opencl_kernel_handle gives; retains it.
tn_status tn_opencl_kernel_give(tn_adapter_kernel *kernel, tn_cl_kernel handle, tn_diag *diag);
void tn_opencl_kernel_show_as(tn_adapter_kernel *kernel, const char *name);
tn_status tn_opencl_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                    size_t *out_size, tn_diag *diag);
tn_status tn_opencl_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                           tn_cl_queue queue, tn_cl_event *out, tn_diag *diag);
// As a command of a command buffer; `handle`, which may be NULL, is for changing it afterwards.
tn_status tn_opencl_record_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                                  const tn_opencl_insertion *insertion, tn_cl_mutable *handle,
                                  tn_diag *diag);
// Other arguments or another range for a launch that was recorded as `before`. False when it has to
// be recorded again.
bool tn_opencl_change_launch(tn_adapter_device *device, tn_cl_command_buffer buffer,
                             tn_cl_mutable handle, const tn_adapter_launch *before,
                             const tn_adapter_launch *launch);

tn_status tn_opencl_try_run(tn_adapter_device *device, const tn_adapter_command *command,
                            bool *out_ran, uint64_t *out_start_ns, uint64_t *out_end_ns,
                            tn_diag *diag);
tn_status tn_opencl_submit(tn_adapter_device *device, const tn_adapter_command *command,
                           tn_adapter_done_fn done, void *user, tn_diag *diag);

tn_status tn_opencl_stream_create(tn_adapter_device *device, tn_adapter_stream **out,
                                  tn_diag *diag);
// A stream over a queue, which is the stream's from then on. `is_foreign`: it is not used again.
tn_status tn_opencl_stream_of(tn_adapter_device *device, tn_cl_queue queue, bool is_foreign,
                              tn_adapter_stream **out, tn_diag *diag);
void tn_opencl_stream_destroy(tn_adapter_stream *stream);
void tn_opencl_streams_end(tn_adapter_device *device, bool waits);
tn_status tn_opencl_stream_launch(tn_adapter_stream *stream, const tn_adapter_command *command,
                                  tn_diag *diag);
tn_status tn_opencl_stream_submit(tn_adapter_stream *stream, const tn_adapter_command *command,
                                  tn_adapter_done_fn done, void *user, tn_diag *diag);
tn_status tn_opencl_stream_wait(tn_adapter_stream *stream, tn_diag *diag);
bool tn_opencl_stream_is_idle(tn_adapter_stream *stream);
// The event is complete when the first `count` commands are. Whoever has seen it complete finds the
// stream idle: a marker that is enqueued for the question would be complete a little later.
void tn_opencl_stream_keep_end(tn_adapter_stream *stream, tn_cl_event event, uint64_t count);
tn_status tn_opencl_stream_after(tn_adapter_stream *stream, tn_adapter_mark *mark, tn_diag *diag);
tn_status tn_opencl_mark_create(tn_adapter_stream *stream, tn_adapter_mark **out, tn_diag *diag);
void tn_opencl_mark_destroy(tn_adapter_mark *mark);
tn_status tn_opencl_mark_wait(tn_adapter_mark *mark, tn_diag *diag);
bool tn_opencl_mark_is_done(tn_adapter_mark *mark);
tn_status tn_opencl_mark_watch(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                               tn_diag *diag);

tn_status tn_opencl_graph_create(tn_adapter_device *device, const tn_adapter_graph_node *nodes,
                                 size_t count, tn_adapter_graph **out, tn_diag *diag);
void tn_opencl_graph_destroy(tn_adapter_graph *graph);
tn_status tn_opencl_graph_update(tn_adapter_graph *graph, size_t index,
                                 const tn_adapter_command *command, tn_diag *diag);
// `out` may be NULL.
tn_status tn_opencl_graph_launch(tn_adapter_graph *graph, tn_adapter_stream *stream,
                                 tn_cl_event *out, tn_diag *diag);
const char *tn_opencl_graph_kernel(const tn_adapter_graph *graph);  // the last one, or NULL

tn_status tn_opencl_native_get(tn_adapter_device *device, int32_t what, const void *object,
                               uint64_t *out, tn_diag *diag);
tn_status tn_opencl_native_retain(tn_adapter_device *device, int32_t what, uint64_t native,
                                  tn_diag *diag);
void tn_opencl_native_end(tn_adapter_device *device);
tn_status tn_opencl_native_stream(tn_adapter_device *device, uint64_t native, bool take,
                                  tn_adapter_stream **out, tn_diag *diag);
tn_status tn_opencl_native_mark(tn_adapter_device *device, uint64_t native, bool take,
                                tn_adapter_mark **out, tn_diag *diag);
tn_status tn_opencl_native_context_open(tn_adapter_device *device, uint64_t native,
                                        tn_adapter_device **out, tn_diag *diag);
void tn_opencl_native_context_close(tn_adapter_device *device);
tn_status tn_opencl_native_program(tn_adapter_device *device, int32_t what, uint64_t native,
                                   tn_adapter_native_code *out, tn_diag *diag);
// INVALID_ARGUMENT with the driver's objection to an object of the application's.
tn_status tn_opencl_fail_object(tn_cl_int result, const char *what, tn_diag *diag);
// INVALID_ARGUMENT, with what to do, when an object of the application's is of another context.
tn_status tn_opencl_check_context(const tn_adapter_device *device, tn_cl_context context,
                                  const char *what, tn_diag *diag);
tn_status tn_opencl_native_memory_open(tn_adapter_device *device, uint64_t native,
                                       tn_adapter_native_memory *out, tn_diag *diag);
void tn_opencl_native_memory_close(tn_adapter_device *device,
                                   const tn_adapter_native_memory *memory);

#endif
