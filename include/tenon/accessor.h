// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accessors as the C++ headers have them: plain data that begins a C++ object, and the functions
// that make, copy and check them. See tenon.h for ownership and threading; one accessor is used by
// one thread at a time. Source: SYCL 2020 section 4.7.6.
#ifndef TENON_ACCESSOR_H
#define TENON_ACCESSOR_H

#include "tenon/command_group.h"

#ifdef __cplusplus
extern "C" {
#endif

// A view follows it: max(dims, 1) extents of the elements shown, as many of the buffer's, as many
// offsets, and how many elements of the buffer, row-major, are before the first one shown.
typedef struct tn_accessor {
  void *data;         // the buffer's bytes; written at launch
  tn_buffer *buffer;  // NULL: belongs to no buffer
  size_t flags;       // TN_ACCESS_…, TN_ACCESSOR_…, then a number that copies share
} tn_accessor;
enum {
  TN_ACCESSOR_ACCESS_MASK = 0xff,
  TN_ACCESSOR_PLACEHOLDER = 1 << 8,
  TN_ACCESSOR_NO_INIT = 1 << 9,  // property::no_init was given
  TN_ACCESSOR_NUMBER = 1 << 16,
};

// Makes an accessor and its view of `buffer` and `flags`, which the caller has set: TN_ACCESS_, to
// which NO_INIT is added where it follows from TN_ACCESSOR_NO_INIT. `sizes` are the buffer's,
// `extents` and `offsets` the elements shown; NULL: all, and from the first on. dims 0: one element
// of a buffer of one dimension. The buffer is retained, and `group` requires the accessor; NULL:
// it is a placeholder. INVALID_ARGUMENT when the elements are not in the buffer, or it is only read
// but `flags` write, or no_init goes with an access that only reads, and as tn_accessor_require.
TN_API TN_MUST_USE tn_status tn_accessor_init(tn_accessor *accessor, uint32_t dims,
                                              const size_t *sizes, const size_t *extents,
                                              const size_t *offsets, tn_command_group *group,
                                              tn_diag *diag);
// Makes `to` a copy, of `size` bytes with the view and what else follows; the buffer is retained.
// Inside a block being captured (tenon/capture.h) it is noted there.
TN_API void tn_accessor_copy(tn_accessor *to, const tn_accessor *from, size_t size);
// The same of an accessor that there is already, whose buffer is released. Notes nothing.
TN_API void tn_accessor_assign(tn_accessor *to, const tn_accessor *from, size_t size);
// The command of the group uses the accessor. INVALID_ARGUMENT when it belongs to no buffer, or to
// one that is bound to another context than the queue's, or to a part that does not begin where the
// device wants it to.
TN_API TN_MUST_USE tn_status tn_accessor_require(const tn_accessor *accessor,
                                                 tn_command_group *group, tn_diag *diag);

// The host's turn with a buffer, between tn_buffer_begin_host_access and _end_. Counted; the last
// reference ends it.
typedef struct tn_host_access tn_host_access;
TN_API void tn_host_access_retain(tn_host_access *access);
TN_API void tn_host_access_release(tn_host_access *access);
// A view follows it, as in tn_accessor.
typedef struct tn_host_accessor {
  void *data;
  tn_host_access *access;  // NULL: belongs to no buffer
  size_t flags;            // TN_ACCESS_…, TN_ACCESSOR_NO_INIT
} tn_host_accessor;
// As tn_accessor_init, then waits as tn_buffer_begin_host_access. `access` is the caller's.
TN_API TN_MUST_USE tn_status tn_host_accessor_create(tn_host_accessor *accessor, tn_buffer *buffer,
                                                     uint32_t dims, const size_t *sizes,
                                                     const size_t *extents, const size_t *offsets,
                                                     size_t flags, tn_diag *diag);

// Local memory that an accessor asks for.
typedef struct tn_local_accessor {
  size_t offset;     // in the group's local memory; written at launch
  size_t number;     // the same in all copies; 0: belongs to nothing
  size_t size;       // bytes
  size_t alignment;  // 16 or more, so that GPUs can read several elements at once
} tn_local_accessor;
// Of as many elements of `element_size` bytes as the product of the extents.
TN_API void tn_local_accessor_init(tn_local_accessor *accessor, uint32_t dims,
                                   const size_t *extents, size_t element_size, size_t alignment);
// As tn_accessor_copy; there is nothing to retain.
TN_API void tn_local_accessor_copy(tn_local_accessor *to, const tn_local_accessor *from);

#ifdef __cplusplus
}
#endif
#endif
