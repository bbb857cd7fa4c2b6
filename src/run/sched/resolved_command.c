// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command as the adapter would get it, without submitting it: for graphs of the driver.
#include "base/alloc.h"
#include "run/sched/queue_state.h"

tn_status tn_queue_check(tn_queue *queue, const tn_command *command, tn_kernel **out_kernel,
                         bool *out_empty, tn_diag *diag) {
  tn_checked checked;
  tn_command any = *command;
  if (command->kind == TN_COMMAND_KERNEL && command->kernel == NULL && command->slot != NULL) {
    TN_TRY(tn_kernel_from_slot(command->slot, queue->code_device, &any.kernel, diag));
  }
  TN_TRY(tn_command_check(queue, &any, &checked, diag));
  *out_kernel = checked.kernel;
  *out_empty = checked.is_empty;
  return TN_OK;
}

struct tn_resolved {
  tn_node *node;  // owned; never submitted
};

tn_status tn_command_resolve(tn_queue *queue, const tn_command *command, tn_resolved **out,
                             tn_diag *diag) {
  *out = NULL;
  tn_checked checked;
  TN_TRY(tn_command_check(queue, command, &checked, diag));
  tn_resolved *made = tn_alloc(sizeof(*made));
  tn_event *event = NULL;
  if (made == NULL || !tn_node_take(queue->pool, &made->node, &event)) {
    tn_free(made);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command of a graph");
  }
  made->node->queue = queue;
  made->node->device = queue->device;
  const tn_status status = tn_node_fill(made->node, command, &checked, diag);
  made->node->user = command->user;
  if (status != TN_OK) {
    tn_resolved_free(made);
    return status;
  }
  *out = made;
  return TN_OK;
}

const tn_adapter_command *tn_resolved_command(const tn_resolved *resolved) {
  return &resolved->node->command;
}

void tn_resolved_free(tn_resolved *resolved) {
  if (resolved != NULL) {
    tn_event *event = resolved->node->event;
    tn_node_recycle(resolved->node);
    tn_event_release(event);
    tn_free(resolved);
  }
}
