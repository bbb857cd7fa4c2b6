// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers: where their bytes are, who owns them, and what is written back at the end.
//
// Invariants
// 1. `memory` goes from NULL to its value once, under `mu`: at creation when the bytes are copied
//    there or use_host_ptr asks for the user's memory, else at the first use.
// 2. At the first use the user's memory is taken in place only if the write-back would go there as
//    things stand; with another destination or none the buffer works on a copy, and the user's
//    memory stays as it is. What is decided stays, whatever is set later.
// 3. With `in_place` the memory is the user's and is never freed here. Until there is a memory the
//    buffer's bytes are host_data's.
// 4. Callbacks of the user are called with no lock held, and free_user exactly once for each user.
// 5. A part has no memory, no order of uses and no write-back: all of that is the whole's.
#include "base/alloc.h"
#include "base/log.h"
#include "run/memory/memory.h"

#include <string.h>

enum { LEAST_ALIGNMENT = 64 };

static bool is_power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

static tn_status check_params(const tn_buffer_params *params, tn_diag *diag) {
  if (params == NULL || params->struct_size < sizeof(tn_buffer_params)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_buffer_create: params is NULL or its struct_size is too small; set it to "
                   "sizeof(tn_buffer_params)");
  }
  const uint32_t known = TN_BUFFER_HOST_CONST | TN_BUFFER_USE_HOST_PTR | TN_BUFFER_COPY_IN;
  if ((params->flags & ~known) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a buffer cannot be made with the unknown flags 0x%x",
                   params->flags & ~known);
  }
  if (params->alignment != 0 && !is_power_of_two(params->alignment)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a buffer's alignment must be a power of two, and %zu is none",
                   params->alignment);
  }
  if ((params->flags & TN_BUFFER_USE_HOST_PTR) != 0 && params->host_data == NULL &&
      params->size > 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a buffer with use_host_ptr needs host memory, but host_data is NULL");
  }
  return TN_OK;
}

static bool can_be_in_place(const tn_buffer_params *params) {
  if (params->host_data == NULL || (params->flags & TN_BUFFER_COPY_IN) != 0) {
    return false;
  }
  if ((params->flags & TN_BUFFER_USE_HOST_PTR) != 0) {
    return true;
  }
  const uintptr_t mask = params->alignment != 0 ? params->alignment - 1 : 0;
  return (params->flags & TN_BUFFER_HOST_CONST) == 0 && ((uintptr_t)params->host_data & mask) == 0;
}

static void init_buffer(tn_buffer *buffer, const tn_buffer_params *params) TN_NO_ANALYSIS {
  const bool read_only = (params->flags & (TN_BUFFER_HOST_CONST | TN_BUFFER_COPY_IN)) != 0;
  tn_ref_init(&buffer->ref);
  tn_ref_init(&buffer->users);
  tn_ref_init(&buffer->owners);
  buffer->flags = params->flags;
  buffer->size = params->size;
  buffer->alignment = params->alignment > LEAST_ALIGNMENT ? params->alignment : LEAST_ALIGNMENT;
  buffer->may_be_in_place = can_be_in_place(params);
  buffer->in_place = (params->flags & TN_BUFFER_USE_HOST_PTR) != 0 && buffer->may_be_in_place;
  buffer->host_data = (params->flags & TN_BUFFER_COPY_IN) != 0 ? NULL : params->host_data;
  atomic_init(&buffer->memory, buffer->in_place ? params->host_data : NULL);
  atomic_init(&buffer->modified, false);
  atomic_init(&buffer->has_content, params->host_data != NULL);
  atomic_init(&buffer->closed, false);
  tn_mutex_init(&buffer->mu, TN_RANK_BUFFER);
  buffer->write_back_is_set = params->write_back != NULL || read_only;
  buffer->write_back_enabled = true;
  buffer->write_back = params->write_back;
  buffer->user = params->user;
  buffer->free_user = params->free_user;
}

tn_status tn_buffer_create(const tn_buffer_params *params, tn_buffer **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_params(params, diag));
  tn_buffer *buffer = tn_alloc(sizeof(*buffer));
  if (buffer == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a buffer of %zu bytes", params->size);
  }
  init_buffer(buffer, params);
  if (params->host_data != NULL && !buffer->may_be_in_place && params->size > 0) {
    void *memory = NULL;
    const tn_status status = tn_buffer_get_memory(buffer, &memory, diag);
    if (status != TN_OK) {
      tn_mutex_deinit(&buffer->mu);
      tn_free(buffer);
      return status;
    }
    memcpy(memory, params->host_data, params->size);
  }
  TN_LOG(memory, "buffer %p of %zu bytes", (void *)buffer, buffer->size);
  *out = buffer;
  return TN_OK;
}

tn_status tn_buffer_create_part(tn_buffer *buffer, size_t offset, size_t size, tn_buffer **out,
                                tn_diag *diag) {
  *out = NULL;
  if (buffer == NULL || buffer->whole != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a part is made of a whole buffer, but this one is %s; use the buffer it was "
                   "made of",
                   buffer == NULL ? "NULL" : "a part itself");
  }
  if (offset > buffer->size || size > buffer->size - offset) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a part of %zu bytes from byte %zu on does not lie inside a buffer of %zu bytes",
                   size, offset, buffer->size);
  }
  tn_buffer *part = tn_alloc(sizeof(*part));
  if (part == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a part of %zu bytes of a buffer", size);
  }
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = size};
  init_buffer(part, &params);
  tn_buffer_own(buffer);
  part->whole = buffer;
  part->offset = offset;
  *out = part;
  return TN_OK;
}

static tn_status make_memory(tn_buffer *buffer, void **out, tn_diag *diag) {
  // An empty buffer gets an address too, so that NULL always means "not decided yet".
  *out = tn_alloc_aligned(buffer->size > 0 ? buffer->size : 1, buffer->alignment);
  if (*out == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the %zu bytes of a buffer", buffer->size);
  }
  if (buffer->may_be_in_place && buffer->size > 0) {
    memcpy(*out, buffer->host_data, buffer->size);
  }
  return TN_OK;
}

static tn_status decide_memory(tn_buffer *buffer, void **out, tn_diag *diag)
    TN_REQUIRES(&buffer->mu) {
  *out = atomic_load_explicit(&buffer->memory, memory_order_relaxed);
  if (*out != NULL) {
    return TN_OK;
  }
  if (buffer->may_be_in_place && atomic_load_explicit(&buffer->closed, memory_order_acquire)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a buffer on host memory is used for the first time after its end, when that "
                   "memory may be gone; use it while the buffer lives");
  }
  if (buffer->may_be_in_place && buffer->write_back_enabled && !buffer->write_back_is_set) {
    *out = buffer->host_data;
    buffer->in_place = true;
  } else {
    TN_TRY(make_memory(buffer, out, diag));
  }
  atomic_store_explicit(&buffer->memory, *out, memory_order_release);
  return TN_OK;
}

tn_status tn_buffer_get_memory(tn_buffer *buffer, void **out, tn_diag *diag) {
  if (buffer->whole != NULL) {
    TN_TRY(tn_buffer_get_memory(buffer->whole, out, diag));
    *out = (unsigned char *)*out + buffer->offset;
    return TN_OK;
  }
  *out = atomic_load_explicit(&buffer->memory, memory_order_acquire);
  if (*out != NULL) {
    return TN_OK;
  }
  tn_mutex_lock(&buffer->mu);
  const tn_status status = decide_memory(buffer, out, diag);
  tn_mutex_unlock(&buffer->mu);
  return status;
}

void tn_buffer_ref(tn_buffer *buffer) { tn_ref_up(&buffer->ref); }

// Nobody else has the buffer any more.
static void destroy_buffer(tn_buffer *buffer) TN_NO_ANALYSIS {
  if (buffer->hazard_close != NULL) {
    buffer->hazard_close(&buffer->hazard);
  }
  tn_buffer_free_copies(buffer);
  if (!buffer->in_place) {
    tn_free_aligned(atomic_load_explicit(&buffer->memory, memory_order_relaxed));
  }
  tn_mutex_deinit(&buffer->mu);
  tn_free(buffer);
}

void tn_buffer_unref(tn_buffer *buffer) {
  if (tn_ref_down(&buffer->ref)) {
    destroy_buffer(buffer);
  }
}

void tn_buffer_note_use(tn_buffer *buffer, uint32_t mode) {
  if ((mode & TN_ACCESS_WRITE) != 0) {
    tn_buffer *whole = tn_buffer_whole(buffer);
    atomic_store_explicit(&whole->modified, true, memory_order_relaxed);
    atomic_store_explicit(&whole->has_content, true, memory_order_relaxed);
  }
}

void tn_buffer_retain(tn_buffer *buffer) {
  if (buffer != NULL) {
    tn_ref_up(&buffer->users);
  }
}

void tn_buffer_own(tn_buffer *buffer) {
  if (buffer != NULL) {
    tn_ref_up(&buffer->owners);
    tn_ref_up(&buffer->users);
  }
}

size_t tn_buffer_size(const tn_buffer *buffer) { return buffer->size; }

void tn_buffer_set_write_back(tn_buffer *buffer,
                              void (*fn)(void *user, const void *data, size_t size), void *user,
                              void (*free_user)(void *user)) {
  buffer = tn_buffer_whole(buffer);
  tn_mutex_lock(&buffer->mu);
  void *old_user = buffer->user;
  void (*old_free)(void *) = buffer->free_user;
  buffer->write_back_is_set = true;
  buffer->write_back = fn;
  buffer->user = user;
  buffer->free_user = free_user;
  tn_mutex_unlock(&buffer->mu);
  if (old_free != NULL) {
    old_free(old_user);
  }
}

void tn_buffer_enable_write_back(tn_buffer *buffer, int enabled) {
  buffer = tn_buffer_whole(buffer);
  tn_mutex_lock(&buffer->mu);
  buffer->write_back_enabled = enabled != 0;
  tn_mutex_unlock(&buffer->mu);
}

// What the end of the buffer has to do, read at one moment.
typedef struct write_back_plan {
  bool to_function;
  bool to_host;
  void (*write_back)(void *user, const void *data, size_t size);
  void *user;
  void (*free_user)(void *user);
} write_back_plan;

static write_back_plan plan_write_back(tn_buffer *buffer) {
  write_back_plan plan = {0};
  tn_mutex_lock(&buffer->mu);
  if (buffer->write_back_enabled && buffer->write_back_is_set) {
    plan.to_function = buffer->write_back != NULL;
  } else if (buffer->write_back_enabled) {
    plan.to_host = buffer->host_data != NULL && !buffer->in_place;
  }
  plan.write_back = buffer->write_back;
  plan.user = buffer->user;
  plan.free_user = buffer->free_user;
  buffer->free_user = NULL;
  tn_mutex_unlock(&buffer->mu);
  return plan;
}

bool tn_buffer_must_wait(tn_buffer *buffer) {
  tn_mutex_lock(&buffer->mu);
  const bool set = buffer->write_back_is_set;
  const bool wanted = set ? buffer->write_back != NULL : buffer->host_data != NULL;
  // In place the memory is the user's and may go when the release returns.
  const bool must_wait = buffer->in_place || (buffer->write_back_enabled && wanted);
  tn_mutex_unlock(&buffer->mu);
  return must_wait;
}

bool tn_buffer_has_write_back(tn_buffer *buffer) {
  buffer = tn_buffer_whole(buffer);
  tn_mutex_lock(&buffer->mu);
  const bool is_wanted =
      buffer->write_back_is_set ? buffer->write_back != NULL : buffer->host_data != NULL;
  const bool answer = buffer->write_back_enabled && is_wanted;
  tn_mutex_unlock(&buffer->mu);
  return answer;
}

bool tn_buffer_begin_close(tn_buffer *buffer) {
  return !atomic_exchange_explicit(&buffer->closed, true, memory_order_acq_rel);
}

void tn_buffer_write_back(tn_buffer *buffer) {
  const write_back_plan plan = plan_write_back(buffer);
  const void *memory = atomic_load_explicit(&buffer->memory, memory_order_acquire);
  if (memory == NULL && buffer->may_be_in_place) {
    memory = buffer->host_data;  // never used
  }
  const bool modified = atomic_load_explicit(&buffer->modified, memory_order_relaxed);
  const bool has_content = atomic_load_explicit(&buffer->has_content, memory_order_relaxed);
  if (plan.to_function && memory != NULL && has_content) {
    plan.write_back(plan.user, memory, buffer->size);
  } else if (plan.to_host && memory != NULL && modified && buffer->size > 0) {
    memcpy(buffer->host_data, memory, buffer->size);
  }
  if (plan.free_user != NULL) {
    plan.free_user(plan.user);
  }
}
