// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The uses of a buffer, and which of them a new one depends on. Private to run/sched.
#ifndef TN_RUN_SCHED_HAZARD_H
#define TN_RUN_SCHED_HAZARD_H

#include "run/sched/graph.h"

// One lock for the uses of all buffers: a command registers all of its uses at one moment, so the
// dependencies of commands that share buffers have no cycle. Held for no longer than that.
extern tn_mutex tn_hazard_mu;

// Makes room for the use accesses[index] of a command, after the ones before it; adds the edges it
// needs to *edge_count. False without memory.
bool tn_hazard_reserve(const tn_access *accesses, size_t index, size_t *edge_count)
    TN_REQUIRES(&tn_hazard_mu);
// The node depends on conflicting uses and is one from now on. Room must be reserved.
void tn_hazard_use(const tn_access *access, tn_node *node) TN_REQUIRES(&tn_hazard_mu);
// Waits for all commands that use the buffer, which is being closed.
void tn_hazard_await_uses(tn_buffer *buffer);

#endif
