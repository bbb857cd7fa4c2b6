// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals while jobs run: nothing temporary and nothing half written stays behind.
#include <signal.h>

#include "base/file.h"
#include "compile/driver/job_run.h"

struct tn_interrupts {
  tn_runner *runner;
  sigset_t set;
  sigset_t before;
  tn_thread thread;
};

// SIGPIPE only when sent from outside: a write of ours to nobody is noticed by pipe_watch.c.
static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

// The run's end wakes the thread by a signal that means nothing else.
enum { INTERRUPT_PATIENCE_NS = 2000000000, WAKE_SIGNAL = SIGUSR1 };

// A step of ours cannot be told to end: after a while it is left behind with the process, and Clang
// in this process at once.
static void leave(tn_interrupts *interrupts, int number) {
  tn_plan *plan = interrupts->runner->plan;
  tn_plan_remove_outputs(plan, true);
  tn_temp_dir_remove(tn_str_copy(tn_str_from(plan->temp_dir)));
  sigset_t only;
  (void)sigemptyset(&only);
  (void)sigaddset(&only, number);
  (void)signal(number, SIG_DFL);
  (void)raise(number);
  (void)pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

// The signal that came, or 0 at the run's end.
static int wait_for_signal(tn_interrupts *interrupts) {
  tn_runner *runner = interrupts->runner;
  int number = WAKE_SIGNAL;
  bool is_over = false;
  while (number == WAKE_SIGNAL && !is_over) {
    if (sigwait(&interrupts->set, &number) != 0) {
      return 0;
    }
    tn_mutex_lock(&runner->mutex);
    is_over = runner->is_over;
    tn_mutex_unlock(&runner->mutex);
  }
  return is_over ? 0 : number;
}

// Whether anything runs that is told to end, or soon does.
static bool is_ending(const tn_runner *runner) TN_REQUIRES(&runner->mutex) {
  bool is_inside = false;
  for (size_t i = 0; i < runner->plan->jobs.count; i++) {
    const tn_job *job = runner->plan->jobs.items[i];
    if (job->state == TN_JOB_RUNNING && !job->is_inside) {
      return true;
    }
    is_inside = is_inside || job->state == TN_JOB_RUNNING;
  }
  return !is_inside;
}

static void *interrupts_main(void *arg) {
  tn_interrupts *interrupts = arg;
  tn_runner *runner = interrupts->runner;
  const int number = wait_for_signal(interrupts);
  if (number == 0) {
    return NULL;
  }
  tn_mutex_lock(&runner->mutex);
  bool is_over = runner->is_over;
  if (!is_over) {
    runner->interrupted = number;
    tn_runner_stop_children(runner);
    tn_cond_broadcast(&runner->changed);
    while (!runner->is_over && is_ending(runner) &&
           tn_cond_wait_for(&runner->changed, &runner->mutex, INTERRUPT_PATIENCE_NS)) {
    }
    is_over = runner->is_over;
  }
  tn_mutex_unlock(&runner->mutex);
  if (!is_over) {
    leave(interrupts, number);
  }
  return NULL;
}

tn_status tn_interrupts_open(tn_runner *runner, tn_arena *arena, tn_interrupts **out,
                             tn_diag *diag) {
  *out = NULL;
  tn_interrupts *interrupts = tn_arena_alloc(arena, sizeof(*interrupts));
  if (!interrupts) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to watch for signals");
  }
  interrupts->runner = runner;
  (void)sigemptyset(&interrupts->set);
  for (size_t i = 0; i < TN_COUNT(watched); i++) {
    struct sigaction now;
    // What the caller has us ignore stays so, as under nohup.
    if (sigaction(watched[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
      (void)sigaddset(&interrupts->set, watched[i]);
    }
  }
  (void)sigaddset(&interrupts->set, WAKE_SIGNAL);
  // Threads started from here on have them blocked too, so that only sigwait sees them.
  (void)pthread_sigmask(SIG_BLOCK, &interrupts->set, &interrupts->before);
  const tn_status status =
      tn_thread_create(&interrupts->thread, "signals", interrupts_main, interrupts, diag);
  if (status != TN_OK) {
    (void)pthread_sigmask(SIG_SETMASK, &interrupts->before, NULL);
    return status;
  }
  *out = interrupts;
  return TN_OK;
}

void tn_interrupts_close(tn_interrupts *interrupts) {
  if (!interrupts) {
    return;
  }
  (void)pthread_kill(interrupts->thread, WAKE_SIGNAL);
  tn_thread_join(interrupts->thread);
  (void)pthread_sigmask(SIG_SETMASK, &interrupts->before, NULL);
}
