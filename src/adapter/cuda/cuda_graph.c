// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that are given as one: graphs of the driver's.
//
// A command may take several nodes of the driver's, one after the other; what comes after it comes
// after the last of them.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"

#include <string.h>

enum { CHAIN_MAXIMUM = 4096 };  // nodes of the driver's for one command

struct tn_adapter_graph {
  tn_adapter_device *device;
  tn_cu_graph graph;
  tn_cu_exec exec;
  tn_cu_node *last;  // owned; of each command
  size_t count;
  const char *kernel;  // the last one's name, of the device's names
};

// What is being made: the command's nodes follow `after`.
typedef struct chain {
  tn_adapter_graph *graph;
  tn_cu_context context;
  tn_cu_node *after;  // what the next node comes after: owned
  size_t after_count;
  tn_cu_node node;     // the last one
  bool is_captured;    // the stream of a native command
  bool has_lost_work;  // of a native command, which was captured and is no part of it
} chain;

static tn_status fail(const chain *c, tn_cu_result result, const char *what, tn_diag *diag) {
  return tn_cuda_device_fail(c->graph->device, result, what, diag);
}

static void advance(chain *c) {
  c->after[0] = c->node;
  c->after_count = 1;
}

static tn_status add_kernel(chain *c, const tn_adapter_launch *launch, tn_diag *diag) {
  tn_cuda_params params;
  if (launch->has_local == TN_ADAPTER_ROOT_SYNC) {
    return TN_FAIL(diag, UNSUPPORTED, "kernel %s is launched as a cooperative one",
                   launch->kernel->shown);
  }
  TN_TRY(tn_cuda_launch_params(c->graph->device, launch, &params, diag));
  c->graph->kernel = launch->kernel->shown;
  const tn_cu_result result = c->graph->device->driver->graph_add_kernel(
      &c->node, c->graph->graph, c->after, c->after_count, &params.node);
  return result == TN_CU_SUCCESS ? TN_OK : fail(c, result, launch->kernel->shown, diag);
}

// ---- Copies

static tn_status add_copy_node(chain *c, const tn_cu_copy_3d *copy, tn_diag *diag) {
  const tn_cu_result result = c->graph->device->driver->graph_add_copy(
      &c->node, c->graph->graph, c->after, c->after_count, copy, c->context);
  if (result != TN_CU_SUCCESS) {
    return fail(c, result, "a copy of a graph", diag);
  }
  advance(c);
  return TN_OK;
}

static tn_status add_copy(chain *c, const tn_adapter_command *command, tn_diag *diag) {
  tn_cu_copy_3d copy = {.width = command->size, .height = 1, .depth = 1};
  tn_cuda_copy_end(c->graph->device, &copy.from, command->src, command->size, 1);
  tn_cuda_copy_end(c->graph->device, &copy.to, command->dst, command->size, 1);
  return add_copy_node(c, &copy, diag);
}

static tn_status fail_chain(const chain *c, tn_diag *diag) {
  return TN_FAIL(diag, UNSUPPORTED,
                 "device %s: a box of so many pieces is given to the device row by row, not in a "
                 "graph",
                 c->graph->device->name);
}

static tn_status add_box_copy(chain *c, const tn_adapter_command *command, tn_diag *diag) {
  if (command->extent[2] > CHAIN_MAXIMUM) {
    return fail_chain(c, diag);
  }
  for (uint64_t slice = 0; slice < command->extent[2]; slice++) {
    const unsigned char *from =
        (const unsigned char *)command->rect_src.memory + slice * command->rect_src.slice_pitch;
    const unsigned char *to =
        (const unsigned char *)command->rect_dst.memory + slice * command->rect_dst.slice_pitch;
    tn_cu_copy_3d copy = {.width = command->extent[0], .height = command->extent[1], .depth = 1};
    tn_cuda_copy_end(c->graph->device, &copy.from, from, command->rect_src.row_pitch,
                     command->extent[1]);
    tn_cuda_copy_end(c->graph->device, &copy.to, to, command->rect_dst.row_pitch,
                     command->extent[1]);
    TN_TRY(add_copy_node(c, &copy, diag));
  }
  return TN_OK;
}

static tn_status add_array_copy(chain *c, const tn_adapter_command *command, tn_diag *diag) {
  tn_cu_copy_3d copy;
  for (uint64_t slice = 0; slice < command->extent[2]; slice += copy.depth) {
    tn_cuda_array_copy(c->graph->device, command, slice, &copy);
    TN_TRY(add_copy_node(c, &copy, diag));
  }
  return TN_OK;
}

// ---- Fills

static tn_status add_fill_node(chain *c, const tn_cu_fill_node *fill, tn_diag *diag) {
  const tn_cu_result result = c->graph->device->driver->graph_add_fill(
      &c->node, c->graph->graph, c->after, c->after_count, fill, c->context);
  if (result != TN_CU_SUCCESS) {
    return fail(c, result, "a fill of a graph", diag);
  }
  advance(c);
  return TN_OK;
}

static unsigned value_of(const unsigned char *pattern, uint64_t size) {
  unsigned char byte = pattern[0];
  unsigned short half = 0;
  unsigned word = 0;
  if (size == 1) {
    return byte;
  }
  if (size == 2) {
    memcpy(&half, pattern, sizeof(half));
    return half;
  }
  memcpy(&word, pattern, sizeof(word));
  return word;
}

// Rows of `size` bytes, `pitch` apart.
static tn_status add_rows(chain *c, tn_cu_address to, uint64_t size, uint64_t pitch,
                          uint64_t height, const tn_adapter_command *command, tn_diag *diag) {
  const uint64_t part = tn_cuda_pattern_size(command->pattern, command->pattern_size);
  const unsigned char *pattern = command->pattern;
  if ((part == 1 || part == 2 || part == 4) && (to | pitch) % part == 0) {
    const tn_cu_fill_node fill = {.to = to,
                                  .pitch = pitch,
                                  .value = value_of(pattern, part),
                                  .element_size = (unsigned)part,
                                  .width = size / part,
                                  .height = height};
    return add_fill_node(c, &fill, diag);
  }
  const uint64_t lane = part % 4 == 0 && (to | pitch) % 4 == 0 ? 4 : 1;
  if (part / lane * height > CHAIN_MAXIMUM) {
    return fail_chain(c, diag);
  }
  for (uint64_t row = 0; row < height; row++) {
    for (uint64_t at = 0; at < part; at += lane) {
      const tn_cu_fill_node fill = {.to = to + row * pitch + at,
                                    .pitch = part,
                                    .value = value_of(pattern + at, lane),
                                    .element_size = (unsigned)lane,
                                    .width = 1,
                                    .height = size / part};
      TN_TRY(add_fill_node(c, &fill, diag));
    }
  }
  return TN_OK;
}

static tn_status add_fill(chain *c, const tn_adapter_command *command, tn_diag *diag) {
  return add_rows(c, (tn_cu_address)(uintptr_t)command->dst, command->size, command->size, 1,
                  command, diag);
}

static tn_status add_box_fill(chain *c, const tn_adapter_command *command, tn_diag *diag) {
  const tn_adapter_rect *to = &command->rect_dst;
  if (command->extent[2] > CHAIN_MAXIMUM) {
    return fail_chain(c, diag);
  }
  for (uint64_t slice = 0; slice < command->extent[2]; slice++) {
    TN_TRY(add_rows(c, (tn_cu_address)(uintptr_t)to->memory + slice * to->slice_pitch,
                    command->extent[0], to->row_pitch, command->extent[1], command, diag));
  }
  return TN_OK;
}

// ---- The rest

static tn_status add_empty(chain *c, tn_diag *diag) {
  const tn_cu_result result = c->graph->device->driver->graph_add_empty(&c->node, c->graph->graph,
                                                                        c->after, c->after_count);
  return result == TN_CU_SUCCESS ? TN_OK : fail(c, result, "a node of a graph", diag);
}

// ---- Native commands
//
// The program adds to a graph in the graph, or gives its work to the stream: then the stream is
// captured into the graph itself, as a graph in it may not allocate memory, which cuBLAS does.

static _Thread_local chain *of_native;  // while a native command is called

static bool is_same(const chain *c, const tn_cu_node *after, size_t count) {
  return count == c->after_count &&
         (count == 0 ||
          memcmp((const void *)after, (const void *)c->after, count * sizeof(*after)) == 0);
}

// The nodes that the stream's next work would come after; the driver's, until its next call.
static tn_cu_result find_last(const chain *c, tn_cu_stream stream, const tn_cu_node **last,
                              size_t *count) {
  tn_cu_graph graph = NULL;
  uint64_t id = 0;
  int state = 0;
  return c->graph->device->driver->capture_info(stream, &state, &id, &graph, last, count);
}

// One node that comes after all of the work.
static tn_cu_result end_capture(chain *c, tn_cu_stream stream) {
  const tn_cuda_driver *driver = c->graph->device->driver;
  tn_cu_graph graph = NULL;
  const tn_cu_node *last = NULL;
  size_t count = 0;
  tn_cu_result result = find_last(c, stream, &last, &count);
  const bool is_one = result == TN_CU_SUCCESS && count == 1 && !is_same(c, last, count);
  tn_cu_node *copy = is_one ? NULL : tn_alloc_array(count > 0 ? count : 1, sizeof(*copy));
  if (is_one) {
    c->node = last[0];
  } else if (copy && result == TN_CU_SUCCESS && count > 0) {
    memcpy((void *)copy, (const void *)last, count * sizeof(*copy));
  }
  const tn_cu_result ended = driver->capture_end(stream, &graph);
  result = result == TN_CU_SUCCESS ? ended : result;
  if (result == TN_CU_SUCCESS && !is_one) {
    result = copy ? driver->graph_add_empty(&c->node, c->graph->graph, copy, count)
                  : (tn_cu_result)TN_CU_OUT_OF_MEMORY;
  }
  tn_free((void *)copy);
  return result;
}

static tn_status begin_capture(chain *c, tn_cu_stream stream, tn_diag *diag) {
  const tn_cuda_driver *driver = c->graph->device->driver;
  if (!driver->capture_begin) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "a native command of a graph submits work to its queue, which NVIDIA's drivers "
                   "for CUDA 12.3 and later capture: update the driver, or add the work to "
                   "ext_codeplay_get_native_graph()");
  }
  const tn_cu_result result = driver->capture_begin(stream, c->graph->graph, c->after, NULL,
                                                    c->after_count, TN_CU_CAPTURE_RELAXED);
  c->is_captured = result == TN_CU_SUCCESS;
  return c->is_captured ? TN_OK : fail(c, result, "capturing a native command of a graph", diag);
}

tn_status tn_cuda_native_capture(tn_adapter_device *device, void *stream, bool begins,
                                 tn_diag *diag) {
  chain *c = of_native;
  (void)device;
  if (begins) {
    return begin_capture(c, stream, diag);
  }
  tn_cu_graph graph = NULL;
  const tn_cu_node *last = NULL;
  size_t count = 0;
  const bool is_empty =
      find_last(c, stream, &last, &count) == TN_CU_SUCCESS && is_same(c, last, count);
  const tn_cu_result ended = c->graph->device->driver->capture_end(stream, &graph);
  c->is_captured = false;
  c->has_lost_work = ended != TN_CU_SUCCESS || !is_empty;
  return c->has_lost_work
             ? TN_FAIL(diag, INVALID_ARGUMENT,
                       "a native command submitted work to its queue before it requested the "
                       "native graph: request the graph first")
             : TN_OK;
}

// What the program adds is a graph in the graph.
static tn_status add_native(chain *c, const tn_adapter_command *command, tn_diag *diag) {
  const tn_cuda_driver *driver = c->graph->device->driver;
  tn_adapter_stream *stream = NULL;
  tn_cu_graph child = NULL;
  TN_TRY(tn_cuda_stream_create(c->graph->device, &stream, diag));
  tn_cu_result result = driver->graph_create(&child, 0);
  tn_status status = TN_OK;
  c->is_captured = false;
  c->has_lost_work = false;
  if (result == TN_CU_SUCCESS) {
    chain *before = of_native;  // whose command makes this graph
    of_native = c;
    status = command->native(command->native_user, stream->handle, child, diag);
    of_native = before;
  }
  if (result == TN_CU_SUCCESS && c->is_captured) {
    result = end_capture(c, stream->handle);
  } else if (result == TN_CU_SUCCESS && status == TN_OK) {
    result = driver->graph_add_child(&c->node, c->graph->graph, c->after, c->after_count, child);
  }
  if (status == TN_OK && (result != TN_CU_SUCCESS || c->has_lost_work)) {
    status = fail(c, result != TN_CU_SUCCESS ? result : TN_CU_INVALID_VALUE,
                  "a native command of a graph", diag);
  }
  if (child) {
    (void)driver->graph_destroy(child);
  }
  tn_cuda_stream_destroy(stream);
  return status;
}

static tn_status add_command(chain *c, const tn_adapter_command *command, tn_diag *diag) {
  switch (command ? command->kind : 0) {
    case TN_ADAPTER_KERNEL:
      return add_kernel(c, &command->launch, diag);
    case TN_ADAPTER_COPY:
      return add_copy(c, command, diag);
    case TN_ADAPTER_COPY_RECT:
      return add_box_copy(c, command, diag);
    case TN_ADAPTER_COPY_ARRAY:
      return add_array_copy(c, command, diag);
    case TN_ADAPTER_FILL:
      return add_fill(c, command, diag);
    case TN_ADAPTER_FILL_RECT:
      return add_box_fill(c, command, diag);
    case TN_ADAPTER_NATIVE:
      return add_native(c, command, diag);
    default:  // nothing, and hints
      return add_empty(c, diag);
  }
}

static tn_status add_all(tn_adapter_graph *graph, const tn_adapter_graph_node *nodes,
                         tn_diag *diag) {
  chain c = {.graph = graph,
             .context = atomic_load_explicit(&graph->device->ready, memory_order_relaxed)};
  tn_status status = TN_OK;
  c.after = tn_alloc_array(graph->count + 1, sizeof(tn_cu_node));
  if (!c.after) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a graph of %zu commands", graph->count);
  }
  for (size_t i = 0; i < graph->count && status == TN_OK; i++) {
    c.after_count = 0;
    for (size_t k = 0; k < nodes[i].after_count; k++) {
      c.after[c.after_count++] = graph->last[nodes[i].after[k]];
    }
    status = add_command(&c, nodes[i].command, diag);
    graph->last[i] = c.node;
  }
  tn_free((void *)c.after);
  return status;
}

// Ready to launch: what the device needs of it is there.
static tn_status instantiate(tn_adapter_graph *graph, tn_diag *diag) {
  const tn_cuda_driver *driver = graph->device->driver;
  tn_adapter_stream *stream = NULL;
  tn_cu_result result = driver->graph_instantiate(&graph->exec, graph->graph, 0);
  if (result == TN_CU_SUCCESS) {
    TN_TRY(tn_cuda_stream_create(graph->device, &stream, diag));
    result = driver->graph_upload(graph->exec, stream->handle);
    result = result == TN_CU_SUCCESS ? driver->stream_sync(stream->handle) : result;
    tn_cuda_stream_destroy(stream);
  }
  return result == TN_CU_SUCCESS
             ? TN_OK
             : tn_cuda_device_fail(graph->device, result, "a graph of commands", diag);
}

static void free_graph(tn_adapter_graph *graph) {
  const tn_cuda_driver *driver = graph->device->driver;
  if (graph->exec) {
    (void)driver->exec_destroy(graph->exec);
  }
  if (graph->graph) {
    (void)driver->graph_destroy(graph->graph);
  }
  tn_free((void *)graph->last);
  tn_free(graph);
}

tn_status tn_cuda_graph_create(tn_adapter_device *device, const tn_adapter_graph_node *nodes,
                               size_t count, tn_adapter_graph **out, tn_diag *diag) {
  *out = NULL;
  tn_cuda_entry entry;
  tn_adapter_graph *graph = tn_alloc(sizeof(*graph));
  tn_cu_node *last = tn_alloc_array(count > 0 ? count : 1, sizeof(tn_cu_node));
  tn_status status =
      graph && last ? tn_cuda_enter(device, &entry, diag)
                    : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a graph of %zu commands", count);
  if (status != TN_OK) {
    tn_free((void *)last);
    tn_free(graph);
    return status;
  }
  graph->device = device;
  graph->last = last;
  graph->count = count;
  const tn_cu_result result = device->driver->graph_create(&graph->graph, 0);
  status = result == TN_CU_SUCCESS ? add_all(graph, nodes, diag)
                                   : tn_cuda_device_fail(device, result, "a graph", diag);
  if (status == TN_OK) {
    status = instantiate(graph, diag);
  }
  if (status != TN_OK) {
    free_graph(graph);
  } else {
    *out = graph;
  }
  tn_cuda_leave(device, &entry);
  return status;
}

void tn_cuda_graph_destroy(tn_adapter_graph *graph) {
  tn_cuda_entry entry;
  tn_adapter_device *device = graph->device;
  if (tn_cuda_enter(device, &entry, NULL) == TN_OK) {
    free_graph(graph);
    tn_cuda_leave(device, &entry);
  } else {  // the context is gone, and the driver's part with it
    tn_free((void *)graph->last);
    tn_free(graph);
  }
}

tn_status tn_cuda_graph_update(tn_adapter_graph *graph, size_t index,
                               const tn_adapter_command *command, tn_diag *diag) {
  tn_cuda_params params;
  tn_cuda_entry entry;
  tn_adapter_device *device = graph->device;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_status status = tn_cuda_launch_params(device, &command->launch, &params, diag);
  if (status == TN_OK) {
    const tn_cu_result result =
        device->driver->exec_set_kernel(graph->exec, graph->last[index], &params.node);
    status = result == TN_CU_SUCCESS
                 ? TN_OK
                 : tn_cuda_device_fail(device, result, command->launch.kernel->shown, diag);
  }
  tn_cuda_leave(device, &entry);
  return status;
}

tn_status tn_cuda_graph_launch(tn_adapter_graph *graph, tn_cu_stream stream, tn_diag *diag) {
  const tn_cu_result result = graph->device->driver->graph_launch(graph->exec, stream);
  return result == TN_CU_SUCCESS
             ? TN_OK
             : tn_cuda_device_fail(graph->device, result, "a graph of commands", diag);
}

const char *tn_cuda_graph_kernel(const tn_adapter_graph *graph) { return graph->kernel; }
