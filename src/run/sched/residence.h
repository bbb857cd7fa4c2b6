// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a buffer's bytes are valid, and bringing them to where a command needs them. Private to
// run/sched.
#ifndef TN_RUN_SCHED_RESIDENCE_H
#define TN_RUN_SCHED_RESIDENCE_H

#include "run/sched/hazard.h"
#include "run/sched/queue_state.h"

// The place of the buffers that a command uses: NULL for host memory.
static inline tn_device *tn_residence_of(const tn_queue *queue, uint32_t command_kind) {
  return queue->shares_host_memory || command_kind == TN_COMMAND_HOST_TASK ? NULL : queue->device;
}
// The same of one access: an interop task has some to either.
static inline tn_device *tn_residence_at(const tn_queue *queue, uint32_t command_kind,
                                         const tn_access *access) {
  return (access->mode & TN_ACCESS_ON_HOST) != 0 ? NULL : tn_residence_of(queue, command_kind);
}

// Submits the transfers that the accesses need at `place`, unless they are there. Without them, or
// when another thread's command comes between, tn_residence_is_ready says false.
TN_MUST_USE tn_status tn_residence_bring(tn_queue *queue, tn_device *place,
                                         const tn_access *accesses, size_t count, tn_diag *diag);
bool tn_residence_is_ready(tn_device *place, const tn_access *accesses, size_t count)
    TN_REQUIRES(&tn_hazard_mu);
// Makes room for what tn_residence_use does with one of a command's `count` accesses, and adds the
// edges it needs. False without memory.
bool tn_residence_reserve(tn_device *place, const tn_access *access, size_t count,
                          size_t *edge_count) TN_REQUIRES(&tn_hazard_mu);
// The node waits for transfers under way, and what it writes is stale elsewhere from now on.
void tn_residence_use(tn_device *place, const tn_access *access, tn_node *node)
    TN_REQUIRES(&tn_hazard_mu);

// What a host access of `mode` brings to the host, decided at the moment when it takes its place
// among the uses of a buffer, or of a part; with `mode` writing the bytes are stale elsewhere then.
// To be given to tn_residence_bring_host in any case.
typedef struct tn_host_step tn_host_step;
typedef struct tn_host_bytes {
  tn_buffer *whole;
  tn_host_step *first;  // owned
  tn_event *event;      // retained; when the bytes are there
  tn_event **pending;   // owned, each retained: on its way to the host, or to where bytes come from
  size_t pending_count;
} tn_host_bytes;
TN_MUST_USE tn_status tn_residence_plan_host(tn_buffer *buffer, uint32_t mode, tn_host_bytes *out,
                                             tn_diag *diag) TN_REQUIRES(&tn_hazard_mu);
// Brings them, when nothing that conflicts runs any more, and waits for it; with another `status`
// than OK only frees what was planned, and returns it.
TN_MUST_USE tn_status tn_residence_bring_host(tn_host_bytes *bytes, tn_status status,
                                              tn_diag *diag);
// Both at once.
TN_MUST_USE tn_status tn_residence_to_host(tn_buffer *buffer, uint32_t mode, tn_diag *diag);

#endif
