// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads and locks over pthreads. Without NDEBUG each thread knows the locks it holds and asserts
// that a new one is of a higher rank (docs/locks.md).
#include "base/thread.h"

#include "base/alloc.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef NDEBUG
enum { HELD_MAXIMUM = 16 };
static _Thread_local const tn_mutex *held[HELD_MAXIMUM];
static _Thread_local size_t held_count;

static void assert_rank(const tn_mutex *mutex) {
  for (size_t i = 0; i < held_count; i++) {
    assert(held[i]->rank < mutex->rank && "a lock of this rank or a higher one is held already");
  }
}

static void note_locked(const tn_mutex *mutex) {
  assert(held_count < HELD_MAXIMUM && "a thread holds too many locks");
  held[held_count++] = mutex;
}

static void note_unlocked(const tn_mutex *mutex) {
  for (size_t i = held_count; i > 0; i--) {
    if (held[i - 1] == mutex) {
      memmove(&held[i - 1], &held[i], (held_count - i) * sizeof(held[0]));
      held_count--;
      return;
    }
  }
  assert(false && "this thread does not hold the lock it unlocks");
}

static void assert_held(const tn_mutex *mutex) {
  bool found = false;
  for (size_t i = 0; i < held_count; i++) {
    found = found || held[i] == mutex;
  }
  assert(found && "waiting needs the lock");
  (void)found;
}
#else
static inline void assert_rank(const tn_mutex *mutex) { (void)mutex; }
static inline void note_locked(const tn_mutex *mutex) { (void)mutex; }
static inline void note_unlocked(const tn_mutex *mutex) { (void)mutex; }
static inline void assert_held(const tn_mutex *mutex) { (void)mutex; }
#endif

void tn_mutex_init(tn_mutex *mutex, tn_lock_rank rank) {
  (void)pthread_mutex_init(&mutex->native, NULL);
  mutex->rank = (int)rank;
}

void tn_mutex_deinit(tn_mutex *mutex) { (void)pthread_mutex_destroy(&mutex->native); }

// The analysis sees the annotations of these three where they are used, not the pthread calls.
void tn_mutex_lock(tn_mutex *mutex) TN_NO_ANALYSIS {
  assert_rank(mutex);
  (void)pthread_mutex_lock(&mutex->native);
  note_locked(mutex);
}

// Trying cannot deadlock, so the rank is free here.
bool tn_mutex_try_lock(tn_mutex *mutex) TN_NO_ANALYSIS {
  if (pthread_mutex_trylock(&mutex->native) != 0) {
    return false;
  }
  note_locked(mutex);
  return true;
}

void tn_mutex_unlock(tn_mutex *mutex) TN_NO_ANALYSIS {
  note_unlocked(mutex);
  (void)pthread_mutex_unlock(&mutex->native);
}

void tn_cond_init(tn_cond *cond) { (void)pthread_cond_init(&cond->native, NULL); }

void tn_cond_deinit(tn_cond *cond) { (void)pthread_cond_destroy(&cond->native); }

void tn_cond_wait(tn_cond *cond, tn_mutex *mutex) {
  assert_held(mutex);
  (void)pthread_cond_wait(&cond->native, &mutex->native);
}

bool tn_cond_wait_for(tn_cond *cond, tn_mutex *mutex, uint64_t ns) {
  assert_held(mutex);
  const uint64_t second = 1000000000u;
  struct timespec until;
  (void)clock_gettime(CLOCK_MONOTONIC, &until);
  const uint64_t nanoseconds = (uint64_t)until.tv_nsec + ns % second;
  until.tv_sec += (time_t)(ns / second + nanoseconds / second);
  until.tv_nsec = (long)(nanoseconds % second);
  return pthread_cond_clockwait(&cond->native, &mutex->native, CLOCK_MONOTONIC, &until) == 0;
}

void tn_cond_signal(tn_cond *cond) { (void)pthread_cond_signal(&cond->native); }

void tn_cond_broadcast(tn_cond *cond) { (void)pthread_cond_broadcast(&cond->native); }

// A thread's own faults: a blocked one would end the process past the program's handlers.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

// Signals stay with the program's own threads: ours start with all others blocked.
static tn_status create(tn_thread *out, const char *name, const pthread_attr_t *attributes,
                        tn_thread_fn fn, void *arg, tn_diag *diag) {
  sigset_t all;
  sigset_t before;
  (void)sigfillset(&all);
  for (size_t i = 0; i < TN_COUNT(faults); i++) {
    (void)sigdelset(&all, faults[i]);
  }
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failed = tn_fault_hit() ? EAGAIN : pthread_create(out, attributes, fn, arg);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed != 0) {
    return TN_FAIL_NATIVE(diag, OUT_OF_MEMORY, failed, "thread %s could not be started: %s", name,
                          strerror(failed));
  }
  char short_name[16];  // the kernel's limit
  (void)snprintf(short_name, sizeof(short_name), "%.15s", name);
  (void)pthread_setname_np(*out, short_name);
  return TN_OK;
}

tn_status tn_thread_create(tn_thread *out, const char *name, tn_thread_fn fn, void *arg,
                           tn_diag *diag) {
  return create(out, name, NULL, fn, arg, diag);
}

tn_status tn_thread_create_deep(tn_thread *out, const char *name, size_t stack_size,
                                tn_thread_fn fn, void *arg, tn_diag *diag) {
  pthread_attr_t attributes;
  int failed = pthread_attr_init(&attributes);
  if (failed != 0) {
    return TN_FAIL_NATIVE(diag, OUT_OF_MEMORY, failed, "thread %s could not be started: %s", name,
                          strerror(failed));
  }
  failed = pthread_attr_setstacksize(&attributes, stack_size);
  const tn_status status =
      failed == 0 ? create(out, name, &attributes, fn, arg, diag)
                  : TN_FAIL_NATIVE(diag, INVALID_ARGUMENT, failed,
                                   "thread %s cannot have a stack of %zu bytes: %s", name,
                                   stack_size, strerror(failed));
  (void)pthread_attr_destroy(&attributes);
  return status;
}

void tn_thread_join(tn_thread thread) { (void)pthread_join(thread, NULL); }

void tn_thread_team_start(tn_thread_team *team, const char *name, size_t size, tn_thread_fn fn,
                          void *arg) {
  const size_t most = size < TN_THREAD_TEAM_MAXIMUM ? size : TN_THREAD_TEAM_MAXIMUM;
  team->count = 0;
  while (team->count + 1 < most &&
         tn_thread_create(&team->threads[team->count], name, fn, arg, NULL) == TN_OK) {
    team->count++;
  }
}

void tn_thread_team_join(tn_thread_team *team) {
  for (size_t i = 0; i < team->count; i++) {
    tn_thread_join(team->threads[i]);
  }
}

void tn_thread_detach_self(void) { (void)pthread_detach(pthread_self()); }

// Stays empty where the system does not know it.
static void read_stack(uintptr_t *out_end, size_t *out_size) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return;
  }
  void *end = NULL;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &end, &size) == 0) {
    *out_end = (uintptr_t)end;
    *out_size = size;
  }
  (void)pthread_attr_destroy(&attributes);
}

size_t tn_thread_stack_left(void) {
  static _Thread_local bool is_known;
  static _Thread_local uintptr_t end;  // the lowest address: stacks grow downwards
  static _Thread_local size_t size;
  if (!is_known) {
    is_known = true;
    read_stack(&end, &size);
  }
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here >= end && here - end <= size ? here - end : 0;
}

size_t tn_thread_core_count(void) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) {
    const int count = CPU_COUNT(&cores);
    return count > 0 ? (size_t)count : 1;
  }
  // A machine of more cores than the set holds.
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (size_t)online : 1;
}

void tn_thread_yield(void) { (void)sched_yield(); }

uint64_t tn_time_ns(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
