// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -ftime-trace: the traces of a source's passes become the file that clang++ would write for its
// host pass.
#include "base/file.h"
#include "compile/driver/job_run.h"

static const char *pass_name(const tn_plan *plan, size_t index, tn_arena *arena) {
  return index == 0 ? "host pass"
                    : tn_arena_format(arena, "device pass for %s",
                                      plan->command->targets[index - 1].word);
}

tn_status tn_unit_trace_write(const tn_plan *plan, tn_unit *unit, tn_diag *diag) {
  const tn_clang_trace *traces[TN_COMMAND_TARGETS + 1];
  const char *names[TN_COMMAND_TARGETS + 1];
  const char *path = NULL;
  size_t count = 0;
  for (size_t i = 0; i <= plan->command->target_count; i++) {
    if (unit->traces[i].json.size == 0) {
      continue;
    }
    path = path ? path : tn_buf_text(&unit->traces[i].path);
    traces[count] = &unit->traces[i];
    names[count] = pass_name(plan, i, &unit->arena);
    if (!names[count++]) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the trace of '%s'", unit->name);
    }
  }
  if (count == 0) {
    return TN_OK;
  }
  if (unit->is_header && strcmp(path, "-.json") == 0) {  // the passes write to memory
    const tn_str stem = tn_str_from(unit->output);
    path = tn_arena_format(&unit->arena, "%.*s.json",
                           (int)(stem.size - tn_path_extension(stem).size), stem.data);
    if (!path) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the trace of '%s'", unit->name);
    }
  }
  tn_buf text;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_clang_trace_join(traces, names, count, &text);
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = tn_plan_write_text(plan, path, tn_buf_str(&text), diag);
  }
  tn_buf_deinit(&text);
  return status;
}
