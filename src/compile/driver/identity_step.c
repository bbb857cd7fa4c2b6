// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The id of a unit and its kernel attributes, found while the device pass runs: a run of the
// preprocessor for each target, one after another. The host pass and the lowering of device code
// wait for it.
#include <inttypes.h>

#include "compile/driver/job_run.h"

// The arguments that hold the id: `%s` is its 16 digits.
static const char *const id_formats[] = {
    "-D__TENON_UNIT_ID__=0x%sULL", "-D__TENON_MODULE__=" TN_UNIT_MODULE_PREFIX "%s",
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
      const char *before = tn_args_at(&job->args, a);
      const char *text =
          unit->reads_attributes && strcmp(before, TN_FRONTEND_KEEP_ATTRIBUTES) == 0
              ? TN_FRONTEND_READ_ATTRIBUTES
              : fill(&unit->arena, before, digits);
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
  return good ? TN_OK
              : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the id of '%s'", unit->name);
}

// The host pass reads values that only clang can read, too: its lambdas capture what the device
// pass's capture, and no variable counts as unused. Macros do that, which meet functions of these
// names: sources without such values have none.
static tn_status find_attributes(tn_unit *unit, size_t target, tn_str text, tn_diag *diag) {
  tn_buf *marks = &unit->attributes[target];
  TN_TRY(tn_frontend_attributes_mark(text, &unit->options, marks, diag));
  if (!tn_frontend_wants_attributes(tn_buf_str(marks))) {
    return TN_OK;
  }
  unit->reads_attributes = true;
  tn_buf_clear(marks);  // annotations take their place
  return tn_frontend_attributes_rewrite(text, &unit->rewritten[target], diag);
}

tn_status tn_unit_identify(const tn_plan *plan, tn_job *job, tn_diag *diag) {
  tn_unit *unit = job->unit;
  tn_buf text;
  tn_buf said;  // the passes say the same
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&said, TN_DRIVER_BUFFER_MAXIMUM);
  const tn_child child = {.output = &text, .error = &said};
  int code = 0;
  tn_status status = tn_child_run(plan, job, &job->args, &child, &code, diag);
  if (status == TN_OK) {
    unit->id = tn_frontend_unit_id(tn_buf_str(&text), &unit->options, unit->id);
    status = find_attributes(unit, job->target, tn_buf_str(&text), diag);
  }
  if (status == TN_OK) {
    status = job->target + 1 == plan->command->target_count ? finish(plan, unit, diag) : TN_OK;
  }
  tn_buf_deinit(&text);
  tn_buf_deinit(&said);
  return status;
}
