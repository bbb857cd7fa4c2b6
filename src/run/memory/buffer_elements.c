// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of elements in up to three dimensions, as sycl::buffer has them: what its constructors,
// sub-buffers and reinterpretations check, and which flags and write-back its properties mean.
// Source: SYCL 2020 sections 4.7.2.3 (properties), 4.7.2.4 (destruction), 4.7.4 (host memory).
#include "run/memory/memory.h"

#include <string.h>

// False when memory does not have as many bytes.
static bool count_bytes(const tn_buffer_elements *elements, const size_t *extents, size_t *out) {
  bool fits = true;
  size_t bytes = elements->size;
  for (uint32_t i = 0; i < elements->dims; i++) {
    fits = !__builtin_mul_overflow(bytes, extents[i], &bytes) && fits;
  }
  *out = bytes;
  return fits;
}

static bool is_empty(const tn_buffer_elements *elements, const size_t *extents) {
  for (uint32_t i = 0; i < elements->dims; i++) {
    if (extents[i] == 0) {
      return true;
    }
  }
  return false;
}

static uint32_t flags_of(uint32_t contents, bool is_in_place, bool has_mutex) {
  if (contents == TN_CONTENTS_COPIED) {
    return TN_BUFFER_COPY_IN;
  }
  const uint32_t is_const = contents == TN_CONTENTS_CONSTANT ? TN_BUFFER_HOST_CONST : 0;
  if (is_in_place) {
    return TN_BUFFER_USE_HOST_PTR | is_const;
  }
  // The application may look at guarded memory meanwhile: the runtime works on a copy.
  return contents == TN_CONTENTS_SHARED && has_mutex ? TN_BUFFER_COPY_IN : is_const;
}

static void write_guarded(void *user, const void *data, size_t size) {
  (void)size;
  tn_buffer_update_guarded(user, data);
}

tn_status tn_buffer_create_elements(const tn_buffer_elements *elements, const size_t *extents,
                                    uint32_t contents, const void *host_data, uint32_t properties,
                                    const tn_buffer_extra *extra, tn_buffer **out, tn_diag *diag) {
  static const tn_buffer_extra none = {.struct_size = sizeof(none)};
  *out = NULL;
  extra = extra != NULL ? extra : &none;
  tn_buffer_params params = {.struct_size = sizeof(params), .alignment = elements->alignment};
  const bool fits = count_bytes(elements, extents, &params.size);
  if (is_empty(elements, extents)) {
    params.size = 0;
  } else if (!fits) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "a buffer has more elements than memory has bytes");
  }
  if (host_data == NULL && contents != TN_CONTENTS_NONE && params.size != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a buffer is made from host data, but the pointer is null");
  }
  void *given = params.size != 0 ? (void *)(uintptr_t)host_data : NULL;
  const bool is_in_place = (properties & TN_PROPERTY_USE_HOST_PTR) != 0 && host_data != NULL;
  const bool is_guarded = contents == TN_CONTENTS_SHARED && extra->mutex != NULL && !is_in_place;
  const bool has_memory = extra->memory != NULL && params.size != 0;
  params.host_data = has_memory ? extra->memory : given;
  params.flags = has_memory ? (uint32_t)TN_BUFFER_USE_HOST_PTR
                            : flags_of(contents, is_in_place, extra->mutex != NULL);
  if (extra->mutex != NULL) {
    extra->lock(extra->mutex);
  }
  if (has_memory && given != NULL) {
    memcpy(extra->memory, given, params.size);
  }
  tn_buffer *buffer = NULL;
  const tn_status status = tn_buffer_create(&params, &buffer, diag);
  if (extra->mutex != NULL) {
    extra->unlock(extra->mutex);
  }
  if (status != TN_OK) {
    return status;
  }
  buffer->is_read_only =
      (elements->flags & TN_ELEMENTS_CONST) != 0 && contents != TN_CONTENTS_NONE;
  buffer->properties = properties;
  buffer->extra = *extra;
  if (extra->context != NULL) {
    tn_context_retain(extra->context);
  }
  if (is_guarded && given != NULL) {
    buffer->guarded = given;
    tn_buffer_set_write_back(buffer, write_guarded, buffer, NULL);
  } else if (has_memory) {
    tn_buffer_set_write_back(buffer, NULL, NULL, NULL);
  }
  *out = buffer;
  return TN_OK;
}

tn_status tn_buffer_create_region(tn_buffer *buffer, const tn_buffer_elements *elements,
                                  const size_t *extents, const size_t *base, const size_t *region,
                                  tn_buffer **out, tn_diag *diag) {
  *out = NULL;
  if (tn_buffer_is_part(buffer)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a sub-buffer cannot be made from a sub-buffer; make it from the buffer that "
                   "the other one was made from");
  }
  TN_TRY(tn_box_check("sub-buffer", elements->dims, extents, base, region, diag));
  bool only_one_before = true;  // all dimensions so far are a single row
  size_t first = 0;
  size_t size = elements->size;
  for (uint32_t i = 0; i < elements->dims; i++) {
    if (!only_one_before && region[i] != extents[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "a sub-buffer has to be one contiguous piece of its buffer: all of every "
                     "dimension behind the first one where it has more than one element");
    }
    only_one_before = only_one_before && region[i] == 1;
    first = first * extents[i] + base[i];
    size *= region[i];
  }
  return tn_buffer_create_part(buffer, first * elements->size, size, out, diag);
}

tn_status tn_buffer_check_elements(const tn_buffer *buffer, const tn_buffer_elements *elements,
                                   const size_t *extents, tn_diag *diag) {
  size_t size = 0;
  if (!count_bytes(elements, extents, &size) || size != buffer->size) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "buffer::reinterpret: the new range has another number of bytes");
  }
  if (buffer->offset % elements->alignment != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "buffer::reinterpret: the sub-buffer does not start where an element of the new "
                   "type may lie");
  }
  return TN_OK;
}

tn_status tn_box_check(const char *what, uint32_t dims, const size_t *sizes, const size_t *offsets,
                       const size_t *extents, tn_diag *diag) {
  for (uint32_t i = 0; i < dims; i++) {
    if (offsets[i] > sizes[i] || extents[i] > sizes[i] - offsets[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s: %zu elements from element %zu on are asked for in dimension %u, where "
                     "the buffer has %zu",
                     what, extents[i], offsets[i], i, sizes[i]);
    }
  }
  return TN_OK;
}

static const tn_buffer *whole_of(const tn_buffer *buffer) {
  return buffer->whole != NULL ? buffer->whole : buffer;
}

void tn_buffer_set_keep(tn_buffer *buffer, void *keep, void (*free_keep)(void *keep)) {
  buffer->keep = keep;
  buffer->free_keep = free_keep;
}

void tn_buffer_free_kept(tn_buffer *buffer) {
  if (buffer->extra.free_memory != NULL) {
    buffer->extra.free_memory(buffer->extra.memory_owner);
  }
  tn_context_release(buffer->extra.context);
  if (buffer->free_keep != NULL) {
    buffer->free_keep(buffer->keep);
  }
}

int tn_buffer_is_part(const tn_buffer *buffer) { return buffer->whole != NULL; }

uint32_t tn_buffer_properties(const tn_buffer *buffer) { return whole_of(buffer)->properties; }

const tn_buffer_extra *tn_buffer_get_extra(const tn_buffer *buffer) {
  return &whole_of(buffer)->extra;
}

void tn_buffer_update_guarded(tn_buffer *buffer, const void *data) {
  const tn_buffer *whole = whole_of(buffer);
  if (whole->guarded != NULL) {
    whole->extra.lock(whole->extra.mutex);
    memcpy((unsigned char *)whole->guarded + buffer->offset, data, buffer->size);
    whole->extra.unlock(whole->extra.mutex);
  }
}
