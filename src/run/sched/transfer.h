// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bringing a buffer's bytes to where a command or a host access needs them. Private to run/sched.
#ifndef TN_RUN_SCHED_TRANSFER_H
#define TN_RUN_SCHED_TRANSFER_H

#include "run/sched/residence.h"

// Submits the transfers that the accesses need at the location, unless the bytes are valid there.
// Another thread's command may still write between: see tn_residence_is_ready.
TN_MUST_USE tn_status tn_transfer_to(tn_queue *queue, tn_device *location,
                                     const tn_access *accesses, size_t count, tn_diag *diag);

// The transfers to the host of a host access of `mode`, decided at the moment when it takes its
// position among the uses of a buffer, or of a part; if `mode` writes, the bytes are stale
// elsewhere then. tn_transfer_to_host has to follow in any case.
typedef struct tn_host_step tn_host_step;
typedef struct tn_host_bytes {
  tn_buffer *whole;
  tn_host_step *first;  // owned
  tn_event *event;      // retained; complete when the bytes are valid
  tn_event **pending;   // owned, each retained: transfers to the host, or to a source
  size_t pending_count;
} tn_host_bytes;
TN_MUST_USE tn_status tn_transfer_plan_to_host(tn_buffer *buffer, uint32_t mode,
                                               tn_host_bytes *out, tn_diag *diag)
    TN_REQUIRES(&tn_hazard_mu);
// Transfers them, when nothing that conflicts runs any more, and waits for it; with another
// `status` than OK only frees what was planned, and returns it.
TN_MUST_USE tn_status tn_transfer_to_host(tn_host_bytes *bytes, tn_status status, tn_diag *diag);
// Both at once.
TN_MUST_USE tn_status tn_transfer_to_host_now(tn_buffer *buffer, uint32_t mode, tn_diag *diag);

#endif
