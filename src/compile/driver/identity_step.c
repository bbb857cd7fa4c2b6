// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The id of a unit, found while the device pass runs: a run of the preprocessor for each target,
// one after another. The host pass and the lowering of device code wait for it.
#include <inttypes.h>

#include "compile/driver/job_run.h"

// The arguments that hold the id: `%s` is its 16 digits.
static const char *const id_formats[] = {"-D__TENON_UNIT_ID__=0x%sULL",
                                         "-D__TENON_MODULE__=" TN_UNIT_MODULE_PREFIX "%s",
                                         "--module=" TN_UNIT_MODULE_PREFIX "%s", "--unit-id=%s"};

static const char *fill(tn_arena *arena, const char *text, const char *digits) {
  for (size_t i = 0; i < TN_COUNT(id_formats); i++) {
    const size_t before = (size_t)(strchr(id_formats[i], '%') - id_formats[i]);
    if (strncmp(text, id_formats[i], before) == 0 &&
        strncmp(text + before, TN_UNIT_ID_UNKNOWN, TN_UNIT_ID_DIGITS) == 0) {
      return tn_arena_format(arena, "%.*s%s%s", (int)before, text, digits,
                             text + before + TN_UNIT_ID_DIGITS);
    }
  }
  return text;
}

// Of the jobs that wait for the id; device passes do not.
static bool fill_args(const tn_plan *plan, tn_unit *unit, const char *digits) {
  bool good = true;
  for (size_t i = 0; i < plan->jobs.count; i++) {
    tn_job *job = plan->jobs.items[i];
    for (size_t a = 0; job->unit == unit && !job->is_device && a < job->args.list.count; a++) {
      const char *text = fill(&unit->arena, tn_args_at(&job->args, a), digits);
      good = good && text;
      job->args.list.items[a] = (void *)(uintptr_t)(text ? text : tn_args_at(&job->args, a));
    }
  }
  return good;
}

static tn_status finish(const tn_plan *plan, tn_unit *unit, tn_diag *diag) {
  const char *digits = tn_arena_format(&unit->arena, "%016" PRIx64, unit->id);
  bool good = digits && fill_args(plan, unit, digits);
  if (good && unit->module_symbol) {
    unit->module_symbol = tn_arena_format(&unit->arena, TN_UNIT_MODULE_PREFIX "%s", digits);
    good = unit->module_symbol != NULL;
  }
  return good ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the id of '%s'", unit->name);
}

// The device pass's words, which precompiled headers are made for; where that one compiles nothing,
// the job's own.
static const tn_args *compilation_of(const tn_plan *plan, const tn_job *job) {
  for (size_t i = 0; i < plan->jobs.count; i++) {
    const tn_job *pass = plan->jobs.items[i];
    if (pass->kind == TN_JOB_PASS && pass->unit == job->unit && pass->is_device &&
        pass->target == job->target && plan->command->action != TN_ACTION_PREPROCESS) {
      return &pass->args;
    }
  }
  return &job->args;
}

static tn_status preprocess(const tn_plan *plan, tn_job *job, tn_preamble_use *use, tn_buf *out,
                            tn_diag *diag) {
  tn_buf said;  // the passes say the same
  tn_buf_init(&said, TN_DRIVER_BUFFER_MAXIMUM);
  const tn_child child = {
      .output = out, .error = &said, .text = use, .compilation = compilation_of(plan, job)};
  int code = 0;
  tn_status status = tn_child_run(plan, job, &job->args, &child, &code, diag);
  tn_buf_deinit(&said);
  return status;
}

// Of the whole text, or of what is behind the base and the number that was kept for that.
static tn_text_prints take_prints(tn_str text, const tn_preamble_use *use) {
  tn_text_prints prints = tn_frontend_text_prints(text, TN_STR_LIT(TN_CLANG_BASE_NAME));
  prints.head = use->has_print ? use->print : prints.head;
  return prints;
}

tn_status tn_unit_identify(const tn_plan *plan, tn_job *job, tn_diag *diag) {
  tn_unit *unit = job->unit;
  tn_buf text;
  tn_preamble_use use;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_preamble_use_init(&use, &plan->preambles);
  tn_status status = preprocess(plan, job, &use, &text, diag);
  if (status == TN_OK) {
    const tn_text_prints prints = take_prints(tn_buf_str(&text), &use);
    unit->id = tn_frontend_unit_id(prints, &unit->options, unit->id);
    if (!use.has_print) {
      tn_preamble_keep_print(&use, prints.head);
    }
  }
  if (status == TN_OK) {
    status = job->target + 1 == plan->command->target_count ? finish(plan, unit, diag) : TN_OK;
  }
  tn_preamble_use_deinit(&use);
  tn_buf_deinit(&text);
  return status;
}
