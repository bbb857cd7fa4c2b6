// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runner of jobs, as its children and the signal thread see it. Private to the driver.
#ifndef TN_COMPILE_DRIVER_JOB_RUN_H
#define TN_COMPILE_DRIVER_JOB_RUN_H

#include "base/process.h"
#include "base/thread.h"
#include "compile/driver/plan.h"

typedef struct tn_runner {
  tn_plan *plan;      // borrowed
  tn_mutex mutex;
  tn_cond changed;    // a job ended, or the run was interrupted
  size_t left TN_GUARDED_BY(&mutex);      // jobs neither done nor failed
  bool failed TN_GUARDED_BY(&mutex);
  int interrupted TN_GUARDED_BY(&mutex);  // the signal, or 0
  bool is_over TN_GUARDED_BY(&mutex);     // the workers have ended
  bool has_said_version TN_GUARDED_BY(&mutex);  // of -v
  uint64_t started_ns;
  bool shows_progress;                    // standard error is a terminal
  size_t progress_width TN_GUARDED_BY(&mutex);  // of the line that is shown; 0 = none
} tn_runner;

// On a terminal, once a run takes longer than a person waits: one line, rewritten, with what is
// being done. The watch waits for that moment.
TN_MUST_USE bool tn_progress_open(tn_runner *runner, tn_thread *out);
void tn_progress_show(tn_runner *runner) TN_REQUIRES(&runner->mutex);
// Before anything else is printed, and at the end.
void tn_progress_clear(tn_runner *runner) TN_REQUIRES(&runner->mutex);

// --save-temps: "OUTPUT.stages.txt", every stage with its file, size and time.
void tn_stage_table_write(const tn_plan *plan);

// Where a child's output and error go; NULL leaves ours in place.
typedef struct tn_child {
  tn_buf *output;
  tn_buf *error;
  // Not NULL: it preprocesses, and may leave out what is told here (tn_preamble_find_print).
  tn_preamble_use *text;
  const tn_args *compilation;  // with that: of the same source, whose precompiled headers fit
} tn_child;

// Starts a child in a job's name, unless the run was interrupted; pairs with tn_job_ended.
TN_MUST_USE tn_status tn_job_start(tn_job *job, const char *const *argv, uint32_t flags,
                                   tn_process *out, tn_diag *diag);
void tn_job_ended(tn_job *job);
// -v: whether what Clang is has still to be told; once.
TN_MUST_USE bool tn_runner_take_version(void);
// Clang begins and ends to run for it in this process.
void tn_job_inside(tn_job *job, bool is_inside);
TN_MUST_USE tn_status tn_child_run(const tn_plan *plan, tn_job *job, const tn_args *args,
                                   const tn_child *child, int *out_exit, tn_diag *diag);

// What the device pass said and the host pass did not.
void tn_messages_filter(tn_str device, tn_str host, tn_buf *out);

// Takes SIGINT, SIGTERM, SIGHUP and SIGPIPE, unless the caller has us ignore them, in a thread of
// its own while the jobs run: children are told to end, and the command ends as one that failed,
// then by the signal.
typedef struct tn_interrupts tn_interrupts;
TN_MUST_USE tn_status tn_interrupts_open(tn_runner *runner, tn_arena *arena, tn_interrupts **out,
                                         tn_diag *diag);
void tn_interrupts_close(tn_interrupts *interrupts);  // NULL-safe
void tn_runner_stop_children(tn_runner *runner) TN_REQUIRES(&runner->mutex);

#endif
