// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changing what nodes of a graph do: a new version of the command takes the place of the old one.
#include "run/recorded/recorded_object.h"
#include "tenon/graph_dynamic.h"

#include <string.h>

tn_recorded *tn_graph_node_version(tn_graph_node *node) {
  tn_graph *graph = node->graph;
  tn_mutex_lock(&graph->mu);
  tn_recorded *what = node->what;
  tn_recorded_retain(what);
  tn_mutex_unlock(&graph->mu);
  return what;
}

static tn_status begin_change(tn_graph_node *node, const char *what, tn_recorded **out,
                              tn_diag *diag) {
  tn_recorded *now = tn_graph_node_version(node);
  const tn_status status =
      now->command.kind == TN_COMMAND_KERNEL
          ? tn_recorded_copy(now, out, diag)
          : TN_FAIL(diag, INVALID_ARGUMENT, "only kernels of a graph have %s that can be changed",
                    what);
  tn_recorded_release(now);
  return status;
}

void tn_graph_node_set_version(tn_graph_node *node, tn_recorded *take_version) {
  tn_graph *graph = node->graph;
  tn_mutex_lock(&graph->mu);
  tn_recorded *old = node->what;
  node->what = take_version;
  tn_mutex_unlock(&graph->mu);
  tn_recorded_release(old);
}

static uint64_t largest_divisor(uint64_t a, uint64_t b) {  // of both, 1 or more
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a > 0 ? a : 1;
}

// A kernel over an nd_range keeps work-groups, of a size that divides a range; one over a range has
// none to see.
static void set_shape(tn_command *command, const uint64_t *global, const uint64_t *local) {
  for (uint32_t i = 0; i < command->dims; i++) {
    command->global[i] = global[i];
    if (command->has_local != 0) {
      command->local[i] = local != NULL ? local[i] : largest_divisor(command->local[i], global[i]);
    }
  }
}

tn_status tn_graph_node_set_range(tn_graph_node *node, uint32_t dims, const uint64_t *global,
                                  const uint64_t *local, tn_diag *diag) {
  tn_recorded *version = NULL;
  TN_TRY(begin_change(node, "a range", &version, diag));
  tn_command *command = &version->command;
  tn_kernel *kernel = NULL;
  tn_status status = TN_OK;
  if (command->dims != dims) {
    status = TN_FAIL(diag, INVALID_ARGUMENT,
                     "kernel %s was recorded over a range of %u dimensions: its new range needs as "
                     "many",
                     version->kernel->display_name, command->dims);
  } else {
    set_shape(command, global, local);
    status = tn_queue_check(node->graph->queue, command, &kernel, &version->is_empty, diag);
  }
  if (status != TN_OK) {
    tn_recorded_release(version);
    return status;
  }
  tn_graph_node_set_version(node, version);
  return TN_OK;
}

tn_status tn_graph_node_set_args(tn_graph_node *node, uint32_t offset, const void *bytes,
                                 uint32_t size, tn_diag *diag) {
  tn_recorded *version = NULL;
  TN_TRY(begin_change(node, "arguments", &version, diag));
  const uint32_t end = version->command.arg_size;
  if (offset > end || size > end - offset) {
    const tn_status status =
        TN_FAIL(diag, INVALID_ARGUMENT,
                "kernel %s: %u bytes at byte %u lie outside its argument block of %u bytes",
                version->kernel->display_name, size, offset, end);
    tn_recorded_release(version);
    return status;
  }
  const unsigned char *from = bytes;
  unsigned char *to = version->args;
  for (uint32_t i = 0; i < size; i++) {
    to[offset + i] = from[i];
  }
  tn_graph_node_set_version(node, version);
  return TN_OK;
}

static tn_access *find_field(tn_recorded *version, uint32_t offset) {
  tn_access *found = NULL;
  for (size_t i = 0; i < version->command.access_count; i++) {
    found = version->accesses[i].arg_offset == offset ? &version->accesses[i] : found;
  }
  return found;
}

static void set_buffer(tn_access *access, tn_buffer *buffer, uint32_t mode) {
  tn_buffer_retain(buffer);
  tn_buffer_release(access->buffer);
  access->buffer = buffer;
  access->mode = mode;
}

// A requirement without a field was the accessor's when no other field has its buffer. All accesses
// to one buffer have one mode.
static void exchange_buffer(tn_recorded *version, tn_access *field, tn_buffer *buffer,
                            uint32_t mode) {
  tn_buffer *before = field->buffer;
  const size_t count = version->command.access_count;
  bool is_only = true;
  for (size_t i = 0; i < count; i++) {
    const tn_access *each = &version->accesses[i];
    is_only = is_only && (each == field || each->buffer != before || each->arg_offset == TN_NO_ARG);
  }
  tn_buffer_retain(before);
  for (size_t i = 0; i < count; i++) {
    tn_access *each = &version->accesses[i];
    if (each == field || (is_only && each->buffer == before)) {
      set_buffer(each, buffer, mode);
    }
  }
  tn_buffer_release(before);
  uint32_t all = 0;
  uint32_t keeps = TN_ACCESS_NO_INIT;
  for (size_t i = 0; i < count; i++) {
    if (version->accesses[i].buffer == buffer) {
      all |= version->accesses[i].mode & TN_ACCESS_READ_WRITE;
      keeps &= version->accesses[i].mode;
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (version->accesses[i].buffer == buffer) {
      version->accesses[i].mode = all | keeps;
    }
  }
}

static tn_status change_accessor(tn_graph_node *node, tn_recorded *version, uint32_t offset,
                                 const tn_accessor *accessor, uint32_t size, tn_diag *diag) {
  const uint32_t end = version->command.arg_size;
  tn_access *field = find_field(version, offset);
  tn_kernel *kernel = NULL;
  if (size < sizeof(*accessor) || offset > end || size > end - offset || field == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "kernel %s: there is no accessor of %u bytes at byte %u of its argument block",
                   version->kernel->display_name, size, offset);
  }
  TN_TRY(tn_accessor_check(accessor, node->graph->queue, diag));
  memcpy((unsigned char *)version->args + offset, accessor, size);
  exchange_buffer(version, field, accessor->buffer,
                  (uint32_t)(accessor->flags & TN_ACCESSOR_ACCESS_MASK));
  TN_TRY(tn_graph_check_buffers(node->graph, &version->command, diag));
  return tn_queue_check(node->graph->queue, &version->command, &kernel, &version->is_empty, diag);
}

tn_status tn_graph_node_set_accessor(tn_graph_node *node, uint32_t offset,
                                     const tn_accessor *accessor, uint32_t size, tn_diag *diag) {
  tn_recorded *version = NULL;
  TN_TRY(begin_change(node, "accessors", &version, diag));
  const tn_status status = change_accessor(node, version, offset, accessor, size, diag);
  if (status != TN_OK) {
    tn_recorded_release(version);
    return status;
  }
  tn_graph_node_set_version(node, version);
  return TN_OK;
}

tn_status tn_graph_node_replace(tn_graph_node *node, const tn_graph_node *from, tn_diag *diag) {
  tn_graph *graph = from->graph;
  tn_recorded *version = tn_graph_node_version((tn_graph_node *)from);
  const int32_t type = tn_graph_node_type(node);
  const bool is_known = type == TN_GRAPH_NODE_KERNEL || type == TN_GRAPH_NODE_HOST_TASK;
  if (!is_known || type != tn_graph_node_type(from) || graph->device != node->graph->device ||
      graph->context != node->graph->context) {
    tn_recorded_release(version);
    return TN_FAIL(
        diag, INVALID_ARGUMENT,
        "a node of a graph is replaced by one of the same kind, a kernel or a host task, "
        "and of the same device and context");
  }
  const tn_status status = tn_dynamic_note(node, version, diag);
  if (status != TN_OK) {
    tn_recorded_release(version);
    return status;
  }
  tn_graph_node_set_version(node, version);
  return TN_OK;
}
