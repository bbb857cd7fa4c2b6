// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's own objects behind Tenon's, and the other way round, for programs that call the
// driver themselves. See tenon.h for ownership and threading.
// Source: SYCL 2020 section 4.5.1 (backend interoperability), 4.10 (host tasks).
#ifndef TENON_NATIVE_H
#define TENON_NATIVE_H

#include "tenon/bundle.h"
#include "tenon/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

// With NVIDIA's driver (TN_BACKEND_CUDA): a CUdevice, the CUcontext that all of Tenon's contexts
// with the device share, a CUstream, a CUevent, a CUfunction, a CUmodule, as numbers. With OpenCL
// (TN_BACKEND_OPENCL) in the same order: a cl_device_id, cl_context, cl_command_queue, cl_event,
// cl_kernel, cl_program.
enum {
  TN_NATIVE_DEVICE = 1,
  TN_NATIVE_CONTEXT = 2,
  TN_NATIVE_QUEUE = 3,
  TN_NATIVE_EVENT = 4,
  TN_NATIVE_KERNEL = 5,
  TN_NATIVE_PROGRAM = 6,
  TN_NATIVE_PLATFORM = 7,  // OpenCL alone
  TN_NATIVE_MEMORY = 8     // OpenCL alone: a cl_mem
};

// All of them: UNSUPPORTED for devices without such objects (the CPU has none). What is given out
// is Tenon's: it is not to be destroyed, but for a reference of one's own (tn_native_retain).
TN_API TN_MUST_USE tn_status tn_native_get_platform(const tn_platform *platform, uint64_t *out,
                                                    tn_diag *diag);
TN_API TN_MUST_USE tn_status tn_native_get_device(const tn_device *device, uint64_t *out,
                                                  tn_diag *diag);
// Of the context on one of its devices, for as long as the process lives.
TN_API TN_MUST_USE tn_status tn_native_get_context(const tn_context *context,
                                                   const tn_device *device, uint64_t *out,
                                                   tn_diag *diag);
// As long as the queue lives. What an in-order queue runs is in its native queue in order; what the
// program gives to that is waited for by tn_queue_wait and comes before later commands. An
// out-of-order queue gets a native queue of its own for it: tn_queue_wait waits for that as well,
// but its commands run elsewhere. Called by a native command of the queue's: where the command's
// work goes. While a graph is made of the command, all queues of its device and context give that,
// and the graph captures what goes there from then on, unless tn_native_get_graph was called
// before.
TN_API TN_MUST_USE tn_status tn_native_get_queue(tn_queue *queue, uint64_t *out, tn_diag *diag);
// As long as the event lives. Of a command that has not been given to the device yet, it waits
// until the command is complete.
TN_API TN_MUST_USE tn_status tn_native_get_event(tn_event *event, uint64_t *out, tn_diag *diag);
// As long as the kernel lives; `what` is KERNEL or PROGRAM.
TN_API TN_MUST_USE tn_status tn_native_get_kernel(const tn_kernel *kernel, int32_t what,
                                                  uint64_t *out, tn_diag *diag);
// The address of a buffer's bytes on the queue's device, for a command of the queue that accesses
// them, while it is called.
TN_API TN_MUST_USE tn_status tn_native_get_memory(tn_buffer *buffer, tn_queue *queue, void **out,
                                                  tn_diag *diag);

// As tn_native_get_memory, as a memory object: of OpenCL devices whose memory is the process's own.
// It is there while the command is called; UNSUPPORTED elsewhere.
TN_API TN_MUST_USE tn_status tn_native_get_memory_object(tn_buffer *buffer, tn_queue *queue,
                                                         uint64_t *out, tn_diag *diag);
// A reference of the caller's own to what one of the functions above gave out for the device, for
// drivers that count references (OpenCL): to be released with the driver's function. Does nothing
// with others.
TN_API TN_MUST_USE tn_status tn_native_retain(const tn_device *device, int32_t what,
                                              uint64_t native, tn_diag *diag);

// Calls `function` with `data` when the context's last reference goes, for what the program keeps
// by context (a handle of cuBLAS): in the order of registration, each once, on the thread that
// releases it. The native context is still there, the context is not: the function uses no object
// of it. A default context lives as long as the process, and calls none. INVALID_ARGUMENT for NULL.
// Any thread.
TN_API TN_MUST_USE tn_status tn_native_at_end(tn_context *context, void (*function)(void *data),
                                              void *data, tn_diag *diag);

// The device of the list with that native one. DEVICE_NOT_FOUND.
TN_API TN_MUST_USE tn_status tn_native_find_device(int32_t backend, uint64_t native,
                                                   tn_device **out, tn_diag *diag);
// The device with that native context. DEVICE_NOT_FOUND when it is not what tn_native_get_context
// gives: Tenon works in no other.
TN_API TN_MUST_USE tn_status tn_native_find_context(int32_t backend, uint64_t native,
                                                    tn_device **out, tn_diag *diag);
// A context of the devices of the list that are in the native context, which is retained until the
// last release. Programs, queues and memory are in that native context, and tn_native_get_context
// gives it; of the context that tn_native_get_context gives for a device, it is one with that
// device. The caller owns one reference. DEVICE_NOT_FOUND when no device of the list is in it,
// INVALID_ARGUMENT for NULL. With CUDA only the latter contexts. Any thread.
// Source: SYCL 2020 appendix C.
TN_API TN_MUST_USE tn_status tn_native_make_context(int32_t backend, uint64_t native,
                                                    tn_context **out, tn_diag *diag);
// A bundle, in `state` (TN_BUNDLE_EXECUTABLE, else UNSUPPORTED), of a native program of the
// context's native context, for the devices that the program is for. It is built, or linked into
// another program, where it is no executable. Retained until the bundle's last release. It has no
// images and no kernel ids; tn_native_get_programs gives its program. The caller owns one
// reference. INVALID_ARGUMENT for NULL, for a program of another context and for one without code
// for any device of the context; BUILD_FAILED with the driver's log. Any thread.
TN_API TN_MUST_USE tn_status tn_native_make_bundle(tn_context *context, uint64_t native,
                                                   int32_t state, tn_bundle **out, tn_diag *diag);
// A bundle of a native kernel, and the id of that kernel in it (tn_bundle_get_kernel); launches set
// the arguments of copies of it, never of the native kernel itself, so what the program has set
// there does not count. Otherwise as tn_native_make_bundle; the caller owns one reference of each.
TN_API TN_MUST_USE tn_status tn_native_make_kernel(tn_context *context, uint64_t native,
                                                   tn_bundle **out, tn_kernel_id **out_id,
                                                   tn_diag *diag);
// The native programs of a bundle, each once: up to `capacity`; *out_count is how many there are,
// or more. They live as long as the bundle. Builds what is not built yet. UNSUPPORTED for devices
// without native objects.
TN_API TN_MUST_USE tn_status tn_native_get_programs(tn_bundle *bundle, uint64_t *out,
                                                    size_t capacity, size_t *out_count,
                                                    tn_diag *diag);
// A buffer of the bytes of a native memory object of the context's native context. It is retained,
// and mapped for the host, until the buffer's last owner goes: then the object has what the buffer
// had last, whatever is set for write-back. The program does not use it in between, but by
// tn_native_get_memory_object. Devices that use the host's memory use the object's own; for others,
// and for those of other contexts, its bytes are copied. Waits for `after` (NULL: nothing) first.
// `element_size` divides the object's size. The caller owns one reference. INVALID_ARGUMENT for
// NULL, for an object of another context, one that is no buffer, and one that the host cannot map
// for reading and writing. Any thread.
TN_API TN_MUST_USE tn_status tn_native_make_buffer(tn_context *context, uint64_t native,
                                                   size_t element_size, tn_event *after,
                                                   tn_buffer **out, tn_diag *diag);

// What a native image is made of; its pixels are in linear memory, the first dimension fastest.
typedef struct tn_native_image {
  uint32_t dimensions;  // 1 to 3
  int32_t format;       // the number of sycl::image_format (SYCL 2020 section 4.7.3)
  size_t extent[3];     // pixels; 1 in each dimension that it does not have
  size_t row_pitch;     // bytes from row to row, and from slice to slice
  size_t slice_pitch;
} tn_native_image;
// As tn_native_make_buffer, of an image: the buffer has its pixels, `extent[2]` slices.
// `*out_image` says what they are. INVALID_ARGUMENT also for one that is no image, has layers or
// other than `dimensions` dimensions, or whose pixels sycl::image_format does not have.
TN_API TN_MUST_USE tn_status tn_native_make_image(tn_context *context, uint64_t native,
                                                  uint32_t dimensions, tn_event *after,
                                                  tn_native_image *out_image, tn_buffer **out,
                                                  tn_diag *diag);

// An in-order queue over a native one, behind what that was given before. `device` NULL: the
// context's that the native one is of. It stays the program's and has to live as long as the queue
// (OpenCL's is retained), unless `take` is 1: then it is destroyed with the queue.
TN_API TN_MUST_USE tn_status tn_native_make_queue(tn_context *context, tn_device *device,
                                                  uint64_t native, int take, tn_queue **out,
                                                  tn_diag *diag);
// An event that is complete when the native one is. `take` as above.
TN_API TN_MUST_USE tn_status tn_native_make_event(tn_context *context, uint64_t native, int take,
                                                  tn_event **out, tn_diag *diag);

// While a host task or a native command is called, on its thread; NULL elsewhere.
typedef struct tn_native_task {
  tn_queue *queue;  // borrowed: the one that runs it
  void *stream;     // NATIVE, in a queue of the device's: where the work goes
  void *graph;      // NATIVE, when a graph is made of it: where the work is added; NULL else
} tn_native_task;
TN_API const tn_native_task *tn_native_current(void);
// The graph of the native command that is called, to which the command adds its work itself, by
// nodes or by capturing the stream. INVALID_ARGUMENT elsewhere, and for a command that has given
// work to what tn_native_get_queue gave before.
TN_API TN_MUST_USE tn_status tn_native_get_graph(void **out, tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
