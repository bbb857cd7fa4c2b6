// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a buffer's bytes are valid. Private to run/sched.
#ifndef TN_RUN_SCHED_RESIDENCE_H
#define TN_RUN_SCHED_RESIDENCE_H

#include "run/sched/hazard.h"
#include "run/sched/queue_state.h"

// The location of the buffers that a command uses: NULL for host memory.
static inline tn_device *tn_residence_of(const tn_queue *queue, uint32_t command_kind) {
  return queue->shares_host_memory || command_kind == TN_COMMAND_HOST_TASK ? NULL : queue->device;
}
// The same of one access: an interop task has some to either.
static inline tn_device *tn_residence_at(const tn_queue *queue, uint32_t command_kind,
                                         const tn_access *access) {
  return (access->mode & TN_ACCESS_ON_HOST) != 0 ? NULL : tn_residence_of(queue, command_kind);
}
// The copy at a location; NULL when the device has none yet.
static inline tn_buffer_copy *tn_residence_copy_at(tn_buffer *whole, const tn_device *location) {
  return location == NULL ? &whole->host : tn_buffer_find_copy(whole, location);
}
static inline bool tn_residence_is_on_host_only(tn_buffer *whole) {
  return atomic_load_explicit(&whole->copies, memory_order_acquire) == NULL;
}
static inline tn_span tn_residence_span(const tn_buffer *buffer) {
  return (tn_span){buffer->offset, buffer->offset + buffer->size};
}

// Whether the access depends on what the bytes are before it.
bool tn_residence_wants_content(const tn_access *access);
// The first bytes that the access wants at the location and that are stale there.
bool tn_residence_find_stale(tn_device *location, const tn_access *access, tn_span *out)
    TN_REQUIRES(&tn_hazard_mu);
// False when a transfer (transfer.h) has to be submitted first.
bool tn_residence_is_ready(tn_device *location, const tn_access *accesses, size_t count)
    TN_REQUIRES(&tn_hazard_mu);
// Makes room for what tn_residence_use does with one of a command's `count` accesses, and adds the
// edges it needs. False without memory.
bool tn_residence_reserve(tn_device *location, const tn_access *access, size_t count,
                          size_t *edge_count) TN_REQUIRES(&tn_hazard_mu);
// The node depends on transfers under way, and the bytes it writes are stale elsewhere from now on.
void tn_residence_use(tn_device *location, const tn_access *access, tn_node *node)
    TN_REQUIRES(&tn_hazard_mu);
void tn_residence_set_stale(tn_buffer_copy *copy, tn_span bytes, bool is_stale)
    TN_REQUIRES(&tn_hazard_mu);
// The bytes are stale everywhere but in the copy that is written.
void tn_residence_note_write(tn_buffer *whole, tn_buffer_copy *written, tn_span bytes)
    TN_REQUIRES(&tn_hazard_mu);
// The node depends on transfers to these bytes; arrivals that are complete are removed.
void tn_residence_wait_for_arrivals(tn_buffer_copy *copy, tn_span bytes, tn_node *node)
    TN_REQUIRES(&tn_hazard_mu);

#endif
