// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calling host tasks and native commands, and what they may query about themselves meanwhile.
#include "run/sched/queue_state.h"
#include "tenon/native.h"

static _Thread_local const tn_native_task *current;

const tn_native_task *tn_native_current(void) { return current; }

static tn_status call(tn_node *node, const tn_native_task *task, tn_diag *diag) {
  const tn_native_task *before = current;
  current = task;
  const tn_status status = node->host_task(node->user, diag);
  current = before;
  return status;
}

tn_status tn_host_task_call(tn_node *node, tn_diag *diag) {
  const tn_native_task task = {.queue = node->queue};
  if (node->kind == TN_COMMAND_INTEROP_TASK) {
    uint64_t context = 0;
    TN_IGNORE(node->queue->api->native_get(node->queue->device->adapter_device, TN_NATIVE_CONTEXT,
                                           NULL, &context, NULL),
              "a thread without a context of the driver has the device's from here on");
  }
  return call(node, &task, diag);
}

tn_status tn_native_command_run(void *node, void *stream, void *graph, tn_diag *diag) {
  tn_node *self = node;
  const tn_native_task task = {.queue = self->queue, .stream = stream, .graph = graph};
  return call(self, &task, diag);
}
