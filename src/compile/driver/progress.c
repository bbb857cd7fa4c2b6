// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run is doing, on a terminal: "[12/200] device pass of src/x.cpp", rewritten in place.
#include "compile/driver/job_run.h"

enum { PROGRESS_PATIENCE_NS = 2000000000, PROGRESS_COLUMNS = 78 };

static const char *kind_name(const tn_job *job) {
  switch (job->kind) {
    case TN_JOB_IDENTITY:
      return "identity";
    case TN_JOB_PASS:
      return job->is_device ? "device pass" : "host pass";
    case TN_JOB_DEPENDENCIES:
      return "dependency file";
    case TN_JOB_TEXT:
      return "preprocessed text";
    case TN_JOB_HEADER:
      return "precompiled header";
    case TN_JOB_UNIT:
      return "lowering of device code";
    case TN_JOB_EMBED:
      return "fat object";
    case TN_JOB_UNIT_LINK:
      return "device link";
    case TN_JOB_JOIN:
      return "joining of host objects";
    case TN_JOB_DEVICE_LINK:
      return "device link";
    case TN_JOB_WRAP:
      return "wrapper object";
    case TN_JOB_HOST_LINK:
      return "host link";
  }
  return "step";
}

void tn_job_describe(const tn_plan *plan, const tn_job *job, tn_buf *out) {
  const bool is_of_target = job->is_device || job->kind == TN_JOB_UNIT;
  tn_buf_add_format(out, "%s of %s", kind_name(job),
                    job->unit ? job->unit->name : plan->link_output);
  if (is_of_target && plan->command->target_count > 1) {
    tn_buf_add_format(out, " for %s", plan->command->targets[job->target].word);
  }
}

void tn_progress_clear(tn_runner *runner) {
  if (runner->progress_width > 0) {
    (void)fprintf(runner->plan->err, "\r%*s\r", (int)runner->progress_width, "");
    (void)fflush(runner->plan->err);
    runner->progress_width = 0;
  }
}

// The job that has been running longest: it is what one waits for.
static const tn_job *slowest(const tn_plan *plan) {
  const tn_job *found = NULL;
  for (size_t i = 0; i < plan->jobs.count; i++) {
    const tn_job *job = plan->jobs.items[i];
    if (job->state == TN_JOB_RUNNING && (!found || job->started_ns < found->started_ns)) {
      found = job;
    }
  }
  return found;
}

void tn_progress_show(tn_runner *runner) {
  if (!runner->shows_progress || tn_time_ns() - runner->started_ns < PROGRESS_PATIENCE_NS) {
    return;
  }
  const tn_job *job = slowest(runner->plan);
  if (!job) {
    tn_progress_clear(runner);
    return;
  }
  const size_t count = runner->plan->jobs.count;
  tn_buf line;
  tn_buf_init(&line, 1 << 16);
  tn_buf_add_format(&line, "[%zu/%zu] ", count - runner->left, count);
  tn_job_describe(runner->plan, job, &line);
  const tn_str shown = tn_str_slice(tn_buf_str(&line), 0, PROGRESS_COLUMNS);
  // Written over the last one, so that nothing flickers.
  const size_t left = runner->progress_width > shown.size ? runner->progress_width - shown.size : 0;
  (void)fprintf(runner->plan->err, "\r%.*s%*s", TN_STR_ARG(shown), (int)left, "");
  (void)fflush(runner->plan->err);
  runner->progress_width = shown.size;
  tn_buf_deinit(&line);
}

// One long job alone would never be announced by the end of another.
static void *watch_main(void *arg) {
  tn_runner *runner = arg;
  tn_mutex_lock(&runner->mutex);
  for (;;) {
    const uint64_t passed = tn_time_ns() - runner->started_ns;
    if (runner->is_over || passed >= PROGRESS_PATIENCE_NS) {
      break;
    }
    (void)tn_cond_wait_for(&runner->changed, &runner->mutex, PROGRESS_PATIENCE_NS - passed);
  }
  if (!runner->is_over) {
    tn_progress_show(runner);
  }
  tn_mutex_unlock(&runner->mutex);
  return NULL;
}

bool tn_progress_open(tn_runner *runner, tn_thread *out) {
  return tn_thread_create(out, "progress", watch_main, runner, NULL) == TN_OK;
}
