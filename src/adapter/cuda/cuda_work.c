// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting commands, and noticing their ends. All dependencies are complete when a command comes,
// so any stream does. A thread of ours asks for the ends of what runs, and so does a thread that
// waits (help): the list of what runs is taken by one of them at a time, and no driver is called
// and nobody told under the lock.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>

struct tn_cuda_work {
  tn_cuda_work *next;
  tn_cu_event start;
  tn_cu_event end;
  tn_cu_event watched;  // another's, in place of `end`
  bool has_times;
  tn_adapter_done_fn done;
  void *user;
  tn_cu_result result;  // of the last look
  char what[400];       // for what went wrong on the device
};

static void free_work(tn_adapter_device *device, tn_cuda_work *work) {
  if (work && work->start) {
    (void)device->driver->event_destroy(work->start);
  }
  if (work && work->end) {
    (void)device->driver->event_destroy(work->end);
  }
  tn_free(work);
}

static tn_cuda_work *take_spare(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  tn_cuda_work *work = device->spare;
  if (work) {
    device->spare = work->next;
  }
  tn_mutex_unlock(&device->work_mu);
  return work;
}

static tn_status take_work(tn_adapter_device *device, tn_cuda_work **out, tn_diag *diag) {
  *out = take_spare(device);
  if (*out) {
    return TN_OK;
  }
  tn_cuda_work *work = tn_alloc(sizeof(*work));
  if (!work) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for a command", device->name);
  }
  tn_cu_result result = device->driver->event_create(&work->start, TN_CU_EVENT_TIMED);
  if (result == TN_CU_SUCCESS) {
    result = device->driver->event_create(&work->end, TN_CU_EVENT_TIMED);
  }
  if (result != TN_CU_SUCCESS) {
    free_work(device, work);
    return tn_cuda_fail(device->driver, result, device->name, diag);
  }
  *out = work;
  return TN_OK;
}

static void give_spare(tn_adapter_device *device, tn_cuda_work *work) {
  tn_mutex_lock(&device->work_mu);
  work->next = device->spare;
  device->spare = work;
  tn_mutex_unlock(&device->work_mu);
}

static uint64_t time_of(const tn_adapter_device *device, tn_cu_event event) {
  float ms = 0;
  const tn_cu_result result = device->driver->event_elapsed(&ms, device->origin, event);
  return result == TN_CU_SUCCESS && ms > 0 ? device->origin_ns + (uint64_t)((double)ms * 1e6)
                                           : tn_time_ns();
}

static void finish(tn_adapter_device *device, tn_cuda_work *work, tn_cu_result result) {
  const tn_adapter_done_fn done = work->done;
  void *user = work->user;
  if (result == TN_CU_SUCCESS) {
    const uint64_t start = work->has_times ? time_of(device, work->start) : tn_time_ns();
    const uint64_t end = work->has_times ? time_of(device, work->end) : start;
    give_spare(device, work);
    done(user, TN_OK, NULL, start, end > start ? end : start);
    return;
  }
  tn_diag diag = {0};
  const tn_status status = tn_cuda_fail(device->driver, result, work->what, &diag);
  const uint64_t now = tn_time_ns();
  give_spare(device, work);
  done(user, status, &diag, now, now);
}

static void put_back(tn_adapter_device *device, tn_cuda_work *first) {
  if (!first) {
    return;
  }
  tn_mutex_lock(&device->work_mu);
  tn_cuda_work **end = &device->running;
  while (*end) {
    end = &(*end)->next;
  }
  *end = first;
  tn_cond_signal(&device->work_cond);  // the watcher may have found the list empty meanwhile
  tn_mutex_unlock(&device->work_mu);
}

// Tells of all that has ended. True when there was any.
static bool look(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  tn_cuda_work *work = device->running;
  device->running = NULL;
  tn_mutex_unlock(&device->work_mu);
  tn_cuda_entry entry;
  if (!work || tn_cuda_enter(device, &entry, NULL) != TN_OK) {
    put_back(device, work);
    return false;
  }
  tn_cuda_work *kept = NULL;
  tn_cuda_work **kept_end = &kept;
  tn_cuda_work *ended = NULL;
  tn_cuda_work **ended_end = &ended;
  while (work) {
    tn_cuda_work *next = work->next;
    tn_cuda_work ***list = &ended_end;
    const tn_cu_result result =
        device->driver->event_query(work->watched ? work->watched : work->end);
    if (result == TN_CU_NOT_READY) {
      list = &kept_end;
    }
    work->result = result;
    work->next = NULL;
    **list = work;
    *list = &work->next;
    work = next;
  }
  put_back(device, kept);
  const bool has_ended = ended != NULL;
  while (ended) {
    tn_cuda_work *next = ended->next;
    finish(device, ended, ended->result);
    ended = next;
  }
  tn_cuda_leave(device, &entry);
  return has_ended;
}

bool tn_cuda_help(tn_adapter_device *device) { return look(device); }

// Spins for a while, then looks every 20 microseconds.
static void rest(uint32_t *idle_count) {
  enum { SPINS = 2000 };
  if ((*idle_count)++ < SPINS) {
    (void)sched_yield();
    return;
  }
  const struct timespec pause = {0, 20000};
  (void)nanosleep(&pause, NULL);
}

static void *watch(void *arg) {
  tn_adapter_device *device = arg;
  uint32_t idle_count = 0;
  for (;;) {
    tn_mutex_lock(&device->work_mu);
    while (!device->running && !device->is_ending) {
      idle_count = 0;
      tn_cond_wait(&device->work_cond, &device->work_mu);
    }
    const bool is_ending = device->is_ending;
    tn_mutex_unlock(&device->work_mu);
    if (is_ending) {
      return NULL;
    }
    if (look(device)) {
      idle_count = 0;
    } else {
      rest(&idle_count);
    }
  }
}

static tn_status start_watcher(tn_adapter_device *device, tn_diag *diag) {
  tn_mutex_lock(&device->work_mu);
  const bool is_ours = !device->has_watcher;
  device->has_watcher = true;
  tn_mutex_unlock(&device->work_mu);
  if (!is_ours) {
    return TN_OK;
  }
  const tn_status status = tn_thread_create(&device->watcher, "tenon-cuda", watch, device, diag);
  if (status != TN_OK) {
    tn_mutex_lock(&device->work_mu);
    device->has_watcher = false;
    tn_mutex_unlock(&device->work_mu);
  }
  return status;
}

static tn_status start(tn_adapter_device *device, tn_cu_stream stream,
                       const tn_adapter_command *command, tn_cuda_work *work, tn_diag *diag) {
  const bool is_kernel = command && command->kind == TN_ADAPTER_KERNEL;
  (void)snprintf(work->what, sizeof(work->what), "%s%.100s on device %s",
                 is_kernel ? "kernel " : "",
                 is_kernel ? command->launch.kernel->name
                 : command ? "a copy"
                           : "what came before",
                 device->name);
  work->has_times = command && command->wants_times != 0;
  tn_cu_result result =
      work->has_times ? device->driver->event_record(work->start, stream) : TN_CU_SUCCESS;
  if (result != TN_CU_SUCCESS) {
    return tn_cuda_fail(device->driver, result, work->what, diag);
  }
  if (command) {
    TN_TRY(is_kernel ? tn_cuda_launch(device, &command->launch, stream, diag)
                     : tn_cuda_move(device, command, stream, diag));
  }
  result = device->driver->event_record(work->end, stream);
  if (result != TN_CU_SUCCESS) {
    (void)device->driver->stream_sync(stream);  // what failed runs no more
    return tn_cuda_fail(device->driver, result, work->what, diag);
  }
  return TN_OK;
}

// A piece of work that somebody waits for, and a watcher. The context is the thread's.
static tn_status prepare(tn_adapter_device *device, tn_adapter_done_fn done, void *user,
                         tn_cuda_work **out, tn_diag *diag) {
  TN_TRY(start_watcher(device, diag));
  TN_TRY(take_work(device, out, diag));
  (*out)->done = done;
  (*out)->user = user;
  (*out)->next = NULL;
  (*out)->watched = NULL;
  (*out)->has_times = false;
  return TN_OK;
}

tn_status tn_cuda_submit_in(tn_adapter_device *device, tn_cu_stream stream,
                            const tn_adapter_command *command, tn_adapter_done_fn done, void *user,
                            tn_diag *diag) {
  tn_cuda_entry entry;
  tn_cuda_work *work = NULL;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_status status = prepare(device, done, user, &work, diag);
  if (status == TN_OK) {
    status = start(device, stream, command, work, diag);
  }
  tn_cuda_leave(device, &entry);
  if (status != TN_OK && work) {
    give_spare(device, work);
  } else if (status == TN_OK) {
    put_back(device, work);
  }
  return status;
}

tn_status tn_cuda_submit(tn_adapter_device *device, const tn_adapter_command *command,
                         tn_adapter_done_fn done, void *user, tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));  // before that there are no streams
  tn_cuda_leave(device, &entry);
  const unsigned turn = atomic_fetch_add_explicit(&device->next_stream, 1, memory_order_relaxed);
  return tn_cuda_submit_in(device, device->streams[turn % TN_CUDA_STREAMS], command, done, user,
                           diag);
}

tn_status tn_cuda_watch(tn_adapter_device *device, tn_cu_event event, tn_adapter_done_fn done,
                        void *user, tn_diag *diag) {
  tn_cuda_entry entry;
  tn_cuda_work *work = NULL;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_status status = prepare(device, done, user, &work, diag);
  tn_cuda_leave(device, &entry);
  if (status == TN_OK) {
    work->watched = event;
    (void)snprintf(work->what, sizeof(work->what), "device %s", device->name);
    put_back(device, work);
  }
  return status;
}

void tn_cuda_work_end(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  const bool has_watcher = device->has_watcher;
  device->is_ending = true;
  tn_cond_broadcast(&device->work_cond);
  tn_cuda_work *spare = device->spare;
  device->spare = NULL;
  tn_mutex_unlock(&device->work_mu);
  if (has_watcher) {
    tn_thread_join(device->watcher);
  }
  tn_cuda_entry entry;
  if (spare && tn_cuda_enter(device, &entry, NULL) == TN_OK) {
    while (spare) {
      tn_cuda_work *next = spare->next;
      free_work(device, spare);
      spare = next;
    }
    tn_cuda_leave(device, &entry);
  }
}
