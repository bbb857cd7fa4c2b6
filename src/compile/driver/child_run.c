// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one command to its end; arguments too long for the system go through a response file.
#include "compile/driver/job_run.h"

#include "base/file.h"

enum { ARGUMENTS_MAXIMUM = 512 * 1024, RESPONSE_TEXT_MAXIMUM = 256 << 20 };

static size_t args_size(const tn_args *args) {
  size_t size = 0;
  for (size_t i = 0; i < args->list.count; i++) {
    size += strlen(tn_args_at(args, i)) + 1 + sizeof(char *);
  }
  return size;
}

// "program @file", the file holding the rest in quotes; owned path or NULL.
static char *response_write(const tn_plan *plan, const tn_args *args, tn_diag *diag) {
  tn_buf text;
  tn_buf path;
  tn_buf_init(&text, RESPONSE_TEXT_MAXIMUM);
  tn_buf_init(&path, 1 << 16);
  for (size_t i = 1; i < args->list.count; i++) {
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

tn_status tn_child_run(const tn_plan *plan, tn_job *job, const tn_args *args, const tn_child *child,
                       int *out_exit, tn_diag *diag) {
  *out_exit = -1;
  char *response = NULL;
  const char *const *argv = (const char *const *)args->list.items;
  const char *short_argv[] = {argv[0], NULL, NULL};
  if (args_size(args) > ARGUMENTS_MAXIMUM) {
    response = response_write(plan, args, diag);
    if (!response) {
      return TN_FAIL(diag, IO, "the arguments of %s could not be written to a file", argv[0]);
    }
    short_argv[1] = response;
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
  if (status == TN_OK && child->output) {
    status = tn_buf_status(child->output, diag);
  }
  tn_free(response);
  return status;
}
