// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exit handlers run last in, first out, and LLVM registers destructors of objects that it makes
// while it compiles. So a handler is registered after each of the first builds: it comes before the
// destructors of all that those builds made, waits for the builds that run, and lets no more begin.
#include "rtc/compiler_end.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <stdlib.h>

enum { HANDLERS_MAXIMUM = 64 };  // later builds hardly meet code that none has met before

static tn_mutex end_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static tn_cond all_left = TN_COND_INIT;
static size_t inside_count TN_GUARDED_BY(&end_mu);
static size_t handler_count TN_GUARDED_BY(&end_mu);
static bool is_over TN_GUARDED_BY(&end_mu);
static _Thread_local size_t inside_here;  // of inside_count, by this thread

// LLVM itself may call exit, for what it takes for a fatal error: this thread is not waited for.
static void end_compiling(void) {
  tn_mutex_lock(&end_mu);
  is_over = true;
  while (inside_count > inside_here) {
    tn_cond_wait(&all_left, &end_mu);
  }
  tn_mutex_unlock(&end_mu);
}

void tn_compiler_abandon(void *what) {
  typedef struct abandoned {
    void *what;
    struct abandoned *next;
  } abandoned;
  static _Atomic(abandoned *) all;
  abandoned *entry = tn_alloc(sizeof(*entry));
  if (!entry) {
    return;
  }
  entry->what = what;
  entry->next = atomic_load_explicit(&all, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&all, &entry->next, entry, memory_order_release,
                                                memory_order_relaxed)) {
  }
}

tn_status tn_compiler_enter(tn_diag *diag) {
  tn_mutex_lock(&end_mu);
  const bool may_enter = !is_over;
  inside_count += may_enter ? 1 : 0;
  tn_mutex_unlock(&end_mu);
  inside_here += may_enter ? 1 : 0;
  return may_enter ? TN_OK
                   : TN_FAIL(diag, BUILD_FAILED,
                             "the process is ending and the compiler with it: "
                             "launch the kernel once before main returns, or compile it ahead of "
                             "time (-fsycl-targets=)");
}

void tn_compiler_leave(void) {
  inside_here--;
  tn_mutex_lock(&end_mu);
  inside_count--;
  tn_cond_broadcast(&all_left);
  const bool wants_handler = handler_count < HANDLERS_MAXIMUM && !is_over;
  handler_count += wants_handler ? 1 : 0;
  tn_mutex_unlock(&end_mu);
  if (wants_handler) {
    (void)atexit(end_compiling);
  }
}
