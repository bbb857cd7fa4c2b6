// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue's state for the language binding: its language objects are counted here, and failures
// that the program did not take are printed.
#include "base/alloc.h"
#include "base/weak.h"
#include "run/sched/queue_state.h"
#include "tenon/weak.h"

#include <stdio.h>

// How the text of a host task's exception begins. The binding has the exception itself.
static const char host_task_threw[] = "a host task threw: ";

tn_status tn_queue_open(tn_context *context, tn_device *device, uint32_t flags, tn_queue **out,
                        tn_diag *diag) {
  *out = NULL;
  if (device == NULL) {
    TN_TRY(tn_device_get_default(&device, diag));
  }
  if (context == NULL) {
    TN_TRY(tn_context_default(tn_device_platform(device), &context, diag));
  }
  TN_TRY(tn_queue_create(context, device, flags, out, diag));
  tn_queue_add_handle(*out);
  return TN_OK;
}

void tn_queue_add_handle(tn_queue *queue) {
  if (queue != NULL) {
    atomic_fetch_add_explicit(&queue->handle_count, 1, memory_order_relaxed);
  }
}

static void release(void *object) { tn_queue_release(object); }

// The handles together have one reference, which the last one to go releases.
static bool take_handle(void *object) {
  tn_queue *queue = object;
  size_t count = atomic_load_explicit(&queue->handle_count, memory_order_relaxed);
  while (count != 0 &&
         !atomic_compare_exchange_weak_explicit(&queue->handle_count, &count, count + 1,
                                                memory_order_acquire, memory_order_relaxed)) {
  }
  tn_queue_release(queue);
  return count != 0;
}

static bool has_no_handle(const void *object) {
  const tn_queue *queue = object;
  return atomic_load_explicit(&queue->handle_count, memory_order_acquire) == 0;
}

tn_weak *tn_queue_weak(tn_queue *queue) {
  static const tn_weak_type plain = {.release = release};
  static const tn_weak_type by_handle = {
      .release = release, .take = take_handle, .is_closed = has_no_handle};
  if (queue == NULL) {
    return NULL;
  }
  return tn_weak_of(&queue->ref, queue, has_no_handle(queue) ? &plain : &by_handle, NULL);
}

void tn_queue_set_user(tn_queue *queue, void *user, void (*free_user)(void *user)) {
  queue->free_user = free_user;
  atomic_store_explicit(&queue->user, user, memory_order_release);
}

void *tn_queue_user(const tn_queue *queue) {
  return atomic_load_explicit(&queue->user, memory_order_acquire);
}

void *tn_queue_offer_user(tn_queue *queue, void *user, void (*free_user)(void *user)) {
  void *expected = NULL;
  if (!atomic_compare_exchange_strong_explicit(&queue->user, &expected, user, memory_order_acq_rel,
                                               memory_order_acquire)) {
    return expected;
  }
  queue->free_user = free_user;
  return user;
}

void tn_queue_set_reporter(tn_queue *queue, void *reporter, void (*free_reporter)(void *reporter)) {
  queue->reporter = reporter;
  queue->free_reporter = free_reporter;
}

size_t tn_queue_error_count(const tn_queue *queue) {
  return atomic_load_explicit(&queue->error_count, memory_order_acquire);
}

// The failure's native code is the number of the slot: 1 for the first. 0 without memory.
static int32_t keep_thrown(tn_queue *queue, tn_thrown thrown) TN_REQUIRES(&queue->mu) {
  size_t slot = 0;
  while (slot < queue->thrown_count && queue->thrown[slot].object != NULL) {
    slot++;
  }
  if (slot == queue->thrown_count) {
    tn_thrown *grown = tn_realloc(queue->thrown, (slot + 1) * sizeof(tn_thrown));
    if (grown == NULL) {
      return 0;
    }
    queue->thrown = grown;
    queue->thrown_count++;
  }
  queue->thrown[slot] = thrown;
  return (int32_t)(slot + 1);
}

tn_status tn_queue_note_thrown(tn_queue *queue, void *thrown, void (*free_thrown)(void *thrown),
                               const char *what, tn_diag *diag) {
  tn_mutex_lock(&queue->mu);
  const int32_t number = keep_thrown(queue, (tn_thrown){thrown, free_thrown});
  tn_mutex_unlock(&queue->mu);
  if (number == 0) {
    free_thrown(thrown);
  }
  return tn_diag_set(diag, TN_HOST_TASK, number, "sycl/detail/host_task.hpp", 0, "%s%s",
                     host_task_threw, what);
}

static bool is_thrown(const tn_diag *diag) {
  return diag->code == TN_HOST_TASK && diag->native_code > 0;
}

void *tn_queue_take_thrown(tn_queue *queue, const tn_diag *diag) {
  void *object = NULL;
  if (!is_thrown(diag)) {
    return NULL;
  }
  tn_mutex_lock(&queue->mu);
  const size_t slot = (size_t)diag->native_code - 1;
  if (slot < queue->thrown_count) {
    object = queue->thrown[slot].object;
    queue->thrown[slot].object = NULL;
  }
  tn_mutex_unlock(&queue->mu);
  return object;
}

static void print_line(const char *begin, const char *text) {
  char line[TN_DIAG_TEXT_SIZE + 100];
  const int size = snprintf(line, sizeof(line), "%s%s\n", begin, text);
  if (size > 0 && (size_t)size < sizeof(line)) {
    (void)fwrite(line, 1, (size_t)size, stderr);
  }
}

static bool print_errors(tn_queue *queue, const char *begin) {
  bool has_any = false;
  tn_diag diag;
  while (tn_queue_take_error(queue, &diag) != 0) {
    print_line(begin, diag.text + (is_thrown(&diag) ? sizeof(host_task_threw) - 1 : 0));
    has_any = true;
  }
  return has_any;
}

void *tn_queue_report_errors(tn_queue *queue, void (*terminate)(void)) {
  if (queue->reporter != NULL || queue->context->reporter != NULL) {
    return queue->reporter != NULL ? queue->reporter : queue->context->reporter;
  }
  if (print_errors(queue, "SYCL asynchronous error: ")) {
    print_line("no async_handler was given to the queue or its context: terminating", "");
    terminate();
  }
  return NULL;
}

void *tn_queue_drop_handle(tn_queue *queue, void (*terminate)(void)) {
  if (queue == NULL ||
      atomic_fetch_sub_explicit(&queue->handle_count, 1, memory_order_acq_rel) != 1) {
    return NULL;
  }
  atomic_store_explicit(&queue->has_lost_handles, true, memory_order_release);
  void *reporter = tn_queue_report_errors(queue, terminate);
  if (reporter == NULL) {
    tn_queue_release(queue);
  }
  return reporter;
}

// The objects that a handler refers to may be destroyed by now, so late failures are printed
// instead of being passed to it.
void tn_queue_close_binding(tn_queue *queue) TN_NO_ANALYSIS {
  if (atomic_load_explicit(&queue->has_lost_handles, memory_order_acquire)) {
    (void)print_errors(queue, "SYCL asynchronous error, after its queue was destroyed: ");
  }
  if (queue->free_user != NULL) {
    queue->free_user(atomic_load_explicit(&queue->user, memory_order_acquire));
  }
  if (queue->free_reporter != NULL) {
    queue->free_reporter(queue->reporter);
  }
  for (size_t i = 0; i < queue->thrown_count; i++) {
    if (queue->thrown[i].object != NULL) {
      queue->thrown[i].free_object(queue->thrown[i].object);
    }
  }
  tn_free(queue->thrown);
}
