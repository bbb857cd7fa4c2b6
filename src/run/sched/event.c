// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of the C API.
#include "base/alloc.h"
#include "base/weak.h"
#include "run/sched/park.h"
#include "run/sched/stream_launch.h"
#include "tenon/weak.h"

tn_status tn_event_create_complete(tn_event **out, tn_diag *diag) {
  tn_event *event = tn_event_create_plain();
  *out = event;
  if (event == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an event");
  }
  tn_event_init_complete(event);
  return TN_OK;
}

void tn_event_retain(tn_event *event) {
  if (event != NULL) {
    tn_ref_up(&event->ref);
  }
}

void tn_event_release(tn_event *event) {
  if (event != NULL && tn_ref_down(&event->ref)) {
    tn_event_recycle(event);
  }
}

void tn_event_retain_with_queue(tn_event *event) {
  if (event != NULL) {
    tn_queue_retain(event->queue);
    tn_ref_up(&event->ref);
  }
}

// The event is recycled into its queue's pool, so it is released first.
void tn_event_release_with_queue(tn_event *event) {
  if (event != NULL) {
    tn_queue *queue = event->queue;
    tn_event_release(event);
    tn_queue_release(queue);
  }
}

static void release(void *object) { tn_event_release(object); }

tn_weak *tn_event_weak(tn_event *event) {
  static const tn_weak_type type = {.release = release};
  if (event == NULL) {
    return NULL;
  }
  tn_weak *of_queue = tn_queue_weak(event->queue);
  const bool has_memory = event->queue == NULL || of_queue != NULL;
  return has_memory ? tn_weak_of(&event->ref, event, &type, of_queue) : NULL;
}

static bool is_complete(const void *what) { return tn_event_is_complete(what); }

// The device's own way of waiting is the quickest, as long as it has the command.
static void await_on_device(tn_event *event) {
  const tn_adapter_api *api = event->device->api;
  for (bool has_it = true; has_it && !is_complete(event);) {
    const void *node = tn_event_node(event);
    has_it = node != NULL && api->await(event->device->adapter_device, node);
  }
}

void tn_event_await(tn_event *event) {
  if (atomic_load_explicit(&event->is_launch, memory_order_acquire)) {
    tn_launch_wait(event);
  }
  if (atomic_load_explicit(&event->stream, memory_order_acquire) != NULL) {
    await_on_device(event);
  }
  tn_park_wait(event->device, event, is_complete);
}

tn_status tn_event_wait(tn_event *event, tn_diag *diag) {
  if (event == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "there is no event to wait for: it is NULL");
  }
  if (event->recorder != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the event is of a command that was recorded in a graph, not run: wait for the "
                   "event of the graph's launch");
  }
  tn_event_await(event);
  // No queue, and so no handler, hears of what the program made itself.
  if (event->is_native && event->status != TN_OK) {
    if (diag != NULL && event->error != NULL) {
      *diag = *event->error;
      tn_diag_prepend(diag, "the native event failed");
    }
    return event->status;
  }
  return TN_OK;
}

int32_t tn_event_status(const tn_event *event) {
  if (event->recorder != NULL) {
    return TN_EVENT_RECORDED;
  }
  if (atomic_load_explicit(&event->is_launch, memory_order_acquire)) {
    // Polling may complete the event, which callers do not see as a change.
    (void)tn_launch_is_done((tn_event *)(uintptr_t)event);
  }
  const int32_t state = atomic_load_explicit(&event->state, memory_order_acquire);
  if (state != TN_EVENT_COMPLETE &&
      atomic_load_explicit(&event->stream, memory_order_acquire) != NULL) {
    (void)tn_park_help(event->device);  // polls: unawaited completions are reported late
    return atomic_load_explicit(&event->state, memory_order_acquire);
  }
  return state;
}

int tn_event_get_error(const tn_event *event, tn_diag *out) {
  if (event == NULL || !tn_event_is_complete(event) || event->status == TN_OK) {
    return 0;
  }
  if (event->error != NULL) {
    *out = *event->error;
  } else {
    tn_diag_set(out, event->status, 0, __FILE__, __LINE__,
                "a command failed (%s), and there was no memory to keep its message",
                tn_status_text(event->status));
  }
  return 1;
}

tn_status tn_event_get_profiling(tn_event *event, int32_t what, uint64_t *out, tn_diag *diag) {
  *out = 0;
  if (event == NULL || what < TN_PROFILING_SUBMIT || what > TN_PROFILING_END) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "profiling information needs an event and TN_PROFILING_SUBMIT, START or END");
  }
  if (event->recorder != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a command that was recorded in a graph has no profiling information: ask the "
                   "event of the graph's launch");
  }
  if (!event->has_profiling) {
    return TN_FAIL(diag, PROFILING,
                   "this event has no profiling information: its queue was made without "
                   "enable_profiling, or it comes from no queue");
  }
  if (event->is_tag) {
    what = TN_PROFILING_END;
  }
  if (event->first != NULL && what != TN_PROFILING_END) {
    return tn_event_get_profiling(event->first, what, out, diag);
  }
  if (what == TN_PROFILING_SUBMIT) {
    *out = event->submit_ns;
    return TN_OK;
  }
  tn_event_await(event);
  *out = what == TN_PROFILING_START ? event->start_ns : event->end_ns;
  return TN_OK;
}

void tn_event_make_tag(tn_event *event) { event->is_tag = true; }

tn_queue *tn_event_queue(const tn_event *event) { return event->queue; }

tn_device *tn_event_device(const tn_event *event) { return event->device; }
