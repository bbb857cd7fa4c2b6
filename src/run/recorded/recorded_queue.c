// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recording: queues whose commands become nodes.
#include "base/alloc.h"
#include "base/log.h"
#include "run/recorded/recorded_object.h"

static tn_recording *find_recording(tn_graph *graph, const tn_queue *queue)
    TN_REQUIRES(&graph->mu) {
  tn_recording *each = graph->recordings;
  while (each != NULL && each->queue != queue) {
    each = each->next;
  }
  return each;
}

static tn_status check_queue(const tn_graph *graph, tn_queue *queue, tn_diag *diag) {
  if (queue == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "there is no queue to record: it is NULL");
  }
  if (tn_queue_context(queue) != graph->context || tn_queue_device(queue) != graph->device) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the queue is of another device or context than the graph (device %s): a graph "
                   "records queues of its own only",
                   graph->device->name);
  }
  return TN_OK;
}

// The queue's place in the list; a queue that records again begins anew.
static tn_status open_recording(tn_graph *graph, tn_queue *queue, tn_diag *diag) {
  tn_recording *made = tn_alloc(sizeof(*made));
  if (made == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to record a queue");
  }
  tn_mutex_lock(&graph->mu);
  tn_recording *known = find_recording(graph, queue);
  if (known == NULL) {
    *made = (tn_recording){.next = graph->recordings, .queue = queue};
    graph->recordings = made;
    known = made;
    made = NULL;
  }
  if (!known->is_open) {
    known->is_open = true;
    tn_queue_retain(queue);
  }
  known->last = NULL;
  known->barrier = NULL;
  tn_mutex_unlock(&graph->mu);
  tn_free(made);
  return TN_OK;
}

static void close_recording(tn_graph *graph, tn_queue *queue) {
  tn_mutex_lock(&graph->mu);
  tn_recording *known = find_recording(graph, queue);
  const bool was_open = known != NULL && known->is_open;
  if (was_open) {
    known->is_open = false;
  }
  tn_mutex_unlock(&graph->mu);
  if (was_open) {
    tn_queue_release(queue);
  }
}

tn_status tn_graph_begin_recording(tn_graph *graph, tn_queue *queue, tn_diag *diag) {
  TN_TRY(check_queue(graph, queue, diag));
  tn_recorder *busy = tn_queue_recorder(queue);
  if (busy == NULL) {
    TN_TRY(tn_queue_use_external(queue, diag));
    TN_TRY(open_recording(graph, queue, diag));
    if (tn_queue_set_recorder(queue, &graph->recorder)) {
      TN_LOG(sched, "queue %p records for graph %llu", (void *)queue,
             (unsigned long long)graph->id);
      return TN_OK;
    }
    close_recording(graph, queue);
  } else {
    busy->release(busy);
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "the queue records for a graph already: end recording there before it records for "
                 "another, or again");
}

tn_status tn_graph_join(tn_recorder *recorder, tn_queue *queue, tn_diag *diag) {
  tn_graph *graph = (tn_graph *)recorder;
  tn_mutex_lock(&graph->mu);
  bool is_recording = false;
  for (const tn_recording *each = graph->recordings; each != NULL; each = each->next) {
    is_recording = is_recording || each->is_open;
  }
  tn_mutex_unlock(&graph->mu);
  if (!is_recording) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a command depends on the event of one that was recorded in a graph, and that "
                   "recording has ended: depend on the event of the graph's launch");
  }
  return tn_graph_begin_recording(graph, queue, diag);
}

// The host may not look at what is being recorded.
static void note_buffers(tn_graph_node *node) {
  tn_recorded_retain(node->what);
  node->noted = node->what;
  for (size_t i = 0; i < node->noted->command.access_count; i++) {
    tn_buffer *whole = tn_buffer_whole(node->noted->accesses[i].buffer);
    atomic_fetch_add_explicit(&whole->recorded, 1, memory_order_relaxed);
  }
}

static tn_recorded *take_noted(tn_graph *graph) {
  tn_recorded *noted = NULL;
  bool is_open = false;
  tn_mutex_lock(&graph->mu);
  for (const tn_recording *each = graph->recordings; each != NULL; each = each->next) {
    is_open = is_open || each->is_open;
  }
  for (size_t i = graph->nodes.count; i-- > 0 && !is_open && noted == NULL;) {
    noted = graph->nodes.nodes[i]->noted;
    graph->nodes.nodes[i]->noted = NULL;
  }
  tn_mutex_unlock(&graph->mu);
  return noted;
}

// With the end of all recording.
static void forget_buffers(tn_graph *graph) {
  for (tn_recorded *noted = take_noted(graph); noted != NULL; noted = take_noted(graph)) {
    for (size_t i = 0; i < noted->command.access_count; i++) {
      tn_buffer *whole = tn_buffer_whole(noted->accesses[i].buffer);
      atomic_fetch_sub_explicit(&whole->recorded, 1, memory_order_relaxed);
    }
    tn_recorded_release(noted);
  }
}

static void end_queue(tn_graph *graph, tn_queue *queue) {
  if (tn_queue_end_recorder(queue, &graph->recorder)) {
    TN_LOG(sched, "queue %p records no more", (void *)queue);
  }
}

// One that was open and is closed now, with a reference; NULL when none is.
static tn_queue *take_open(tn_graph *graph) {
  tn_queue *queue = NULL;
  tn_mutex_lock(&graph->mu);
  for (tn_recording *each = graph->recordings; each != NULL && queue == NULL; each = each->next) {
    if (each->is_open) {
      each->is_open = false;
      queue = each->queue;  // with the reference that it had
    }
  }
  tn_mutex_unlock(&graph->mu);
  return queue;
}

tn_status tn_graph_end_recording(tn_graph *graph, tn_queue *queue, tn_diag *diag) {
  if (queue == NULL) {
    while ((queue = take_open(graph)) != NULL) {
      end_queue(graph, queue);
      tn_queue_release(queue);
    }
    forget_buffers(graph);
    return TN_OK;
  }
  tn_recorder *recorder = tn_queue_recorder(queue);
  if (recorder == NULL) {
    return TN_OK;
  }
  const bool is_ours = recorder == &graph->recorder;
  recorder->release(recorder);
  if (!is_ours) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the queue records for another graph: end it there");
  }
  end_queue(graph, queue);
  close_recording(graph, queue);
  forget_buffers(graph);
  return TN_OK;
}

tn_graph *tn_graph_of_queue(tn_queue *queue) {
  tn_recorder *recorder = tn_queue_recorder(queue);
  if (recorder == NULL) {
    return NULL;
  }
  tn_graph *graph = (tn_graph *)recorder;
  const bool has_users = tn_ref_try_up(&graph->users);
  recorder->release(recorder);
  return has_users ? graph : NULL;
}

// ---- A command becomes a node

tn_status tn_graph_check_buffers(const tn_graph *graph, const tn_command *command, tn_diag *diag) {
  if (command->access_count > 0 && (graph->flags & TN_GRAPH_BUFFERS_OUTLIVE) == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a command of a graph uses a buffer: make the graph with "
                   "assume_buffer_outlives_graph, and keep the buffer as long as the graph");
  }
  for (size_t i = 0; i < command->access_count; i++) {
    if (tn_buffer_has_write_back(command->accesses[i].buffer)) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "a command of a graph uses a buffer that writes back to host memory when it "
                     "is destroyed, which no graph can wait for: call set_write_back(false)");
    }
  }
  return TN_OK;
}

// What the events stand for. They have to be of this graph.
static tn_status read_events(tn_graph *graph, const tn_command *command, tn_node_list *out,
                             tn_diag *diag) {
  for (size_t i = 0; i < command->event_count; i++) {
    void *node = NULL;
    if (command->events[i] == NULL) {
      continue;
    }
    if (tn_event_recorder(command->events[i], &node) != &graph->recorder) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "a command of a graph depends on an event of a command that is not in the "
                     "graph: only events of commands that it recorded can be used");
    }
    if (!tn_node_list_push(out, node)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the edges of a graph");
    }
  }
  return TN_OK;
}

static tn_status find_kernel(tn_queue *queue, const tn_command *command, tn_kernel **out_owned,
                             tn_diag *diag) {
  return command->kind == TN_COMMAND_KERNEL && command->spec_count > 0 && command->kernel == NULL
             ? tn_kernel_specialize(command->slot, tn_device_of_code(tn_queue_device(queue)),
                                    command->specs, command->spec_count, out_owned, diag)
             : TN_OK;
}

// The command with the ids of recorded commands for local memory whose size can be changed. Those
// of a recording queue stay as they are, which the check rejects. *out_locals is the caller's.
static tn_status bind_locals(const tn_graph *graph, const tn_queue *queue, tn_command *command,
                             tn_local **out_locals, tn_diag *diag) {
  bool is_any = false;
  *out_locals = NULL;
  for (size_t i = 0; command->locals != NULL && i < command->local_count; i++) {
    is_any = is_any || tn_local_is_dynamic(&command->locals[i]);
  }
  if (!is_any || queue != graph->queue || command->kind != TN_COMMAND_KERNEL) {
    return TN_OK;
  }
  *out_locals = tn_alloc_array(command->local_count, sizeof(**out_locals));
  if (*out_locals == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command of a graph");
  }
  for (size_t i = 0; i < command->local_count; i++) {
    (*out_locals)[i] = command->locals[i];
    tn_dynamic_bind(&(*out_locals)[i]);
  }
  command->locals = *out_locals;
  return TN_OK;
}

static tn_status make_recorded(tn_queue *queue, const tn_command *command, tn_recorded **out,
                               tn_diag *diag) {
  tn_command plain = *command;
  tn_kernel *owned = NULL;
  tn_kernel *kernel = NULL;
  bool is_empty = false;
  if (command->kind == TN_COMMAND_GRAPH) {
    if (command->graph == NULL) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "there is no graph to launch: it is NULL");
    }
    TN_TRY(tn_recorded_create(command, NULL, false, out, diag));
    tn_graph_exec_retain(command->graph);
    (*out)->nested = command->graph;
    return TN_OK;
  }
  TN_TRY(find_kernel(queue, command, &owned, diag));
  if (owned != NULL) {
    plain.kernel = owned;
    plain.spec_count = 0;
  }
  tn_status status = tn_queue_check(queue, &plain, &kernel, &is_empty, diag);
  if (status == TN_OK) {
    status = tn_recorded_create(&plain, kernel, is_empty, out, diag);
  }
  if (owned != NULL) {
    tn_kernel_release(owned);
  }
  return status;
}

static tn_status connect_all(tn_graph *graph, const tn_node_list *list, tn_graph_node *node,
                             tn_diag *diag) TN_REQUIRES(&graph->mu) {
  for (size_t i = 0; i < list->count; i++) {
    TN_TRY(tn_graph_connect(graph, list->nodes[i], node, diag));
  }
  return TN_OK;
}

// Behind all that the queue recorded since its last barrier and that nothing comes after.
static tn_status connect_leaves(tn_graph *graph, const tn_recording *recording, tn_graph_node *node,
                                tn_diag *diag) TN_REQUIRES(&graph->mu) {
  for (size_t i = 0; i < node->index; i++) {
    tn_graph_node *each = graph->nodes.nodes[i];
    if (each->queue == recording->queue && each->after.count == 0) {
      TN_TRY(tn_graph_connect(graph, each, node, diag));
    }
  }
  return TN_OK;
}

static tn_status connect_queue(tn_graph *graph, tn_recording *recording, tn_graph_node *node,
                               tn_diag *diag) TN_REQUIRES(&graph->mu) {
  if (recording == NULL) {  // tn_graph_begin_adding
    return connect_all(graph, &graph->adding_after, node, diag);
  }
  if ((tn_queue_flags(recording->queue) & TN_QUEUE_IN_ORDER) != 0) {
    return recording->last != NULL ? tn_graph_connect(graph, recording->last, node, diag) : TN_OK;
  }
  if (recording->barrier != NULL) {
    TN_TRY(tn_graph_connect(graph, recording->barrier, node, diag));
  }
  return node->what->command.kind == TN_COMMAND_BARRIER
             ? connect_leaves(graph, recording, node, diag)
             : TN_OK;
}

// What comes next in the queue comes after the node.
static void note_last(tn_graph *graph, tn_recording *recording, tn_graph_node *node)
    TN_REQUIRES(&graph->mu) {
  const uint32_t kind = node->what->command.kind;
  if (recording == NULL) {
    graph->last_added = node;
    return;
  }
  recording->last = node;
  if (node->what->command.access_count > 0) {
    note_buffers(node);
  }
  if (kind == TN_COMMAND_BARRIER || kind == TN_COMMAND_EVENT_BARRIER) {
    recording->barrier = node;
  }
}

static tn_status add_node(tn_graph *graph, tn_queue *queue, tn_graph_node *node,
                          const tn_node_list *before, tn_diag *diag) {
  tn_mutex_lock(&graph->mu);
  tn_recording *recording = queue != graph->queue ? find_recording(graph, queue) : NULL;
  node->index = graph->nodes.count;
  tn_status status = tn_node_list_push(&graph->nodes, node)
                         ? TN_OK
                         : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a node of a graph");
  if (status == TN_OK) {
    status = connect_all(graph, before, node, diag);
    if (status == TN_OK) {
      status = connect_queue(graph, recording, node, diag);
    }
    if (status == TN_OK) {
      status = tn_graph_connect_buffers(graph, node, diag);
    }
    if (status == TN_OK) {
      note_last(graph, recording, node);
    } else {
      for (size_t i = 0; i < node->before.count; i++) {
        node->before.nodes[i]->after.count--;  // it was the last one there
      }
      graph->nodes.count--;
      tn_node_list_free(&node->before);
    }
  }
  tn_mutex_unlock(&graph->mu);
  return status;
}

static tn_status check_kind(const tn_graph *graph, const tn_queue *queue, const tn_command *command,
                            tn_diag *diag) {
  const bool is_barrier =
      command->kind == TN_COMMAND_BARRIER || command->kind == TN_COMMAND_EVENT_BARRIER;
  return is_barrier && queue == graph->queue
             ? TN_FAIL(diag, INVALID_ARGUMENT,
                       "a barrier is of a queue's commands, and a node that is added to a graph is "
                       "of none: add an empty node with edges, or depends_on_all_leaves")
             : TN_OK;
}

tn_status tn_graph_record(tn_recorder *recorder, tn_queue *queue, const tn_command *command,
                          tn_event **out_event, tn_diag *diag) {
  tn_graph *graph = (tn_graph *)recorder;
  tn_command bound = *command;
  tn_local *locals = NULL;
  tn_node_list before = {0};
  tn_recorded *what = NULL;
  tn_event *event = NULL;
  tn_graph_node *node = tn_alloc(sizeof(*node));
  tn_status status =
      node != NULL ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a node of a graph");
  if (status == TN_OK) {
    static _Atomic uint64_t ids;
    *node = (tn_graph_node){
        .graph = graph,
        .queue = queue,
        .id = atomic_fetch_add_explicit(&ids, 1, memory_order_relaxed) + 1,
    };
    status = check_kind(graph, queue, command, diag);
  }
  if (status == TN_OK) {
    status = tn_graph_check_buffers(graph, command, diag);
  }
  if (status == TN_OK) {
    status = read_events(graph, command, &before, diag);
  }
  if (status == TN_OK && out_event != NULL &&
      (event = tn_event_create_recorded(queue, recorder, node)) == NULL) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an event");
  }
  if (status == TN_OK) {
    status = bind_locals(graph, queue, &bound, &locals, diag);
  }
  if (status == TN_OK) {
    status = make_recorded(queue, &bound, &what, diag);
  }
  if (status == TN_OK) {
    node->what = what;
    status = tn_dynamic_note(node, what, diag);
    if (status == TN_OK) {
      status = add_node(graph, queue, node, &before, diag);
    }
    if (status != TN_OK) {
      tn_dynamic_forget_node(node);
      if (what->user != NULL) {
        what->user->free_user = NULL;  // the caller's still
      }
    }
  }
  tn_free(locals);
  tn_node_list_free(&before);
  if (status != TN_OK) {
    tn_event_release(event);
    tn_recorded_release(what);
    tn_free(node);
    return status;
  }
  TN_LOG(sched, "a command of kind %u is node %zu of graph %llu", command->kind, node->index,
         (unsigned long long)graph->id);
  if (out_event != NULL) {
    *out_event = event;
  }
  return TN_OK;
}
