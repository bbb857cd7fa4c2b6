// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching an executable graph: its parts become commands of the queue.
#include "base/alloc.h"
#include "base/log.h"
#include "run/recorded/recorded_exec.h"

// The events that a part waits for, and those of all parts.
typedef struct plan {
  const tn_event *const *given;  // what the whole graph waits for
  size_t given_count;
  tn_event **events;      // owned array: of each part; NULL in order
  const tn_event **list;  // owned array: what one command waits for
  size_t list_count;
} plan;

static void release_native(void *user) { tn_device_graph_release(user); }

static tn_status submit_part(const tn_graph_exec *exec, const tn_exec_part *part, tn_queue *queue,
                             const plan *p, tn_event **out_event, tn_diag *diag) {
  tn_command command = {.kind = TN_COMMAND_NONE};
  tn_recorded *what = exec->nodes[part->nodes.items[0]].what;
  if (part->native != NULL) {
    command.kind = TN_COMMAND_DEVICE_GRAPH;
    command.graph = part->native->handle;
    if ((exec->flags & TN_GRAPH_UPDATABLE) != 0) {
      tn_ref_up(&part->native->ref);
      command.user = part->native;
      command.free_user = release_native;
    }
    command.accesses = part->accesses;
    command.access_count = part->access_count;
  } else if (part->nodes.count == 1 && what != NULL) {
    tn_recorded_prepare(what, &command);
    if (command.kind == TN_COMMAND_BARRIER || command.kind == TN_COMMAND_EVENT_BARRIER ||
        command.kind == TN_COMMAND_GRAPH) {
      command.kind = TN_COMMAND_NONE;  // its edges say all
    }
  }
  command.struct_size = sizeof(command);
  command.events = p->list;
  command.event_count = p->list_count;
  const tn_status status = tn_queue_submit_now(queue, &command, out_event, diag);
  if (status != TN_OK && command.free_user != NULL) {
    command.free_user(command.user);
  }
  return status;
}

static tn_status submit_end(tn_queue *queue, const plan *p, tn_event **out_event, tn_diag *diag) {
  const tn_command end = {.struct_size = sizeof(end),
                          .kind = TN_COMMAND_NONE,
                          .events = p->list,
                          .event_count = p->list_count};
  return tn_queue_submit_now(queue, &end, out_event, diag);
}

static void list_given(plan *p) {
  for (size_t i = 0; i < p->given_count; i++) {
    p->list[p->list_count++] = p->given[i];
  }
}

// The queue's own order is the parts' order.
static tn_status launch_in_order(const tn_graph_exec *exec, tn_queue *queue, plan *p,
                                 tn_event **out_event, tn_diag *diag) {
  list_given(p);
  for (size_t i = 0; i < exec->part_count; i++) {
    const bool is_last = i + 1 == exec->part_count;
    const bool is_first = i == 0 && (tn_queue_flags(queue) & TN_QUEUE_PROFILING) != 0;
    tn_event **event = is_last ? out_event : is_first ? &p->events[0] : NULL;
    TN_TRY(submit_part(exec, &exec->parts[i], queue, p, event, diag));
    p->list_count = 0;
  }
  return exec->part_count == 0 ? submit_end(queue, p, out_event, diag) : TN_OK;
}

static tn_status launch_by_events(const tn_graph_exec *exec, tn_queue *queue, plan *p,
                                  tn_event **out_event, tn_diag *diag) {
  for (size_t i = 0; i < exec->part_count; i++) {
    const tn_exec_part *part = &exec->parts[i];
    p->list_count = 0;
    for (size_t k = 0; k < part->before.count; k++) {
      p->list[p->list_count++] = p->events[part->before.items[k]];
    }
    if (part->before.count == 0) {
      list_given(p);
    }
    TN_TRY(submit_part(exec, part, queue, p, &p->events[i], diag));
  }
  p->list_count = 0;
  if (exec->part_count == 1) {
    *out_event = p->events[0];
    p->events[0] = NULL;
    return TN_OK;
  }
  for (size_t i = 0; i < exec->part_count; i++) {
    if (exec->parts[i].is_leaf) {
      p->list[p->list_count++] = p->events[i];
    }
  }
  if (exec->part_count == 0) {
    list_given(p);
  }
  return submit_end(queue, p, out_event, diag);
}

// What this launch has to wait for of the one before, if that is in another queue: an event that is
// the caller's to release.
static tn_status find_last(tn_graph_exec *exec, tn_queue *queue, bool is_in_order, tn_event **out,
                           tn_diag *diag) {
  *out = NULL;
  if (exec->last_queue != NULL && !(is_in_order && exec->last_queue == queue)) {
    const tn_command end = {.struct_size = sizeof(end), .kind = TN_COMMAND_NONE};
    return tn_queue_submit_now(exec->last_queue, &end, out, diag);
  }
  tn_event_retain(exec->last_event);
  *out = exec->last_event;
  return TN_OK;
}

static void note_last(tn_graph_exec *exec, tn_queue *queue, bool is_in_order, tn_event *end) {
  if (exec->last_queue != (is_in_order ? queue : NULL)) {
    tn_queue *old = exec->last_queue;
    exec->last_queue = NULL;
    if (is_in_order) {
      tn_queue_retain(queue);
      exec->last_queue = queue;
    }
    tn_queue_release(old);
  }
  if (is_in_order && exec->last_event == NULL) {
    return;
  }
  tn_event *old = exec->last_event;
  exec->last_event = NULL;
  if (!is_in_order) {
    tn_event_retain(end);
    exec->last_event = end;
  }
  tn_event_release(old);
}

// Some parts may run when others could not be submitted: the next launch comes after them.
static void wait_for_parts(const tn_graph_exec *exec, const plan *p) {
  for (size_t i = 0; p->events != NULL && i < exec->part_count; i++) {
    if (p->events[i] != NULL) {
      TN_IGNORE(tn_event_wait(p->events[i], NULL), "it is an event of a command");
    }
  }
}

static tn_status launch(tn_graph_exec *exec, tn_queue *queue, const tn_event *const *events,
                        size_t count, tn_event **out_event, tn_diag *diag) {
  const bool is_in_order = (tn_queue_flags(queue) & TN_QUEUE_IN_ORDER) != 0;
  tn_event *last = NULL;
  tn_event *end = NULL;
  plan p = {.given = events, .given_count = count};
  tn_status status = find_last(exec, queue, is_in_order, &last, diag);
  if (status != TN_OK) {
    return status;
  }
  const tn_event **given = tn_alloc_array(count + 1, sizeof(*given));
  p.events = tn_alloc_array(exec->part_count + 1, sizeof(*p.events));
  p.list = tn_alloc_array(exec->part_count + count + 2, sizeof(*p.list));
  if (given == NULL || p.events == NULL || p.list == NULL) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to launch a graph");
  } else {
    for (size_t i = 0; i < count; i++) {
      given[i] = events[i];
    }
    given[count] = last;
    p.given = given;
    p.given_count = count + (last != NULL ? 1 : 0);
    status = is_in_order ? launch_in_order(exec, queue, &p, out_event != NULL ? &end : NULL, diag)
                         : launch_by_events(exec, queue, &p, &end, diag);
  }
  if (status == TN_OK && end != NULL && exec->part_count > 1 && p.events[0] != NULL) {
    tn_event_set_first(end, p.events[0]);
  }
  if (status == TN_OK || is_in_order) {
    note_last(exec, queue, is_in_order, end);
  } else {
    wait_for_parts(exec, &p);
  }
  for (size_t i = 0; p.events != NULL && i < exec->part_count; i++) {
    tn_event_release(p.events[i]);
  }
  tn_free((void *)given);
  tn_free((void *)p.events);
  tn_free((void *)p.list);
  tn_event_release(last);
  if (status == TN_OK && out_event != NULL) {
    *out_event = end;
  } else {
    tn_event_release(end);
  }
  return status;
}

// One graph of the device's, again in the queue where it was: nothing to wait for.
static bool is_repeated(const tn_graph_exec *exec, const tn_queue *queue, size_t event_count) {
  return event_count == 0 && exec->last_queue == queue && exec->last_event == NULL &&
         exec->part_count == 1 && exec->parts[0].native != NULL;
}

static tn_status check_launch(const tn_graph_exec *exec, tn_queue *queue, tn_diag *diag) {
  if (exec == NULL || queue == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "launching a graph needs a graph and a queue");
  }
  if (tn_queue_device(queue) != exec->device ||
      tn_queue_context(queue) != tn_queue_context(exec->queue)) {
    return TN_FAIL(diag, WRONG_CONTEXT,
                   "a graph for device %s is launched in a queue of another device or context (%s)",
                   exec->device->name, tn_queue_device(queue)->name);
  }
  return TN_OK;
}

static tn_status launch_alone(tn_graph_exec *exec, tn_queue *queue, const tn_event *const *events,
                              size_t count, tn_event **out_event, tn_diag *diag) {
  tn_status status = TN_OK;
  tn_exec_enter(exec);
  if (is_repeated(exec, queue, count)) {
    const plan nothing = {0};
    status = submit_part(exec, &exec->parts[0], queue, &nothing, out_event, diag);
  } else {
    status = launch(exec, queue, events, count, out_event, diag);
  }
  tn_exec_leave(exec);
  return status;
}

tn_status tn_exec_submit(tn_replay *replay, tn_queue *queue, const tn_command *command,
                         tn_event **out_event, tn_diag *diag) {
  tn_graph_exec *exec = (tn_graph_exec *)replay;
  TN_TRY(check_launch(exec, queue, diag));
  TN_TRY(launch_alone(exec, queue, command->events, command->event_count, out_event, diag));
  if (command->free_user != NULL) {
    command->free_user(command->user);
  }
  return TN_OK;
}

tn_status tn_graph_launch(tn_graph_exec *exec, tn_queue *queue, const tn_event *const *events,
                          size_t event_count, tn_event **out_event, tn_diag *diag) {
  if (out_event != NULL) {
    *out_event = NULL;
  }
  TN_TRY(check_launch(exec, queue, diag));
  if (event_count == 0 && tn_queue_is_recording(queue) == 0) {
    return launch_alone(exec, queue, NULL, 0, out_event, diag);
  }
  // Recording, and events of recorded commands, are the scheduler's to see.
  const tn_command command = {.struct_size = sizeof(command),
                              .kind = TN_COMMAND_GRAPH,
                              .events = events,
                              .event_count = event_count,
                              .graph = exec};
  return tn_queue_submit(queue, &command, out_event, diag);
}
