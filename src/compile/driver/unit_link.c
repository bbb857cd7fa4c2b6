// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -fno-sycl-rdc: a source's device code is linked by itself and put into its own object, which any
// linker takes.
#include "base/file.h"
#include "base/thread.h"
#include "compile/driver/device_images.h"
#include "compile/driver/job_run.h"

// Sources already keep the cores busy when there are many.
static uint32_t unit_threads(const tn_plan *plan) {
  const tn_command *command = plan->command;
  const size_t cores = command->jobs > 0 ? (size_t)command->jobs : tn_thread_core_count();
  const size_t share = plan->units.count > 0 ? cores / plan->units.count : cores;
  const uint32_t threads = share > 0 ? (uint32_t)share : 1;
  return command->link_jobs > 0 && command->link_jobs < threads ? (uint32_t)command->link_jobs
                                                                : threads;
}

static tn_status write_module(const tn_unit *unit, tn_bytes fatbin, tn_diag *diag) {
  if (unit->temps_stem) {
    tn_buf path;
    tn_buf_init(&path, 1 << 16);
    tn_buf_add_format(&path, "%s.tnfb", unit->temps_stem);
    const tn_status status = tn_file_write(tn_buf_text(&path), fatbin, diag);
    tn_buf_deinit(&path);
    TN_TRY(status);
  }
  return tn_wrapper_write(unit->wrapper, fatbin, unit->module_symbol, diag);
}

tn_status tn_unit_link(tn_plan *plan, tn_unit *unit, tn_buf *text, tn_diag *diag) {
  tn_link_input inputs[TN_COMMAND_TARGETS];
  const tn_str stem = tn_path_base(tn_str_from(unit->name));
  tn_images_params params = {
      .plan = plan,
      .output = unit->recorded_name,
      .threads = unit_threads(plan),
      .native_stem = unit->temps_stem
                         ? tn_arena_format(&unit->arena, "%s.native", unit->temps_stem)
                         : tn_arena_format(&unit->arena, "%s/%.*s-%zu-native", plan->temp_dir,
                                           TN_STR_ARG(stem), unit->index),
      .temps_stem = unit->temps_stem,
  };
  for (size_t t = 0; t < plan->command->target_count; t++) {
    inputs[t] =
        (tn_link_input){tn_buf_bytes(&unit->lowered[t]), tn_buf_str(&unit->symbols[t]), unit->name};
    params.inputs[t] = &inputs[t];
    params.input_counts[t] = 1;
  }
  tn_buf fatbin;
  tn_buf_init(&fatbin, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status =
      tn_device_images_make(&params, &unit->arena, &fatbin, &unit->natives, text, diag);
  // A source without device code is a host object like any other.
  if (status == TN_OK && fatbin.size > 0) {
    status = write_module(unit, tn_buf_bytes(&fatbin), diag);
    unit->has_wrapper = status == TN_OK;
  }
  tn_buf_deinit(&fatbin);
  return status;
}

static tn_status copy_file(const char *from, const char *to, tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  if (strcmp(from, to) == 0) {
    return TN_OK;
  }
  TN_TRY(tn_file_read(from, TN_DRIVER_BUFFER_MAXIMUM, &data, &size, diag));
  const tn_status status = tn_file_write(to, tn_bytes_from(data, size), diag);
  tn_free(data);
  return status;
}

// The job's words end in "-o OUTPUT"; the linker writes beside the other temporary files, so that
// nothing half written is seen.
static tn_status run_linker(tn_plan *plan, tn_job *job, const tn_args *natives, const char *joined,
                            tn_buf *text, tn_diag *diag) {
  tn_arena *arena = job->unit ? &job->unit->arena : &plan->link_arena;
  tn_args args;
  tn_args_init(&args, arena);
  for (size_t i = 0; i + 2 < job->args.list.count; i++) {
    tn_args_add(&args, tn_args_at(&job->args, i));
  }
  tn_args_add_all(&args, natives);
  tn_args_add(&args, "-o");
  tn_args_add(&args, joined);
  if (!tn_args_argv(&args)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to join host objects");
  }
  if (plan->command->verbose && !(plan->runs_inside && tn_args_at(&args, 0) == plan->clang)) {
    tn_args_print(&args, plan->err);
  }
  const tn_child child = {.error = text};
  int code = 0;
  TN_TRY(tn_child_run(plan, job, &args, &child, &code, diag));
  return code == 0 ? TN_OK
                   : TN_FAIL(diag, BUILD_FAILED,
                             "the linker could not join the host "
                             "object with its device code (-r); -fsycl-rdc needs no such "
                             "step");
}

tn_status tn_objects_join(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  const tn_unit *unit = job->unit;
  const char *output = unit ? unit->output : plan->link_output;
  if (unit && !unit->has_wrapper) {
    return copy_file(unit->host_object, output, diag);
  }
  tn_arena *arena = unit ? &job->unit->arena : &plan->link_arena;
  const char *joined = tn_arena_format(arena, "%s/joined-%zu.o", plan->temp_dir,
                                       unit ? unit->index : plan->units.count);
  if (!joined) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to join host objects");
  }
  TN_TRY(run_linker(plan, job, unit ? &unit->natives : &plan->natives, joined, text, diag));
  return copy_file(joined, output, diag);
}
