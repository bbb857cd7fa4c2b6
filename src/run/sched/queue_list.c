// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All queues there are, by which a device's are waited for. Source: the SYCL extension
// sycl_ext_oneapi_device_wait.
#include "base/alloc.h"
#include "run/sched/queue_state.h"
#include "run/sched/sched.h"

static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static tn_queue *first TN_GUARDED_BY(&mu);
static tn_queue **end TN_GUARDED_BY(&mu) = &first;  // the oldest comes first

void tn_queue_list_add(tn_queue *queue) {
  tn_mutex_lock(&mu);
  queue->before_listed = end;
  *end = queue;
  end = &queue->next_listed;
  tn_mutex_unlock(&mu);
}

void tn_queue_list_remove(tn_queue *queue) {
  tn_mutex_lock(&mu);
  if (queue->before_listed != NULL) {
    *queue->before_listed = queue->next_listed;
    if (queue->next_listed != NULL) {
      queue->next_listed->before_listed = queue->before_listed;
    } else {
      end = queue->before_listed;
    }
  }
  tn_mutex_unlock(&mu);
}

size_t tn_device_get_queues(tn_device *device, tn_queue **out, size_t capacity) {
  size_t count = 0;
  tn_mutex_lock(&mu);
  for (tn_queue *queue = first; queue != NULL; queue = queue->next_listed) {
    if (queue->device != device && queue->device->listed != device) {
      continue;
    }
    if (count >= capacity) {
      count++;
    } else if (tn_queue_try_retain(queue)) {
      out[count++] = queue;
    }
  }
  tn_mutex_unlock(&mu);
  return count;
}

static void release_all(tn_queue **queues, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_queue_release(queues[i]);
  }
  tn_free(queues);
}

tn_status tn_device_wait(tn_device *device, tn_diag *diag) {
  if (device == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_device_wait: the device is NULL");
  }
  const size_t capacity = tn_device_get_queues(device, NULL, 0);
  if (capacity == 0) {
    return TN_OK;
  }
  tn_queue **queues = tn_alloc_array(capacity, sizeof(*queues));
  if (queues == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a list of %zu queues", capacity);
  }
  // A queue that is made in between comes last; its commands need not be waited for.
  size_t count = tn_device_get_queues(device, queues, capacity);
  count = count < capacity ? count : capacity;
  tn_status status = TN_OK;
  for (size_t i = 0; i < count; i++) {  // all of them, whatever one says
    tn_diag failure = {0};
    const tn_status finished = tn_queue_finish(queues[i], &failure);
    if (finished != TN_OK && status == TN_OK) {
      status = finished;
      if (diag != NULL) {
        *diag = failure;
      }
    }
  }
  release_all(queues, count);
  return status;
}
