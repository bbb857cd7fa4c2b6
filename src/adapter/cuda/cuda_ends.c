// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Noticing the ends of commands.
//
//   given, with an event behind it ──> running ── the event is there ──> ended ──> done is called
//
// Who waits asks for the ends of what runs (help), and so does every LOOK_EVERY-th command, and a
// thread, the watcher: every millisecond, or, when a thread sleeps until an end (flush), all the
// time. Asking more often than that costs the threads that launch more than it gives.
//
// 1. No driver is called and nobody told under the lock.
// 2. One thread at a time asks for ends; what it asks about is taken from `running` as a whole, and
//    what still runs is put back in front.
// 3. A command is told after all that it was ordered behind on the device: when something in the
//    list has ended, what comes before it and seemed not to have is asked about again.
// 4. `ended` is emptied one by one, as whoever is told may wait for another of them.
#include "adapter/cuda/cuda_work.h"
#include "base/alloc.h"

#include <sched.h>
#include <time.h>

enum { LOOK_EVERY = 32, TICK_NS = 1000000, IDLE_TICKS = 20 };

static void free_work(tn_adapter_device *device, tn_cuda_work *work) {
  const tn_cu_event events[] = {work->start, work->end, work->place};
  for (size_t i = 0; i < TN_COUNT(events); i++) {
    if (events[i]) {
      (void)device->driver->event_destroy(events[i]);
    }
  }
  tn_free(work);
}

tn_cuda_work *tn_cuda_work_take(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  tn_cuda_work *work = device->spare;
  if (work) {
    device->spare = work->next;
  }
  tn_mutex_unlock(&device->work_mu);
  return work ? work : tn_alloc(sizeof(*work));
}

void tn_cuda_work_give_back(tn_adapter_device *device, tn_cuda_work *work) {
  tn_mutex_lock(&device->work_mu);
  work->next = device->spare;
  device->spare = work;
  tn_mutex_unlock(&device->work_mu);
}

// ---- Lists

static void wake_watcher(tn_adapter_device *device) TN_REQUIRES(&device->work_mu) {
  if (device->is_asleep) {
    device->is_asleep = false;
    tn_cond_signal(&device->work_cond);
  }
}

// True for every LOOK_EVERY-th.
bool tn_cuda_ends_add(tn_adapter_device *device, tn_cuda_work *work) {
  work->next = NULL;
  tn_mutex_lock(&device->work_mu);
  const bool is_turn = ++device->work_count % LOOK_EVERY == 0;
  if (work->stream) {
    work->number =
        atomic_fetch_add_explicit(&work->stream->given_count, 1, memory_order_release) + 1;
  }
  if (device->running) {
    device->running_last->next = work;
  } else {
    device->running = work;
  }
  device->running_last = work;
  wake_watcher(device);
  tn_mutex_unlock(&device->work_mu);
  return is_turn;
}

static void put_back(tn_adapter_device *device, tn_cuda_work *first, tn_cuda_work *last)
    TN_REQUIRES(&device->work_mu) {
  if (first) {
    last->next = device->running;
    device->running_last = device->running ? device->running_last : last;
    device->running = first;
  }
}

static void add_ended(tn_adapter_device *device, tn_cuda_work *work) TN_REQUIRES(&device->work_mu) {
  work->next = NULL;
  if (device->ended) {
    device->ended_last->next = work;
  } else {
    device->ended = work;
  }
  device->ended_last = work;
}

static bool is_idle(const tn_adapter_device *device) TN_REQUIRES(&device->work_mu) {
  return !device->running && !device->ended && !device->is_looked_at;
}

// ---- Looking for ends

static uint64_t time_of(const tn_adapter_device *device, tn_cu_event event) {
  float ms = 0;
  const tn_cu_result result = device->driver->event_elapsed(&ms, device->origin, event);
  return result == TN_CU_SUCCESS && ms > 0 ? device->origin_ns + (uint64_t)((double)ms * 1e6)
                                           : tn_time_ns();
}

static void ask(tn_adapter_device *device, tn_cuda_work *work) {
  work->result = tn_cuda_ask_event(device, work->awaited);
  work->has_ended = work->result != TN_CU_NOT_READY;
}

static void read_times(tn_adapter_device *device, tn_cuda_work *work) {
  const bool is_measured = work->has_times && work->result == TN_CU_SUCCESS;
  work->start_ns = is_measured ? time_of(device, work->start) : tn_time_ns();
  work->end_ns = is_measured ? time_of(device, work->end) : work->start_ns;
}

// The work of a stream from its first in the list on; NULL behind the last.
static tn_cuda_work *next_of_stream(const tn_cuda_work *work) {
  tn_cuda_work *next = work->next;
  while (next && next->stream != work->stream) {
    next = next->next;
  }
  return next;
}

static tn_cuda_work *nth_of_stream(tn_cuda_work *work, size_t n) {
  while (n-- > 0) {
    work = next_of_stream(work);
  }
  return work;
}

// Of the first `count`, those up to `number` have ended.
static void end_first(tn_cuda_work *first, size_t count, uint64_t number, tn_cu_result result) {
  for (; count > 0; count--) {
    if (!first->has_ended && first->number <= number) {
      first->has_ended = true;
      first->result = result;
    }
    first = next_of_stream(first);
  }
}

// Whether it has ended, as the stream was waited for meanwhile.
static bool was_waited_for(const tn_cuda_work *work) {
  return work->number <= atomic_load_explicit(&work->stream->ended_count, memory_order_acquire);
}

// A stream's commands end in its order: a few questions find those that have ended. The first
// question after an end costs the driver ten times as much as any other. Two threads that gave
// commands to the stream at a time may have noted them here in the other order: the driver is
// asked about such a command alone (ask_all).
static void ask_stream(tn_adapter_device *device, tn_cuda_work *first) {
  enum { QUESTIONS = 4 };
  size_t count = 0;
  size_t ended = 0;
  for (tn_cuda_work *work = first; work; work = next_of_stream(work)) {
    work->is_asked = true;
    count++;
    ended += ended + 1 == count && was_waited_for(work) ? 1 : 0;
  }
  end_first(first, ended, UINT64_MAX, TN_CU_SUCCESS);
  size_t running = count;  // no more than that many have ended
  for (int i = 0; i < QUESTIONS && ended < running; i++) {
    const size_t at = i == 0 ? count - 1 : ended + (running - ended - 1) / 2;
    tn_cuda_work *work = nth_of_stream(first, at);
    ask(device, work);
    if (work->has_ended) {
      end_first(first, at, work->number_before, work->result);
      ended = at + 1;
    } else {
      running = at;
    }
  }
}

static void ask_all(tn_adapter_device *device, tn_cuda_work *first) {
  tn_cuda_entry entry;
  tn_diag failure = {0};
  const bool is_in = tn_cuda_enter(device, &entry, &failure) == TN_OK;
  tn_cuda_work *last_ended = NULL;
  for (tn_cuda_work *work = first; work; work = work->next) {
    if (!is_in) {  // the context is gone
      work->has_ended = true;
      work->result = failure.native_code != 0 ? (tn_cu_result)failure.native_code : TN_CU_UNKNOWN;
    } else if (!work->stream) {
      ask(device, work);
    } else if (!work->is_asked) {
      ask_stream(device, work);
    }
    last_ended = work->has_ended ? work : last_ended;
  }
  for (tn_cuda_work *work = first; last_ended && work != last_ended; work = work->next) {
    if (!work->has_ended) {
      ask(device, work);
    }
  }
  for (tn_cuda_work *work = first; work; work = work->next) {
    work->is_asked = false;
    if (work->has_ended) {
      read_times(device, work);
    }
  }
  if (is_in) {
    tn_cuda_leave(device, &entry);
  }
}

static void sort_out(tn_adapter_device *device, tn_cuda_work *first) TN_REQUIRES(&device->work_mu) {
  tn_cuda_work *kept = NULL;
  tn_cuda_work *kept_last = NULL;
  while (first) {
    tn_cuda_work *work = first;
    first = work->next;
    if (work->has_ended) {
      add_ended(device, work);
      continue;
    }
    if (kept) {
      kept_last->next = work;
    } else {
      kept = work;
    }
    kept_last = work;
  }
  put_back(device, kept, kept_last);
}

static void finish(tn_adapter_device *device, tn_cuda_work *work) {
  const tn_adapter_done_fn done = work->done;
  void *user = work->user;
  const uint64_t start = work->start_ns;
  const uint64_t end = work->end_ns > start ? work->end_ns : start;
  if (work->result == TN_CU_SUCCESS) {
    tn_cuda_work_give_back(device, work);
    done(user, TN_OK, NULL, start, end);
    return;
  }
  char what[512];
  tn_diag diag = {0};
  tn_cuda_say_what(device, work->kernel, what, sizeof(what));
  const tn_status status = tn_cuda_device_fail(device, work->result, what, &diag);
  tn_cuda_work_give_back(device, work);
  done(user, status, &diag, start, end);
}

// True when there was anybody to tell.
static bool tell(tn_adapter_device *device) {
  for (bool has_told = false;; has_told = true) {
    tn_mutex_lock(&device->work_mu);
    tn_cuda_work *work = device->ended;
    if (work) {
      device->ended = work->next;
    }
    tn_mutex_unlock(&device->work_mu);
    if (!work) {
      return has_told;
    }
    finish(device, work);
  }
}

// Tells of all that has ended. True when there was any.
bool tn_cuda_ends_look(tn_adapter_device *device) {
  tn_cuda_work *work = NULL;
  tn_mutex_lock(&device->work_mu);
  if (!device->is_looked_at && device->running) {
    work = device->running;
    device->running = NULL;
    device->is_looked_at = true;
  }
  tn_mutex_unlock(&device->work_mu);
  if (work) {
    ask_all(device, work);
    tn_mutex_lock(&device->work_mu);
    sort_out(device, work);
    device->is_looked_at = false;
    tn_mutex_unlock(&device->work_mu);
  }
  return tell(device);
}

tn_cu_result tn_cuda_sync_stream(tn_adapter_stream *stream) {
  tn_adapter_device *device = stream->device;
  const uint64_t given = atomic_load_explicit(&stream->given_count, memory_order_acquire);
  const tn_cu_result result = device->driver->stream_sync(stream->handle);
  if (result == TN_CU_SUCCESS) {
    uint64_t known = atomic_load_explicit(&stream->ended_count, memory_order_relaxed);
    while (known < given &&
           !atomic_compare_exchange_weak_explicit(&stream->ended_count, &known, given,
                                                  memory_order_release, memory_order_relaxed)) {
    }
  }
  (void)tn_cuda_ends_look(device);
  return result;
}

// The event may belong to another command by the time it is waited for: then the wait is for one
// that was given as well, and whoever called looks again.
bool tn_cuda_await(tn_adapter_device *device, const void *user) {
  tn_cuda_entry entry;
  tn_cu_event event = NULL;
  tn_mutex_lock(&device->work_mu);
  for (const tn_cuda_work *work = device->running; work && !event; work = work->next) {
    event = work->user == user ? work->awaited : NULL;
  }
  tn_mutex_unlock(&device->work_mu);
  if (!event || tn_cuda_enter(device, &entry, NULL) != TN_OK) {
    return false;
  }
  (void)device->driver->event_sync(event);
  tn_cuda_leave(device, &entry);
  (void)tn_cuda_ends_look(device);
  return true;
}

bool tn_cuda_help(tn_adapter_device *device) { return tn_cuda_ends_look(device); }

// ---- The watcher

void tn_cuda_flush(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  if (!device->is_urgent) {
    device->is_urgent = true;
    device->is_asleep = false;
    tn_cond_signal(&device->work_cond);
  }
  tn_mutex_unlock(&device->work_mu);
}

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

// Until there is something to look for. False at the end.
static bool wait_for_work(tn_adapter_device *device, uint32_t *idle_ticks, bool *out_urgent) {
  tn_mutex_lock(&device->work_mu);
  if (is_idle(device)) {
    device->is_urgent = false;
    device->is_asleep = ++*idle_ticks > IDLE_TICKS;
  } else {
    *idle_ticks = 0;
  }
  while (device->is_asleep && !device->is_ending) {
    tn_cond_wait(&device->work_cond, &device->work_mu);
    *idle_ticks = 0;
  }
  if (!device->is_urgent && !device->is_ending) {
    (void)tn_cond_wait_for(&device->work_cond, &device->work_mu, TICK_NS);
  }
  *out_urgent = device->is_urgent;
  const bool is_ending = device->is_ending;
  tn_mutex_unlock(&device->work_mu);
  return !is_ending;
}

static void *watch(void *arg) {
  tn_adapter_device *device = arg;
  uint32_t idle_ticks = 0;
  uint32_t idle_count = 0;
  bool is_urgent = false;
  while (wait_for_work(device, &idle_ticks, &is_urgent)) {
    if (tn_cuda_ends_look(device) || !is_urgent) {
      idle_count = 0;
    } else {
      rest(&idle_count);
    }
  }
  return NULL;
}

tn_status tn_cuda_ends_start(tn_adapter_device *device, tn_diag *diag) {
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

void tn_cuda_work_end(tn_adapter_device *device) {
  tn_mutex_lock(&device->work_mu);
  const bool has_watcher = device->has_watcher;
  device->is_ending = true;
  tn_cond_broadcast(&device->work_cond);
  tn_mutex_unlock(&device->work_mu);
  if (has_watcher) {
    tn_thread_join(device->watcher);
    (void)tn_cuda_ends_look(device);  // commands that ended since the watcher's last look
  }
  tn_mutex_lock(&device->work_mu);
  tn_cuda_work *spare = device->spare;  // not before: the watcher gives some back
  device->spare = NULL;
  tn_mutex_unlock(&device->work_mu);
  tn_cuda_entry entry;
  const bool is_in = spare && tn_cuda_enter(device, &entry, NULL) == TN_OK;
  while (spare) {
    tn_cuda_work *next = spare->next;
    free_work(device, spare);
    spare = next;
  }
  if (is_in) {
    tn_cuda_leave(device, &entry);
  }
}
