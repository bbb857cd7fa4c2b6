// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --save-temps: a table of what was done, with the files that are left of it.
#include "base/file.h"
#include "compile/driver/job_run.h"

#include <sys/stat.h>

enum { NS_PER_MS = 1000000 };

// The file a job leaves, or "-": what it made went on in memory, or into a file that is gone.
static void add_file(const tn_plan *plan, const tn_job *job, tn_buf *out) {
  const tn_unit *unit = job->unit;
  const char *extension = NULL;
  const char *file = NULL;
  switch (job->kind) {
    case TN_JOB_IDENTITY:
      break;
    case TN_JOB_PASS:
      extension = job->keeps_output ? "device.bc" : NULL;
      file = job->is_device ? NULL : unit->host_object;
      break;
    case TN_JOB_DEPENDENCIES:
      file = unit->dependency_output;
      break;
    case TN_JOB_TEXT:
      file = plan->command->output;
      break;
    case TN_JOB_UNIT:
      extension = "unit.bc";
      break;
    case TN_JOB_UNIT_LINK:
      file = unit->has_wrapper ? unit->wrapper : NULL;
      break;
    case TN_JOB_HEADER:
    case TN_JOB_EMBED:
      file = unit->output;
      break;
    case TN_JOB_JOIN:
      file = unit ? unit->output : plan->link_output;
      break;
    case TN_JOB_DEVICE_LINK:
      file = plan->image;
      break;
    case TN_JOB_WRAP:
      file = plan->wrapper;
      break;
    case TN_JOB_HOST_LINK:
      file = plan->link_output;
      break;
  }
  if (extension && unit->temps_stem && job->target == 0) {
    tn_buf_add_format(out, "%s.%s", unit->temps_stem, extension);
  } else if (extension && unit->temps_stem) {
    tn_buf_add_format(out, "%s.%zu.%s", unit->temps_stem, job->target + 1, extension);
  } else {
    tn_buf_add_text(out, file ? file : "-");
  }
}

static void add_row(const tn_plan *plan, const tn_job *job, tn_buf *out) {
  tn_buf file;
  tn_buf_init(&file, 1 << 16);
  add_file(plan, job, &file);
  struct stat about;
  const bool is_there = stat(tn_buf_text(&file), &about) == 0 && S_ISREG(about.st_mode);
  const uint64_t ms = job->was_started ? (job->ended_ns - job->started_ns) / NS_PER_MS : 0;
  tn_buf_add_format(out, "%12llu %12llu  %-6s  ", (unsigned long long)ms,
                    is_there ? (unsigned long long)about.st_size : 0ull,
                    job->state == TN_JOB_DONE ? "done"
                    : job->was_started        ? "failed"
                                              : "left");
  tn_job_describe(plan, job, out);
  tn_buf_add_format(out, "  %s\n", is_there ? tn_buf_text(&file) : "-");
  tn_buf_deinit(&file);
}

// "<output>.stages.txt": of a program its name, of an object its path without ".o".
static const char *table_path(const tn_plan *plan, tn_arena *arena) {
  const tn_unit *first = plan->units.count > 0 ? plan->units.items[0] : NULL;
  const char *name = plan->link_output ? plan->link_output : plan->command->output;
  if (!name && first) {
    return tn_arena_format(arena, "%s.stages.txt", first->temps_stem);
  }
  const tn_str base = tn_path_base(tn_str_from(name ? name : "tenon"));
  const tn_str folder = tn_path_dir(tn_str_from(name ? name : "tenon"));
  return plan->command->save_temps == TN_SAVE_TEMPS_OBJ
             ? tn_arena_format(arena, "%.*s/%.*s.stages.txt", TN_STR_ARG(folder), TN_STR_ARG(base))
             : tn_arena_format(arena, "%.*s.stages.txt", TN_STR_ARG(base));
}

void tn_stage_table_write(const tn_plan *plan) {
  tn_arena arena;
  tn_arena_init(&arena);
  const char *path = table_path(plan, &arena);
  tn_buf text;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_add_format(&text, "%12s %12s  %-6s  %s\n", "milliseconds", "bytes", "state",
                    "stage and file");
  for (size_t i = 0; i < plan->jobs.count; i++) {
    add_row(plan, plan->jobs.items[i], &text);
  }
  tn_diag diag = {0};
  tn_status status = path ? tn_buf_status(&text, &diag)
                          : TN_FAIL(&diag, OUT_OF_MEMORY, "no memory for the table of stages");
  if (status == TN_OK) {
    status = tn_file_write(path, tn_buf_bytes(&text), &diag);
  }
  if (status != TN_OK) {
    (void)fprintf(plan->err, "tenon++: warning: %s\n", diag.text);
  }
  tn_buf_deinit(&text);
  tn_arena_deinit(&arena);
}
