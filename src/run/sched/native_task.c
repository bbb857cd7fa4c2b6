// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calling host tasks and native commands, and what they may query about themselves meanwhile.
#include "run/sched/queue_state.h"
#include "tenon/native.h"

typedef struct frame {
  tn_native_task task;
  bool is_captured;    // the graph gets what the command gives to the stream
  bool adds_to_graph;  // by itself
} frame;

static _Thread_local frame *current;

const tn_native_task *tn_native_current(void) { return current != NULL ? &current->task : NULL; }

static tn_status call(tn_node *node, frame *now, tn_diag *diag) {
  frame *before = current;
  current = now;
  const tn_status status = node->host_task(node->user, diag);
  current = before;
  return status;
}

tn_status tn_host_task_call(tn_node *node, tn_diag *diag) {
  frame now = {.task = {.queue = node->queue}};
  if (node->kind == TN_COMMAND_INTEROP_TASK) {
    uint64_t context = 0;
    TN_IGNORE(node->queue->api->native_get(node->queue->device->adapter_device, TN_NATIVE_CONTEXT,
                                           NULL, &context, NULL),
              "a thread without a context of the driver has the device's from here on");
  }
  return call(node, &now, diag);
}

tn_status tn_native_command_run(void *node, void *stream, void *graph, tn_diag *diag) {
  tn_node *self = node;
  frame now = {.task = {.queue = self->queue, .stream = stream, .graph = graph}};
  return call(self, &now, diag);
}

// ---- The graph of a native command

static tn_status capture(bool begins, tn_diag *diag) {
  const tn_device *device = current->task.queue->device;
  return TN_ADAPTER_HAS(device->api, native_capture)
             ? device->api->native_capture(device->adapter_device, current->task.stream, begins,
                                           diag)
             : TN_OK;
}

// The graph's queue takes the place of those that the program knows.
static bool is_for(const tn_native_task *task, const tn_queue *queue) {
  return task->queue == queue || (task->graph != NULL && task->queue->device == queue->device &&
                                  tn_queue_context(task->queue) == tn_queue_context(queue));
}

tn_status tn_native_task_stream(const tn_queue *queue, void **out, tn_diag *diag) {
  *out = NULL;
  if (current == NULL || !is_for(&current->task, queue)) {
    return TN_OK;
  }
  if (current->task.graph != NULL && !current->adds_to_graph && !current->is_captured) {
    TN_TRY(capture(true, diag));
    current->is_captured = true;
  }
  *out = current->task.stream;
  return TN_OK;
}

tn_status tn_native_get_graph(void **out, tn_diag *diag) {
  *out = NULL;
  if (current == NULL || current->task.graph == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "no graph is made of a native command here, so there is no native graph");
  }
  if (current->is_captured) {
    TN_TRY(capture(false, diag));
  }
  current->is_captured = false;
  current->adds_to_graph = true;
  *out = current->task.graph;
  return TN_OK;
}
