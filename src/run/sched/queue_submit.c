// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tn_queue_submit: chooses the path of a command, and is the fast path itself. A kernel without
// dependencies runs in the call, or is launched in the queue's stream: no node, no lock, no
// allocation. Everything else becomes a node of the graph (node_submit.c).
//
// Failures of the device are the command's, not the submission's: on both paths they go to the
// event and to the queue's list.
#include "base/alloc.h"
#include "run/sched/launch_aliases.h"
#include "run/sched/launch_parameters.h"
#include "run/sched/queue_gate.h"
#include "run/sched/stream_launch.h"

#include <string.h>

// A slot is in the module whose code it launches; a kernel object need not be, and only a node pins
// the module of its code. A command without a node depends on nothing: so none while a barrier is
// pending, nor before failures are taken, which are origins of commands that follow in order.
//
// Launches in a stream have no times, so commands of queues with profiling get nodes there.
static bool has_fast_path(const tn_queue *queue, const tn_command *command) {
  return command->kind == TN_COMMAND_KERNEL && command->event_count == 0 &&
         command->access_count == 0 && command->free_user == NULL && command->flags == 0 &&
         (queue->stream != NULL ? (queue->flags & TN_QUEUE_PROFILING) == 0
                                : TN_ADAPTER_HAS(queue->api, try_run)) &&
         (command->kernel == NULL || command->kernel->home == NULL) &&
         atomic_load_explicit(&queue->error_count, memory_order_relaxed) == 0 &&
         atomic_load_explicit(&queue->barrier_count, memory_order_acquire) == 0;
}

static bool is_aligned(const void *memory, uint32_t alignment) {
  return alignment <= 1 || ((uintptr_t)memory & (alignment - 1)) == 0;
}

// `times` are those of submission, start and end; 0 without profiling.
static void complete_event(tn_event *event, tn_queue *queue, const uint64_t times[3],
                           tn_status status, const tn_diag *failure) {
  event->queue = queue;
  event->device = queue->device;
  event->has_profiling = (queue->flags & TN_QUEUE_PROFILING) != 0;
  event->submit_ns = times[0];
  event->start_ns = times[1] != 0 ? times[1] : times[0];
  event->end_ns = times[2] != 0 ? times[2] : event->start_ns;
  event->status = status;
  if (status != TN_OK && (event->error = tn_alloc(sizeof(tn_diag))) != NULL) {
    *event->error = *failure;
  }
  tn_event_init_complete(event);
}

// The failure is an origin of the next command in order, as that of a node is. Inside the gate.
static void note_inline_failure(tn_queue *queue, tn_event *event) {
  if ((queue->flags & TN_QUEUE_IN_ORDER) == 0) {
    return;
  }
  tn_event *old = NULL;
  tn_mutex_lock(&queue->mu);
  if (queue->gated != NULL) {
    tn_failure_origins_add(&queue->gated->origins, event);
  } else {
    tn_event_retain(event);
    old = queue->last;
    queue->last = event;
  }
  tn_mutex_unlock(&queue->mu);
  tn_event_release(old);
}

// Runs the kernel in this call if the adapter finds that quicker, or launches it in the queue's
// stream. The event, if wanted, is made before: nothing can fail after the kernel ran.
static tn_status submit_fast(tn_queue *queue, const tn_command *command, const tn_checked *checked,
                             bool *out_ran, tn_event **out_event, tn_diag *diag) {
  *out_ran = false;
  if (!is_aligned(command->args, checked->kernel->arg_align) || !tn_queue_enter_gate(queue)) {
    return TN_OK;
  }
  tn_event *event = NULL;
  if (out_event != NULL && (event = tn_event_take(queue->pool)) == NULL) {
    tn_queue_leave_gate(queue);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an event");
  }
  const bool has_profiling = event != NULL && (queue->flags & TN_QUEUE_PROFILING) != 0;
  uint64_t times[3] = {has_profiling ? tn_time_ns() : 0, 0, 0};
  tn_adapter_command device_command;
  device_command.kind = TN_ADAPTER_KERNEL;
  device_command.wants_times = has_profiling ? 1 : 0;
  tn_launch_parameters_fill(&device_command.launch, command, checked);
  device_command.launch.noalias = tn_launch_noalias(checked->kernel, command, command->args);
  tn_diag failure;
  bool ran = checked->is_empty;
  bool is_launch = false;
  tn_status status = TN_OK;
  if (!ran && queue->stream != NULL) {
    status = tn_launch_in_stream(queue, &device_command, event, &failure);
    is_launch = status == TN_OK;
  } else if (!ran) {
    status = queue->api->try_run(queue->device->adapter_device, &device_command, &ran,
                                 has_profiling ? &times[1] : NULL, has_profiling ? &times[2] : NULL,
                                 &failure);
  }
  if (status == TN_ND_RANGE) {  // rejected, as by the checks before
    tn_queue_leave_gate(queue);
    tn_event_release(event);
    if (diag != NULL) {
      *diag = failure;
    }
    return status;
  }
  *out_ran = ran || is_launch || status != TN_OK;
  if (status != TN_OK && queue->stream != NULL) {
    tn_queue_leave_gate(queue);
    tn_event_release(event);
    return tn_launch_submit_marker(queue, status, &failure, out_event, diag);
  }
  if (status != TN_OK) {
    event = event != NULL ? event : tn_event_take(queue->pool);
    tn_queue_add_error(queue, status, &failure);
  }
  if (*out_ran && event != NULL && !is_launch) {
    complete_event(event, queue, times, status, &failure);
  }
  if (status != TN_OK && event != NULL) {
    note_inline_failure(queue, event);
  }
  tn_queue_leave_gate(queue);
  if (*out_ran && out_event != NULL) {
    *out_event = event;
  } else {
    tn_event_release(event);
  }
  return TN_OK;
}

// The same with local memory: its offsets are written to a copy of the argument block.
static tn_status submit_fast_local(tn_queue *queue, const tn_command *command,
                                   const tn_checked *checked, bool *out_ran, tn_event **out_event,
                                   tn_diag *diag) {
  _Alignas(64) unsigned char args[TN_NODE_INLINE_ARGS];
  if (command->arg_size > sizeof(args) || checked->kernel->arg_align > 64) {
    *out_ran = false;
    return TN_OK;
  }
  if (command->arg_size > 0) {
    memcpy(args, command->args, command->arg_size);
  }
  uint64_t size = 0;
  (void)tn_command_place_locals(command, args, &size);
  tn_command placed = *command;
  placed.args = args;
  return submit_fast(queue, &placed, checked, out_ran, out_event, diag);
}

static tn_status submit(tn_queue *queue, const tn_command *command, tn_event **out_event,
                        tn_diag *diag) {
  tn_checked checked;
  if (has_fast_path(queue, command)) {
    bool ran = false;
    TN_TRY(tn_command_check_kernel(queue, command, &checked, diag));
    if (__builtin_expect(command->local_count == 0, 1)) {
      TN_TRY(submit_fast(queue, command, &checked, &ran, out_event, diag));
    } else {
      TN_TRY(submit_fast_local(queue, command, &checked, &ran, out_event, diag));
    }
    if (ran) {
      return TN_OK;
    }
  } else if (tn_launch_is_possible(queue, command)) {
    return tn_launch_submit(queue, command, out_event, diag);
  } else {
    TN_TRY(tn_command_check(queue, command, &checked, diag));
    if (__builtin_expect(tn_command_recorder(command) != NULL, 0)) {
      return tn_queue_join_recorder(queue, command, out_event, diag);
    }
  }
  return tn_node_submit(queue, command, &checked, out_event, diag);
}

// A caller that was built for a tn_command without `locals`, or without `specs`.
static tn_status submit_shorter(tn_queue *queue, const tn_command *command, tn_event **out_event,
                                tn_diag *diag) {
  tn_command whole = {0};
  memcpy(&whole, command, command->struct_size);
  return submit(queue, &whole, out_event, diag);
}

// As many work-items as divide the range and a work-group has, the last dimension first; what the
// kernel requires, if it requires a size. Dimensions that are none are left to the checks.
static tn_status choose_group(tn_queue *queue, const tn_command *command, tn_command *out,
                              tn_diag *diag) {
  enum { MOST_ITEMS = 256 };
  *out = *command;
  out->has_local = 1;
  const uint32_t dims = command->dims <= 3 ? command->dims : 0;
  uint64_t left = queue->max_group_size < MOST_ITEMS ? queue->max_group_size : MOST_ITEMS;
  for (uint32_t i = dims; i-- > 0;) {
    const uint64_t most = queue->max_item_sizes[command->dims - 1 - i];
    uint64_t size = left < most ? left : most;
    while (size > 1 && command->global[i] % size != 0) {
      size--;
    }
    out->local[i] = size;
    left /= size > 0 ? size : 1;
  }
  tn_kernel *kernel = NULL;
  TN_TRY(tn_command_find_kernel(queue, out, &kernel, diag));
  for (uint32_t i = 0; i < dims && kernel->group_size[0] != 0; i++) {
    out->local[i] = kernel->group_size[i + 3 - dims];
  }
  return TN_OK;
}

tn_status tn_queue_submit_now(tn_queue *queue, const tn_command *command, tn_event **out_event,
                              tn_diag *diag) {
  if (out_event != NULL) {
    *out_event = NULL;
  }
  return submit(queue, command, out_event, diag);
}

tn_status tn_queue_submit(tn_queue *queue, const tn_command *command, tn_event **out_event,
                          tn_diag *diag) {
  if (out_event != NULL) {
    *out_event = NULL;
  }
  if (__builtin_expect(
          queue == NULL || command == NULL || command->struct_size < offsetof(tn_command, locals),
          0)) {
    return TN_FAIL(
        diag, INVALID_ARGUMENT,
        "tn_queue_submit: the queue or the command is NULL, or the command's struct_size "
        "is not sizeof(tn_command)");
  }
  tn_status status = TN_OK;
  const uint32_t history = atomic_load_explicit(&queue->history, memory_order_relaxed);
  if (__builtin_expect(history == TN_HISTORY_EXTERNAL, 0)) {
    status = tn_queue_use_external(queue, diag);
  }
  tn_command chosen;
  if (__builtin_expect(command->has_local > 1 && command->struct_size >= sizeof(chosen), 0) &&
      status == TN_OK) {
    status = choose_group(queue, command, &chosen, diag);
    command = &chosen;
  }
  if (__builtin_expect(status != TN_OK, 0)) {
    // The command does not run without them.
  } else if (__builtin_expect(command->struct_size < sizeof(tn_command), 0)) {
    status = submit_shorter(queue, command, out_event, diag);
  } else if (__builtin_expect(
                 atomic_load_explicit(&queue->recorder, memory_order_relaxed) != NULL, 0)) {
    status = tn_queue_record(queue, command, out_event, diag);
  } else if (__builtin_expect(command->kind == TN_COMMAND_GRAPH, 0)) {
    status = tn_queue_replay(queue, command, out_event, diag);
  } else if (__builtin_expect(command->spec_count == 0, 1)) {
    status = submit(queue, command, out_event, diag);
  } else {
    status = tn_queue_submit_specialized(queue, command, out_event, diag);
  }
  if (status == TN_OK) {
    if (__builtin_expect(history == TN_HISTORY_NONE, 0)) {
      uint32_t none = TN_HISTORY_NONE;
      (void)atomic_compare_exchange_strong_explicit(&queue->history, &none, TN_HISTORY_COMMANDS,
                                                    memory_order_relaxed, memory_order_relaxed);
    }
  } else if (command->free_user != NULL) {
    command->free_user(command->user);
  }
  return status;
}
