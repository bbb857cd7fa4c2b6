// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tn_queue_submit: the fast path for a kernel without dependencies, which makes no node, takes no
// lock and allocates nothing, and the path through the graph for everything else.
//
// Failures of the device are the command's, not the submission's: on both paths they go to the
// event and to the queue's list.
#include "base/alloc.h"
#include "base/log.h"
#include "run/sched/hazard.h"
#include "run/sched/queue_state.h"
#include "run/sched/residence.h"

#include <string.h>

// SYCL order becomes the adapter's: [0] varies fastest.
static void fill_launch(tn_adapter_launch *launch, const tn_command *command,
                        const tn_checked *checked) {
  launch->kernel = checked->kernel->adapter_kernel;
  launch->args = command->args;
  launch->arg_size = command->arg_size;
  launch->dims = command->dims;
  launch->has_local = command->has_local != 0;
  launch->local_memory_size = checked->local_memory_size;
  for (uint32_t i = 0; i < 3; i++) {
    const bool used = i < command->dims;
    const uint32_t from = used ? command->dims - 1 - i : 0;
    launch->global[i] = used ? command->global[from] : 1;
    launch->local[i] = used && command->has_local != 0 ? command->local[from] : 1;
    launch->offset[i] = used ? command->offset[from] : 0;
  }
}

// True when the gate of the queue is open and, in order, now ours.
static bool enter_inline(tn_queue *queue) {
  if ((queue->flags & TN_QUEUE_IN_ORDER) == 0) {
    return true;
  }
  uint64_t idle = 0;
  return atomic_compare_exchange_strong_explicit(&queue->state, &idle, TN_STATE_INLINE,
                                                 memory_order_acquire, memory_order_relaxed);
}

static void leave_inline(tn_queue *queue) {
  if ((queue->flags & TN_QUEUE_IN_ORDER) == 0) {
    return;
  }
  const uint64_t before = atomic_fetch_and_explicit(
      &queue->state, ~(uint64_t)(TN_STATE_INLINE | TN_STATE_BLOCKED), memory_order_acq_rel);
  if ((before & TN_STATE_BLOCKED) != 0) {
    tn_mutex_lock(&queue->mu);
    tn_node *node = queue->gated;
    queue->gated = NULL;
    tn_mutex_unlock(&queue->mu);
    tn_node_unblock(node);
  }
}

// A slot is in the module whose code it launches, a kernel object need not be: what that has in a
// module is held by a node. Not while a barrier is pending, nor while failures wait to be taken:
// the event of what comes after a failure in an in-order queue goes back to it, and a command
// without a node depends on nothing.
//
// A stream measures nothing, so commands of queues with profiling get nodes there.
static bool has_fast_path(const tn_queue *queue, const tn_command *command) {
  return command->kind == TN_COMMAND_KERNEL && command->event_count == 0 &&
         command->access_count == 0 && command->free_user == NULL &&
         (queue->stream != NULL ? (queue->flags & TN_QUEUE_PROFILING) == 0
                                : TN_ADAPTER_HAS(queue->api, try_run)) &&
         (command->kernel == NULL || command->kernel->home == NULL) &&
         atomic_load_explicit(&queue->error_count, memory_order_relaxed) == 0 &&
         atomic_load_explicit(&queue->barrier_count, memory_order_acquire) == 0;
}

static bool is_aligned(const void *memory, uint32_t alignment) {
  return alignment <= 1 || ((uintptr_t)memory & (alignment - 1)) == 0;
}

// `times` are those of submission, start and end; 0 where nobody measured.
static void finish_event(tn_event *event, tn_queue *queue, const uint64_t times[3],
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

// The next command's event goes back to this failure, like to that of a command with a node. Inside
// the gate.
static void note_inline_failure(tn_queue *queue, tn_event *event) {
  if ((queue->flags & TN_QUEUE_IN_ORDER) == 0) {
    return;
  }
  tn_event *old = NULL;
  tn_mutex_lock(&queue->mu);
  if (queue->gated != NULL) {
    tn_blame_note(&queue->gated->blame, event);
  } else {
    tn_event_retain(event);
    old = queue->last;
    queue->last = event;
  }
  tn_mutex_unlock(&queue->mu);
  tn_event_release(old);
}

// Behind what is in the stream already; whoever wants to know of its end has to ask.
static tn_status launch_in_stream(tn_queue *queue, const tn_adapter_command *command,
                                  tn_event *event, tn_diag *diag) {
  tn_launch_mark_last(queue);
  TN_TRY(queue->api->stream_launch(queue->stream, command, diag));
  const uint64_t before =
      atomic_fetch_add_explicit(&queue->launch_count, 1, memory_order_release);
  if (event != NULL) {
    tn_launch_begin(queue, event, before + 1);
  }
  return TN_OK;
}

static tn_status submit_end(tn_queue *queue, tn_status outcome, const tn_diag *failure,
                            tn_event **out_event, tn_diag *diag);

// Runs the kernel here and now if the adapter finds that quicker. The event, if wanted, is made
// before: nothing can fail after the kernel ran.
static tn_status submit_fast(tn_queue *queue, const tn_command *command, const tn_checked *checked,
                             bool *out_ran, tn_event **out_event, tn_diag *diag) {
  *out_ran = false;
  if (!is_aligned(command->args, checked->kernel->arg_align) || !enter_inline(queue)) {
    return TN_OK;
  }
  tn_event *event = NULL;
  if (out_event != NULL && (event = tn_event_take(queue->pool)) == NULL) {
    leave_inline(queue);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an event");
  }
  const bool has_profiling = event != NULL && (queue->flags & TN_QUEUE_PROFILING) != 0;
  uint64_t times[3] = {has_profiling ? tn_time_ns() : 0, 0, 0};
  tn_adapter_command device_command;
  device_command.kind = TN_ADAPTER_KERNEL;
  device_command.wants_times = has_profiling ? 1 : 0;
  fill_launch(&device_command.launch, command, checked);
  tn_diag failure;
  bool ran = checked->is_empty;
  bool is_launch = false;
  tn_status status = TN_OK;
  if (!ran && queue->stream != NULL) {
    status = launch_in_stream(queue, &device_command, event, &failure);
    is_launch = status == TN_OK;
  } else if (!ran) {
    status = queue->api->try_run(queue->device->adapter_device, &device_command, &ran,
                                 has_profiling ? &times[1] : NULL, has_profiling ? &times[2] : NULL,
                                 &failure);
  }
  if (status == TN_ND_RANGE) {  // refused, as by the checks before
    leave_inline(queue);
    tn_event_release(event);
    if (diag != NULL) {
      *diag = failure;
    }
    return status;
  }
  *out_ran = ran || is_launch || status != TN_OK;
  if (status != TN_OK && queue->stream != NULL) {
    leave_inline(queue);
    tn_event_release(event);
    return submit_end(queue, status, &failure, out_event, diag);
  }
  if (status != TN_OK) {
    event = event != NULL ? event : tn_event_take(queue->pool);
    tn_queue_add_error(queue, status, &failure);
  }
  if (*out_ran && event != NULL && !is_launch) {
    finish_event(event, queue, times, status, &failure);
  }
  if (status != TN_OK && event != NULL) {
    note_inline_failure(queue, event);
  }
  leave_inline(queue);
  if (*out_ran && out_event != NULL) {
    *out_event = event;
  } else {
    tn_event_release(event);
  }
  return TN_OK;
}

// The same with local memory: its offsets go into a copy of the argument block.
static tn_status submit_fast_local(tn_queue *queue, const tn_command *command,
                                   const tn_checked *checked, bool *out_ran, tn_event **out_event,
                                   tn_diag *diag) {
  _Alignas(64) unsigned char args[TN_NODE_INLINE_ARGS];
  if (command->arg_size > sizeof(args) || checked->kernel->arg_align > 64) {
    *out_ran = false;
    return TN_OK;
  }
  memcpy(args, command->args, command->arg_size);
  uint64_t size = 0;
  (void)tn_command_place_locals(command, args, &size);
  tn_command placed = *command;
  placed.args = args;
  return submit_fast(queue, &placed, checked, out_ran, out_event, diag);
}

// The rest fills a node. What was taken until a failure is given back by tn_node_recycle.

static tn_status copy_args(tn_node *node, const tn_command *command, tn_diag *diag) {
  const size_t size = command->arg_size;
  const size_t alignment =
      command->arg_align > node->kernel->arg_align ? command->arg_align : node->kernel->arg_align;
  void *args = node->inline_args;
  if (size > TN_NODE_INLINE_ARGS || alignment > _Alignof(tn_node)) {
    node->heap_args = tn_alloc_aligned(size, alignment > 64 ? alignment : 64);
    args = node->heap_args;
    if (args == NULL) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of kernel arguments", size);
    }
  }
  if (size > 0) {
    memcpy(args, command->args, size);
  }
  node->command.launch.args = args;
  return TN_OK;
}

// The bytes of a buffer, or of a part, where the node is to find them.
static tn_status find_memory(tn_device *place, tn_buffer *buffer, void **out, tn_diag *diag) {
  TN_TRY(tn_buffer_get_memory(buffer, out, diag));
  if (place == NULL) {
    return TN_OK;
  }
  tn_buffer_copy *copy = NULL;
  TN_TRY(tn_buffer_get_copy(tn_buffer_whole(buffer), place, &copy, diag));
  *out = (unsigned char *)copy->memory + buffer->offset;
  return TN_OK;
}

// Puts the buffers' addresses into the block.
static tn_status take_buffers(tn_node *node, const tn_command *command, unsigned char *args,
                              tn_diag *diag) {
  if (command->access_count > TN_NODE_INLINE_BUFFERS) {
    tn_buffer **buffers = tn_alloc_array(command->access_count, sizeof(*buffers));
    if (buffers == NULL) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the %zu accesses of a command",
                     command->access_count);
    }
    node->buffers = buffers;
  }
  for (size_t i = 0; i < command->access_count; i++) {
    const tn_access *access = &command->accesses[i];
    void *memory = NULL;
    TN_TRY(find_memory(tn_residence_at(node->queue, node->kind, access), access->buffer, &memory,
                       diag));
    tn_buffer *whole = tn_buffer_whole(access->buffer);
    tn_buffer_ref(whole);
    node->buffers[node->buffer_count++] = whole;
    if (access->arg_offset != TN_NO_ARG && args != NULL) {
      memcpy(args + access->arg_offset, &memory, sizeof(memory));
    }
  }
  return TN_OK;
}

static tn_status fill_kernel(tn_node *node, const tn_command *command, const tn_checked *checked,
                             tn_diag *diag) {
  if (!tn_kernel_begin_use(checked->kernel)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %s: the module with its code was unloaded: keep "
                   "it loaded as long as its kernels are launched", checked->kernel->display_name);
  }
  node->kernel = checked->kernel;
  node->command.kind = TN_ADAPTER_KERNEL;
  fill_launch(&node->command.launch, command, checked);
  TN_TRY(copy_args(node, command, diag));
  unsigned char *args = node->heap_args != NULL ? node->heap_args : node->inline_args;
  uint64_t local_size = 0;
  (void)tn_command_place_locals(command, args, &local_size);
  return take_buffers(node, command, args, diag);
}

static void fill_pattern(tn_node *node, const tn_command *command) {
  memcpy(node->inline_args, command->pattern, command->pattern_size);
  node->command.pattern = node->inline_args;
  node->command.pattern_size = command->pattern_size;
}

static tn_status fill_rect(const tn_node *node, tn_adapter_rect *out, const tn_rect *rect,
                           tn_diag *diag) {
  void *memory = rect->memory;
  if (rect->buffer != NULL) {
    TN_TRY(find_memory(tn_residence_of(node->queue, node->kind), rect->buffer, &memory, diag));
  }
  out->memory = (unsigned char *)memory + rect->offset;
  out->row_pitch = rect->row_pitch;
  out->slice_pitch = rect->slice_pitch;
  return TN_OK;
}

static tn_status fill_memory_command(tn_node *node, const tn_command *command, tn_diag *diag) {
  tn_adapter_command *to = &node->command;
  switch (command->kind) {
    case TN_COMMAND_COPY:
      to->kind = TN_ADAPTER_COPY;
      break;
    case TN_COMMAND_FILL:
      to->kind = TN_ADAPTER_FILL;
      fill_pattern(node, command);
      break;
    case TN_COMMAND_COPY_RECT:
      to->kind = TN_ADAPTER_COPY_RECT;
      TN_TRY(fill_rect(node, &to->rect_src, &command->rect_src, diag));
      TN_TRY(fill_rect(node, &to->rect_dst, &command->rect_dst, diag));
      break;
    case TN_COMMAND_FILL_RECT:
      to->kind = TN_ADAPTER_FILL_RECT;
      fill_pattern(node, command);
      TN_TRY(fill_rect(node, &to->rect_dst, &command->rect_dst, diag));
      break;
    case TN_COMMAND_DEVICE_GRAPH:
      to->kind = TN_ADAPTER_GRAPH;
      break;
    case TN_COMMAND_PREFETCH:
      to->kind = TN_ADAPTER_PREFETCH;
      break;
    case TN_COMMAND_ADVISE:
      to->kind = TN_ADAPTER_ADVISE;
      to->advice = command->advice;
      break;
    case TN_COMMAND_NATIVE:
      to->kind = TN_ADAPTER_NATIVE;
      to->native = tn_native_command_run;
      to->native_user = node;
      break;
    default:
      break;
  }
  to->dst = command->dst;
  to->src = command->src;
  to->size = command->size;
  memcpy(to->extent, command->rect_extent, sizeof(to->extent));
  return take_buffers(node, command, NULL, diag);
}

tn_status tn_node_fill(tn_node *node, const tn_command *command, const tn_checked *checked,
                       tn_diag *diag) {
  node->kind = command->kind;
  if (checked->is_empty) {
    const bool is_barrier =
        (command->kind == TN_COMMAND_BARRIER || command->kind == TN_COMMAND_EVENT_BARRIER) &&
        (node->queue->flags & TN_QUEUE_IN_ORDER) == 0;
    node->kind = is_barrier ? TN_COMMAND_BARRIER : TN_COMMAND_NONE;
    return take_buffers(node, command, NULL, diag);
  }
  if (command->kind == TN_COMMAND_KERNEL) {
    return fill_kernel(node, command, checked, diag);
  }
  node->host_task = command->host_task;
  node->command.graph = command->graph;
  return fill_memory_command(node, command, diag);
}

static tn_status fail_edges(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command's dependencies");
}

static tn_status reserve_edges(tn_node *node, const tn_command *command, tn_diag *diag)
    TN_REQUIRES(&tn_hazard_mu) {
  size_t count = command->event_count + 1;
  bool ok = true;
  for (size_t i = 0; i < command->access_count && ok; i++) {
    ok = tn_hazard_reserve(command->accesses, i, &count) &&
         tn_residence_reserve(tn_residence_at(node->queue, node->kind, &command->accesses[i]),
                              &command->accesses[i], command->access_count, &count);
  }
  return ok && tn_node_reserve_edges(node, count) ? TN_OK : fail_edges(diag);
}

static void wait_for_events(tn_node *node, const tn_command *command) {
  for (size_t i = 0; i < command->event_count; i++) {
    // Counting references does not change what the caller sees as constant.
    tn_event *source = (tn_event *)(uintptr_t)command->events[i];
    if (source == NULL || !tn_launch_is_before(source, node->queue->pool)) {
      tn_node_wait_for(node, source, false);
    }
  }
}

// In order: behind the last command, and behind one that runs inline on another thread.
static void wait_for_queue(tn_queue *queue, tn_node *node) TN_REQUIRES(&queue->mu) {
  tn_node_wait_for(node, queue->last, false);
  tn_event_retain(node->event);
  tn_event_release(queue->last);
  queue->last = node->event;
  uint64_t before = atomic_load_explicit(&queue->state, memory_order_relaxed);
  uint64_t after = 0;
  do {
    after = before + TN_STATE_COUNT;
    after |= (before & TN_STATE_INLINE) != 0 ? TN_STATE_BLOCKED : 0;
  } while (!atomic_compare_exchange_weak_explicit(&queue->state, &before, after,
                                                  memory_order_acq_rel, memory_order_relaxed));
  if ((before & TN_STATE_INLINE) != 0 && (before & TN_STATE_BLOCKED) == 0) {
    atomic_fetch_add_explicit(&node->pending, 1, memory_order_relaxed);
    queue->gated = node;
  }
}

static bool uses_bytes(const tn_node *node) {
  return node->kind != TN_COMMAND_NONE && node->kind != TN_COMMAND_BARRIER;
}

static void use_buffers(tn_node *node, const tn_command *command) TN_REQUIRES(&tn_hazard_mu) {
  for (size_t i = 0; i < command->access_count; i++) {
    tn_hazard_use(&command->accesses[i], node);
    if (uses_bytes(node)) {
      tn_residence_use(tn_residence_at(node->queue, node->kind, &command->accesses[i]),
                       &command->accesses[i], node);
    }
    tn_buffer_note_use(command->accesses[i].buffer, command->accesses[i].mode);
  }
}

// Out of order: behind the last barrier. A barrier comes with the era that follows it, if it is to
// wait for all before, and leaves with the one that it ends.
static void wait_for_barrier(tn_queue *queue, tn_node *node) TN_REQUIRES(&queue->mu) {
  tn_node_wait_for(node, queue->barrier, false);
  if (node->kind != TN_COMMAND_BARRIER) {
    node->era = queue->era;
    atomic_fetch_add_explicit(&node->era->count, 1, memory_order_relaxed);
    return;
  }
  if (node->era != NULL) {
    tn_era *ended = queue->era;
    queue->era = node->era;
    node->era = ended;
    ended->barrier = node;
    atomic_fetch_add_explicit(&node->pending, 1, memory_order_relaxed);
  }
  tn_event_retain(node->event);
  tn_event_release(queue->barrier);
  queue->barrier = node->event;
  atomic_fetch_add_explicit(&queue->barrier_count, 1, memory_order_relaxed);
}

static void wait_for_others(tn_queue *queue, tn_node *node, const tn_command *command)
    TN_REQUIRES(&queue->mu) {
  wait_for_events(node, command);
  if ((queue->flags & TN_QUEUE_IN_ORDER) != 0) {
    wait_for_queue(queue, node);
  } else {
    atomic_fetch_add_explicit(&queue->state, TN_STATE_COUNT, memory_order_acq_rel);
    wait_for_barrier(queue, node);
  }
}

static tn_status enter_graph(tn_queue *queue, tn_node *node, const tn_command *command,
                             tn_diag *diag) {
  if (!tn_node_reserve_edges(node, command->event_count + 1)) {
    return fail_edges(diag);
  }
  tn_mutex_lock(&queue->mu);
  wait_for_others(queue, node, command);
  tn_mutex_unlock(&queue->mu);
  return TN_OK;
}

// False when the buffers' bytes are not where the node needs them.
static bool enter_if_ready(tn_queue *queue, tn_node *node, const tn_command *command,
                           tn_status *out_status, tn_diag *diag) {
  tn_mutex_lock(&queue->mu);
  tn_mutex_lock(&tn_hazard_mu);
  bool is_ready = true;
  for (size_t i = 0; i < command->access_count && uses_bytes(node) && is_ready; i++) {
    const tn_access *access = &command->accesses[i];
    is_ready = tn_residence_is_ready(tn_residence_at(queue, node->kind, access), access, 1);
  }
  *out_status = is_ready ? reserve_edges(node, command, diag) : TN_OK;
  if (is_ready && *out_status == TN_OK) {
    wait_for_others(queue, node, command);
    use_buffers(node, command);
  }
  tn_mutex_unlock(&tn_hazard_mu);
  tn_mutex_unlock(&queue->mu);
  return is_ready;
}

// The place in the queue and the places among the buffers' users are taken at one moment, so that
// the two orders agree and no circle arises. All memory is there before anything is registered.
static tn_status enter_graph_with_buffers(tn_queue *queue, tn_node *node, const tn_command *command,
                                          tn_diag *diag) {
  tn_status status = TN_OK;
  while (status == TN_OK && !enter_if_ready(queue, node, command, &status, diag)) {
    for (size_t i = 0; i < command->access_count && status == TN_OK; i++) {
      const tn_access *access = &command->accesses[i];
      tn_device *place = tn_residence_at(queue, node->kind, access);
      status = tn_residence_bring(queue, place, access, 1, diag);
    }
  }
  return status;
}

tn_era *tn_era_create(void) {
  tn_era *era = tn_alloc(sizeof(*era));
  if (era != NULL) {
    atomic_init(&era->count, 1);
    era->barrier = NULL;
  }
  return era;
}

static tn_status prepare_barrier(tn_node *node, const tn_command *command, tn_diag *diag) {
  if (node->kind != TN_COMMAND_BARRIER || command->kind == TN_COMMAND_EVENT_BARRIER) {
    return TN_OK;
  }
  node->era = tn_era_create();
  return node->era != NULL ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a barrier");
}

// Not under the queue's lock: this may be what the barrier still waits for.
static void end_era(tn_node *node) {
  tn_era *ended = node->era;
  if (node->kind == TN_COMMAND_BARRIER && ended != NULL) {
    node->era = NULL;
    tn_era_leave(ended);
  }
}

static bool goes_to_stream(const tn_queue *queue, const tn_node *node) {
  return (queue->stream != NULL || tn_queue_has_lanes(queue)) && uses_bytes(node) &&
         !tn_node_is_task(node);
}

// The end of all that the queue's stream was given. What follows launches in order without going to
// the stream waits for one, and a launch that failed becomes one.
static tn_status submit_end(tn_queue *queue, tn_status outcome, const tn_diag *failure,
                            tn_event **out_event, tn_diag *diag) {
  const tn_command nothing = {.struct_size = sizeof(nothing), .kind = TN_COMMAND_NONE};
  tn_node *node = NULL;
  tn_event *event = NULL;
  if (!tn_node_take(queue->pool, &node, &event)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command");
  }
  event->queue = queue;
  event->device = queue->device;
  node->queue = queue;
  node->device = queue->device;
  node->kind = TN_NODE_MARK;
  node->in_stream = true;
  if (outcome != TN_OK) {
    tn_event_fail(event, outcome, failure);
    node->failed_in = queue->stream;
  }
  const tn_status status = enter_graph(queue, node, &nothing, diag);
  if (status != TN_OK) {
    tn_node_recycle(node);
    tn_event_release(event);
    return status;
  }
  tn_queue_retain(queue);
  if (out_event != NULL) {
    tn_event_retain(event);
    *out_event = event;
  }
  tn_node_unblock(node);
  return TN_OK;
}

static tn_status submit_node(tn_queue *queue, const tn_command *command, const tn_checked *checked,
                             tn_event **out_event, tn_diag *diag) {
  tn_node *node = NULL;
  tn_event *event = NULL;
  if (!tn_node_take(queue->pool, &node, &event)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command");
  }
  event->queue = queue;
  event->device = queue->device;
  event->has_profiling = (queue->flags & TN_QUEUE_PROFILING) != 0;
  event->submit_ns = event->has_profiling ? tn_time_ns() : 0;
  node->queue = queue;
  node->device = queue->device;
  tn_status status = tn_node_fill(node, command, checked, diag);
  if (status == TN_OK) {
    status = prepare_barrier(node, command, diag);
  }
  node->in_stream = goes_to_stream(queue, node);
  node->command.wants_times = event->has_profiling ? 1 : 0;
  if (status == TN_OK && !node->in_stream && tn_queue_has_launches(queue)) {
    status = submit_end(queue, TN_OK, NULL, NULL, diag);
  }
  if (status == TN_OK) {
    status = command->access_count > 0 ? enter_graph_with_buffers(queue, node, command, diag)
                                       : enter_graph(queue, node, command, diag);
  }
  if (status != TN_OK) {
    tn_free(node->era);
    tn_node_recycle(node);
    tn_event_release(event);
    return status;
  }
  // From here on the node holds the queue and what the user gave.
  tn_queue_retain(queue);
  node->user = command->user;
  node->free_user = command->free_user;
  if (out_event != NULL) {
    tn_event_retain(event);
    *out_event = event;
  }
  TN_LOG(sched, "command of kind %u is event %p of queue %p", command->kind, (void *)event,
         (void *)queue);
  end_era(node);
  tn_node_hurry(node);
  tn_node_unblock(node);
  return TN_OK;
}

// Commands that the device may order behind others (tn_node_wait_for).
static bool is_of_device(const tn_queue *queue, const tn_command *command, bool is_empty) {
  return !is_empty && tn_queue_has_lanes(queue) && command->kind != TN_COMMAND_NONE &&
         command->kind != TN_COMMAND_HOST_TASK && command->kind != TN_COMMAND_BARRIER &&
         command->kind != TN_COMMAND_EVENT_BARRIER && command->kind != TN_COMMAND_INTEROP_TASK;
}

// What a command depends on tells of its end from now on: a launch does not by itself, and need not
// where the device orders the two.
static void track_launches(const tn_queue *queue, const tn_command *command, bool is_empty) {
  const bool is_on_device = is_of_device(queue, command, is_empty);
  for (size_t i = 0; i < command->event_count; i++) {
    tn_event *event = (tn_event *)(uintptr_t)command->events[i];
    if (event != NULL && !tn_launch_is_before(event, queue->pool) &&
        !(is_on_device && event->device != NULL && event->device->api == queue->api)) {
      tn_launch_track(event);
    }
  }
}

// A graph of the driver's, a copy or a fill of USM behind what is in the stream already.
static bool goes_straight(const tn_queue *queue, const tn_command *command) {
  return (command->kind == TN_COMMAND_DEVICE_GRAPH || command->kind == TN_COMMAND_COPY ||
          command->kind == TN_COMMAND_FILL) &&
         command->event_count == 0 && command->access_count == 0 && command->free_user == NULL &&
         queue->stream != NULL && (queue->flags & TN_QUEUE_PROFILING) == 0 &&
         atomic_load_explicit(&queue->error_count, memory_order_relaxed) == 0 &&
         atomic_load_explicit(&queue->state, memory_order_acquire) == 0;
}

static tn_adapter_command straight_command(const tn_command *command) {
  return (tn_adapter_command){
      .kind = command->kind == TN_COMMAND_DEVICE_GRAPH ? TN_ADAPTER_GRAPH
              : command->kind == TN_COMMAND_COPY       ? TN_ADAPTER_COPY
                                                       : TN_ADAPTER_FILL,
      .graph = command->graph,
      .dst = command->dst,
      .src = command->src,
      .size = command->size,
      .pattern = command->pattern,
      .pattern_size = command->pattern_size,
  };
}

static tn_status submit_straight(tn_queue *queue, const tn_command *command, tn_event **out_event,
                                 tn_diag *diag) {
  tn_checked checked = {0};
  if (command->kind != TN_COMMAND_DEVICE_GRAPH) {
    TN_TRY(tn_command_check(queue, command, &checked, diag));
  }
  if (checked.is_empty || !enter_inline(queue)) {
    return submit_node(queue, command, &checked, out_event, diag);
  }
  const tn_adapter_command device_command = straight_command(command);
  tn_event *event = out_event != NULL ? tn_event_take(queue->pool) : NULL;
  tn_status status = out_event == NULL || event != NULL
                         ? TN_OK
                         : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an event");
  if (status != TN_OK) {
    leave_inline(queue);
    return status;
  }
  tn_diag failure;
  status = launch_in_stream(queue, &device_command, event, &failure);
  leave_inline(queue);
  if (status != TN_OK) {
    tn_event_release(event);
    return submit_end(queue, status, &failure, out_event, diag);
  }
  if (out_event != NULL) {
    *out_event = event;
  } else {
    tn_event_release(event);
  }
  return TN_OK;
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
  } else if (goes_straight(queue, command)) {
    return submit_straight(queue, command, out_event, diag);
  } else {
    TN_TRY(tn_command_check(queue, command, &checked, diag));
    if (__builtin_expect(tn_command_recorder(command) != NULL, 0)) {
      return tn_queue_join_recorder(queue, command, out_event, diag);
    }
  }
  track_launches(queue, command, checked.is_empty);
  return submit_node(queue, command, &checked, out_event, diag);
}

// With values for specialization constants: the kernel that has them, in place of the slot.
static tn_status submit_specialized(tn_queue *queue, const tn_command *command,
                                    tn_event **out_event, tn_diag *diag) {
  if (command->kind != TN_COMMAND_KERNEL || command->kernel != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "specialization constants are set for a command that launches no kernel by its "
                   "slot; a kernel object has the values it was made with");
  }
  tn_kernel *kernel = NULL;
  TN_TRY(tn_kernel_specialize(command->slot, queue->code_device, command->specs,
                              command->spec_count, &kernel, diag));
  tn_command specialized = *command;
  specialized.kernel = kernel;
  specialized.spec_count = 0;
  const tn_status status = submit(queue, &specialized, out_event, diag);
  tn_kernel_release(kernel);
  return status;
}

// A caller built when commands ended before `locals`, or before `specs`.
static tn_status submit_shorter(tn_queue *queue, const tn_command *command, tn_event **out_event,
                                tn_diag *diag) {
  tn_command whole = {0};
  memcpy(&whole, command, command->struct_size);
  return submit(queue, &whole, out_event, diag);
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
  if (__builtin_expect(command->struct_size < sizeof(tn_command), 0)) {
    status = submit_shorter(queue, command, out_event, diag);
  } else if (__builtin_expect(
                 atomic_load_explicit(&queue->recorder, memory_order_relaxed) != NULL, 0)) {
    status = tn_queue_record(queue, command, out_event, diag);
  } else if (__builtin_expect(command->kind == TN_COMMAND_GRAPH, 0)) {
    status = tn_queue_replay(queue, command, out_event, diag);
  } else if (__builtin_expect(command->spec_count == 0, 1)) {
    status = submit(queue, command, out_event, diag);
  } else {
    status = submit_specialized(queue, command, out_event, diag);
  }
  if (status != TN_OK && command->free_user != NULL) {
    command->free_user(command->user);
  }
  return status;
}
