// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory and buffers. See tenon.h for ownership and threading.
// Source: SYCL 2020 sections 4.8 (USM) and 4.7 (buffers and accessors).
#ifndef TENON_MEMORY_H
#define TENON_MEMORY_H

#include "tenon/device.h"
#include "tenon/register.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_USM_HOST = 0, TN_USM_DEVICE = 1, TN_USM_SHARED = 2, TN_USM_UNKNOWN = 3 };

// `alignment` 0 means the device's preferred one (64 or more), else a power of two. `device` is
// needed for DEVICE and SHARED and must be of the context. OUT_OF_MEMORY when there is none; a size
// of 0 gives NULL and OK.
TN_API TN_MUST_USE tn_status tn_usm_alloc(tn_context *context, tn_device *device, int32_t kind,
                                          size_t size, size_t alignment, void **out, tn_diag *diag);
// INVALID_ARGUMENT for a pointer that is not the start of an allocation of this context. NULL is
// fine.
TN_API TN_MUST_USE tn_status tn_usm_free(tn_context *context, void *memory, tn_diag *diag);
typedef struct tn_usm_info {
  // TN_USM_…; UNKNOWN when the pointer is inside no allocation of the context, nor in memory that
  // the driver of one of its devices gave out otherwise, of which only kind and device are known.
  int32_t kind;
  uint32_t reserved;
  tn_device *device;  // NULL for HOST and UNKNOWN
  void *base;
  uint64_t size;
} tn_usm_info;
TN_API TN_MUST_USE tn_status tn_usm_query(tn_context *context, const void *pointer,
                                          tn_usm_info *out, tn_diag *diag);

// A device global of the program on a device, or on the one that it is a part of: device memory
// that belongs to no context, one for all kernels of the program there. Made on the first call or
// by the first kernel that uses it; it lives as long as the process. OUT_OF_MEMORY;
// INVALID_ARGUMENT when device code has it with another size.
TN_API TN_MUST_USE tn_status tn_device_global_get(tn_device_global *global, tn_device *device,
                                                  void **out, tn_diag *diag);

// A buffer: bytes that the runtime keeps where they are needed, and the order of their use.
// Counted. The last *user* reference (tn_buffer_release) waits for the commands that use the buffer
// when there is something to write back, writes it back, and lets the memory go with the last
// command.
typedef struct tn_buffer tn_buffer;
enum {
  TN_BUFFER_HOST_CONST =
      1u << 0,  // host_data may not be written in place: it is copied at creation
  TN_BUFFER_USE_HOST_PTR = 1u << 1,  // property::buffer::use_host_ptr: no copy is ever made
  TN_BUFFER_COPY_IN = 1u << 2,       // host_data is only read, during creation; no write-back
};
typedef struct tn_buffer_params {
  uint32_t struct_size;  // sizeof(tn_buffer_params)
  uint32_t flags;
  size_t size;       // bytes
  size_t alignment;  // of an element; 0 = any
  // NULL: uninitialized. Without flags: used in place, written back on release. If at the first use
  // there is no write-back, or one to elsewhere, the buffer works on a copy and leaves it alone.
  void *host_data;
  // Optional: called on the last release when write-back is on, instead of the in-place write-back.
  void (*write_back)(void *user, const void *data, size_t size);
  void *user;
  void (*free_user)(void *user);  // optional; called when the buffer goes
} tn_buffer_params;
TN_API TN_MUST_USE tn_status tn_buffer_create(const tn_buffer_params *params, tn_buffer **out,
                                              tn_diag *diag);
// A part of a buffer, from byte `offset` on: what its uses wait for are uses of the same bytes. It
// has no contents of its own, so it neither waits nor writes back when it is released; what is set
// for write-back is set for the whole. It keeps the whole. INVALID_ARGUMENT when the part does not
// lie inside, or `buffer` is a part itself.
TN_API TN_MUST_USE tn_status tn_buffer_create_part(tn_buffer *buffer, size_t offset, size_t size,
                                                   tn_buffer **out, tn_diag *diag);
TN_API void tn_buffer_retain(tn_buffer *buffer);
TN_API void tn_buffer_release(tn_buffer *buffer);
// The end of a buffer for its user, before the last reference goes: waits and writes back as the
// last release would. Later calls and the last release do nothing of that again; what still holds a
// reference (an accessor in a function object on its way out) keeps the memory, nothing more.
TN_API void tn_buffer_close(tn_buffer *buffer);
TN_API size_t tn_buffer_size(const tn_buffer *buffer);
// buffer::set_final_data and set_write_back. fn NULL means: nothing is written back. Set before the
// first use, they keep the buffer from working on host_data (but with USE_HOST_PTR); memory that is
// used in place already stays so.
TN_API void tn_buffer_set_write_back(tn_buffer *buffer,
                                     void (*fn)(void *user, const void *data, size_t size),
                                     void *user, void (*free_user)(void *user));
TN_API void tn_buffer_enable_write_back(tn_buffer *buffer, int enabled);

enum {
  TN_ACCESS_READ = 1,
  TN_ACCESS_WRITE = 2,
  TN_ACCESS_READ_WRITE = 3,
  TN_ACCESS_NO_INIT = 4, /* flag beside WRITE or READ_WRITE */
  TN_ACCESS_ON_HOST = 8  /* flag: of a TN_COMMAND_INTEROP_TASK, the bytes on the host */
};
// Host access (host_accessor): waits for conflicting commands, then later conflicting commands wait
// until tn_buffer_end_host_access. *out_data is the host address of the buffer's bytes.
TN_API TN_MUST_USE tn_status tn_buffer_begin_host_access(tn_buffer *buffer, uint32_t mode,
                                                         void **out_data, tn_diag *diag);
TN_API void tn_buffer_end_host_access(tn_buffer *buffer, uint32_t mode);
// For a host task that has an access to the buffer, while it runs: the host address of the bytes.
// Waits for nothing.
TN_API TN_MUST_USE tn_status tn_buffer_get_host_data(tn_buffer *buffer, void **out, tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
