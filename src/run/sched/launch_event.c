// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of launches in a queue's stream, which were created without a completion callback.
//
//   launched: the queue's `last_launch` ── something follows ──> marked, if the program holds it
//       │ waited for: the whole stream is                          │ waited for: the mark is
//       └────────────────────────> complete <──────────────────────┘
//
// Marking costs a call of the driver, and most programs drop the events of all but the last launch:
// so a launch is marked when the next one follows, and only if the program still holds its event.
//
// A thread that waited for the stream knows the number of launches it waited for, and completes
// `last_launch` only if that is one of them: another thread may have launched meanwhile.
#include "base/alloc.h"
#include "base/log.h"
#include "run/sched/stream_launch.h"

static void complete(tn_event *event, tn_status status, const tn_diag *diag) {
  bool expected = true;
  if (!atomic_compare_exchange_strong_explicit(&event->is_launch, &expected, false,
                                               memory_order_acq_rel, memory_order_acquire)) {
    return;
  }
  event->status = status;
  if (status != TN_OK && (event->error = tn_alloc(sizeof(tn_diag))) != NULL) {
    *event->error = *diag;
  }
  tn_event_complete_plain(event);
}

// The mark may be later in the stream than necessary, which is harmless: an event without a mark
// was the last.
static tn_status make_mark(tn_event *event, tn_queue *queue, tn_diag *diag) {
  tn_adapter_mark *none = NULL;
  tn_adapter_mark *mark = NULL;
  tn_adapter_stream *stream = atomic_load_explicit(&event->stream, memory_order_acquire);
  TN_TRY(queue->api->mark_create(stream != NULL ? stream : queue->stream, &mark, diag));
  if (!atomic_compare_exchange_strong_explicit(&event->mark, &none, mark, memory_order_acq_rel,
                                               memory_order_acquire)) {
    queue->api->mark_destroy(mark);
  }
  return TN_OK;
}

// The device notifies of the completion of a node; its position in the stream is only worth a call
// of the driver if others may wait for it. Two references are its node's and this one.
static void mark_last_node(tn_queue *queue) {
  if (atomic_load_explicit(&queue->last_node_event, memory_order_relaxed) == NULL) {
    return;
  }
  tn_event *event = atomic_exchange_explicit(&queue->last_node_event, NULL, memory_order_acq_rel);
  if (event == NULL) {
    return;
  }
  tn_diag diag = {0};
  if (atomic_load_explicit(&event->ref.count, memory_order_acquire) > 2 &&
      !tn_event_is_complete(event) && make_mark(event, queue, &diag) != TN_OK) {
    TN_LOG(sched, "event %p gets its mark later: %s", (void *)event, diag.text);
  }
  tn_event_release(event);
}

void tn_launch_note_node(tn_queue *queue, tn_event *event) {
  tn_event_retain(event);
  tn_event_release(atomic_exchange_explicit(&queue->last_node_event, event, memory_order_acq_rel));
}

// Takes over the reference. The event is no longer the queue's last launch.
static void mark_and_release(tn_queue *queue, tn_event *event) {
  const bool is_held = atomic_load_explicit(&event->ref.count, memory_order_acquire) > 1;
  if (is_held && atomic_load_explicit(&event->is_launch, memory_order_acquire)) {
    tn_diag diag = {0};
    tn_status status = make_mark(event, queue, &diag);
    if (status != TN_OK) {
      TN_LOG(sched, "event %p gets no mark: %s", (void *)event, diag.text);
      status = queue->api->stream_wait(queue->stream, &diag);
      complete(event, status, &diag);
    }
  }
  tn_event_release(event);
}

void tn_launch_begin(tn_queue *queue, tn_event *event, uint64_t number) {
  event->queue = queue;
  event->device = queue->device;
  event->launch_number = number;
  atomic_store_explicit(&event->is_launch, true, memory_order_relaxed);
  atomic_store_explicit(&event->state, TN_EVENT_RUNNING, memory_order_relaxed);
  tn_event_retain(event);
  tn_event *old = atomic_exchange_explicit(&queue->last_launch, event, memory_order_acq_rel);
  if (old != NULL) {  // put back by tn_launch_complete_last after this launch looked for it
    mark_and_release(queue, old);
  }
}

void tn_launch_mark_last(tn_queue *queue) {
  mark_last_node(queue);
  tn_event *event = atomic_load_explicit(&queue->last_launch, memory_order_acquire);
  if (event != NULL && atomic_compare_exchange_strong_explicit(&queue->last_launch, &event, NULL,
                                                               memory_order_acq_rel,
                                                               memory_order_relaxed)) {
    mark_and_release(queue, event);
  }
}

void tn_launch_complete_last(tn_queue *queue, uint64_t count, tn_status status,
                             const tn_diag *diag) {
  tn_event *event = atomic_exchange_explicit(&queue->last_launch, NULL, memory_order_acq_rel);
  if (event == NULL) {
    return;
  }
  if (event->launch_number <= count) {
    complete(event, status, diag);
    tn_event_release(event);
    return;
  }
  // Launched by another thread since. A launch that has followed that one found nothing to mark.
  tn_event *none = NULL;
  if (!atomic_compare_exchange_strong_explicit(&queue->last_launch, &none, event,
                                               memory_order_acq_rel, memory_order_relaxed)) {
    mark_and_release(queue, event);
  }
}

// The queue of an event that has no mark, retained; NULL when the event has a mark by now, or is
// complete. A queue marks its last launch before it is destroyed.
static tn_queue *queue_of(tn_event *event) {
  while (atomic_load_explicit(&event->mark, memory_order_acquire) == NULL &&
         !tn_event_is_complete(event)) {
    tn_queue *queue = tn_node_pool_retain_queue(event->pool);
    if (queue != NULL) {
      return queue;
    }
    tn_thread_yield();
  }
  return NULL;
}

void tn_launch_wait(tn_event *event) {
  const tn_adapter_api *api = event->device->api;
  tn_diag diag = {0};
  tn_status status = TN_OK;
  tn_queue *queue = queue_of(event);
  tn_adapter_mark *mark = atomic_load_explicit(&event->mark, memory_order_acquire);
  if (mark != NULL) {
    status = api->mark_wait(mark, &diag);
  } else if (queue != NULL) {
    const uint64_t count = atomic_load_explicit(&queue->launch_count, memory_order_acquire);
    status = api->stream_wait(queue->stream, &diag);
    tn_launch_note_completed(queue, count);
  }
  if (status != TN_OK && queue != NULL) {
    tn_queue_add_error(queue, status, &diag);
  }
  complete(event, status, &diag);
  tn_queue_release(queue);
}

bool tn_launch_is_done(tn_event *event) {
  const tn_adapter_api *api = event->device->api;
  tn_queue *queue = queue_of(event);
  tn_adapter_mark *mark = atomic_load_explicit(&event->mark, memory_order_acquire);
  const bool is_done = mark != NULL    ? api->mark_is_done(mark)
                       : queue != NULL ? api->stream_is_idle(queue->stream)
                                       : true;
  tn_queue_release(queue);
  if (is_done) {
    tn_launch_wait(event);  // returns at once, with the outcome
  }
  return is_done;
}

static void notify(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                   uint64_t end_ns) {
  (void)start_ns;
  (void)end_ns;
  tn_event *event = user;
  complete(event, status, diag);
  tn_event_release(event);
}

tn_status tn_event_get_mark(tn_event *event, tn_adapter_mark **out, tn_diag *diag) {
  tn_queue *queue = queue_of(event);
  const tn_status status = queue != NULL ? make_mark(event, queue, diag) : TN_OK;
  tn_queue_release(queue);
  *out = atomic_load_explicit(&event->mark, memory_order_acquire);
  return status;
}

void tn_launch_track(tn_event *event) {
  if (!atomic_load_explicit(&event->is_launch, memory_order_acquire) ||
      atomic_exchange_explicit(&event->is_tracked, true, memory_order_acq_rel)) {
    return;
  }
  tn_diag diag = {0};
  tn_queue *queue = queue_of(event);
  tn_status status = queue != NULL ? make_mark(event, queue, &diag) : TN_OK;
  tn_adapter_mark *mark = atomic_load_explicit(&event->mark, memory_order_acquire);
  tn_event_retain(event);
  if (status == TN_OK && mark != NULL) {
    status = event->device->api->mark_watch(mark, notify, event, &diag);
  }
  if (status != TN_OK || mark == NULL) {
    tn_launch_wait(event);
    tn_event_release(event);
  }
  tn_queue_release(queue);
}
