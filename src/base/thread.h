// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads, mutexes and conditions over pthreads, annotated for clang's thread safety analysis and
// ranked (docs/locks.md); debug builds assert the rank per thread.
#ifndef TN_BASE_THREAD_H
#define TN_BASE_THREAD_H

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

#if defined(__clang__)
#define TN_THREAD_ATTR(x) __attribute__((x))
#else
#define TN_THREAD_ATTR(x)
#endif
#define TN_CAPABILITY TN_THREAD_ATTR(capability("mutex"))
#define TN_GUARDED_BY(m) TN_THREAD_ATTR(guarded_by(m))
#define TN_REQUIRES(m) TN_THREAD_ATTR(requires_capability(m))
#define TN_ACQUIRES(m) TN_THREAD_ATTR(acquire_capability(m))
#define TN_RELEASES(m) TN_THREAD_ATTR(release_capability(m))
#define TN_EXCLUDES(m) TN_THREAD_ATTR(locks_excluded(m))
#define TN_NO_ANALYSIS TN_THREAD_ATTR(no_thread_safety_analysis)

// A lower rank is taken first: a thread may only lock a mutex of a higher rank than those it holds.
typedef enum tn_lock_rank {
  TN_RANK_DEVICES = 10,
  TN_RANK_CONTEXT = 20,
  TN_RANK_QUEUE = 30,
  TN_RANK_BUFFER = 40,
  TN_RANK_GRAPH = 50,
  TN_RANK_FAILURE_ORIGINS = 55,
  TN_RANK_BUNDLE = 58,
  TN_RANK_PROGRAM_CACHE = 60,
  TN_RANK_REGISTRY = 80,
  TN_RANK_ADAPTER = 90,
  TN_RANK_POOL = 100,
  TN_RANK_LEAF = 1000,
} tn_lock_rank;

typedef struct TN_CAPABILITY tn_mutex {
  pthread_mutex_t native;
  int rank;
} tn_mutex;

typedef struct tn_cond {
  pthread_cond_t native;
} tn_cond;

// For mutexes of static storage: static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_REGISTRY);
#define TN_MUTEX_INIT(r) {PTHREAD_MUTEX_INITIALIZER, (r)}
#define TN_COND_INIT {PTHREAD_COND_INITIALIZER}

void tn_mutex_init(tn_mutex *mutex, tn_lock_rank rank);
void tn_mutex_deinit(tn_mutex *mutex);
void tn_mutex_lock(tn_mutex *mutex) TN_ACQUIRES(mutex);
bool tn_mutex_try_lock(tn_mutex *mutex) TN_THREAD_ATTR(try_acquire_capability(true, mutex));
void tn_mutex_unlock(tn_mutex *mutex) TN_RELEASES(mutex);

void tn_cond_init(tn_cond *cond);
void tn_cond_deinit(tn_cond *cond);
void tn_cond_wait(tn_cond *cond, tn_mutex *mutex) TN_REQUIRES(mutex);
// False when `ns` nanoseconds passed without a signal.
bool tn_cond_wait_for(tn_cond *cond, tn_mutex *mutex, uint64_t ns) TN_REQUIRES(mutex);
void tn_cond_signal(tn_cond *cond);
void tn_cond_broadcast(tn_cond *cond);

typedef pthread_t tn_thread;
typedef void *(*tn_thread_fn)(void *arg);
TN_MUST_USE tn_status tn_thread_create(tn_thread *out, const char *name, tn_thread_fn fn, void *arg,
                                       tn_diag *diag);
// With a stack of that many bytes, of which memory is taken as it is used.
TN_MUST_USE tn_status tn_thread_create_deep(tn_thread *out, const char *name, size_t stack_size,
                                            tn_thread_fn fn, void *arg, tn_diag *diag);
void tn_thread_join(tn_thread thread);
void tn_thread_detach_self(void);  // nobody joins the calling thread

// Threads that work beside the calling one: `size` with that one, TN_THREAD_TEAM_MAXIMUM at most.
// One that cannot be started is only missed.
enum { TN_THREAD_TEAM_MAXIMUM = 256 };
typedef struct tn_thread_team {
  tn_thread threads[TN_THREAD_TEAM_MAXIMUM - 1];
  size_t count;
} tn_thread_team;
void tn_thread_team_start(tn_thread_team *team, const char *name, size_t size, tn_thread_fn fn,
                          void *arg);
void tn_thread_team_join(tn_thread_team *team);

// Bytes that are left of the calling thread's stack; 0 when the thread is on other memory, as
// fibers are. The first call of a thread may read files.
size_t tn_thread_stack_left(void);

size_t tn_thread_core_count(void);  // cores this process may use, at least 1
uint64_t tn_time_ns(void);          // monotonic
void tn_thread_yield(void);         // lets another thread run
static inline void tn_thread_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Reference counts: up relaxed, down acquire-release.
typedef struct tn_weak tn_weak;  // base/weak.h
typedef struct tn_ref {
  _Atomic uint32_t count;
  tn_weak *_Atomic weak;  // counted; NULL until the first weak reference to the object
} tn_ref;
// For objects of static storage.
#define TN_REF_INIT {1, NULL}
void tn_ref_expire(tn_ref *ref);
static inline void tn_ref_init(tn_ref *ref) {
  atomic_init(&ref->count, 1);
  atomic_init(&ref->weak, NULL);
}
static inline void tn_ref_up(tn_ref *ref) {
  atomic_fetch_add_explicit(&ref->count, 1, memory_order_relaxed);
}
// False, and no reference, when the last one is gone.
static inline bool tn_ref_try_up(tn_ref *ref) {
  uint32_t count = atomic_load_explicit(&ref->count, memory_order_relaxed);
  while (count != 0 &&
         !atomic_compare_exchange_weak_explicit(&ref->count, &count, count + 1,
                                                memory_order_acquire, memory_order_relaxed)) {
  }
  return count != 0;
}
// True when this was the last reference.
static inline bool tn_ref_down(tn_ref *ref) {
  if (atomic_fetch_sub_explicit(&ref->count, 1, memory_order_acq_rel) != 1) {
    return false;
  }
  if (atomic_load_explicit(&ref->weak, memory_order_acquire) != NULL) {
    tn_ref_expire(ref);
  }
  return true;
}

#endif
