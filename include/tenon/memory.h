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

// `alignment` 0 means what OpenCL's drivers give (128 or more), else a power of two. `device` is
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
// for write-back is set for the whole. It keeps the whole, and owns it while it has owners itself.
// INVALID_ARGUMENT when the part does not lie inside, or `buffer` is a part itself.
TN_API TN_MUST_USE tn_status tn_buffer_create_part(tn_buffer *buffer, size_t offset, size_t size,
                                                   tn_buffer **out, tn_diag *diag);
TN_API void tn_buffer_retain(tn_buffer *buffer);
TN_API void tn_buffer_release(tn_buffer *buffer);
// The end of a buffer for its user, before the last reference goes: waits and writes back as the
// last release would. Later calls and the last release do nothing of that again; what still holds a
// reference (an accessor in a function object on its way out) keeps the memory, nothing more.
TN_API void tn_buffer_close(tn_buffer *buffer);
// A reference of an owner: a sycl::buffer, whereas accessors only keep. The creator has the first.
// The last owner to go closes the buffer; `disown` takes NULL.
TN_API void tn_buffer_own(tn_buffer *buffer);
TN_API void tn_buffer_disown(tn_buffer *buffer);
TN_API size_t tn_buffer_size(const tn_buffer *buffer);
// buffer::set_final_data and set_write_back. fn NULL means: nothing is written back. Set before the
// first use, they keep the buffer from working on host_data (but with USE_HOST_PTR); memory that is
// used in place already stays so.
TN_API void tn_buffer_set_write_back(tn_buffer *buffer,
                                     void (*fn)(void *user, const void *data, size_t size),
                                     void *user, void (*free_user)(void *user));
TN_API void tn_buffer_enable_write_back(tn_buffer *buffer, int enabled);

// ---- Buffers of elements, as sycl::buffer has them

enum { TN_ELEMENTS_CONST = 1u << 0 };
// The elements of a type of buffers: constant data.
typedef struct tn_buffer_elements {
  uint32_t struct_size;  // sizeof(tn_buffer_elements)
  uint32_t flags;        // TN_ELEMENTS_CONST: what is made from host memory is only read
  uint32_t size;         // of an element
  uint32_t dims;         // 1..3
  size_t alignment;
} tn_buffer_elements;
// Where the first contents come from.
enum {
  TN_CONTENTS_NONE = 0,      // uninitialized
  TN_CONTENTS_SHARED = 1,    // host memory that is written back
  TN_CONTENTS_CONSTANT = 2,  // host memory that is only read
  TN_CONTENTS_COPIED = 3,    // host memory that is gone after the call
};
// The properties that matter here, of a number that is kept for tn_buffer_properties.
enum { TN_PROPERTY_USE_HOST_PTR = 1u << 2 };
// What few buffers have; each member may be NULL.
typedef struct tn_buffer_extra {
  uint32_t struct_size;  // sizeof(tn_buffer_extra)
  uint32_t reserved;
  tn_context *context;  // property::buffer::context_bound: of all queues that use it; retained
  void *mutex;          // property::buffer::use_mutex: host_data is only touched between
  void (*lock)(void *mutex);
  void (*unlock)(void *mutex);
  void *memory;  // the buffer lives here, and host_data is copied to it; no implicit write-back
  void *memory_owner;  // goes to free_memory with the last user reference
  void (*free_memory)(void *memory_owner);
} tn_buffer_extra;
// `extents` are as many as `elements` has dimensions, `properties` a number of the caller's, and
// `extra` may be NULL. INVALID_ARGUMENT when host_data is NULL but needed, OUT_OF_MEMORY for more
// bytes than memory has. A failure does not call free_memory.
TN_API TN_MUST_USE tn_status tn_buffer_create_elements(const tn_buffer_elements *elements,
                                                       const size_t *extents, uint32_t contents,
                                                       const void *host_data, uint32_t properties,
                                                       const tn_buffer_extra *extra,
                                                       tn_buffer **out, tn_diag *diag);
// A sub-buffer: `region` elements from `base` on of a buffer of `extents` elements. As
// tn_buffer_create_part; INVALID_ARGUMENT also when its elements do not follow each other.
TN_API TN_MUST_USE tn_status tn_buffer_create_region(tn_buffer *buffer,
                                                     const tn_buffer_elements *elements,
                                                     const size_t *extents, const size_t *base,
                                                     const size_t *region, tn_buffer **out,
                                                     tn_diag *diag);
// Whether the buffer can be seen as `extents` elements: INVALID_ARGUMENT when these are of another
// size, or would not be aligned.
TN_API TN_MUST_USE tn_status tn_buffer_check_elements(const tn_buffer *buffer,
                                                      const tn_buffer_elements *elements,
                                                      const size_t *extents, tn_diag *diag);
// Something that goes to `free_keep` with the last user reference. Set once, before the buffer is
// shared.
TN_API void tn_buffer_set_keep(tn_buffer *buffer, void *keep, void (*free_keep)(void *keep));
TN_API int tn_buffer_is_part(const tn_buffer *buffer);
// As they were given when it was created, or its whole. The extra is borrowed from the buffer.
TN_API uint32_t tn_buffer_properties(const tn_buffer *buffer);
TN_API const tn_buffer_extra *tn_buffer_get_extra(const tn_buffer *buffer);
// To the host memory of a buffer with a mutex, `data` being the buffer's bytes on the host; does
// nothing for others.
TN_API void tn_buffer_update_guarded(tn_buffer *buffer, const void *data);

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
