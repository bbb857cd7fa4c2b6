// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The failures of a queue's commands, in the order of completion, until the program takes them.
#include "base/alloc.h"
#include "base/log.h"
#include "run/sched/queue_state.h"

void tn_queue_add_error(tn_queue *queue, tn_status status, const tn_diag *diag) {
  tn_queue_error *error = diag != NULL ? tn_alloc(sizeof(*error)) : NULL;
  TN_LOG(sched, "queue %p: %s", (void *)queue, diag != NULL ? diag->text : tn_status_text(status));
  tn_mutex_lock(&queue->mu);
  if (error == NULL) {
    queue->lost_errors++;
  } else {
    error->diag = *diag;
    if (queue->newest_error != NULL) {
      queue->newest_error->next = error;
    } else {
      queue->oldest_error = error;
    }
    queue->newest_error = error;
  }
  atomic_fetch_add_explicit(&queue->error_count, 1, memory_order_release);
  tn_mutex_unlock(&queue->mu);
}

// Once the program has taken all failures, commands that follow in an in-order queue do not have
// the last one as their origin. The caller gets the reference.
static tn_event *take_failed_last(tn_queue *queue) TN_REQUIRES(&queue->mu) {
  tn_event *last = queue->last;
  if (atomic_load_explicit(&queue->error_count, memory_order_relaxed) != 0 || last == NULL ||
      !tn_event_is_complete(last) || last->status == TN_OK) {
    return NULL;
  }
  queue->last = NULL;
  return last;
}

int tn_queue_take_error(tn_queue *queue, tn_diag *out) {
  if (atomic_load_explicit(&queue->error_count, memory_order_acquire) == 0) {
    return 0;
  }
  bool found = false;
  bool lost = false;
  tn_event *dropped = NULL;
  tn_mutex_lock(&queue->mu);
  tn_queue_error *error = queue->oldest_error;
  if (error != NULL) {
    queue->oldest_error = error->next;
    if (error->next == NULL) {
      queue->newest_error = NULL;
    }
    *out = error->diag;
    found = true;
  } else if (queue->lost_errors > 0) {
    queue->lost_errors--;
    lost = true;
  }
  if (found || lost) {
    atomic_fetch_sub_explicit(&queue->error_count, 1, memory_order_relaxed);
    dropped = take_failed_last(queue);
  }
  tn_mutex_unlock(&queue->mu);
  tn_event_release(dropped);
  tn_free(error);
  if (lost) {
    tn_diag_set(out, TN_OUT_OF_MEMORY, 0, __FILE__, __LINE__,
                "a command failed, and there was no memory to keep its message");
  }
  return found || lost ? 1 : 0;
}
