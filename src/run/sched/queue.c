// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues apart from submission: creating and destroying them, and waiting for them.
#include "base/alloc.h"
#include "base/log.h"
#include "run/sched/epoch.h"
#include "run/sched/memory_pool.h"
#include "run/sched/park.h"
#include "run/sched/stream_launch.h"
#include "tenon/graph.h"

static tn_status ask(const tn_device *device, int32_t what, void *out, size_t size, tn_diag *diag) {
  return device->api->device_get_info(device->adapter_device, what, out, size, NULL, diag);
}

static tn_status read_limits(tn_queue *queue, tn_diag *diag) {
  const tn_device *device = queue->device;
  uint64_t aspects = 0;
  TN_TRY(ask(device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), diag));
  TN_TRY(ask(device, TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE, &queue->max_group_size,
             sizeof(queue->max_group_size), diag));
  TN_TRY(ask(device, TN_DEVICE_INFO_MAX_WORK_ITEM_SIZES, queue->max_item_sizes,
             sizeof(queue->max_item_sizes), diag));
  TN_TRY(ask(device, TN_DEVICE_INFO_LOCAL_MEM_SIZE, &queue->local_mem_size,
             sizeof(queue->local_mem_size), diag));
  queue->shares_host_memory = (aspects >> TN_ASPECT_USM_SYSTEM_ALLOCATIONS & 1) != 0;
  const bool has_profiling = (aspects >> TN_ASPECT_QUEUE_PROFILING & 1) != 0;
  if ((queue->flags & TN_QUEUE_PROFILING) != 0 && !has_profiling) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s has no profiling; make the queue without enable_profiling",
                   device->name);
  }
  return TN_OK;
}

// An in-order queue's commands can follow each other on the device itself.
static tn_status make_stream(tn_queue *queue, tn_diag *diag) {
  const tn_adapter_api *api = queue->api;
  return TN_ADAPTER_HAS(api, stream_create) && (queue->flags & TN_QUEUE_IN_ORDER) != 0
             ? api->stream_create(queue->device->adapter_device, &queue->stream, diag)
             : TN_OK;
}

static tn_status check_flags(uint32_t flags, tn_diag *diag) {
  const uint32_t priorities =
      flags & (TN_QUEUE_PRIORITY_LOW | TN_QUEUE_PRIORITY_NORMAL | TN_QUEUE_PRIORITY_HIGH);
  const uint32_t lists =
      TN_QUEUE_NO_IMMEDIATE_COMMAND_LIST | TN_QUEUE_IMMEDIATE_COMMAND_LIST;
  const uint32_t unmeasured = TN_QUEUE_DISCARD_EVENTS | TN_QUEUE_PROFILING;
  if ((flags & ~(uint32_t)TN_QUEUE_FLAGS) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "0x%x are not flags of a queue", flags);
  }
  if ((priorities & (priorities - 1)) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a queue has one priority: give one of priority_low, priority_normal and "
                   "priority_high");
  }
  if ((flags & lists) == lists) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a queue has one of immediate_command_list and no_immediate_command_list: give "
                   "one of the two");
  }
  if ((flags & unmeasured) == unmeasured) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "discard_events and enable_profiling exclude each other: profiling needs "
                   "events");
  }
  return TN_OK;
}

static tn_status check_create(const tn_context *context, const tn_device *device, uint32_t flags,
                              tn_diag *diag) {
  if (context == NULL || device == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a queue needs a context and a device, but the %s is NULL",
                   context == NULL ? "context" : "device");
  }
  TN_TRY(check_flags(flags, diag));
  if (!tn_context_has_device(context, device)) {
    return TN_FAIL(diag, WRONG_CONTEXT,
                   "a queue on device %s: the device is not in the context; make a context with it",
                   device->name);
  }
  return TN_OK;
}

static void free_queue(tn_queue *queue) TN_NO_ANALYSIS {
  tn_queue_list_remove(queue);
  if (queue->stream != NULL) {
    tn_launch_mark_last(queue);  // threads that wait for the event may need its mark
  }
  tn_queue_close_binding(queue);  // may take the failures that are left
  while (queue->oldest_error != NULL) {
    tn_queue_error *error = queue->oldest_error;
    queue->oldest_error = error->next;
    tn_free(error);
  }
  tn_event_release(queue->external);
  tn_event_release(queue->last);
  tn_event_release(queue->barrier);
  if (queue->epoch != NULL) {
    tn_epoch_leave(queue->epoch);  // nothing is pending, so this frees it
  }
  if (queue->pool != NULL) {
    tn_node_pool_close(queue->pool);
  }
  if (queue->stream != NULL) {
    queue->api->stream_destroy(queue->stream);
  }
  if (atomic_load_explicit(&queue->native_stream, memory_order_acquire) != NULL) {
    queue->api->stream_destroy(queue->native_stream);
  }
  tn_stream_pool_close(queue);
  tn_stream_drop_spares(queue);
  tn_mutex_deinit(&queue->mu);
  tn_context_release(queue->context);
  tn_free(queue);
}

tn_status tn_queue_create(tn_context *context, tn_device *device, uint32_t flags, tn_queue **out,
                          tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_create(context, device, flags, diag));
  device = tn_context_own_device(context, device);
  tn_queue *queue = tn_alloc(sizeof(*queue));
  if (queue == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a queue");
  }
  tn_ref_init(&queue->ref);
  tn_mutex_init(&queue->mu, TN_RANK_QUEUE);
  queue->flags = flags;
  tn_context_retain(context);
  queue->context = context;
  queue->device = device;
  queue->code_device = tn_device_of_code(device);
  queue->api = device->api;
  queue->pool = tn_node_pool_create(queue);
  tn_epoch *epoch = tn_epoch_create();
  tn_mutex_lock(&queue->mu);
  queue->epoch = epoch;
  tn_mutex_unlock(&queue->mu);
  tn_status status = TN_OK;
  if (queue->pool == NULL || epoch == NULL) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a queue");
  } else {
    status = read_limits(queue, diag);
  }
  if (status == TN_OK) {
    status = make_stream(queue, diag);
  }
  if (status != TN_OK) {
    free_queue(queue);
    return status;
  }
  tn_queue_list_add(queue);
  TN_LOG(sched, "queue %p on %s", (void *)queue, device->name);
  *out = queue;
  return TN_OK;
}

void tn_queue_retain(tn_queue *queue) {
  if (queue != NULL) {
    tn_ref_up(&queue->ref);
  }
}

bool tn_queue_try_retain(tn_queue *queue) { return tn_ref_try_up(&queue->ref); }

void tn_queue_release(tn_queue *queue) {
  if (queue != NULL && tn_ref_down(&queue->ref)) {
    free_queue(queue);
  }
}

tn_context *tn_queue_context(const tn_queue *queue) { return queue->context; }

tn_device *tn_queue_device(const tn_queue *queue) { return queue->device; }

uint32_t tn_queue_flags(const tn_queue *queue) { return queue->flags; }

static bool is_drained(const void *what) {
  const tn_queue *queue = what;
  // Sequentially consistent for tn_park_wait.
  return atomic_load_explicit(&queue->state, memory_order_seq_cst) < TN_STATE_COUNT;
}

// Sequentially consistent for tn_park_wake.
static void change_state(tn_queue *queue, uint64_t difference) {
  const uint64_t before =
      atomic_fetch_add_explicit(&queue->state, difference, memory_order_seq_cst);
  if (before + difference < TN_STATE_COUNT) {
    tn_park_wake(queue);
  }
}

void tn_queue_note_given(tn_queue *queue, tn_event *event) {
  uint8_t pending = TN_PASSAGE_PENDING;
  if (atomic_compare_exchange_strong_explicit(&event->passage, &pending, TN_PASSAGE_GIVEN,
                                              memory_order_acq_rel, memory_order_relaxed)) {
    change_state(queue, TN_STATE_GIVEN - TN_STATE_COUNT);
  }
}

// It may come before the change of tn_queue_note_given: their sum counts.
void tn_queue_leave(tn_queue *queue, uint8_t passage) {
  change_state(queue, passage == TN_PASSAGE_GIVEN ? -TN_STATE_GIVEN : -(uint64_t)TN_STATE_COUNT);
  tn_queue_release(queue);
}

// The device's own way of waiting is the quickest, for commands in its streams.
static void wait_for_streams(tn_queue *queue) {
  if (queue->stream != NULL) {
    TN_IGNORE(queue->api->stream_wait(queue->stream, NULL), "each command reports its failure");
  }
  tn_stream_pool_wait(queue);
}

tn_status tn_queue_finish(tn_queue *queue, tn_diag *diag) {
  if (tn_queue_is_recording(queue) == 0) {
    TN_TRY(tn_queue_use_external(queue, diag));
  }
  if (!is_drained(queue)) {
    wait_for_streams(queue);
  }
  if (!is_drained(queue)) {
    tn_park_wait(queue->device, queue, is_drained);
  }
  if (tn_queue_has_launches(queue)) {
    tn_launch_wait_for_all(queue);
  }
  tn_adapter_stream *native = atomic_load_explicit(&queue->native_stream, memory_order_acquire);
  if (native != NULL) {
    tn_diag failure = {0};
    const tn_status status = queue->api->stream_wait(native, &failure);
    if (status != TN_OK) {
      tn_queue_add_error(queue, status, &failure);
    }
  }
  tn_memory_pools_shrink();
  return TN_OK;
}

tn_status tn_queue_wait(tn_queue *queue, tn_diag *diag) {
  if (queue == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "there is no queue to wait for: it is NULL");
  }
  if (tn_queue_is_recording(queue) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the queue records a graph, so none of its commands runs: end recording before "
                   "waiting for it");
  }
  return tn_queue_finish(queue, diag);
}

// Adapters start commands when they are submitted; a device may notify late of completions that no
// thread waits for, which delays commands that depend on them.
void tn_queue_flush(tn_queue *queue) {
  tn_graph_drain();
  if (atomic_load_explicit(&queue->state, memory_order_acquire) != 0) {
    queue->api->flush(queue->device->adapter_device);
  }
}

// Whoever has seen the last event complete has to find the queue idle, also while the thread that
// completed it is still in tn_node_complete.
static bool is_every_node_complete(const tn_queue *queue) {
  const uint64_t state = atomic_load_explicit(&queue->state, memory_order_acquire);
  if (state == 0 || state % TN_STATE_COUNT != 0) {
    return state == 0;
  }
  // This order: what is submitted meanwhile makes them differ.
  const uint64_t completed = atomic_load_explicit(&queue->completed_nodes, memory_order_acquire);
  if (atomic_load_explicit(&queue->submitted_nodes, memory_order_acquire) != completed) {
    return false;
  }
  while (atomic_load_explicit(&queue->published_nodes, memory_order_acquire) < completed) {
    tn_thread_yield();
  }
  return true;
}

int tn_queue_has_commands(const tn_queue *queue) {
  return atomic_load_explicit(&queue->history, memory_order_relaxed) != TN_HISTORY_NONE ? 1 : 0;
}

static bool is_external_pending(tn_queue *queue) {
  bool is_pending = false;
  if (atomic_load_explicit(&queue->history, memory_order_relaxed) == TN_HISTORY_EXTERNAL) {
    tn_mutex_lock(&queue->mu);
    is_pending =
        queue->external != NULL && tn_event_status(queue->external) != TN_EVENT_COMPLETE;
    tn_mutex_unlock(&queue->mu);
  }
  return is_pending;
}

int tn_queue_is_idle(tn_queue *queue) {
  if (is_external_pending(queue)) {
    return 0;
  }
  const uint64_t count = atomic_load_explicit(&queue->launch_count, memory_order_acquire);
  if (atomic_load_explicit(&queue->state, memory_order_acquire) != 0 &&
      tn_queue_has_stream_pool(queue)) {
    (void)tn_park_help(queue->device);  // polls: completions that nobody awaits are reported late
  }
  if (!is_every_node_complete(queue)) {
    return 0;
  }
  if (!tn_queue_has_launches(queue)) {
    return 1;
  }
  if (!queue->api->stream_is_idle(queue->stream)) {
    return 0;
  }
  tn_launch_note_completed(queue, count);
  return atomic_load_explicit(&queue->launch_count, memory_order_acquire) == count ? 1 : 0;
}
