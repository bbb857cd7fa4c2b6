// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory and buffers as the runtime sees them; see tenon/memory.h for the C API.
// Waiting for commands is run/sched's part: tn_buffer_release and the host accesses live there.
#ifndef TN_RUN_MEMORY_MEMORY_H
#define TN_RUN_MEMORY_MEMORY_H

#include "base/thread.h"
#include "run/device/device.h"
#include "run/memory/spans.h"
#include "tenon/bindless_image.h"
#include "tenon/memory.h"
#include "tenon/queue.h"

enum { TN_HAZARD_SIZE = 64 };

// The order of a buffer's uses: all zero at first, then managed and guarded by run/sched, which
// sets `close`; it is called once when the buffer goes.
typedef struct tn_hazard_area {
  _Alignas(8) unsigned char bytes[TN_HAZARD_SIZE];
} tn_hazard_area;

// The bytes in one place: on the host, or on a device that cannot use the host's. Which places are
// stale is known in the order in which commands are submitted; managed and guarded by run/sched.
typedef struct tn_buffer_copy {
  struct tn_buffer_copy *next;
  tn_device *device;       // NULL: the host
  void *memory;            // owned on devices; NULL for the host, see tn_buffer_get_memory
  tn_spans stale;          // what is newer elsewhere
  struct tn_buffer_arrival *arrivals;  // transfers that were submitted, newest first; owned
} tn_buffer_copy;
typedef struct tn_buffer_arrival {
  struct tn_buffer_arrival *next;
  tn_span bytes;
  tn_event *event;  // retained
} tn_buffer_arrival;

// Two counts: users hold one reference of `ref` together; commands that use the buffer hold theirs.
// Users that are owners are counted once more: without owners the buffer is closed.
struct tn_buffer {
  tn_ref ref;
  tn_ref users;
  tn_ref owners;
  // Of a part (tn_buffer_create_part): the whole, whose owner it is. Only `ref`, `users`, `owners`,
  // `whole`, `offset` and `size` of a part mean anything. NULL for a whole.
  tn_buffer *whole;
  size_t offset;          // of the part in the whole
  uint32_t flags;         // TN_BUFFER_…, immutable
  size_t size;            // immutable
  size_t alignment;       // of the memory, immutable
  void *host_data;        // borrowed from the user until the last user reference goes; may be NULL
  void *_Atomic memory;   // NULL until first needed; then immutable
  bool may_be_in_place;   // host_data can serve as memory; immutable
  _Atomic bool modified;  // something may have written to it since creation
  _Atomic bool has_content;  // host data, or written
  _Atomic bool closed;       // write-back is done or under way
  _Atomic uint32_t recorded;  // uses by commands of queues that still record a graph
  bool is_read_only;          // as tn_buffer_create_elements, immutable, as are:
  uint32_t properties;
  tn_buffer_extra extra;  // `context` is retained
  void *guarded;          // host memory that is only touched with the mutex; borrowed; NULL
  // Of a buffer of a native memory object: whose it is, held until the object is closed; else NULL.
  tn_device *native_device;
  tn_adapter_native_memory native;
  void *keep;             // owned by free_keep
  void (*free_keep)(void *keep);
  tn_mutex mu;
  bool in_place TN_GUARDED_BY(&mu);  // memory is host_data; set with `memory`
  bool write_back_enabled TN_GUARDED_BY(&mu);
  bool write_back_is_set TN_GUARDED_BY(&mu);  // by the user: `write_back` decides, NULL means none
  void (*write_back)(void *user, const void *data, size_t size) TN_GUARDED_BY(&mu);
  void *user TN_GUARDED_BY(&mu);
  void (*free_user)(void *user) TN_GUARDED_BY(&mu);
  tn_buffer_copy host;
  tn_buffer_copy *_Atomic copies;  // on devices; only grows, under `mu`
  tn_hazard_area hazard;
  void (*hazard_close)(tn_hazard_area *hazard);
};

// Whether tn_usm_alloc accepts the arguments: INVALID_ARGUMENT, WRONG_CONTEXT.
TN_MUST_USE tn_status tn_usm_check_alloc(const tn_context *context, const tn_device *device,
                                         int32_t kind, size_t alignment, tn_diag *diag);

// The buffer's bytes; the first call decides whether the user's memory is used in place. Any
// thread.
TN_MUST_USE tn_status tn_buffer_get_memory(tn_buffer *buffer, void **out, tn_diag *diag);
// The copy of a whole on `device`, with memory there; `find` makes none: NULL. Any thread.
tn_buffer_copy *tn_buffer_find_copy(tn_buffer *buffer, const tn_device *device);
TN_MUST_USE tn_status tn_buffer_get_copy(tn_buffer *buffer, tn_device *device,
                                         tn_buffer_copy **out, tn_diag *diag);
void tn_buffer_free_copies(tn_buffer *buffer);  // by the last who has the buffer
// The buffer itself, or what it is a part of.
static inline tn_buffer *tn_buffer_whole(tn_buffer *buffer) {
  return buffer->whole != NULL ? buffer->whole : buffer;
}
// By the last user: what was only kept for users.
void tn_buffer_free_kept(tn_buffer *buffer);
// References of commands, which take them of wholes.
void tn_buffer_ref(tn_buffer *buffer);
void tn_buffer_unref(tn_buffer *buffer);
// Remembers that a use of `mode` (TN_ACCESS_) is allowed to change the bytes.
void tn_buffer_note_use(tn_buffer *buffer, uint32_t mode);

// Closing, once (tn_buffer_close): `begin_close` is true for the caller who has to do it,
// `must_wait` tells whether the commands that use the buffer have to be complete first, and
// `write_back` writes back and calls free_user.
bool tn_buffer_begin_close(tn_buffer *buffer);
bool tn_buffer_must_wait(tn_buffer *buffer);
void tn_buffer_write_back(tn_buffer *buffer);
// A buffer in the bytes of a native memory object of the device's native context; closing it closes
// the object, after everything else. As tn_native_make_buffer with `dimensions` 0 (and
// `out_image` NULL), else as tn_native_make_image.
TN_MUST_USE tn_status tn_buffer_create_native(tn_device *device, uint64_t native,
                                              size_t element_size, uint32_t dimensions,
                                              tn_native_image *out_image, tn_buffer **out,
                                              tn_diag *diag);
void tn_buffer_close_native(tn_buffer *buffer);
// Whether closing would write to somebody's memory.
bool tn_buffer_has_write_back(tn_buffer *buffer);

// Whether a box of elements lies inside what it is of, which has `sizes`. `what` it is begins the
// sentence.
TN_MUST_USE tn_status tn_box_check(const char *what, uint32_t dims, const size_t *sizes,
                                   const size_t *offsets, const size_t *extents, tn_diag *diag);

// Whether a copy or fill in `context` may touch the `size` bytes at `memory`, which is `what` in
// the sentence. A pointer inside no USM allocation is host memory, about which nothing is known:
// fine. So is memory of another context that is the host's or of a device of this one: SYCL 2020
// (4.9.4.3) does not ask for it, but programs rely on it (Celerity has a context for each device,
// and queues of the default one). WRONG_CONTEXT, INVALID_ARGUMENT.
TN_MUST_USE tn_status tn_usm_check_range(const tn_context *context, const char *what,
                                         const void *memory, size_t size, tn_diag *diag);

// The allocation of this process that the pointer leads into. False when there is none, or the
// pointer may as well be the end of the one before it. Any thread.
bool tn_usm_find_allocation(const void *pointer, uintptr_t *out_begin, size_t *out_size);

// Memory of a bindless image, or of one level. Immutable after create.
struct tn_bindless_memory {
  tn_bindless_description description;
  tn_context *context;         // retained by the whole
  tn_device *device;           // the context's own object; static lifetime
  tn_bindless_memory *whole;   // NULL: not a level
  tn_bindless_memory *levels;  // of a mipmap, as many as its description says; else NULL
  unsigned char *pixels;       // USM of the whole; NULL: in `array`
  tn_adapter_array *array;     // of the whole; a level's goes with it
  uint32_t pixel_size;
  uint64_t row_pitch;  // of `pixels`
  uint64_t slice_pitch;
};
// Whether the box of `extent` bytes, rows and slices lies inside the image, as TN_COMMAND_IMAGE_…
// says. `what` is as above.
TN_MUST_USE tn_status tn_bindless_check_box(const tn_bindless_memory *memory,
                                            const tn_device *device, const char *what,
                                            const tn_rect *rect, const uint64_t extent[3],
                                            tn_diag *diag);

#endif
