// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device adapter gives the runtime: one table. An adapter includes neither the runtime nor
// the compiler; it is told when to run what, and it calls back when that is done. Slots are only
// added at the end; the runtime has a function that answers UNSUPPORTED, or does nothing, for a
// missing one. No slot is called with a lock of the runtime held, and `done` is called with no lock
// of the adapter's held.
#ifndef TENON_ADAPTER_H
#define TENON_ADAPTER_H

#include "tenon/bindless_image.h"
#include "tenon/device.h"
#include "tenon/native.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_ADAPTER_VERSION = 1 };

typedef struct tn_adapter tn_adapter;                  // one a process
typedef struct tn_adapter_device tn_adapter_device;    // lives as long as the adapter
typedef struct tn_adapter_program tn_adapter_program;  // loaded code
typedef struct tn_adapter_kernel tn_adapter_kernel;    // lives as long as its program
typedef struct tn_adapter_stream tn_adapter_stream;    // commands in order
typedef struct tn_adapter_mark tn_adapter_mark;        // a place in a stream
typedef struct tn_adapter_graph tn_adapter_graph;      // commands that are given as one
struct tn_compiler;
struct tn_native_table;

// What the adapter may ask of the runtime. Lives as long as the adapter.
typedef struct tn_adapter_host {
  uint32_t size;
  uint32_t version;
  uint32_t cpu_threads;  // 0 = as many as cores
  uint32_t check;        // 1: programs for the CPU are built with checks (tenon/cpu_kernel.h)
  // The compiler's table, loaded on the first call; a clear failure when the library is
  // missing.
  tn_status (*get_compiler)(const struct tn_compiler **out, tn_diag *diag);
  uint64_t cpu_stack_size;  // bytes, of each of the CPU's threads; 0 = TN_CPU_STACK_DEFAULT
} tn_adapter_host;

enum { TN_ADAPTER_ROOT_SYNC = 2 };  // in `has_local`
typedef struct tn_adapter_launch {
  tn_adapter_kernel *kernel;
  const void *args;  // argument block, device addresses already in place
  uint64_t arg_size;
  uint32_t dims;
  // 0: the adapter chooses groups. TN_ADAPTER_ROOT_SYNC: they may wait for each other, and are no
  // more than kernel_root_groups says.
  uint32_t has_local;
  // SPIR-V order: [0] varies fastest; unused dimensions are 1 (offset 0).
  uint64_t global[3];
  uint64_t local[3];
  uint64_t offset[3];
  // Bytes of local memory for each group, aligned to TN_LOCAL_MEM_ALIGNMENT; the argument block
  // holds offsets in it. At most what the device says it has.
  uint64_t local_memory_size;
  // 1: the pointers that kernel_noalias names do not alias; 0: unknown.
  uint64_t noalias;
} tn_adapter_launch;

typedef struct tn_adapter_rect {
  void *memory;  // device or host address of the first element
  uint64_t row_pitch;
  uint64_t slice_pitch;
} tn_adapter_rect;

enum {
  TN_ADAPTER_KERNEL = 1,
  TN_ADAPTER_COPY = 2,
  TN_ADAPTER_FILL = 3,
  TN_ADAPTER_COPY_RECT = 4,
  TN_ADAPTER_FILL_RECT = 5,
  // Only to adapters with memory_kind. The `size` bytes of USM at `dst` are wanted where `advice`
  // says (TN_PREFETCH_TO_…); `advice` about them is given to the driver.
  TN_ADAPTER_PREFETCH = 6,
  TN_ADAPTER_ADVISE = 7,
  TN_ADAPTER_GRAPH = 8,   // only to adapters with graph_create
  TN_ADAPTER_NATIVE = 9,  // only to adapters with native_get
  // COPY_RECT with an array on one side or both; only to adapters with `arrays`.
  TN_ADAPTER_COPY_ARRAY = 10
};
// Beside the TN_USM_ kinds: memory of a buffer on a device, quick to get and to give back.
enum { TN_ADAPTER_BUFFER_MEMORY = 16 };
enum { TN_ADAPTER_IPC_SIZE = 64 };  // bytes by which another process opens memory

// Pixels in the driver's own layout.
typedef struct tn_adapter_array tn_adapter_array;
// One side of a copy: where in an array it begins. `array` NULL: the command's rect says it.
typedef struct tn_adapter_array_place {
  tn_adapter_array *array;
  uint64_t x;  // bytes
  uint64_t y;  // rows
  uint64_t z;  // slices, or layers
} tn_adapter_array_place;

typedef struct tn_adapter_command {
  uint32_t kind;
  uint32_t wants_times;  // 1: `done` is to have the device's own times
  tn_adapter_launch launch;  // KERNEL
  void *dst;                 // COPY, FILL
  const void *src;
  uint64_t size;
  const void *pattern;  // FILL, FILL_RECT
  uint64_t pattern_size;
  tn_adapter_rect rect_dst;
  tn_adapter_rect rect_src;
  uint64_t extent[3];  // bytes, rows, slices
  int32_t advice;      // ADVISE and PREFETCH, as the program gave it
  tn_adapter_graph *graph;  // GRAPH
  // NATIVE: called once, in submit or when a graph is made of it; gives work to the driver's own
  // `stream`, or adds to the driver's own `graph` (NULL outside graphs).
  tn_status (*native)(void *user, void *stream, void *graph, tn_diag *diag);
  void *native_user;
  const tn_adapter_array_place *arrays;  // COPY_ARRAY: of the destination, and of the source
} tn_adapter_command;

// A command of a graph. NULL: nothing, a place where others meet.
typedef struct tn_adapter_graph_node {
  const tn_adapter_command *command;
  const uint32_t *after;  // earlier nodes of the graph, which have to be done before
  size_t after_count;
} tn_adapter_graph_node;

// Called exactly once for each submitted command, from any thread. `start_ns` and `end_ns` are of
// the monotonic clock. `diag` is NULL on success and borrowed during the call.
typedef void (*tn_adapter_done_fn)(void *user, tn_status status, const tn_diag *diag,
                                   uint64_t start_ns, uint64_t end_ns);

// A piece of a program: an image's code.
typedef struct tn_adapter_code {
  const void *code;
  uint64_t size;
  const char *name;  // for people
} tn_adapter_code;

// An image, as far as an adapter is asked about it without its code. Texts end in NUL, and are
// borrowed for the call.
typedef struct tn_adapter_image {
  const char *target;  // the -fsycl-targets= name, device_target's
  const char *triple;  // LLVM's, of the code
  // The processor that the code is for, as its images say it ("sm_90a"); without NUL. Size 0: they
  // do not say.
  const char *processor;
  uint64_t processor_size;
  uint32_t format;  // its number in the fat binary (docs/formats/fat-binary.md)
  uint32_t reserved;
} tn_adapter_image;

// What image_fit says of an image's code beside how well it fits. None: program_load takes it, or
// program_link does.
enum {
  // The compiler makes code for program_load of it first.
  TN_ADAPTER_IMAGE_IS_COMPILED = 1u << 0,
  // It is for other devices of the target as well, whose drivers compile it: kernel bundles in the
  // states input and object hold such images.
  TN_ADAPTER_IMAGE_IS_PORTABLE = 1u << 1,
  // program_load takes it with unresolved imports, without the images that provide them.
  TN_ADAPTER_IMAGE_IS_WHOLE = 1u << 2,
  // The driver has the values of its specialization constants before it compiles the code.
  TN_ADAPTER_IMAGE_HAS_NATIVE_SPECS = 1u << 3
};

// What a program makes of a symbol of one of its images.
enum {
  TN_ADAPTER_SYMBOL_INTERNAL = 0,   // neither an import nor an export
  TN_ADAPTER_SYMBOL_PROVIDED = 1,   // an export that the program takes from this image
  TN_ADAPTER_SYMBOL_REPLACED = 2,   // an export that it takes from another image
  TN_ADAPTER_SYMBOL_UNUSED = 3,     // an export that no image of it imports
  TN_ADAPTER_SYMBOL_IMPORTED = 4,   // an import that another image provides
  TN_ADAPTER_SYMBOL_UNRESOLVED = 5  // a weak import that no image provides
};

// An image's part in a program. The functions are the runtime's, for the duration of the call; what
// kernel_name returns ends in NUL and is borrowed as long.
typedef struct tn_adapter_linkage {
  uint64_t image_count;   // of the program
  uint64_t image_index;   // 0: the one whose kernels are asked for
  uint64_t import_count;  // of the image
  uint64_t kernel_count;  // of the image
  const void *user;       // their first argument
  uint32_t (*symbol_role)(const void *user, const char *name, size_t size);
  const char *(*kernel_name)(const void *user, size_t index);
} tn_adapter_linkage;

// Code of an image as program_load or program_link takes it.
typedef struct tn_adapter_prepared {
  void *code;  // until code_free; NULL: the image's code, unchanged
  uint64_t size;
  uint32_t needs_link;  // 1: program_load takes it only from program_link, even if it is alone
  uint32_t reserved;
} tn_adapter_prepared;

// Addresses apart from the memory behind them (tenon/virtual_memory.h). Addresses, sizes and
// offsets are multiples of `granularity`, and are those of live objects: the caller keeps count.
// `access` is TN_VIRTUAL_ACCESS_….
typedef struct tn_adapter_physical tn_adapter_physical;
typedef struct tn_adapter_virtual_memory {
  size_t (*granularity)(tn_adapter_device *device);
  // Near `wanted` where that is free; NULL is anywhere.
  tn_status (*reserve)(tn_adapter_device *device, const void *wanted, size_t size, void **out,
                       tn_diag *diag);
  // With nothing mapped.
  void (*free)(tn_adapter_device *device, void *address, size_t size);
  tn_status (*create)(tn_adapter_device *device, size_t size, tn_adapter_physical **out,
                      tn_diag *diag);
  // Mapped nowhere any more.
  void (*destroy)(tn_adapter_device *device, tn_adapter_physical *memory);
  tn_status (*map)(tn_adapter_device *device, void *address, size_t size,
                   tn_adapter_physical *memory, size_t offset, int32_t access, tn_diag *diag);
  tn_status (*set_access)(tn_adapter_device *device, void *address, size_t size, int32_t access,
                          tn_diag *diag);
  // May end inside what `map` mapped at once.
  tn_status (*unmap)(tn_adapter_device *device, void *address, size_t size, tn_diag *diag);
} tn_adapter_virtual_memory;

// Bindless images by the driver (tenon/bindless_image.h). Descriptions are checked, also against
// `facts`. Any thread.
typedef struct tn_adapter_pixels {
  tn_adapter_array *array;
  void *memory;        // `array` NULL: USM
  uint64_t row_pitch;  // of `memory`
} tn_adapter_pixels;
typedef struct tn_adapter_arrays {
  // *out is 0 before.
  void (*facts)(tn_adapter_device *device, tn_bindless_facts *out);
  // OUT_OF_MEMORY, UNSUPPORTED for images that are larger than the device's.
  tn_status (*create)(tn_adapter_device *device, const tn_bindless_description *description,
                      tn_adapter_array **out, tn_diag *diag);
  // `type` is that of its description.
  void (*destroy)(tn_adapter_device *device, tn_adapter_array *array, int32_t type);
  // A level of a mipmap, which goes with it.
  tn_status (*level)(tn_adapter_device *device, tn_adapter_array *array, uint32_t level,
                     tn_adapter_array **out, tn_diag *diag);
  // The number that kernels use, which is not 0. `sampler` NULL: unsampled.
  tn_status (*open)(tn_adapter_device *device, const tn_adapter_pixels *pixels,
                    const tn_bindless_description *description, const tn_bindless_sampler *sampler,
                    uint64_t *out, tn_diag *diag);
  // INVALID_ARGUMENT for numbers that the driver does not know.
  tn_status (*close)(tn_adapter_device *device, uint64_t image, bool is_sampled, tn_diag *diag);
} tn_adapter_arrays;

// Facts about all devices of an adapter.
enum {
  // Memory of every kind is the process's own: the runtime reads and writes it itself.
  TN_ADAPTER_MEMORY_IS_HOST = 1u << 0,
  // Programs are loaded for each sub-device; else a sub-device runs those of the whole device.
  TN_ADAPTER_PARTS_LOAD_CODE = 1u << 1,
  // Beside group_shape: code is made for shape 0 first, and another time, by program_link, for the
  // shape of a launch that kernel_suits refuses.
  TN_ADAPTER_SHAPES_ON_DEMAND = 1u << 2
};

// Memory that the program made with the driver.
typedef struct tn_adapter_native_memory {
  uint64_t native;  // the driver's object, retained until native_memory_close
  void *memory;     // its bytes on the host, valid and writable until then
  uint64_t size;
  tn_native_image image;  // `dimensions` is 0 of what is no image
} tn_adapter_native_memory;

// A program, or the program of a kernel, that the application made with the driver.
typedef struct tn_adapter_native_code {
  tn_adapter_program
      *program;      // the caller's until program_unload; its native objects are retained
  uint64_t native;   // the driver's program, borrowed from `program`
  char kernel[512];  // of a kernel: its name for kernel_find; else ""
} tn_adapter_native_code;

typedef struct tn_adapter_api {
  uint32_t size;
  uint32_t version;
  const char *name;  // as in ONEAPI_DEVICE_SELECTOR, static
  // Once. UNSUPPORTED when the driver is not there.
  tn_status (*create)(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag);
  // After all commands are done; stops threads. Not called when the process just ends.
  void (*destroy)(tn_adapter *adapter);
  tn_status (*get_info)(tn_adapter *adapter, int32_t what /* TN_PLATFORM_INFO_ */, void *out,
                        size_t size, size_t *out_size, tn_diag *diag);
  size_t (*device_count)(tn_adapter *adapter);
  tn_adapter_device *(*device_at)(tn_adapter *adapter, size_t index);
  tn_status (*device_get_info)(tn_adapter_device *device, int32_t what /* TN_DEVICE_INFO_ */,
                               void *out, size_t size, size_t *out_size, tn_diag *diag);
  // The -fsycl-targets= name whose images the device takes; borrowed for ever.
  const char *(*device_target)(tn_adapter_device *device);

  // Memory of a TN_USM_ kind, or of TN_ADAPTER_BUFFER_MEMORY, which devices that use the host's
  // memory are never asked for; any thread. OUT_OF_MEMORY; `alignment` is a power of two.
  tn_status (*memory_alloc)(tn_adapter_device *device, int32_t kind, size_t size, size_t alignment,
                            void **out, tn_diag *diag);
  void (*memory_free)(tn_adapter_device *device, int32_t kind, void *memory);

  // Code as the compiler emitted it for this device; any thread. BUILD_FAILED with the driver's
  // log.
  tn_status (*program_load)(tn_adapter_device *device, const void *code, size_t size,
                            tn_adapter_program **out, tn_diag *diag);
  void (*program_unload)(tn_adapter_program *program);
  tn_status (*kernel_find)(tn_adapter_program *program, const char *name, tn_adapter_kernel **out,
                           tn_diag *diag);

  // Optional. Runs the command to its end on the calling thread if that is quicker than handing it
  // over, and sets *out_ran; else leaves everything as it was. Only for commands with no pending
  // dependencies. Fills the times when they are not NULL.
  tn_status (*try_run)(tn_adapter_device *device, const tn_adapter_command *command, bool *out_ran,
                       uint64_t *out_start_ns, uint64_t *out_end_ns, tn_diag *diag);
  // Starts a command whose dependencies are complete; it stays valid and in place until `done` is
  // called, which may be before submit returns. On failure `done` is not called.
  tn_status (*submit)(tn_adapter_device *device, const tn_adapter_command *command,
                      tn_adapter_done_fn done, void *user, tn_diag *diag);
  // Optional. A thread that waits lends itself: runs one piece of pending work; false when there is
  // none.
  bool (*help)(tn_adapter_device *device);
  // Optional. Divides the compute units of a device, by `kind` (TN_PARTITION_…): sub-device i gets
  // counts[i] of them (`counts` has `capacity` values, at least 1 each, and they fit), or, when
  // `counts` is NULL, those that share `domain` (TN_AFFINITY_…, one that the device lists, not
  // NEXT). Writes *out_count devices, at most `capacity`, which is enough for its compute units.
  // They live as long as the adapter; each runs on no more threads than it has units.
  tn_status (*device_divide)(tn_adapter_device *device, int32_t kind, const size_t *counts,
                             int32_t domain, tn_adapter_device **out, size_t capacity,
                             size_t *out_count, tn_diag *diag);
  // Optional. Code that lies in the process already (tenon/cpu_kernel.h), for devices whose target
  // is native_cpu. The table stays where it is until all kernels of the program have been found and
  // have run for the last time; the program may be unloaded later. UNSUPPORTED when the table is of
  // another version.
  tn_status (*program_load_table)(tn_adapter_device *device, const struct tn_native_table *table,
                                  tn_adapter_program **out, tn_diag *diag);
  // Optional: `size` bytes, at least 1, that the program's code reads as it runs
  // (tn_cpu_group.spec_constants): specialization constants of machine code or of a table,
  // addresses of device globals. Before a kernel of the program is found; the values stay there as
  // long as the program is loaded.
  tn_status (*program_set_specs)(tn_adapter_program *program, const void *values, size_t size,
                                 tn_diag *diag);
  // Optional. What the adapter knows of a kernel on its device (TN_KERNEL_INFO_, tenon/kernel.h),
  // as device_get_info. UNSUPPORTED: the runtime answers from the image and the device.
  tn_status (*kernel_get_info)(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                               size_t *out_size, tn_diag *diag);
  // Optional, all together. A stream runs its commands in the order in which they are given, one
  // after the other, each behind all before it; nobody is told of the end of what stream_launch
  // gives it. Any thread; the order of what two threads give at a time is theirs to know.
  tn_status (*stream_create)(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag);
  // What was given before still runs to its end.
  void (*stream_destroy)(tn_adapter_stream *stream);
  // Nothing of the command is looked at after the call.
  tn_status (*stream_launch)(tn_adapter_stream *stream, const tn_adapter_command *command,
                             tn_diag *diag);
  // As submit. NULL is a command that does nothing.
  tn_status (*stream_submit)(tn_adapter_stream *stream, const tn_adapter_command *command,
                             tn_adapter_done_fn done, void *user, tn_diag *diag);
  // Until all that was given before has ended. A failure of what was launched, if there was one
  // since the last call.
  tn_status (*stream_wait)(tn_adapter_stream *stream, tn_diag *diag);
  bool (*stream_is_idle)(tn_adapter_stream *stream);
  // The place behind all that was given so far. It may outlive its stream.
  tn_status (*mark_create)(tn_adapter_stream *stream, tn_adapter_mark **out, tn_diag *diag);
  void (*mark_destroy)(tn_adapter_mark *mark);
  // Until the stream has come there; a failure of what was launched before.
  tn_status (*mark_wait)(tn_adapter_mark *mark, tn_diag *diag);
  bool (*mark_is_done)(tn_adapter_mark *mark);
  // Calls `done` once, as submit does, when the stream has come there.
  tn_status (*mark_watch)(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                          tn_diag *diag);
  // Optional, beside streams. What is given to the stream from now on begins behind the mark, which
  // may be another device's of the same adapter.
  tn_status (*stream_after)(tn_adapter_stream *stream, tn_adapter_mark *mark, tn_diag *diag);
  // Optional: the device may notify late of completions that no thread seems to wait for. From this
  // call on, until nothing runs any more, it notifies of them soon. Any thread.
  void (*flush)(tn_adapter_device *device);
  // Optional. What a device may do with the memory of another of the same adapter, by `what`
  // (TN_PEER_…): *out_answer is 1 or 0, and 1 for what was done. INVALID_ARGUMENT for access that
  // is open already, or not open.
  tn_status (*device_peer)(tn_adapter_device *device, tn_adapter_device *peer, int32_t what,
                           int32_t *out_answer, tn_diag *diag);
  // Optional: PREFETCH and ADVISE commands are worth giving to the device. What memory the driver
  // gave out, whoever asked for it: a TN_USM_ kind; UNKNOWN for memory that is only the host's, or
  // another device's.
  int32_t (*memory_kind)(tn_adapter_device *device, const void *memory);
  // Optional. Waits on the calling thread, in the driver's own way, for a command that was
  // submitted with `user`, and tells of its end. False when it is not known (any more).
  bool (*await)(tn_adapter_device *device, const void *user);
  // Optional. How people call the kernel: for messages, before it is first launched.
  void (*kernel_show_as)(tn_adapter_kernel *kernel, const char *name);
  // Optional, all together. What the nodes are and point to is copied; kernels stay loaded, and
  // memory stays where it is, as long as the graph is launched. UNSUPPORTED when something in it
  // cannot be in a graph: the runtime gives the commands one by one then.
  tn_status (*graph_create)(tn_adapter_device *device, const tn_adapter_graph_node *nodes,
                            size_t count, tn_adapter_graph **out, tn_diag *diag);
  // After its last launch has ended.
  void (*graph_destroy)(tn_adapter_graph *graph);
  // The kernel at `index` with another range or other arguments, for launches from now on.
  tn_status (*graph_update)(tn_adapter_graph *graph, size_t index,
                            const tn_adapter_command *command, tn_diag *diag);
  // Optional, all together: the driver's own objects (tenon/native.h), as numbers; they stay the
  // adapter's. `what` is TN_NATIVE_…; `object` is the tn_adapter_stream, _mark, _kernel or _rect (a
  // row of memory) of it, or NULL for what the device has.
  tn_status (*native_get)(tn_adapter_device *device, int32_t what, const void *object,
                          uint64_t *out, tn_diag *diag);
  // Objects of the driver's that the program made. With `take` they are destroyed with ours.
  tn_status (*native_stream)(tn_adapter_device *device, uint64_t native, bool take,
                             tn_adapter_stream **out, tn_diag *diag);
  tn_status (*native_mark)(tn_adapter_device *device, uint64_t native, bool take,
                           tn_adapter_mark **out, tn_diag *diag);
  // Optional. The processor whose code the device runs, as images say it ("sm_90"): sources that
  // are compiled at run time are compiled for it, and messages name it. "": the target alone says
  // it. Borrowed for ever.
  const char *(*device_processor)(tn_adapter_device *device);
  // Optional. Everything that code for the device depends on beside its inputs, Tenon's version and
  // the device's name, target and driver version: a part of the keys by which programs are kept on
  // disk. The processor and its features, versions of the driver's compiler and linker, of the
  // interface between code and adapter. The same in each process while these are the same. NULL: it
  // is not known, and no program of the device is kept. Any thread. Borrowed for ever.
  const char *(*device_identity)(tn_adapter_device *device);
  // Optional, with code_free: code of several images that call each other.
  // Machine code for program_load, of `count` pieces, at least 1; any thread. The same pieces give
  // the same code, which may be kept for later processes. It is the caller's until code_free. It
  // suits work-groups of `group_shape`, or any at 0. BUILD_FAILED with the driver's log, in which
  // the pieces have their names.
  tn_status (*program_link)(tn_adapter_device *device, const tn_adapter_code *pieces, size_t count,
                            uint32_t group_shape, void **out, size_t *out_size, tn_diag *diag);
  void (*code_free)(void *code);
  // As program_set_specs, for what functions of one image read that may be called by another's
  // kernels: the address of the values comes into the program's variable. Once for each variable.
  tn_status (*program_set_variable)(tn_adapter_program *program, const char *variable,
                                    const void *values, size_t size, tn_diag *diag);
  // Optional. Code for the device is being made, which its driver will compile: what that takes the
  // first time may be done now, and take some milliseconds. Any thread; what fails is left out.
  void (*program_prepare)(tn_adapter_device *device);
  // Optional, of devices with TN_ASPECT_VIRTUAL_MEMORY.
  const tn_adapter_virtual_memory *virtual_memory;
  // Optional. How well an image for device_target suits the device: 0, its code does not run there,
  // and `diag` has what the user can do about it, as the end of a sentence, or no text; of several
  // images that can be used alike the runtime takes the one with the largest number. *out_flags is
  // TN_ADAPTER_IMAGE_…. Any thread; the answer for an image does not change. Without this slot
  // every image suits with 1, and LLVM bitcode is compiled.
  uint32_t (*image_fit)(tn_adapter_device *device, const tn_adapter_image *image,
                        uint32_t *out_flags, tn_diag *diag);
  // Optional, with code_free. Makes an image's code ready for program_load, or for program_link
  // where the program has several images or *out says so. `code` is decompressed, and is not of an
  // image that the compiler takes. Any thread. *out is 0 before, and is not looked at after a
  // failure. BAD_IMAGE for code that is not in the image's format; the caller adds the name.
  tn_status (*image_prepare)(tn_adapter_device *device, const tn_adapter_image *image,
                             const tn_adapter_code *code, const tn_adapter_linkage *linkage,
                             tn_adapter_prepared *out, tn_diag *diag);
  uint64_t flags;  // TN_ADAPTER_MEMORY_IS_HOST …
  // Optional, with program_link, where code has no variables for program_set_variable: as
  // program_set_specs, for the image with that index of those that were linked, 1 or more. After
  // program_set_specs, before the first kernel_find; the values are only read during the call.
  tn_status (*program_set_image_specs)(tn_adapter_program *program, uint64_t image_index,
                                       const void *values, size_t size, tn_diag *diag);
  // Optional, of drivers that count references: one for the caller, to what native_get gave.
  tn_status (*native_retain)(tn_adapter_device *device, int32_t what, uint64_t native,
                             tn_diag *diag);
  // Optional, together: devices of one adapter that are of several platforms. Devices with the same
  // `device_platform` are of one, about which platform_get_info (TN_PLATFORM_INFO_…) asks any of
  // them.
  const void *(*device_platform)(tn_adapter_device *device);
  tn_status (*platform_get_info)(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag);
  // Optional, all together, beside native_get: contexts, code and memory that the program made with
  // the driver. Any thread.
  // The device as a device of its own inside the driver's context `native`, which is retained until
  // native_context_close. All slots take it. DEVICE_NOT_FOUND: the device is not in that context.
  tn_status (*native_context_open)(tn_adapter_device *device, uint64_t native,
                                   tn_adapter_device **out, tn_diag *diag);
  // After the last command and stream of the device. Its memory, programs and marks may still be
  // freed, unloaded and destroyed afterwards; nothing else is called with it.
  void (*native_context_close)(tn_adapter_device *device);
  // `what` is TN_NATIVE_PROGRAM or TN_NATIVE_KERNEL. A program that is not an executable for the
  // device is built or linked first. native_get of the kernel `out->kernel` gives `native`. The
  // argument block of each launch lists the arguments (tn_kernel_is_native, tenon/kernel.h).
  // INVALID_ARGUMENT for objects of another context, DEVICE_NOT_FOUND for programs that are not for
  // the device, BUILD_FAILED with the driver's log.
  tn_status (*native_program)(tn_adapter_device *device, int32_t what, uint64_t native,
                              tn_adapter_native_code *out, tn_diag *diag);
  // Makes the bytes of a memory object addressable by the host, without a copy where the device's
  // memory is the host's. INVALID_ARGUMENT for objects of another context, and those that are
  // neither buffers nor images that tn_native_image describes.
  tn_status (*native_memory_open)(tn_adapter_device *device, uint64_t native,
                                  tn_adapter_native_memory *out, tn_diag *diag);
  // What the host wrote is in the object afterwards. Waits for that; releases the object.
  void (*native_memory_close)(tn_adapter_device *device, const tn_adapter_native_memory *memory);
  // Optional. As tn_kernel_root_groups, of groups that can be launched. Without this slot it is 1.
  tn_status (*kernel_root_groups)(tn_adapter_device *device, tn_adapter_kernel *kernel,
                                  uint64_t group_items, uint64_t local_size, uint64_t *out,
                                  tn_diag *diag);
  // Optional, together: devices for which kernels may be compiled for some work-groups only.
  // What code may depend on of a work-group with `local` work-items, [0] varying fastest
  // (tn_build_params.group_shape); not 0.
  uint32_t (*group_shape)(tn_adapter_device *device, const uint64_t local[3]);
  // Whether the kernel's code is for work-groups of that shape; 0: for any, or on demand for those
  // that the adapter chooses. Any thread, at each launch of kernels that are not for any.
  bool (*kernel_suits)(const tn_adapter_kernel *kernel, uint32_t group_shape);
  // Optional, together: memory of the device (TN_USM_DEVICE) for other processes on the same
  // machine (TN_ASPECT_IPC_MEMORY). Any thread.
  // What another process opens the driver's allocation by that `memory` lies in, *out_offset bytes
  // behind its beginning. INVALID_ARGUMENT for memory that the driver does not share.
  tn_status (*ipc_memory_get)(tn_adapter_device *device, void *memory,
                              unsigned char out_handle[TN_ADAPTER_IPC_SIZE], uint64_t *out_offset,
                              tn_diag *diag);
  // Where the allocation begins here. Opened again it is at the same address. INVALID_ARGUMENT for
  // handles of memory that is gone.
  tn_status (*ipc_memory_open)(tn_adapter_device *device,
                               const unsigned char handle[TN_ADAPTER_IPC_SIZE], void **out,
                               tn_diag *diag);
  // As often as it was opened.
  tn_status (*ipc_memory_close)(tn_adapter_device *device, void *memory, tn_diag *diag);
  // Optional. Without it bindless images are USM, and kernels read and write the pixels themselves.
  const tn_adapter_arrays *arrays;
  // Optional, together, for devices with TN_ASPECT_REGISTER_HOST_MEMORY whose driver needs it:
  // whole pages of the host's become memory of TN_USM_HOST at the same address, for all devices of
  // the platform, and stay the caller's. DEVICE_FAILED for memory that the driver has already, or
  // cannot take. Any thread.
  tn_status (*host_register)(tn_adapter_device *device, void *memory, size_t size,
                             int is_read_only, tn_diag *diag);
  tn_status (*host_unregister)(tn_adapter_device *device, void *memory, tn_diag *diag);
  // Optional. Called by a native command of which graph_create makes a part, on its thread: what
  // the command gives to `stream` from here on becomes that part, until the command returns. With
  // `begins` false that ends, for a command that adds to its graph itself: INVALID_ARGUMENT when
  // something was given to the stream.
  tn_status (*native_capture)(tn_adapter_device *device, void *stream, bool begins, tn_diag *diag);
  // Optional. The full tier of a program that was loaded from code of the quick tier
  // (TN_BUILD_QUICK): later launches run it, and so do the remaining work-groups of current ones.
  // `code` is only read during the call. BAD_IMAGE for code of other kernels. Any thread; once for
  // each program.
  tn_status (*program_upgrade)(tn_adapter_program *program, const void *code, size_t size,
                               tn_diag *diag);
  // Optional. The pointers in the kernel's argument block whose aliasing decides which code runs
  // (tn_adapter_launch.noalias): bit i is the pointer at byte 8 * i. Each of *out_written, through
  // which the kernel writes, must not alias any other of *out_pointers; 0: aliasing does not
  // matter. Any thread, at each launch.
  void (*kernel_noalias)(const tn_adapter_kernel *kernel, uint64_t *out_pointers,
                         uint64_t *out_written);
} tn_adapter_api;

typedef const tn_adapter_api *(*tn_adapter_query_fn)(uint32_t max_version);
// The adapters inside libtenon itself; not exported. NULL when `max_version` is too old.
const tn_adapter_api *tn_cpu_adapter_query(uint32_t max_version);
const tn_adapter_api *tn_cuda_adapter_query(uint32_t max_version);
const tn_adapter_api *tn_mock_adapter_query(uint32_t max_version);
const tn_adapter_api *tn_opencl_adapter_query(uint32_t max_version);

#ifdef __cplusplus
}
#endif
#endif
