// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: runs of commands that the driver records are command buffers; the others are given to the
// stream between them.
//
//   nodes:     kernel  kernel  copy  | copy of a box | fill  kernel
//   segments:  command buffer        | command       | command buffer
//
// A command buffer whose commands are a line is recorded for in-order queues, and enqueued in
// the stream. One with branches is recorded for out-of-order queues, and enqueued in the device's:
//
//   stream:          … earlier ── marker           barrier ── later …
//                                    │ complete       ↑ complete
//   device's queue:                  └─ command buffer ┘
//
// The commands are kept, so a graph is recorded again for queues with other properties, after an
// update that the driver cannot do, and for a launch while the last one runs, where the driver does
// not run one command buffer twice at a time.
//
// A thread that records or updates has the graph's turn: no function of the driver is called under
// the mutex. What enqueues does not have it, as drivers may call back then and launch the graph.
#include "adapter/opencl/opencl_code.h"
#include "adapter/opencl/opencl_work.h"
#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

typedef struct graph_node {
  tn_adapter_command command;
  bool is_nothing;
  void *data;       // owned; the arguments or the pattern
  uint32_t *after;  // owned
  size_t after_count;
} graph_node;

typedef struct segment {
  size_t begin;
  size_t end;
  bool is_recorded;   // else one command
  bool has_branches;  // a command that does not follow the one before
} segment;

// The command buffers of one graph, for queues of the same properties.
typedef struct recording {
  struct recording *next;
  uint64_t version;
  tn_cl_bits properties;
  uint32_t user_count;  // launches that are enqueuing it
  uint64_t last_number;
  tn_cl_event last;                // owned; of the last launch. NULL: none yet
  tn_cl_mutable *handles;          // owned; of each node's kernel. NULL: none can be changed
  tn_cl_command_buffer buffers[];  // owned; of each segment that is recorded
} recording;

struct tn_adapter_graph {
  tn_adapter_device *device;
  graph_node *nodes;  // owned
  size_t count;
  segment *segments;  // owned
  size_t segment_count;
  const tn_adapter_kernel *kernel;  // the last one; NULL: none
  tn_mutex mu;
  tn_cond cond;  // is_busy became false, or launch_count 0
  bool is_busy TN_GUARDED_BY(&mu);
  uint32_t launch_count TN_GUARDED_BY(&mu);  // that are enqueuing
  // Of the thread that has the turn.
  uint64_t version;
  uint64_t launch_number;
  recording *recordings;  // owned
};

// With `is_alone`, when no launch is enqueuing.
static void enter(tn_adapter_graph *graph, bool is_alone) {
  tn_mutex_lock(&graph->mu);
  while (graph->is_busy || (is_alone && graph->launch_count > 0)) {
    tn_cond_wait(&graph->cond, &graph->mu);
  }
  graph->is_busy = true;
  tn_mutex_unlock(&graph->mu);
}

// `launches`: the launches that enqueue from now on, or -1 when one has done so.
static void leave(tn_adapter_graph *graph, int launches) {
  tn_mutex_lock(&graph->mu);
  graph->is_busy = false;
  graph->launch_count += (uint32_t)launches;
  tn_cond_broadcast(&graph->cond);
  tn_mutex_unlock(&graph->mu);
}

static tn_status fail_memory(const tn_adapter_graph *graph, tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a graph of %zu commands",
                 graph->device->name, graph->count);
}

static tn_status fail(const tn_adapter_graph *graph, tn_cl_int result, tn_diag *diag) {
  char what[TN_OPENCL_NAME_SIZE + 64];
  (void)snprintf(what, sizeof(what), "a graph of commands on device %s", graph->device->name);
  return tn_opencl_fail(result, what, diag);
}

// ---- The commands

// Memory that each launch has to list may be allocated after the graph is made.
static bool can_record_kernels(const tn_adapter_device *device) {
  return device->memory_api == TN_OPENCL_MEMORY_USM || device->has_system_memory;
}

static bool can_record(const tn_adapter_device *device, const graph_node *node) {
  const tn_adapter_command *command = &node->command;
  if (node->is_nothing || command->kind == TN_ADAPTER_COPY) {
    return true;
  }
  return command->kind == TN_ADAPTER_KERNEL
             ? can_record_kernels(device)
             : command->kind == TN_ADAPTER_FILL &&
                   tn_opencl_is_pattern_taken(command->dst, command->size, command->pattern_size);
}

static void *copy_bytes(const void *from, size_t size) {
  void *made = tn_alloc(size > 0 ? size : 1);
  if (made && size > 0) {
    memcpy(made, from, size);
  }
  return made;
}

// What the command points to becomes `out_data`, which is the caller's. False without memory.
static bool copy_command(const tn_adapter_command *from, tn_adapter_command *out, void **out_data) {
  *out = *from;
  *out_data = NULL;
  if (from->kind == TN_ADAPTER_KERNEL) {
    *out_data = copy_bytes(from->launch.args, from->launch.arg_size);
    out->launch.args = *out_data;
    return *out_data != NULL;
  }
  if (from->kind == TN_ADAPTER_FILL || from->kind == TN_ADAPTER_FILL_RECT) {
    *out_data = copy_bytes(from->pattern, from->pattern_size);
    out->pattern = *out_data;
    return *out_data != NULL;
  }
  return true;
}

static bool is_hint(const tn_adapter_command *command) {
  return command->kind == TN_ADAPTER_PREFETCH || command->kind == TN_ADAPTER_ADVISE;
}

static tn_status copy_node(tn_adapter_graph *graph, size_t index, const tn_adapter_graph_node *from,
                           tn_diag *diag) {
  graph_node *to = &graph->nodes[index];
  to->is_nothing = !from->command || is_hint(from->command);
  to->after = copy_bytes(from->after, from->after_count * sizeof(*to->after));
  to->after_count = from->after_count;
  if (!to->after || (!to->is_nothing && !copy_command(from->command, &to->command, &to->data))) {
    return fail_memory(graph, diag);
  }
  if (to->is_nothing) {
    return TN_OK;
  }
  if (to->command.kind == TN_ADAPTER_NATIVE) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s: native commands are called at each launch, so the graph is given to "
                   "the device node by node",
                   graph->device->name);
  }
  if (to->command.kind == TN_ADAPTER_KERNEL) {
    graph->kernel = to->command.launch.kernel;
  }
  return TN_OK;
}

// In a line each node waits for the one before, as nodes come in an order in which they can run.
static bool follows(const graph_node *node, size_t before) {
  for (size_t i = 0; i < node->after_count; i++) {
    if (node->after[i] == before) {
      return true;
    }
  }
  return false;
}

static tn_status find_segments(tn_adapter_graph *graph, tn_diag *diag) {
  bool has_recorded = false;
  for (size_t i = 0; i < graph->count; i++) {
    const bool is_recorded = can_record(graph->device, &graph->nodes[i]);
    segment *last = graph->segment_count > 0 ? &graph->segments[graph->segment_count - 1] : NULL;
    if (last && last->is_recorded && is_recorded) {
      last->has_branches = last->has_branches || !follows(&graph->nodes[i], i - 1);
      last->end = i + 1;
    } else {
      graph->segments[graph->segment_count++] = (segment){i, i + 1, is_recorded, false};
    }
    if (graph->segments[graph->segment_count - 1].has_branches &&
        !graph->device->recorder.is_out_of_order) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "device %s: the driver records commands for in-order queues only, where "
                     "branches of a graph would not run at a time",
                     graph->device->name);
    }
    has_recorded = has_recorded || (is_recorded && !graph->nodes[i].is_nothing);
  }
  return has_recorded ? TN_OK
                      : TN_FAIL(diag, UNSUPPORTED,
                                "device %s: the driver cannot record any of the graph's commands",
                                graph->device->name);
}

// ---- Recording

// What comes after a node waits for its sync point; a node without one needs no waiting.
typedef struct sync {
  bool is_there;
  tn_cl_sync_point point;
} sync;

typedef struct draft {
  tn_adapter_graph *graph;
  recording *to;
  sync *syncs;              // owned; of each node
  tn_cl_sync_point *after;  // owned; what a node waits for
} draft;

// Nodes of earlier segments are complete before the segment starts.
static tn_cl_uint list_after(const draft *d, const segment *in, const graph_node *node) {
  tn_cl_uint count = 0;
  for (size_t i = 0; i < node->after_count; i++) {
    const uint32_t source = node->after[i];
    if (source >= in->begin && d->syncs[source].is_there) {
      d->after[count++] = d->syncs[source].point;
    }
  }
  return count;
}

static tn_status record_node(const draft *d, const segment *in, tn_cl_command_buffer buffer,
                             size_t index, tn_diag *diag) {
  tn_adapter_device *device = d->graph->device;
  const graph_node *node = &d->graph->nodes[index];
  const tn_adapter_command *command = &node->command;
  sync *out = &d->syncs[index];
  const tn_cl_uint count = list_after(d, in, node);
  const tn_opencl_insertion insertion = {buffer, count > 0 ? d->after : NULL, count, &out->point};
  tn_cl_int result = TN_CL_SUCCESS;
  out->is_there = true;
  if (node->is_nothing && count < 2) {
    *out = (sync){count == 1, count == 1 ? d->after[0] : 0};
  } else if (node->is_nothing) {
    result = tn_opencl_record_barrier(&device->recorder, &insertion);
  } else if (command->kind == TN_ADAPTER_COPY) {
    result = tn_opencl_record_copy(&device->recorder, &insertion, command->dst, command->src,
                                   command->size);
  } else if (command->kind == TN_ADAPTER_FILL) {
    result = tn_opencl_record_fill(&device->recorder, &insertion, command->dst, command->pattern,
                                   command->pattern_size, command->size);
  } else {
    return tn_opencl_record_launch(device, &command->launch, &insertion,
                                   d->to->handles ? &d->to->handles[index] : NULL, diag);
  }
  return result == TN_CL_SUCCESS ? TN_OK : fail(d->graph, result, diag);
}

static tn_status record_segment(const draft *d, size_t at, tn_cl_queue queue, tn_diag *diag) {
  const tn_opencl_recorder *recorder = &d->graph->device->recorder;
  const segment *in = &d->graph->segments[at];
  const tn_cl_bits flags = (recorder->is_simultaneous ? TN_CL_COMMAND_BUFFER_SIMULTANEOUS : 0) |
                           (recorder->is_mutable ? TN_CL_COMMAND_BUFFER_MUTABLE : 0);
  const tn_cl_bits properties[] = {TN_CL_COMMAND_BUFFER_FLAGS, flags, 0};
  tn_cl_int result = TN_CL_SUCCESS;
  tn_cl_command_buffer buffer =
      recorder->create(1, in->has_branches ? &d->graph->device->queue : &queue,
                       flags != 0 ? properties : NULL, &result);
  if (!buffer) {
    return fail(d->graph, result, diag);
  }
  d->to->buffers[at] = buffer;
  for (size_t i = in->begin; i < in->end; i++) {
    TN_TRY(record_node(d, in, buffer, i, diag));
  }
  result = recorder->finalize(buffer);
  return result == TN_CL_SUCCESS ? TN_OK : fail(d->graph, result, diag);
}

static void free_recording(const tn_adapter_graph *graph, recording *self) {
  const tn_adapter_device *device = graph->device;
  for (size_t i = 0; i < graph->segment_count; i++) {
    if (self->buffers[i]) {
      (void)device->recorder.release(self->buffers[i]);
    }
  }
  if (self->last) {
    (void)device->driver->event_release(self->last);
  }
  tn_free((void *)self->handles);
  tn_free(self);
}

static tn_status record_all(const draft *d, tn_cl_queue queue, tn_diag *diag) {
  for (size_t i = 0; i < d->graph->segment_count; i++) {
    if (d->graph->segments[i].is_recorded) {
      TN_TRY(record_segment(d, i, queue, diag));
    }
  }
  return TN_OK;
}

// For queues like that one. The new recording is the first of the graph's.
static tn_status record(tn_adapter_graph *graph, tn_cl_queue queue, tn_cl_bits properties,
                        tn_diag *diag) {
  const bool is_mutable = graph->device->recorder.is_mutable;
  recording *made = tn_alloc(sizeof(*made) + graph->segment_count * sizeof(tn_cl_command_buffer));
  draft d = {.graph = graph,
             .to = made,
             .syncs = tn_alloc_array(graph->count, sizeof(*d.syncs)),
             .after = tn_alloc_array(graph->count, sizeof(*d.after))};
  tn_status status = made && d.syncs && d.after ? TN_OK : fail_memory(graph, diag);
  if (status == TN_OK && is_mutable) {
    made->handles = tn_alloc_array(graph->count, sizeof(tn_cl_mutable));
    status = made->handles ? TN_OK : fail_memory(graph, diag);
  }
  if (status == TN_OK) {
    made->version = graph->version;
    made->properties = properties;
    status = record_all(&d, queue, diag);
  }
  if (status == TN_OK) {
    made->next = graph->recordings;
    graph->recordings = made;
  } else if (made) {
    free_recording(graph, made);
  }
  tn_free(d.syncs);
  tn_free(d.after);
  return status;
}

// ---- Life

static void free_graph(tn_adapter_graph *graph) {
  while (graph->recordings) {
    recording *next = graph->recordings->next;
    free_recording(graph, graph->recordings);
    graph->recordings = next;
  }
  for (size_t i = 0; graph->nodes && i < graph->count; i++) {
    tn_free(graph->nodes[i].data);
    tn_free(graph->nodes[i].after);
  }
  tn_free(graph->nodes);
  tn_free(graph->segments);
  tn_cond_deinit(&graph->cond);
  tn_mutex_deinit(&graph->mu);
  tn_free(graph);
}

static tn_status fill_graph(tn_adapter_graph *graph, const tn_adapter_graph_node *nodes,
                            tn_diag *diag) {
  tn_adapter_stream *stream = NULL;
  graph->nodes = tn_alloc_array(graph->count, sizeof(*graph->nodes));
  graph->segments = tn_alloc_array(graph->count, sizeof(*graph->segments));
  if (!graph->nodes || !graph->segments) {
    return fail_memory(graph, diag);
  }
  for (size_t i = 0; i < graph->count; i++) {
    TN_TRY(copy_node(graph, i, &nodes[i], diag));
  }
  TN_TRY(find_segments(graph, diag));
  TN_TRY(tn_opencl_stream_create(graph->device, &stream, diag));
  const tn_status status = record(graph, stream->queue, TN_CL_QUEUE_PROFILING, diag);
  tn_opencl_stream_destroy(stream);
  return status;
}

tn_status tn_opencl_graph_create(tn_adapter_device *device, const tn_adapter_graph_node *nodes,
                                 size_t count, tn_adapter_graph **out, tn_diag *diag) {
  tn_diag reason = {0};
  *out = NULL;
  if (!device->recorder.is_there || count == 0) {
    return TN_FAIL(diag, UNSUPPORTED, "device %s has no command buffers (cl_khr_command_buffer)",
                   device->name);
  }
  tn_adapter_graph *graph = tn_alloc(sizeof(*graph));
  if (!graph) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a graph", device->name);
  }
  graph->device = device;
  graph->count = count;
  tn_mutex_init(&graph->mu, TN_RANK_ADAPTER);
  tn_cond_init(&graph->cond);
  tn_status status = fill_graph(graph, nodes, &reason);
  if (status != TN_OK) {
    free_graph(graph);
    // What the driver does not record is launched all the same.
    status = reason.native_code != 0 ? TN_UNSUPPORTED : status;
    reason.code = (int32_t)status;
    if (diag) {
      *diag = reason;
    }
    return status;
  }
  *out = graph;
  return TN_OK;
}

void tn_opencl_graph_destroy(tn_adapter_graph *graph) {
  if (graph) {
    free_graph(graph);
  }
}

const char *tn_opencl_graph_kernel(const tn_adapter_graph *graph) {
  return graph->kernel ? atomic_load_explicit(&graph->kernel->shown, memory_order_acquire) : NULL;
}

// ---- Updates

// A launch of which the driver reports nothing may run.
static bool is_running(const tn_adapter_graph *graph, const recording *one) {
  tn_cl_int status = TN_CL_COMPLETE;
  return one->user_count > 0 || (one->last && (graph->device->driver->event_info(
                                                   one->last, TN_CL_EVENT_STATUS, sizeof(status),
                                                   &status, NULL) != TN_CL_SUCCESS ||
                                               status > TN_CL_COMPLETE));
}

static size_t segment_of(const tn_adapter_graph *graph, size_t index) {
  size_t at = 0;
  while (graph->segments[at].end <= index) {
    at++;
  }
  return at;
}

// All recordings of the current version, or none: those that cannot be changed are made again at
// the next launch, and what runs keeps its arguments.
static void change_recordings(tn_adapter_graph *graph, size_t index,
                              const tn_adapter_launch *launch) {
  const size_t at = segment_of(graph, index);
  const tn_adapter_launch *before = &graph->nodes[index].command.launch;
  bool is_changed = true;
  if (!graph->segments[at].is_recorded) {
    return;
  }
  for (recording *one = graph->recordings; one && is_changed; one = one->next) {
    is_changed = one->version != graph->version ||
                 (one->handles && !is_running(graph, one) &&
                  tn_opencl_change_launch(graph->device, one->buffers[at], one->handles[index],
                                          before, launch));
  }
  graph->version += is_changed ? 0 : 1;
}

tn_status tn_opencl_graph_update(tn_adapter_graph *graph, size_t index,
                                 const tn_adapter_command *command, tn_diag *diag) {
  tn_adapter_command made;
  void *data = NULL;
  if (!copy_command(command, &made, &data)) {
    return fail_memory(graph, diag);
  }
  enter(graph, true);
  change_recordings(graph, index, &made.launch);
  tn_free(graph->nodes[index].data);
  graph->nodes[index].data = data;
  graph->nodes[index].command = made;
  leave(graph, 0);
  return TN_OK;
}

// ---- Launches

// Those of earlier versions that have run to their end.
static void free_outdated(tn_adapter_graph *graph) {
  recording **link = &graph->recordings;
  while (*link) {
    recording *one = *link;
    if (one->version != graph->version && !is_running(graph, one)) {
      *link = one->next;
      free_recording(graph, one);
    } else {
      link = &one->next;
    }
  }
}

static recording *find_recording(const tn_adapter_graph *graph, tn_cl_bits properties) {
  recording *one = graph->recordings;
  while (one && (one->version != graph->version || one->properties != properties ||
                 (!graph->device->recorder.is_simultaneous && is_running(graph, one)))) {
    one = one->next;
  }
  return one;
}

// A command buffer runs in queues with the properties of the one that it was recorded for.
static tn_cl_bits properties_of(tn_adapter_stream *stream) {
  tn_cl_bits properties = TN_CL_QUEUE_PROFILING;
  if (atomic_load_explicit(&stream->is_shared, memory_order_relaxed)) {
    (void)stream->device->driver->queue_info(stream->queue, TN_CL_QUEUE_PROPERTIES,
                                             sizeof(properties), &properties, NULL);
  }
  return properties;
}

// A driver need not start what another queue waits for until it is flushed.
static tn_cl_int enqueue_branches(const tn_adapter_device *device, tn_cl_command_buffer buffer,
                                  tn_cl_queue stream, tn_cl_event *end) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_queue queue = device->queue;
  tn_cl_event before = NULL;
  tn_cl_event done = NULL;
  tn_cl_int result = driver->marker(stream, 0, NULL, &before);
  if (result == TN_CL_SUCCESS) {
    (void)driver->flush(stream);
    result = device->recorder.enqueue(1, &queue, buffer, 1, &before, &done);
    (void)driver->event_release(before);
  }
  if (result == TN_CL_SUCCESS) {
    (void)driver->flush(queue);
    result = driver->barrier(stream, 1, &done, end);
    if (result != TN_CL_SUCCESS) {
      (void)driver->wait_events(1, &done);  // the stream does not
    }
    (void)driver->event_release(done);
  }
  return result;
}

// `end` may be NULL; a segment of one command that is not recorded has no event.
static tn_status enqueue_segment(const tn_adapter_graph *graph, const recording *one, size_t at,
                                 tn_adapter_stream *stream, tn_cl_event *end, tn_diag *diag) {
  const tn_adapter_device *device = graph->device;
  const segment *what = &graph->segments[at];
  tn_cl_int result = TN_CL_SUCCESS;
  if (at > 0 && stream->is_out_of_order) {
    result = device->driver->barrier(stream->queue, 0, NULL, NULL);
  }
  if (result == TN_CL_SUCCESS && !what->is_recorded) {
    return tn_opencl_give(graph->device, stream, &graph->nodes[what->begin].command, NULL, NULL,
                          diag);
  }
  if (result == TN_CL_SUCCESS) {
    result = what->has_branches
                 ? enqueue_branches(device, one->buffers[at], stream->queue, end)
                 : device->recorder.enqueue(1, &stream->queue, one->buffers[at], 0, NULL, end);
  }
  return result == TN_CL_SUCCESS ? TN_OK : fail(graph, result, diag);
}

// `end`: the event behind all of it. `out` may be NULL.
static tn_status enqueue_all(const tn_adapter_graph *graph, const recording *one,
                             tn_adapter_stream *stream, tn_cl_event *end, tn_cl_event *out,
                             tn_diag *diag) {
  const tn_cl_driver *driver = graph->device->driver;
  tn_cl_int result = TN_CL_SUCCESS;
  for (size_t i = 0; i < graph->segment_count; i++) {
    const bool is_last = i + 1 == graph->segment_count;
    TN_TRY(enqueue_segment(graph, one, i, stream, is_last ? end : NULL, diag));
  }
  if (!*end) {
    result = driver->marker(stream->queue, 0, NULL, end);
  }
  if (result == TN_CL_SUCCESS && out) {
    result = driver->event_retain(*end);
    *out = result == TN_CL_SUCCESS ? *end : NULL;
  }
  return result == TN_CL_SUCCESS ? TN_OK : fail(graph, result, diag);
}

static tn_status take_recording(tn_adapter_graph *graph, tn_adapter_stream *stream, recording **out,
                                tn_diag *diag) {
  const tn_cl_bits properties = properties_of(stream);
  free_outdated(graph);
  *out = find_recording(graph, properties);
  if (!*out) {
    TN_TRY(record(graph, stream->queue, properties, diag));
    *out = graph->recordings;
  }
  (*out)->user_count++;
  return TN_OK;
}

// Takes the event over.
static void note_launch(const tn_adapter_device *device, recording *one, uint64_t number,
                        tn_cl_event event) {
  tn_cl_event old = event;
  one->user_count--;
  if (event && number > one->last_number) {
    old = one->last;
    one->last = event;
    one->last_number = number;
  }
  if (old) {
    (void)device->driver->event_release(old);
  }
}

tn_status tn_opencl_graph_launch(tn_adapter_graph *graph, tn_adapter_stream *stream,
                                 tn_cl_event *out, tn_diag *diag) {
  const tn_cl_driver *driver = graph->device->driver;
  recording *one = NULL;
  tn_cl_event end = NULL;
  enter(graph, false);
  tn_status status = take_recording(graph, stream, &one, diag);
  const uint64_t number = ++graph->launch_number;
  leave(graph, status == TN_OK ? 1 : 0);
  if (status != TN_OK) {
    return status;
  }
  status = enqueue_all(graph, one, stream, &end, out, diag);
  if (status == TN_OK) {
    (void)driver->flush(stream->queue);
  } else {
    (void)driver->finish(stream->queue);  // nothing of a launch that failed is left running
  }
  enter(graph, false);
  note_launch(graph->device, one, number, end);
  leave(graph, -1);
  return status;
}
