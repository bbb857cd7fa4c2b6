// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device pass of a source whose kernels have attributes that the preprocessor cannot read: once
// more, over preprocessed and rewritten text. Other sources do not pay for this.
#include "base/file.h"
#include "compile/driver/job_run.h"

static bool is_rule_option(const char *text) {
  static const char *const heads[] = {"-MD", "-MMD", "-MP", "-MG", "-MV", "-MF", "-MT", "-MQ"};
  for (size_t i = 0; i < TN_COUNT(heads); i++) {
    if (strncmp(text, heads[i], strlen(heads[i])) == 0) {
      return true;
    }
  }
  return false;
}

// The pass's command with another action or source; the source is its last word.
static void change_args(const tn_job *job, const char *rewritten, tn_args *out) {
  const size_t last = job->args.list.count - 1;
  for (size_t i = 0; i < last; i++) {
    const char *text = tn_args_at(&job->args, i);
    if (!rewritten && strcmp(text, "-emit-llvm") == 0) {
      continue;
    }
    if (is_rule_option(text)) {  // the first run has listed what the source depends on
      i += strcmp(text, "-MF") == 0 || strcmp(text, "-MT") == 0 || strcmp(text, "-MQ") == 0;
      continue;
    }
    if (strcmp(text, "-x") == 0 && i + 2 == last) {
      i++;
      continue;
    }
    tn_args_add(out, !rewritten && strcmp(text, "-c") == 0 ? "-E" : text);
  }
  if (!rewritten) {
    tn_args_add(out, TN_FRONTEND_KEEP_ATTRIBUTES);
  }
  if (rewritten) {
    tn_args_add(out, "-x");
    tn_args_add(out, "c++-cpp-output");
  } else if (job->unit->language) {
    tn_args_add(out, "-x");
    tn_args_add(out, job->unit->language);
  }
  tn_args_add(out, rewritten ? rewritten : tn_args_at(&job->args, last));
}

static tn_status run_clang(const tn_plan *plan, tn_job *job, const char *rewritten, tn_arena *arena,
                           tn_buf *output, tn_buf *text, tn_diag *diag) {
  tn_args args;
  int code = 0;
  tn_args_init(&args, arena);
  change_args(job, rewritten, &args);
  if (!tn_args_argv(&args)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command line");
  }
  if (plan->command->verbose) {
    tn_args_print(&args, plan->err);
  }
  const tn_child child = {.output = output, .error = job->is_direct ? NULL : text};
  TN_TRY(tn_child_run(plan, job, &args, &child, &code, diag));
  return code == 0 ? TN_OK
                   : TN_FAIL(diag, BUILD_FAILED, "the device pass of %s ended with status %d",
                             job->unit->name, code);
}

static tn_status rewrite(const tn_plan *plan, tn_job *job, const char *path, tn_arena *arena,
                         tn_buf *text, tn_diag *diag) {
  tn_buf source;
  tn_buf rewritten;
  tn_buf_init(&source, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&rewritten, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status = run_clang(plan, job, NULL, arena, &source, text, diag);
  if (status == TN_OK) {
    status = tn_frontend_attributes_rewrite(tn_buf_str(&source), &rewritten, diag);
  }
  if (status == TN_OK) {
    status = tn_file_write(path, tn_buf_bytes(&rewritten), diag);
  }
  tn_buf_deinit(&source);
  tn_buf_deinit(&rewritten);
  return status;
}

tn_status tn_unit_attribute_pass(const tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  tn_unit *unit = job->unit;
  tn_buf *bitcode = &unit->bitcode[job->target];
  if (unit->is_preprocessed || !tn_frontend_wants_attributes(tn_buf_bytes(bitcode))) {
    return TN_OK;
  }
  tn_arena arena;
  tn_arena_init(&arena);
  const char *path = unit->temps_stem
                         ? tn_arena_format(&arena, "%s.device%zu.ii", unit->temps_stem, job->target)
                         : tn_arena_format(&arena, "%s/%zu.device%zu.ii", plan->temp_dir,
                                           unit->index, job->target);
  tn_status status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command line");
  if (path) {
    status = rewrite(plan, job, path, &arena, text, diag);
  }
  if (status == TN_OK) {
    tn_buf_clear(bitcode);
    status = run_clang(plan, job, path, &arena, bitcode, text, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}
