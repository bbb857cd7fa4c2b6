// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accessors of C++ programs: their elements and access modes. Copies of accessors in the block of a
// command's function object note their buffers there.
#include "tenon/accessor.h"
#include "tenon/weak.h"

#include "base/alloc.h"
#include "base/weak.h"
#include "run/sched/queue_state.h"

#include <string.h>

enum { LEAST_LOCAL_ALIGNMENT = 16 };

// The sizes that follow an accessor, each as many as there are dimensions.
static void fill_view(size_t *view, uint32_t count, const size_t *sizes, const size_t *extents,
                      const size_t *offsets) {
  size_t shift = 0;
  for (uint32_t i = 0; i < count; i++) {
    view[i] = extents[i];
    view[count + i] = sizes[i];
    view[2 * count + i] = offsets[i];
    shift = shift * sizes[i] + offsets[i];
  }
  view[3 * count] = shift;
}

static tn_status make_view(size_t *view, uint32_t dims, const size_t *sizes, const size_t *extents,
                           const size_t *offsets, tn_diag *diag) {
  static const size_t start[3] = {0, 0, 0};
  const size_t one = sizes[0] != 0 ? 1 : 0;
  const uint32_t count = dims != 0 ? dims : 1;
  offsets = offsets != NULL ? offsets : start;
  if (extents == NULL) {
    fill_view(view, count, sizes, dims != 0 ? sizes : &one, offsets);
    return TN_OK;
  }
  TN_TRY(tn_box_check("accessor", count, sizes, offsets, extents, diag));
  fill_view(view, count, sizes, extents, offsets);
  return TN_OK;
}

// The accesses to the buffer, as TN_ACCESS_ bits.
static tn_status find_access(tn_buffer *buffer, bool is_ranged, size_t *flags, tn_diag *diag) {
  const bool writes = (*flags & TN_ACCESS_WRITE) != 0;
  const bool is_no_init = (*flags & TN_ACCESSOR_NO_INIT) != 0;
  if (is_no_init && !writes) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "property::no_init cannot go with access_mode::read: what would there be to "
                   "read?");
  }
  if (writes && tn_buffer_whole(buffer)->is_read_only) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "an accessor writes to a buffer of const elements that was made from host data, "
                   "which can only be read; use read_only");
  }
  if (is_no_init) {
    *flags |= TN_ACCESS_NO_INIT;
  }
  if (is_ranged || buffer->whole != NULL) {
    *flags &= ~(size_t)TN_ACCESS_NO_INIT;  // elements outside keep their values
  }
  return TN_OK;
}

static tn_status init(tn_accessor *accessor, uint32_t dims, const size_t *sizes,
                      const size_t *extents, const size_t *offsets, tn_command_group *group,
                      tn_diag *diag) {
  static _Atomic size_t numbers;
  const bool is_ranged = dims == 0 || extents != NULL;
  TN_TRY(find_access(accessor->buffer, is_ranged, &accessor->flags, diag));
  TN_TRY(make_view((size_t *)(accessor + 1), dims, sizes, extents, offsets, diag));
  const size_t number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed) + 1;
  accessor->flags += number * TN_ACCESSOR_NUMBER;
  if (group != NULL) {
    return tn_accessor_require(accessor, group, diag);
  }
  accessor->flags |= TN_ACCESSOR_PLACEHOLDER;
  return TN_OK;
}

tn_status tn_accessor_init(tn_accessor *accessor, uint32_t dims, const size_t *sizes,
                           const size_t *extents, const size_t *offsets, tn_command_group *group,
                           tn_diag *diag) {
  accessor->data = NULL;
  const tn_status status = init(accessor, dims, sizes, extents, offsets, group, diag);
  if (status == TN_OK) {
    tn_ref_up(&accessor->buffer->users);
  } else {
    accessor->buffer = NULL;
  }
  return status;
}

// NULL outside a block being captured.
static tn_capture *capture_around(const void *object) {
  tn_capture *capture = tn_capture_get();
  return capture != NULL && object >= capture->begin && object < capture->end ? capture : NULL;
}

void tn_accessor_copy(tn_accessor *to, const tn_accessor *from, size_t size) {
  memcpy(to, from, size);
  if (to->buffer == NULL) {
    return;
  }
  tn_capture *capture = capture_around(to);
  if (capture != NULL) {
    capture->note(capture, &to->data, to->buffer, (uint32_t)(to->flags & TN_ACCESSOR_ACCESS_MASK));
  }
  tn_ref_up(&to->buffer->users);
}

void tn_accessor_assign(tn_accessor *to, const tn_accessor *from, size_t size) {
  tn_buffer *before = to->buffer;
  tn_buffer_retain(from->buffer);
  memmove(to, from, size);
  tn_buffer_release(before);
}

tn_status tn_accessor_check(const tn_accessor *accessor, const tn_queue *queue, tn_diag *diag) {
  tn_buffer *buffer = accessor->buffer;
  if (buffer == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "handler::require: the accessor belongs to no buffer");
  }
  const tn_context *context = tn_buffer_whole(buffer)->extra.context;
  if (context != NULL && !tn_context_has_device(context, queue->device)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "an accessor is to a buffer with property::buffer::context_bound, but the "
                   "device of the command group's queue is not in that context");
  }
  if (buffer->whole == NULL) {
    return TN_OK;
  }
  uint32_t bits = 8;
  TN_TRY(tn_device_get_info(queue->device, TN_DEVICE_INFO_MEM_BASE_ADDR_ALIGN, &bits, sizeof(bits),
                            NULL, diag));
  if (buffer->offset % (bits / 8) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "an accessor is to a sub-buffer that begins at byte %zu of its buffer, which is "
                   "no multiple of the %u bytes of the device's mem_base_addr_align",
                   buffer->offset, bits / 8);
  }
  return TN_OK;
}

tn_status tn_accessor_require(const tn_accessor *accessor, tn_command_group *group,
                              tn_diag *diag) {
  TN_TRY(tn_accessor_check(accessor, group->queue, diag));
  tn_command_group_require(group, accessor->buffer,
                           (uint32_t)(accessor->flags & TN_ACCESSOR_ACCESS_MASK));
  return TN_OK;
}

struct tn_host_access {
  tn_ref ref;
  tn_buffer *buffer;  // retained
  uint32_t mode;
};

void tn_host_access_retain(tn_host_access *access) {
  if (access != NULL) {
    tn_ref_up(&access->ref);
  }
}

void tn_host_access_release(tn_host_access *access) {
  if (access != NULL && tn_ref_down(&access->ref)) {
    tn_buffer_end_host_access(access->buffer, access->mode);
    tn_buffer_release(access->buffer);
    tn_free(access);
  }
}

static void release(void *object) { tn_host_access_release(object); }

tn_weak *tn_host_access_weak(tn_host_access *access) {
  static const tn_weak_type type = {.release = release};
  return access != NULL ? tn_weak_of(&access->ref, access, &type, NULL) : NULL;
}

tn_status tn_host_accessor_create(tn_host_accessor *accessor, tn_buffer *buffer, uint32_t dims,
                                  const size_t *sizes, const size_t *extents,
                                  const size_t *offsets, size_t flags, tn_diag *diag) {
  accessor->data = NULL;
  accessor->access = NULL;
  TN_TRY(find_access(buffer, dims == 0 || extents != NULL, &flags, diag));
  TN_TRY(make_view((size_t *)(accessor + 1), dims, sizes, extents, offsets, diag));
  const uint32_t mode = (uint32_t)(flags & TN_ACCESSOR_ACCESS_MASK);
  tn_host_access *access = tn_alloc(sizeof(*access));
  if (access == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a host access to a buffer");
  }
  const tn_status status = tn_buffer_begin_host_access(buffer, mode, &accessor->data, diag);
  if (status != TN_OK) {
    tn_free(access);
    return status;
  }
  tn_ref_init(&access->ref);
  tn_buffer_retain(buffer);
  access->buffer = buffer;
  access->mode = mode;
  accessor->access = access;
  accessor->flags = flags;
  return TN_OK;
}

void tn_local_accessor_init(tn_local_accessor *accessor, uint32_t dims, const size_t *extents,
                            size_t element_size, size_t alignment) {
  static _Atomic size_t numbers;
  size_t size = element_size;
  for (uint32_t i = 0; i < dims; i++) {
    size = __builtin_mul_overflow(size, extents[i], &size) ? SIZE_MAX : size;
  }
  accessor->offset = 0;
  accessor->number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed) + 1;
  accessor->size = size;
  accessor->alignment = alignment < LEAST_LOCAL_ALIGNMENT ? LEAST_LOCAL_ALIGNMENT : alignment;
}

void tn_local_accessor_copy(tn_local_accessor *to, const tn_local_accessor *from) {
  *to = *from;
  tn_capture *capture = to->number != 0 ? capture_around(to) : NULL;
  if (capture != NULL) {
    capture->note_local(capture, &to->offset, to->number, to->size, (uint32_t)to->alignment);
  }
}
