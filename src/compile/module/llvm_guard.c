// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM takes for the end of the process ends a call instead: its handler of fatal errors never
// comes back, it jumps to where the call began.
#include "compile/module/module.h"

#include <llvm-c/ErrorHandling.h>

#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>

enum { REASON_SIZE = 1024 };

typedef struct guard {
  jmp_buf back;
  struct guard *outer;  // of this thread
  tn_status status;
  char reason[REASON_SIZE];
} guard;

static _Thread_local guard *innermost;

void *tn_llvm_guard_get(void) { return innermost; }

void tn_llvm_guard_leave(void *which, tn_status status, const char *reason) {
  guard *const it = which;
  if (!it) {
    return;
  }
  const tn_str text = tn_str_slice(tn_str_from(reason), 0, REASON_SIZE - 1);
  it->status = status;
  memcpy(it->reason, text.data, text.size);
  it->reason[text.size] = '\0';
  innermost = it->outer;
  longjmp(it->back, 1);
}

// On a thread without a guard LLVM goes on and exits; but what it says it leaves to the handler.
static void fatal_error(const char *reason) {
  tn_llvm_guard_leave(innermost, TN_BUILD_FAILED, reason);
  static const char head[] = "LLVM ERROR: ";
  const ssize_t written[] = {write(STDERR_FILENO, head, sizeof(head) - 1),
                             write(STDERR_FILENO, reason, strlen(reason)),
                             write(STDERR_FILENO, "\n", 1)};
  (void)written;
}

// LLVM does not say whose handler it had before. This one stays, so that who comes later has his.
static void install(void) { LLVMInstallFatalErrorHandler(fatal_error); }

tn_status tn_llvm_guard(void (*fn)(void *arg), void *arg, const char *what, tn_diag *diag) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, install);
  guard it;
  it.outer = innermost;
  it.status = TN_OK;
  if (setjmp(it.back) == 0) {
    innermost = &it;
    fn(arg);
    innermost = it.outer;
    return TN_OK;
  }
  return it.status == TN_OUT_OF_MEMORY
             ? TN_FAIL(diag, OUT_OF_MEMORY, "%s: LLVM has no memory to go on", what)
             : TN_FAIL(diag, BUILD_FAILED, "%s: %s", what, it.reason);
}
