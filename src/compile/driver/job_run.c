// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a plan: as many jobs at a time as there are cores, each once what it waits for is done.
//
// A job is WAITING until all jobs in `after` are DONE, then RUNNING, then DONE or FAILED; it is
// FAILED without running when one before it failed or the run was interrupted. States change under
// the runner's mutex only. A unit's messages are printed when its last job ended: the host's, then
// what the device pass has to add.
#include "compile/driver/job_run.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "compile/driver/message_line.h"
#include "compile/driver/pipe_watch.h"

// Jobs know their runner through this: one run a process, set before the workers start.
static tn_runner *current;

tn_status tn_job_start(tn_job *job, const char *const *argv, uint32_t flags, tn_process *out,
                       tn_diag *diag) {
  tn_mutex_lock(&current->mutex);
  tn_status status = TN_OK;
  if (current->interrupted != 0) {
    status = TN_FAIL(diag, BUILD_FAILED, "interrupted");
  } else {
    status = tn_process_start(argv, flags, out, diag);
    job->pid = status == TN_OK ? out->pid : 0;
    job->was_run = job->was_run || status == TN_OK;
  }
  tn_mutex_unlock(&current->mutex);
  return status;
}

void tn_job_ended(tn_job *job) {
  tn_mutex_lock(&current->mutex);
  job->pid = 0;
  tn_mutex_unlock(&current->mutex);
}

bool tn_runner_take_version(void) {
  tn_mutex_lock(&current->mutex);
  const bool is_first = !current->has_said_version;
  current->has_said_version = true;
  tn_mutex_unlock(&current->mutex);
  return is_first;
}

void tn_job_inside(tn_job *job, bool is_inside) {
  tn_mutex_lock(&current->mutex);
  job->is_inside = is_inside;
  tn_mutex_unlock(&current->mutex);
}

void tn_runner_stop_children(tn_runner *runner) {
  for (size_t i = 0; i < runner->plan->jobs.count; i++) {
    const tn_job *job = runner->plan->jobs.items[i];
    if (job->pid > 0) {
      (void)kill(job->pid, SIGTERM);
    }
  }
}

// A step's messages may have said it all.
static void say(tn_buf *text, const tn_diag *diag) {
  if (tn_str_find(tn_buf_str(text), tn_str_from(diag->text)) != SIZE_MAX) {
    return;
  }
  tn_buf_add_format(text, "tenon++: error: %s\n", diag->text);
}

// Whether the file was written since `before`, which is all zero when there was none.
static bool is_written(const char *path, const struct stat *before) {
  struct stat now;
  if (stat(path, &now) != 0) {
    return false;
  }
  return !S_ISREG(now.st_mode) || now.st_ino != before->st_ino ||
         now.st_dev != before->st_dev || now.st_ctim.tv_sec != before->st_ctim.tv_sec ||
         now.st_ctim.tv_nsec != before->st_ctim.tv_nsec;
}

// A program that is no clang may end well and have done nothing.
static bool check_output(const tn_job *job, const struct stat *before, tn_buf *text) {
  const bool is_empty = job->keeps_output && job->unit->bitcode[job->target].size == 0;
  if (!is_empty && (!job->output || is_written(job->output, before))) {
    return true;
  }
  tn_buf_add_format(text, "tenon++: error: '%s', run for '%s', wrote no output%s%s%s\n",
                    tn_args_at(&job->args, 0), job->unit->name, job->output ? " to '" : "",
                    job->output ? job->output : "", job->output ? "'" : "");
  return false;
}

// Another compiler may see other kernels than the device pass did.
static bool check_launches(const tn_job *job, tn_buf *text) {
  tn_diag diag;
  const tn_unit *unit = job->unit;
  if (job->is_device || !unit->integration_header ||
      ((!unit->host_object || tn_unit_launches_check(unit, text, &diag) == TN_OK) &&
       tn_unit_dependencies_clean(unit, &diag) == TN_OK)) {
    return true;
  }
  say(text, &diag);
  return false;
}

static bool run_pass(tn_plan *plan, tn_job *job, tn_buf *text) {
  tn_unit *unit = job->unit;
  tn_buf *text_kept = &unit->texts[job->is_device ? job->target + 1 : 0];
  const tn_child child = {.output = job->keeps_output ? &unit->bitcode[job->target]
                                    : job->keeps_text ? text_kept
                                                      : NULL,
                          .error = job->is_direct ? NULL : text};
  tn_diag diag;
  int code = 0;
  struct stat before = {0};
  if (job->output && stat(job->output, &before) != 0) {
    before = (struct stat){0};
  }
  if (tn_child_run(plan, job, &job->args, &child, &code, &diag) != TN_OK) {
    say(text, &diag);
    return false;
  }
  if (code > 128) {
    tn_buf_add_format(text, "tenon++: error: %s, run for '%s', was ended by signal %d\n",
                      tn_args_at(&job->args, 0), unit->name, code - 128);
  }
  if (code > 0 && code <= 128 && text->size == 0 && !job->is_direct) {
    tn_buf_add_format(text,
                      "tenon++: error: '%s', run for '%s', failed with status %d and said "
                      "nothing\n",
                      tn_args_at(&job->args, 0), unit->name, code);
  }
  if (code != 0 || !check_output(job, &before, text)) {
    return false;
  }
  return check_launches(job, text);
}

// Runs without the mutex; what it writes is the job's own part of its unit, or the plan's own link
// fields. A unit's messages are all jobs', so its text is added to them by end_job.
static bool run_job(tn_plan *plan, tn_job *job, tn_buf *text) {
  tn_diag diag = {0};
  tn_status status = TN_OK;
  bool linked = true;
  switch (job->kind) {
    case TN_JOB_IDENTITY:
      status = tn_unit_identify(plan, job, &diag);
      break;
    case TN_JOB_PASS:
      return run_pass(plan, job, text);
    case TN_JOB_DEPENDENCIES:
      status = tn_unit_dependencies_write(plan, job->unit, &diag);
      break;
    case TN_JOB_TEXT:
      status = tn_unit_text_write(plan, job->unit, &diag);
      break;
    case TN_JOB_HEADER:
      status = tn_unit_precompiled_write(plan, job->unit, &diag);
      break;
    case TN_JOB_UNIT:
      status = tn_unit_lower(plan, job->unit, job->target, text, &diag);
      break;
    case TN_JOB_EMBED:
      status = tn_unit_embed(plan, job->unit, &diag);
      break;
    case TN_JOB_UNIT_LINK:
      status = tn_unit_link(plan, job->unit, text, &diag);
      break;
    case TN_JOB_JOIN:
      status = tn_objects_join(plan, job, text, &diag);
      break;
    case TN_JOB_DEVICE_LINK:
      status = tn_device_link_run(plan, job, text, &diag);
      break;
    case TN_JOB_WRAP:
      status = tn_device_link_wrap(plan, &diag);
      break;
    case TN_JOB_HOST_LINK:
      status = tn_host_link_run(plan, job, &linked, text, &diag);
      break;
  }
  if (status != TN_OK) {
    say(text, &diag);
  }
  return status == TN_OK && linked;
}

static void print_text(tn_runner *runner, tn_str text) TN_REQUIRES(&runner->mutex) {
  if (text.size > 0) {
    tn_progress_clear(runner);
    (void)fwrite(text.data, 1, text.size, runner->plan->err);
    (void)fflush(runner->plan->err);
  }
}

static void print_unit(tn_runner *runner, tn_unit *unit) TN_REQUIRES(&runner->mutex) {
  tn_buf rest;
  tn_buf all;
  tn_buf_init(&rest, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&all, TN_DRIVER_BUFFER_MAXIMUM);
  tn_messages_filter(tn_buf_str(&unit->device_text), tn_buf_str(&unit->host_text), &rest);
  tn_messages_add_named_kernels(tn_buf_str(&unit->host_text), &all);
  tn_messages_add_named_kernels(tn_buf_str(&rest), &all);
  print_text(runner, tn_buf_str(&all));
  tn_buf_deinit(&all);
  tn_buf_deinit(&rest);
}

// Nobody reads what we print: the run ends as by a signal.
static void check_pipe(tn_runner *runner) TN_REQUIRES(&runner->mutex) {
  if (runner->interrupted == 0 && tn_pipe_is_broken(runner->plan->err)) {
    runner->interrupted = SIGPIPE;
    tn_runner_stop_children(runner);
  }
}

// Whether a finished job has left something at its unit's output.
static bool writes_output(const tn_job *job) {
  const tn_unit *unit = job->unit;
  return unit && unit->output &&
         (job->kind == TN_JOB_EMBED || job->kind == TN_JOB_JOIN || job->kind == TN_JOB_HEADER ||
          (job->kind == TN_JOB_PASS && !job->is_device && unit->host_object == unit->output));
}

static void keep_messages(tn_runner *runner, tn_job *job, tn_str text)
    TN_REQUIRES(&runner->mutex) {
  tn_unit *unit = job->unit;
  if (!unit) {
    print_text(runner, text);
  } else if (job->kind == TN_JOB_PASS && !job->is_device) {
    tn_buf_add_str(&unit->host_text, text);
  } else {
    tn_buf_add_str(&unit->device_text, text);
  }
}

static void write_trace(tn_runner *runner, tn_unit *unit) TN_REQUIRES(&runner->mutex) {
  tn_diag diag;
  if (tn_unit_trace_write(runner->plan, unit, &diag) != TN_OK) {
    (void)fprintf(runner->plan->err, "tenon++: error: %s\n", diag.text);
    runner->failed = true;
  }
}

static void end_job(tn_runner *runner, tn_job *job, bool done, tn_str text)
    TN_REQUIRES(&runner->mutex) {
  job->ended_ns = tn_time_ns();
  keep_messages(runner, job, text);
  job->state = done ? TN_JOB_DONE : TN_JOB_FAILED;
  if (done && writes_output(job)) {
    job->unit->wrote_output = true;
  }
  runner->failed = runner->failed || !done;
  runner->left--;
  if (job->unit && --job->unit->pending == 0) {
    print_unit(runner, job->unit);
    write_trace(runner, job->unit);
  }
  check_pipe(runner);
  tn_progress_show(runner);
  tn_cond_broadcast(&runner->changed);
}

// What its predecessors make of a waiting job: RUNNING means that it may start.
static tn_job_state job_outlook(const tn_job *job) {
  tn_job_state outlook = TN_JOB_RUNNING;
  for (size_t i = 0; i < job->after.count; i++) {
    const tn_job *before = job->after.items[i];
    if (before->state == TN_JOB_FAILED) {
      return TN_JOB_FAILED;
    }
    if (before->state != TN_JOB_DONE) {
      outlook = TN_JOB_WAITING;
    }
  }
  return outlook;
}

static tn_job *next_job(tn_runner *runner) TN_REQUIRES(&runner->mutex) {
  for (size_t i = 0; i < runner->plan->jobs.count; i++) {
    tn_job *job = runner->plan->jobs.items[i];
    if (job->state != TN_JOB_WAITING) {
      continue;
    }
    const tn_job_state outlook = runner->interrupted ? TN_JOB_FAILED : job_outlook(job);
    if (outlook == TN_JOB_RUNNING) {
      return job;
    }
    if (outlook == TN_JOB_FAILED) {
      end_job(runner, job, false, (tn_str){0});
    }
  }
  return NULL;
}

// -v: what is run. The Clang inside notes its commands itself.
static void announce(const tn_plan *plan, const tn_job *job) {
  const bool is_inside = plan->runs_inside && job->args.list.count > 0 &&
                         tn_args_at(&job->args, 0) == plan->clang;
  if (plan->reports_times && job->kind == TN_JOB_PASS) {
    tn_buf text;
    tn_buf_init(&text, 1 << 16);
    tn_job_describe(plan, job, &text);
    (void)fprintf(plan->err, "tenon++: note: times of the %s\n", tn_buf_text(&text));
    tn_buf_deinit(&text);
  }
  if (plan->command->verbose && !is_inside && job->kind != TN_JOB_HOST_LINK &&
      job->kind != TN_JOB_JOIN) {
    tn_args_print(&job->args, plan->err);
  }
}

static void *worker_main(void *arg) {
  tn_runner *runner = arg;
  tn_mutex_lock(&runner->mutex);
  for (;;) {
    tn_job *job = next_job(runner);
    if (!job && runner->left == 0) {
      break;
    }
    if (!job) {
      tn_cond_wait(&runner->changed, &runner->mutex);
      continue;
    }
    job->state = TN_JOB_RUNNING;
    job->was_started = true;
    job->started_ns = tn_time_ns();
    tn_progress_show(runner);
    announce(runner->plan, job);
    tn_mutex_unlock(&runner->mutex);
    tn_buf text;
    tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
    const bool done = run_job(runner->plan, job, &text);
    tn_mutex_lock(&runner->mutex);
    end_job(runner, job, done, tn_buf_str(&text));
    tn_buf_deinit(&text);
  }
  tn_mutex_unlock(&runner->mutex);
  return NULL;
}

static size_t thread_count(const tn_plan *plan) {
  if (plan->is_serial) {
    return 1;
  }
  // Clang's own output must come in the order of the sources.
  for (size_t i = 0; i < plan->jobs.count; i++) {
    if (((const tn_job *)plan->jobs.items[i])->is_direct) {
      return 1;
    }
  }
  size_t count = plan->command->jobs ? (size_t)plan->command->jobs : tn_thread_core_count();
  count = count < 2 && plan->command->jobs == 0 ? 2 : count;
  return count < plan->jobs.count ? count : plan->jobs.count;
}

static void run_workers(tn_runner *runner) {
  tn_thread_team team;
  tn_thread_team_start(&team, "job", thread_count(runner->plan), worker_main, runner);
  (void)worker_main(runner);
  tn_thread_team_join(&team);
}

// Clang removes the old object of a source that it could not compile, unless it keeps what it made.
void tn_plan_remove_outputs(const tn_plan *plan, bool is_interrupted) {
  const tn_command *command = plan->command;
  const bool is_thorough = !is_interrupted && command->save_temps == TN_SAVE_TEMPS_NONE;
  for (size_t i = 0; i < plan->jobs.count; i++) {
    const tn_job *job = plan->jobs.items[i];
    if (!job->was_started || job->state == TN_JOB_DONE) {
      continue;
    }
    const tn_unit *unit = job->unit;
    if (job->kind == TN_JOB_HOST_LINK && job->was_run) {
      tn_file_remove_regular(plan->link_output);
    } else if (unit && unit->output && command->action == TN_ACTION_OBJECT &&
               (is_thorough || unit->wrote_output)) {
      tn_file_remove_regular(unit->output);
    }
  }
}

// A pass may have failed because of what it was run with.
static void check_clang(tn_runner *runner) {
  tn_plan *plan = runner->plan;
  tn_mutex_lock(&runner->mutex);
  bool is_doubtful = false;
  for (size_t i = 0; i < plan->jobs.count && runner->interrupted == 0; i++) {
    const tn_job *job = plan->jobs.items[i];
    is_doubtful = is_doubtful || (job->kind == TN_JOB_PASS && job->was_started &&
                                  job->state == TN_JOB_FAILED);
  }
  tn_mutex_unlock(&runner->mutex);
  tn_diag diag;
  if (is_doubtful && !plan->clang_is_checked &&
      tn_frontend_clang_check(plan->clang, &diag) != TN_OK) {
    (void)fprintf(plan->err, "tenon++: error: %s\n", diag.text);
  }
}

// A child that writes to the terminal itself would be written over.
static bool shows_progress(const tn_plan *plan) {
  bool is_direct = plan->command->verbose;
  for (size_t i = 0; i < plan->jobs.count; i++) {
    is_direct = is_direct || ((const tn_job *)plan->jobs.items[i])->is_direct;
  }
  const int fd = fileno(plan->err);
  return !is_direct && fd >= 0 && isatty(fd) == 1;
}

static bool links_devices(const tn_plan *plan) {
  for (size_t i = 0; i < plan->jobs.count; i++) {
    const tn_job_kind kind = ((const tn_job *)plan->jobs.items[i])->kind;
    if (kind == TN_JOB_DEVICE_LINK || kind == TN_JOB_UNIT_LINK) {
      return true;
    }
  }
  return false;
}

static void run_all(tn_runner *runner) {
  tn_plan *plan = runner->plan;
  tn_thread watch;
  const bool is_watched = runner->shows_progress && tn_progress_open(runner, &watch);
  uint8_t toolchain[TN_STORE_KEY_SIZE];
  tn_toolchain_identify(toolchain);
  if (plan->runs_inside && !plan->command->no_preamble) {
    const tn_preamble_folders folders = {
        .kept = plan->command->preamble_dir,
        .root = plan->root,
        .installed = tn_arena_format(plan->arena, "%s/tenon/preambles", plan->lib_dir),
        .written = plan->command->written_preambles};
    tn_preambles_open(&plan->preambles, &folders, toolchain);
  } else {
    plan->preambles.why_off = "by --no-auto-pch";
  }
  plan->has_kept = links_devices(plan);
  if (plan->has_kept) {
    // What is kept says nothing of LLVM's options.
    tn_kept_links_open(&plan->kept, !plan->command->no_link_cache && !plan->has_llvm_options);
  }
  run_workers(runner);
  if (plan->has_kept) {
    tn_kept_links_close(&plan->kept);
    plan->has_kept = false;
  }
  tn_preambles_close(&plan->preambles);
  check_clang(runner);
  tn_mutex_lock(&runner->mutex);
  runner->is_over = true;
  tn_progress_clear(runner);
  tn_cond_broadcast(&runner->changed);
  tn_mutex_unlock(&runner->mutex);
  if (is_watched) {
    tn_thread_join(watch);
  }
  if (plan->command->save_temps != TN_SAVE_TEMPS_NONE) {
    tn_stage_table_write(plan);
  }
}

bool tn_plan_run(tn_plan *plan) {
  tn_runner runner = {.plan = plan, .left = plan->jobs.count, .started_ns = tn_time_ns()};
  runner.shows_progress = shows_progress(plan);
  tn_mutex_init(&runner.mutex, TN_RANK_LEAF);
  tn_cond_init(&runner.changed);
  current = &runner;
  tn_diag diag;
  tn_interrupts *interrupts = NULL;
  bool failed = true;
  int interrupted = 0;
  if (tn_interrupts_open(&runner, plan->arena, &interrupts, &diag) != TN_OK) {
    (void)fprintf(plan->err, "tenon++: error: %s\n", diag.text);
  } else {
    run_all(&runner);
    tn_mutex_lock(&runner.mutex);
    failed = runner.failed;
    interrupted = runner.interrupted;
    tn_mutex_unlock(&runner.mutex);
  }
  if (failed) {
    tn_plan_remove_outputs(plan, interrupted != 0);
  }
  tn_interrupts_close(interrupts);
  current = NULL;
  tn_cond_deinit(&runner.changed);
  tn_mutex_deinit(&runner.mutex);
  if (interrupted != 0) {
    tn_temp_dir_remove(plan->temp_dir);
    plan->temp_dir = NULL;
    (void)signal(interrupted, SIG_DFL);
    (void)raise(interrupted);
  }
  return !failed;
}
