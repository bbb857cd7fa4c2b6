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

// Brings the bytes of a buffer, or of a part, to the host, where nothing that conflicts runs any
// more, and waits for it. With `mode` writing they are stale elsewhere then.
TN_MUST_USE tn_status tn_residence_to_host(tn_buffer *buffer, uint32_t mode, tn_diag *diag);

#endif
