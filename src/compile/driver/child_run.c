// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one command to its end: a pass in this process where it can be, anything else as a child.
// Arguments too long for the system go through a response file.
#include "base/file.h"
#include "base/log.h"
#include "compile/clang/clang.h"
#include "compile/driver/child_words.h"
#include "compile/driver/job_run.h"
#include "compile/driver/restart.h"
#include "compile/driver/user_header.h"

enum { ARGUMENTS_MAXIMUM = 512 * 1024, RESPONSE_TEXT_MAXIMUM = 256 << 20 };

static size_t args_size(const tn_args *args) {
  size_t size = 0;
  for (size_t i = 0; i < args->list.count; i++) {
    size += strlen(tn_args_at(args, i)) + 1 + sizeof(char *);
  }
  return size;
}

// "@file", the file holding the arguments from `first` on in quotes; owned path or NULL.
static char *response_write(const tn_plan *plan, const tn_args *args, size_t first, tn_diag *diag) {
  tn_buf text;
  tn_buf path;
  tn_buf_init(&text, RESPONSE_TEXT_MAXIMUM);
  tn_buf_init(&path, 1 << 16);
  for (size_t i = first; i < args->list.count; i++) {
    tn_buf_add_char(&text, '"');
    for (const char *c = tn_args_at(args, i); *c != '\0'; c++) {
      if (*c == '"' || *c == '\\') {
        tn_buf_add_char(&text, '\\');
      }
      tn_buf_add_char(&text, *c);
    }
    tn_buf_add_text(&text, "\"\n");
  }
  // The list's address tells side-by-side commands apart.
  tn_buf_add_format(&path, "@%s/args-%p", plan->temp_dir, (const void *)args);
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = tn_buf_status(&path, diag);
  }
  if (status == TN_OK) {
    status = tn_file_write(tn_buf_text(&path) + 1, tn_buf_bytes(&text), diag);
  }
  char *written = status == TN_OK ? tn_str_copy(tn_buf_str(&path)) : NULL;
  tn_buf_deinit(&text);
  tn_buf_deinit(&path);
  return written;
}

static bool is_inside(const tn_plan *plan, const tn_job *job, const tn_args *args) {
  const bool is_pass =
      job->kind == TN_JOB_PASS || job->kind == TN_JOB_IDENTITY || job->kind == TN_JOB_UNIT;
  return plan->runs_inside && is_pass && tn_args_at(args, 0) == plan->clang;
}

static void after_crash(void *user) {
  (void)user;
  tn_restart();
}

// Of a child whose output or error is ours.
static void print_all(const tn_buf *text, FILE *to) {
  if (text->size > 0) {
    (void)fwrite(text->data, 1, text->size, to);
    (void)fflush(to);
  }
}

static tn_clang_trace *trace_of(const tn_job *job) {
  return job->kind == TN_JOB_PASS ? &job->unit->traces[job->is_device ? job->target + 1 : 0] : NULL;
}

// -Rtenon-preamble. NULL: there is nothing to say.
static void add_remark(const tn_plan *plan, const tn_job *job, const char *note, tn_buf *log) {
  if (note && plan->command->remarks_preambles && job->kind == TN_JOB_PASS) {
    tn_buf_add_text(log, "tenon++: remark: ");
    tn_job_describe(plan, job, log);
    tn_buf_add_format(log, ": %s [-Rtenon-preamble]\n", note);
  }
}

// False: it is to be run as a process.
static bool run_inside(const tn_plan *plan, tn_job *job, const tn_args *args, const tn_child *child,
                       int *out_exit) {
  tn_buf own_out;
  tn_buf own_log;
  tn_buf_init(&own_out, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&own_log, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf *out = child->output ? child->output : &own_out;
  tn_buf *log = child->error ? child->error : &own_log;
  const size_t said = log->size;
  tn_diag diag;
  tn_job_inside(job, true);
  tn_preamble_use preamble;
  tn_preamble_use_init(&preamble, &plan->preambles);
  tn_user_header header;
  tn_user_header_init(&header, plan, job, log);
  const tn_args *words = child->text ? child->compilation : args;
  const tn_clang_pass_run run = {
      .args = (const char *const *)words->list.items,
      .is_text = child->text != NULL,
      .out = out,
      .log = log,
      .notes = plan->command->verbose ? plan->err : NULL,
      .installation = plan->root,
      .says_version = plan->command->verbose && tn_runner_take_version(),
      .is_alone = plan->is_serial,
      .trace = trace_of(job),
      .preamble = child->text ? tn_preamble_find_print : tn_preamble_find,
      .header = tn_user_header_find,
      .header_user = &header,
      .crashed = after_crash,
      .user = child->text ? child->text : &preamble};
  const bool is_run = tn_clang_pass(&run, out_exit, &diag) == TN_OK;
  tn_job_inside(job, false);
  if (child->text && header.is_found) {
    child->text->print = header.unit_id;
    child->text->has_print = true;
  }
  if (is_run) {
    add_remark(plan, job, preamble.base_note, log);
    add_remark(plan, job, preamble.rest_note, log);
    print_all(&own_log, plan->err);
    print_all(&own_out, plan->out);
  } else {
    TN_LOG(driver, "clang is run as a process: %s", diag.text);
    log->size = said;
    tn_buf_clear(out);
    if (child->text) {
      child->text->has_print = false;
    }
    add_remark(plan, job, "nothing is precompiled: clang is run as a process", log);
    print_all(&own_log, plan->err);
  }
  tn_user_header_deinit(&header);
  tn_preamble_use_deinit(&preamble);
  tn_buf_deinit(&own_out);
  tn_buf_deinit(&own_log);
  return is_run;
}

// In place of clang's command the linker's, which clang would run; `args` stays as it is when that
// is not one command. What clang says goes to the child's error.
static void find_linker(const tn_plan *plan, const tn_job *job, const tn_args **args,
                        tn_args *linker, tn_buf *words, const tn_child *child) {
  const bool is_link = job->kind == TN_JOB_HOST_LINK || job->kind == TN_JOB_JOIN;
  if (!plan->runs_inside || !is_link || !child->error || tn_args_at(*args, 0) != plan->clang) {
    return;
  }
  const size_t said = child->error->size;
  const tn_clang_pass_run run = {.args = (const char *const *)(*args)->list.items,
                                 .out = words,
                                 .log = child->error,
                                 .notes = plan->command->verbose ? plan->err : NULL,
                                 .says_version =
                                     plan->command->verbose && tn_runner_take_version()};
  tn_diag diag;
  int code = 0;
  if (tn_clang_find_linker(&run, &code, &diag) != TN_OK || code != 0 || words->failed != TN_OK) {
    child->error->size = said;
    return;
  }
  for (size_t at = 0; at < words->size; at += strlen(words->data + at) + 1) {
    tn_args_add(linker, words->data + at);
  }
  *args = tn_args_argv(linker) ? linker : *args;
}

static tn_status run_process(const tn_plan *plan, tn_job *job, const tn_args *args,
                             const tn_child *child, int *out_exit, tn_diag *diag) {
  char *response = NULL;
  const char *const *argv = (const char *const *)args->list.items;
  const char *short_argv[] = {argv[0], NULL, NULL, NULL};
  const size_t head = argv[1] && strcmp(argv[1], TN_CHILD_IS_CLANG) == 0 ? 2 : 1;
  if (args_size(args) > ARGUMENTS_MAXIMUM) {
    response = response_write(plan, args, head, diag);
    if (!response) {
      return TN_FAIL(diag, IO, "the arguments of %s could not be written to a file", argv[0]);
    }
    short_argv[1] = head == 2 ? TN_CHILD_IS_CLANG : response;
    short_argv[2] = head == 2 ? response : NULL;
    argv = short_argv;
  }
  tn_process process;
  const uint32_t flags = (child->output ? TN_PROCESS_CAPTURE_OUTPUT : 0u) |
                         (child->error ? TN_PROCESS_CAPTURE_ERROR : 0u);
  tn_status status = tn_job_start(job, argv, flags, &process, diag);
  if (status == TN_OK) {
    status = tn_process_wait(&process, child->output, child->error, out_exit, diag);
    tn_job_ended(job);
  }
  tn_free(response);
  return status;
}

// As a program the Clang inside is a child of tenon++.
static const tn_args *name_child(const tn_plan *plan, const tn_args *args, tn_args *child) {
  if (!plan->is_own_clang || tn_args_at(args, 0) != plan->clang) {
    return args;
  }
  tn_args_add(child, plan->program);
  tn_args_add(child, TN_CHILD_IS_CLANG);
  for (size_t i = 1; i < args->list.count; i++) {
    tn_args_add(child, tn_args_at(args, i));
  }
  return tn_args_argv(child) ? child : args;
}

tn_status tn_child_run(const tn_plan *plan, tn_job *job, const tn_args *args, const tn_child *child,
                       int *out_exit, tn_diag *diag) {
  *out_exit = -1;
  if (is_inside(plan, job, args) && run_inside(plan, job, args, child, out_exit)) {
    return child->output ? tn_buf_status(child->output, diag) : TN_OK;
  }
  tn_arena arena;
  tn_args linker;
  tn_args clang;
  tn_buf words;
  tn_arena_init(&arena);
  const bool is_pass = job->kind == TN_JOB_PASS && tn_args_at(args, 0) == plan->clang;
  const char *header = is_pass ? tn_user_header_in(args, &arena) : NULL;
  if (header || (is_pass && job->unit->is_header)) {
    const tn_status status =
        TN_FAIL(diag, UNSUPPORTED,
                "'%s': precompiled headers of SYCL need the Clang in tenon++, which cannot run "
                "this command; leave out --tenon-clang= and options that need a process of clang",
                header ? header : job->unit->name);
    tn_arena_deinit(&arena);
    return status;
  }
  tn_args_init(&linker, &arena);
  tn_args_init(&clang, &arena);
  tn_buf_init(&words, RESPONSE_TEXT_MAXIMUM);
  find_linker(plan, job, &args, &linker, &words, child);
  tn_status status =
      run_process(plan, job, name_child(plan, args, &clang), child, out_exit, diag);
  if (status == TN_OK && args == &linker && *out_exit != 0) {
    tn_buf_add_format(child->error,
                      "tenon++: error: linker command failed with exit code %d (use -v to see "
                      "invocation)\n",
                      *out_exit);
  }
  tn_buf_deinit(&words);
  tn_arena_deinit(&arena);
  if (status == TN_OK && child->output) {
    status = tn_buf_status(child->output, diag);
  }
  return status;
}
