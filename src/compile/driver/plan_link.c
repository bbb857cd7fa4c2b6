// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs of a link: the device link where there is device code, then the host's, or what
// -fsycl-link and -fsycl-link-targets= make instead.
#include "compile/driver/plan_make.h"

// The user's words for the link in their order, with objects in the place of sources.
static void add_link_words(tn_plan *plan) {
  const tn_command *command = plan->command;
  size_t index = 0;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input == TN_INPUT_LINK) {
      tn_args_add(&plan->link_args, arg->text);
    } else if (arg->input != TN_INPUT_NONE) {
      const tn_unit *unit = plan->units.items[index++];
      if (unit->output) {
        tn_args_add(&plan->link_args, unit->output);
      }
      if (unit->wrapper && unit->output == unit->host_object) {
        tn_args_add(&plan->link_args, unit->wrapper);
      }
    } else if (!arg->option || (arg->option->goes & TN_GOES_L) != 0) {
      tn_command_arg_add(arg, &plan->link_args);
    }
  }
}

void tn_link_add_runtime(tn_args *args, const char *lib_dir, bool is_static) {
  tn_args_add_format(args, "-L%s", lib_dir);
  tn_args_add(args, "-ltenon");
  if (!is_static) {
    tn_args_add_format(args, "-Wl,-rpath,%s", lib_dir);
  }
}

static void add_link_args(tn_plan *plan) {
  const tn_command *command = plan->command;
  tn_args *args = &plan->link_args;
  tn_args_add(args, plan->clang);
  tn_args_add(args, "-Qunused-arguments");
  if (plan->wrapper) {
    // Before the libraries: under --as-needed only those count that something before them needs.
    tn_args_add(args, plan->wrapper);
  }
  add_link_words(plan);
  if (!command->relocatable) {
    tn_link_add_runtime(args, plan->lib_dir, command->is_static);
    if (!command->is_static && !command->shared) {
      tn_args_add(args, "-Wl,--export-dynamic-symbol=__tenon_export_*");
    }
  }
  tn_args_add(args, "-o");
  tn_args_add(args, plan->link_output);
}

static void add_link_inputs(tn_plan *plan, tn_job *link) {
  const tn_command *command = plan->command;
  for (size_t i = 0; i < plan->units.count; i++) {
    const tn_unit *unit = plan->units.items[i];
    if (unit->on_device && !command->no_rdc) {
      tn_args_add(&link->args, unit->name);
    }
  }
  for (size_t i = 0; i < plan->inputs.code.count; i++) {
    tn_args_add(&link->args, ((tn_link_code *)plan->inputs.code.items[i])->name);
  }
  for (size_t i = 0; i < plan->inputs.archives.count; i++) {
    tn_args_add_format(&link->args, "--archive=%s",
                       ((tn_link_archive *)plan->inputs.archives.items[i])->path);
  }
  for (size_t i = 0; i < command->added.count; i++) {
    const tn_added_image *added = command->added.items[i];
    tn_args_add_format(&link->args, "--image=%s:%s", added->target.word, added->path);
  }
}

// The device link waits for the units only, so it runs while host passes still do; archives make it
// wait for those as well, for only the host's linker knows which members it takes.
static tn_job *add_device_link(tn_plan *plan, size_t unit_jobs) {
  tn_job *link = tn_job_add(plan, TN_JOB_DEVICE_LINK, NULL);
  if (!link) {
    return NULL;
  }
  for (size_t i = 0; i < unit_jobs; i++) {
    tn_job *job = plan->jobs.items[i];
    if (job->kind == TN_JOB_UNIT || plan->inputs.archives.count > 0) {
      tn_job_wait_for(plan, link, job);
    }
  }
  tn_job_name_step(link, "device-link");
  tn_job_name_link(plan, link);
  add_link_inputs(plan, link);
  return link;
}

static tn_job *add_wrap(tn_plan *plan, tn_job *device_link) {
  tn_job *wrap = tn_job_add(plan, TN_JOB_WRAP, NULL);
  if (wrap) {
    tn_job_name_step(wrap, "wrap");
    tn_args_add(&wrap->args, "-o");
    tn_args_add(&wrap->args, plan->wrapper);
    tn_job_wait_for(plan, wrap, device_link);
  }
  return wrap;
}

// Host objects alone are linked as they are.
static bool has_device_work(const tn_plan *plan) {
  const tn_command *command = plan->command;
  for (size_t i = 0; i < plan->units.count && !command->no_rdc; i++) {
    if (((const tn_unit *)plan->units.items[i])->on_device) {
      return true;
    }
  }
  return plan->inputs.code.count > 0 || plan->inputs.archives.count > 0 || command->added.count > 0;
}

static void name_files(tn_plan *plan) {
  const tn_command *command = plan->command;
  const tn_str base = tn_path_base(tn_str_from(plan->link_output));
  const char *stem =
      tn_plan_beside_output(plan, tn_arena_format(plan->arena, "%.*s", TN_STR_ARG(base)));
  const bool keeps_wrapper = command->save_temps && command->link_kind != TN_LINK_DEVICE_IMAGES;
  plan->wrapper = keeps_wrapper ? tn_arena_format(plan->arena, "%s.wrapper.o", stem)
                                : tn_arena_format(plan->arena, "%s/wrapper.o", plan->temp_dir);
  plan->image = command->save_temps ? tn_arena_format(plan->arena, "%s.tnfb", stem) : NULL;
}

static void add_host_link(tn_plan *plan, size_t unit_jobs, tn_job *wrap) {
  tn_job *link = tn_job_add(plan, TN_JOB_HOST_LINK, NULL);
  if (link) {
    for (size_t i = 0; i < unit_jobs; i++) {
      tn_job_wait_for(plan, link, plan->jobs.items[i]);
    }
    tn_job_wait_for(plan, link, wrap);
    tn_args_add_all(&link->args, &plan->link_args);
  }
}

// -fsycl-link and -fsycl-link-targets=: what they write is made of the device link alone.
static void add_device_output(tn_plan *plan, tn_job *device_link) {
  if (plan->command->link_kind == TN_LINK_DEVICE_IMAGES) {
    tn_args_add(&device_link->args, "-o");
    tn_args_add(&device_link->args, plan->link_output);
    plan->image = plan->link_output;
    return;
  }
  tn_job *wrap = add_wrap(plan, device_link);
  tn_job *join = tn_job_add(plan, TN_JOB_JOIN, NULL);
  if (join) {
    tn_job_name_join(plan, join, NULL, plan->wrapper, plan->link_output);
    tn_job_wait_for(plan, join, wrap);
  }
}

static tn_status add_device_only_link(tn_plan *plan, size_t unit_jobs, tn_diag *diag) {
  if (!has_device_work(plan)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%s: none of the inputs holds device code for its "
                   "targets",
                   plan->command->has_device_link ? "-fsycl-link" : "-fsycl-link-targets=");
  }
  tn_job *link = add_device_link(plan, unit_jobs);
  add_link_args(plan);
  if (link) {
    add_device_output(plan, link);
  }
  return TN_OK;
}

tn_status tn_plan_add_link(tn_plan *plan, tn_diag *diag) {
  const tn_command *command = plan->command;
  const size_t unit_jobs = plan->jobs.count;
  plan->link_output = command->output ? command->output : "a.out";
  name_files(plan);
  if (command->relocatable) {
    plan->wrapper = NULL;
    add_link_args(plan);
    add_host_link(plan, unit_jobs, NULL);
    return TN_OK;
  }
  TN_TRY(tn_link_inputs_scan(&plan->inputs, command, diag));
  if (command->link_kind != TN_LINK_PROGRAM) {
    return add_device_only_link(plan, unit_jobs, diag);
  }
  tn_job *wrap = NULL;
  if (has_device_work(plan)) {
    wrap = add_wrap(plan, add_device_link(plan, unit_jobs));
  } else {
    plan->wrapper = NULL;
  }
  add_link_args(plan);
  add_host_link(plan, unit_jobs, wrap);
  return TN_OK;
}
