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

// The pass's command with another source, its last argument. The first run has listed what the
// source depends on.
static void change_source(const tn_job *pass, const char *rewritten, tn_args *out) {
  const size_t last = pass->args.list.count - 1;
  for (size_t i = 0; i < last; i++) {
    const char *text = tn_args_at(&pass->args, i);
    if (is_rule_option(text)) {
      i += strcmp(text, "-MF") == 0 || strcmp(text, "-MT") == 0 || strcmp(text, "-MQ") == 0;
    } else if (strcmp(text, "-x") == 0 && i + 2 == last) {
      i++;
    } else {
      tn_args_add(out, text);
    }
  }
  tn_args_add(out, "-w");  // the first run has warned
  tn_args_add(out, "-x");
  tn_args_add(out, "c++-cpp-output");
  tn_args_add(out, rewritten);
}

static tn_status run_clang(const tn_plan *plan, tn_job *job, const tn_job *pass,
                           const char *rewritten, tn_arena *arena, tn_buf *text, tn_diag *diag) {
  tn_args args;
  int code = 0;
  tn_args_init(&args, arena);
  change_source(pass, rewritten, &args);
  if (!tn_args_argv(&args)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command line");
  }
  if (plan->command->verbose && !plan->runs_inside) {
    tn_args_print(&args, plan->err);
  }
  tn_buf *bitcode = &job->unit->bitcode[job->target];
  tn_buf_clear(bitcode);
  const tn_child child = {.output = bitcode, .error = text};
  TN_TRY(tn_child_run(plan, job, &args, &child, &code, diag));
  return code == 0 ? TN_OK
                   : TN_FAIL(diag, BUILD_FAILED, "the device pass of %s ended with status %d",
                             job->unit->name, code);
}

static const tn_job *pass_before(const tn_job *job) {
  for (size_t i = 0; i < job->after.count; i++) {
    const tn_job *before = job->after.items[i];
    if (before->kind == TN_JOB_PASS && before->is_device && before->target == job->target) {
      return before;
    }
  }
  return NULL;
}

tn_status tn_unit_attribute_pass(const tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  tn_unit *unit = job->unit;
  const tn_job *pass = pass_before(job);
  tn_buf *rewritten = &unit->rewritten[job->target];
  if (rewritten->size == 0 || !pass) {
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
    status = tn_file_write(path, tn_buf_bytes(rewritten), diag);
  }
  tn_buf_deinit(rewritten);
  if (status == TN_OK) {
    status = run_clang(plan, job, pass, path, &arena, text, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}
