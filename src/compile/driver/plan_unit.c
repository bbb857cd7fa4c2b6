// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source's jobs: its passes, lowering, and what becomes of it: a fat object, a part of a link, or
// with -fno-sycl-rdc an object that registers its own device code.
#include "base/file.h"
#include "compile/driver/plan_make.h"

// Objects that hold device code in some form, for a later link.
static bool makes_objects(const tn_command *command) {
  return command->action == TN_ACTION_OBJECT ||
         (command->action == TN_ACTION_LINK && command->relocatable);
}

static bool is_first_of_stem(const tn_plan *plan, const tn_unit *unit, tn_str stem) {
  for (size_t i = 0; i < unit->index; i++) {
    const tn_unit *other = plan->units.items[i];
    if (tn_str_equals(tn_plan_stem_of(other->name), stem)) {
      return false;
    }
  }
  return true;
}

// "<folder>/<name>" for what --save-temps keeps; sources of one name are told apart.
static const char *temps_stem_of(const tn_plan *plan, const tn_unit *unit) {
  if (plan->command->save_temps == TN_SAVE_TEMPS_NONE) {
    return NULL;
  }
  const tn_str stem = tn_plan_stem_of(unit->name);
  return tn_plan_beside_output(
      plan, is_first_of_stem(plan, unit, stem)
                ? tn_arena_format(plan->arena, "%.*s", TN_STR_ARG(stem))
                : tn_arena_format(plan->arena, "%.*s-%zu", TN_STR_ARG(stem), unit->index));
}

// Where the host pass writes. The final place only when clang puts files beside it by its name.
static const char *host_object_of(const tn_plan *plan, const tn_unit *unit) {
  const tn_command *command = plan->command;
  if (command->action == TN_ACTION_OBJECT &&
      (!unit->on_device || command->beside_object || command->save_temps)) {
    return unit->output;
  }
  if (command->action == TN_ACTION_LINK && unit->temps_stem) {
    return tn_arena_format(plan->arena, "%s.o", unit->temps_stem);
  }
  return tn_arena_format(plan->arena, "%s/%.*s-%zu.o", plan->temp_dir,
                         TN_STR_ARG(tn_plan_stem_of(unit->name)), unit->index);
}

static const char *object_output_of(const tn_plan *plan, const tn_unit *unit) {
  const tn_str stem = tn_plan_stem_of(unit->name);
  if (plan->command->action == TN_ACTION_LINK) {
    return tn_arena_format(plan->arena, "%s/%.*s-%zu.fat.o", plan->temp_dir, TN_STR_ARG(stem),
                           unit->index);
  }
  return plan->command->output ? plan->command->output
                               : tn_arena_format(plan->arena, "%.*s.o", TN_STR_ARG(stem));
}

// Beside the header, as clang names it.
static const char *header_output_of(const tn_plan *plan, const tn_unit *unit) {
  const tn_command *command = plan->command;
  return command->output ? command->output : tn_arena_format(plan->arena, "%s.pch", unit->name);
}

// Whether several passes read the source in this command.
static bool has_several_passes(const tn_plan *plan, const tn_unit *unit) {
  const tn_command *command = plan->command;
  if (command->device_only) {
    return command->target_count > 1;
  }
  const bool is_of_host = command->action == TN_ACTION_ASSEMBLY ||
                          command->action == TN_ACTION_OTHER || command->emit_llvm ||
                          (command->action == TN_ACTION_PREPROCESS &&
                           !tn_plan_joins_texts(plan, unit));
  return unit->on_device && !is_of_host;
}

static tn_pass_params pass_params(const tn_plan *plan, const tn_unit *unit, const tn_args *user) {
  return (tn_pass_params){
      .clang = plan->clang,
      .source = unit->source,
      .language = unit->language,
      .include_dir = unit->is_preprocessed ? NULL : plan->include_dir,
      .unit_id = unit->id,
      .user = user,
      .color = plan->color,
      .is_plain = !unit->is_sycl,
  };
}

// Other actions may write elsewhere, or nothing.
static const char *certain_output(const char *action, const char *output) {
  const bool is_certain = action && (strcmp(action, "-c") == 0 || strcmp(action, "-S") == 0 ||
                                     strcmp(action, "-E") == 0);
  return is_certain && output && strcmp(output, "-") != 0 ? output : NULL;
}

static bool uses_host_compiler(const tn_plan *plan, const tn_unit *unit) {
  return plan->host_compiler && unit->is_sycl && !plan->command->device_only;
}

// A link's object is temporary. What clang puts beside an object (-ftime-trace, -gsplit-dwarf …) is
// named after the program then, as clang++ does in a command that compiles and links.
static void name_files_beside(const tn_plan *plan, tn_args *user) {
  const tn_command *command = plan->command;
  if (command->action != TN_ACTION_LINK || !command->beside_object || command->device_only) {
    return;
  }
  for (size_t i = 0; i < command->args.count; i++) {
    if (strcmp(tn_command_arg_at(command, i)->text, "-dumpdir") == 0) {
      return;
    }
  }
  const char *output = command->output ? command->output : "a";
  tn_args_add(user, "-dumpdir");
  tn_args_add_format(user, "%s-", output);
}

static tn_job *add_host_pass(tn_plan *plan, tn_unit *unit, const char *action) {
  tn_job *job = tn_job_add(plan, TN_JOB_PASS, unit);
  if (!job) {
    return NULL;
  }
  tn_job_wait_for(plan, job, unit->identity);
  tn_args user;
  tn_args_init(&user, plan->arena);
  tn_command_options(plan->command, TN_GOES_H, &user);
  tn_plan_add_dependency_args(plan, unit, job, !has_several_passes(plan, unit), &user);
  if (unit->module_symbol) {
    tn_args_add_format(&user, "-D__TENON_MODULE__=%s", unit->module_symbol);
  }
  name_files_beside(plan, &user);
  tn_pass_params params = pass_params(plan, unit, &user);
  const tn_host_compiler host = {
      .program = plan->host_compiler,
      .options = &plan->host_options,
      .integration_header = unit->is_preprocessed ? NULL : unit->integration_header,
      .left_out = unit->index == 0 ? &plan->left_out : NULL,
  };
  params.host = uses_host_compiler(plan, unit) ? &host : NULL;
  params.action = action;
  params.output = unit->host_object;
  job->output = certain_output(action, params.output);
  tn_frontend_host_args(&params, &job->args);
  return job;
}

// Of passes in this process only, as their traces become the host pass's file.
static void add_time_trace(const tn_plan *plan, tn_args *user) {
  static const char head[] = "-ftime-trace";
  for (size_t i = 0; plan->runs_inside && i < plan->command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(plan->command, i);
    if (arg->input == TN_INPUT_NONE && strncmp(arg->text, head, sizeof(head) - 1) == 0) {
      tn_command_arg_add(arg, user);
    }
  }
}

static tn_job *add_device_run(tn_plan *plan, tn_unit *unit, tn_job_kind kind, size_t target,
                              const char *action, const char *output) {
  tn_job *job = tn_job_add(plan, kind, unit);
  if (!job) {
    return NULL;
  }
  job->is_device = true;
  job->target = target;
  tn_args user;
  tn_args_init(&user, plan->arena);
  tn_command_options(plan->command, TN_GOES_D, &user);
  tn_args_add_all(&user, &plan->command->words[target][TN_STAGE_FRONTEND]);
  if (kind == TN_JOB_PASS) {
    add_time_trace(plan, &user);
    tn_plan_add_dependency_args(plan, unit, job, !has_several_passes(plan, unit), &user);
  }
  tn_pass_params params = pass_params(plan, unit, &user);
  params.target = &plan->command->targets[target];
  params.source = unit->device_sources[target] ? unit->device_sources[target] : unit->source;
  params.is_silent = uses_host_compiler(plan, unit);
  params.is_header = unit->is_header;
  params.wants_closures = target == 0 && unit->integration_header;
  params.plugin = plan->plugin;
  params.action = action;
  params.output = output;
  job->output = certain_output(action, output);
  tn_frontend_device_args(&params, &job->args);
  return job;
}

static tn_job *add_device_pass(tn_plan *plan, tn_unit *unit, size_t target, const char *action,
                               const char *output) {
  return add_device_run(plan, unit, TN_JOB_PASS, target, action, output);
}

// The preprocessor as the device passes run it, each target's after the one before. A preprocessed
// source names its id.
static void add_identity(tn_plan *plan, tn_unit *unit) {
  const bool is_needed = unit->id == 0 && !unit->identity;
  for (size_t t = 0; is_needed && t < plan->command->target_count; t++) {
    tn_job *job = add_device_run(plan, unit, TN_JOB_IDENTITY, t, "-E", "-");
    if (job) {
      tn_job_wait_for(plan, job, unit->identity);
      unit->identity = job;
    }
  }
}

static void add_remarks(const tn_plan *plan, const tn_target *target, tn_args *args) {
  static const struct {
    uint32_t flag;
    const char *option;
  } options[] = {{TN_UNIT_REMARKS_PASSED, "-Rpass=tenon"},
                 {TN_UNIT_REMARKS_MISSED, "-Rpass-missed=tenon"},
                 {TN_UNIT_REMARKS_ANALYSIS, "-Rpass-analysis=tenon"}};
  for (size_t i = 0; i < TN_COUNT(options) && target->kind == TN_TARGET_CPU; i++) {
    if ((plan->command->remarks & options[i].flag) != 0) {
      tn_args_add(args, options[i].option);
    }
  }
}

// The id, and device pass and lowering for each target.
static void add_device_jobs(tn_plan *plan, tn_unit *unit) {
  add_identity(plan, unit);
  for (size_t t = 0; t < plan->command->target_count; t++) {
    tn_job *pass = add_device_pass(plan, unit, t, "-c", "-");
    tn_job *lower = tn_job_add(plan, TN_JOB_UNIT, unit);
    if (!pass || !lower) {
      return;
    }
    pass->keeps_output = true;
    lower->target = t;
    tn_job_name_step(lower, "device-unit");
    tn_args_add_format(&lower->args, "--target=%s", plan->command->targets[t].word);
    tn_args_add_format(&lower->args, "--unit-id=%016llx", (unsigned long long)unit->id);
    if (plan->command->sub_group_size != 0) {
      tn_args_add_format(&lower->args, "--sub-group-size=%u", plan->command->sub_group_size);
    }
    add_remarks(plan, &plan->command->targets[t], &lower->args);
    if (t == 0 && unit->integration_header) {
      tn_args_add_format(&lower->args, "--header=%s", unit->integration_header);
    }
    tn_args_add(&lower->args, unit->name);
    tn_job_wait_for(plan, lower, unit->identity);
    tn_job_wait_for(plan, lower, pass);
  }
}

// `job` waits for the lowering of its unit: all of it, or of the first target only.
static void wait_for_lowering(tn_plan *plan, tn_job *job, size_t first_job, bool all) {
  for (size_t i = first_job; job && i < plan->jobs.count; i++) {
    tn_job *before = plan->jobs.items[i];
    if (before->kind == TN_JOB_UNIT && before->unit == job->unit && (all || before->target == 0)) {
      tn_job_wait_for(plan, job, before);
    }
  }
}

static void add_embed(tn_plan *plan, tn_unit *unit, tn_job *host, size_t first_job) {
  tn_job *embed = tn_job_add(plan, TN_JOB_EMBED, unit);
  if (!embed) {
    return;
  }
  tn_job_name_step(embed, "embed");
  tn_args_add(&embed->args, unit->host_object);
  tn_args_add(&embed->args, "-o");
  tn_args_add(&embed->args, unit->output);
  tn_job_wait_for(plan, embed, host);
  wait_for_lowering(plan, embed, first_job, true);
}

static tn_job *add_unit_link(tn_plan *plan, tn_unit *unit, size_t first_job) {
  tn_job *link = tn_job_add(plan, TN_JOB_UNIT_LINK, unit);
  if (!link) {
    return NULL;
  }
  tn_job_name_step(link, "device-link");
  tn_job_name_link(plan, link);
  tn_args_add_format(&link->args, "--module=%s", unit->module_symbol);
  tn_args_add(&link->args, unit->name);
  tn_args_add(&link->args, "-o");
  tn_args_add(&link->args, unit->wrapper);
  wait_for_lowering(plan, link, first_job, true);
  return link;
}

static void add_unit_join(tn_plan *plan, tn_unit *unit, tn_job *host, tn_job *link) {
  tn_job *join = tn_job_add(plan, TN_JOB_JOIN, unit);
  if (join) {
    tn_job_name_join(plan, join, unit->host_object, unit->wrapper, unit->output);
    tn_job_wait_for(plan, join, host);
    tn_job_wait_for(plan, join, link);
  }
}

static void name_own_module(tn_plan *plan, tn_unit *unit) {
  const tn_str stem = tn_plan_stem_of(unit->name);
  unit->module_symbol = tn_arena_format(plan->arena, TN_UNIT_MODULE_PREFIX "%016llx",
                                        (unsigned long long)unit->id);
  unit->wrapper = unit->temps_stem ? tn_arena_format(plan->arena, "%s.wrapper.o", unit->temps_stem)
                                   : tn_arena_format(plan->arena, "%s/%.*s-%zu.wrapper.o",
                                                     plan->temp_dir, TN_STR_ARG(stem), unit->index);
}

// The names of the files that a source reads are had without knowing kernels.
static void name_header(tn_plan *plan, tn_unit *unit) {
  const tn_command *command = plan->command;
  if (command->int_header && unit->is_sycl) {
    unit->integration_header = command->int_header;
  } else if (!uses_host_compiler(plan, unit) || command->action == TN_ACTION_DEPENDENCIES) {
    unit->integration_header = NULL;
  } else if (unit->temps_stem) {
    unit->integration_header = tn_arena_format(plan->arena, "%s.integration.h", unit->temps_stem);
  } else {
    unit->integration_header =
        tn_arena_format(plan->arena, "%s/%.*s-%zu.integration.h", plan->temp_dir,
                        TN_STR_ARG(tn_plan_stem_of(unit->name)), unit->index);
  }
}

// Clang names what --save-temps keeps by the source's name alone: two of one name would write the
// same files at once.
static void wait_for_namesakes(tn_plan *plan, tn_job *host) {
  if (!host || plan->command->save_temps == TN_SAVE_TEMPS_NONE) {
    return;
  }
  const tn_str stem = tn_plan_stem_of(host->unit->name);
  for (size_t i = 0; i < plan->jobs.count; i++) {
    tn_job *other = plan->jobs.items[i];
    if (other->kind == TN_JOB_PASS && !other->is_device && other->unit != host->unit &&
        tn_str_equals(tn_plan_stem_of(other->unit->name), stem)) {
      tn_job_wait_for(plan, host, other);
    }
  }
}

static void add_unit_objects(tn_plan *plan, tn_unit *unit) {
  const tn_command *command = plan->command;
  const size_t first = plan->jobs.count;
  if (makes_objects(command)) {
    unit->output = object_output_of(plan, unit);
  }
  unit->host_object = host_object_of(plan, unit);
  if (unit->on_device && command->no_rdc) {
    name_own_module(plan, unit);
  }
  tn_job *link = NULL;
  if (unit->on_device || unit->integration_header) {
    add_device_jobs(plan, unit);
    link = unit->module_symbol ? add_unit_link(plan, unit, first) : NULL;
  }
  tn_job *host = add_host_pass(plan, unit, "-c");
  wait_for_namesakes(plan, host);
  if (unit->integration_header) {
    wait_for_lowering(plan, host, first, false);
  }
  tn_plan_add_dependency_job(plan, unit, first);
  if (!unit->output || !unit->on_device) {
    unit->output = unit->host_object;
  } else if (unit->module_symbol) {
    add_unit_join(plan, unit, host, link);
  } else {
    add_embed(plan, unit, host, first);
  }
}

// The passes write Clang's precompiled headers to memory.
static void add_unit_header(tn_plan *plan, tn_unit *unit) {
  const tn_command *command = plan->command;
  static const char in_memory[] = "-";
  unit->output = header_output_of(plan, unit);
  unit->host_object = in_memory;
  if (unit->on_device) {
    add_identity(plan, unit);
  }
  if (unit->on_device && command->no_rdc) {
    name_own_module(plan, unit);
  }
  const size_t first = plan->jobs.count;
  if (!command->device_only) {
    (void)add_host_pass(plan, unit, command->precompile ? NULL : "-c");
  }
  for (size_t t = 0; unit->on_device && t < command->target_count; t++) {
    (void)add_device_pass(plan, unit, t, "-c", in_memory);
  }
  tn_plan_add_header_job(plan, unit, first);
  tn_plan_add_dependency_job(plan, unit, first);
}

static const char *device_view_output(const tn_plan *plan, const tn_unit *unit, size_t target) {
  const tn_command *command = plan->command;
  if (command->action == TN_ACTION_DEPENDENCIES) {
    return NULL;
  }
  if (command->output || command->action == TN_ACTION_PREPROCESS ||
      command->action == TN_ACTION_SYNTAX) {
    return command->output;
  }
  const char *extension = command->action == TN_ACTION_ASSEMBLY ? "ll" : "bc";
  const tn_str stem = tn_plan_stem_of(unit->name);
  return command->target_count > 1
             ? tn_arena_format(plan->arena, "%.*s-%s.%s", TN_STR_ARG(stem),
                               command->targets[target].word, extension)
             : tn_arena_format(plan->arena, "%.*s.%s", TN_STR_ARG(stem), extension);
}

static void add_device_views(tn_plan *plan, tn_unit *unit, const char *action) {
  for (size_t t = 0; t < plan->command->target_count; t++) {
    tn_job *pass = add_device_pass(plan, unit, t, action, device_view_output(plan, unit, t));
    if (pass) {
      pass->is_direct = true;
    }
  }
}

// The passes whose texts or lists of files become one.
static void add_joined_views(tn_plan *plan, tn_unit *unit, size_t first, const char *action) {
  const char *to_output = plan->command->action == TN_ACTION_PREPROCESS ? "-" : NULL;
  if (to_output) {
    add_identity(plan, unit);
  }
  tn_job *host = add_host_pass(plan, unit, action);
  wait_for_lowering(plan, host, first, false);
  const size_t texts = host ? plan->jobs.count - 1 : first;
  for (size_t t = 0; t < plan->command->target_count; t++) {
    (void)add_device_pass(plan, unit, t, "-E", to_output);
  }
  if (plan->command->action == TN_ACTION_PREPROCESS) {
    tn_plan_add_text_job(plan, unit, texts);
  }
}

// Only one view of the source is asked for, or none is kept: clang writes where it is told to.
static void add_unit_views(tn_plan *plan, tn_unit *unit) {
  const tn_command *command = plan->command;
  static const char *const actions[TN_ACTION_OTHER + 1] = {[TN_ACTION_LINK] = "-c",
                                                           [TN_ACTION_OBJECT] = "-c",
                                                           [TN_ACTION_ASSEMBLY] = "-S",
                                                           [TN_ACTION_PREPROCESS] = "-E",
                                                           [TN_ACTION_DEPENDENCIES] = NULL,
                                                           [TN_ACTION_SYNTAX] = "-fsyntax-only"};
  const char *action = actions[command->action];
  const size_t first = plan->jobs.count;
  const bool is_rule = command->action == TN_ACTION_DEPENDENCIES;
  if (unit->on_device && command->no_rdc) {
    name_own_module(plan, unit);
  }
  if (unit->integration_header) {
    add_device_jobs(plan, unit);
  }
  if (command->device_only) {
    add_device_views(plan, unit, is_rule ? "-E" : action);
  } else if (tn_plan_joins_texts(plan, unit) || (is_rule && unit->on_device)) {
    add_joined_views(plan, unit, first, action);
  } else {
    unit->host_object = command->output;
    tn_job *host = add_host_pass(plan, unit, action);
    wait_for_lowering(plan, host, first, false);
    if (host) {
      host->is_direct = command->action != TN_ACTION_SYNTAX;
    }
    const bool is_checked = command->action == TN_ACTION_SYNTAX && unit->on_device;
    for (size_t t = 0; is_checked && !unit->integration_header && t < command->target_count; t++) {
      (void)add_device_pass(plan, unit, t, action, NULL);
    }
    unit->host_object = NULL;
  }
  tn_plan_add_dependency_job(plan, unit, first);
}

// Both passes read the source, which standard input lets only one do.
static const char *keep_standard_input(tn_plan *plan, tn_diag *diag) {
  if (plan->command->print_plan) {
    return "-";
  }
  const char *path = tn_arena_format(plan->arena, "%s/stdin.cpp", plan->temp_dir);
  tn_buf text;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_add_text(&text, "# 1 \"<stdin>\"\n");
  char chunk[1 << 14];
  for (size_t got = 1; got > 0;) {
    got = fread(chunk, 1, sizeof(chunk), stdin);
    tn_buf_add(&text, chunk, got);
  }
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK && path) {
    status = tn_file_write(path, tn_buf_bytes(&text), diag);
  }
  tn_buf_deinit(&text);
  return status == TN_OK ? path : NULL;
}

static tn_unit *new_unit(tn_plan *plan, const tn_command_arg *arg) {
  tn_unit *unit = tn_arena_alloc(plan->arena, sizeof(*unit));
  if (!unit || !tn_list_add(&plan->units, plan->arena, unit)) {
    return NULL;
  }
  unit->index = plan->units.count - 1;
  unit->name = arg->text;
  unit->source = arg->text;
  unit->language = arg->language;
  unit->is_sycl = arg->input != TN_INPUT_HOST;
  unit->is_header = arg->input == TN_INPUT_HEADER;
  unit->on_device = unit->is_sycl && !plan->command->host_only;
  const bool is_text = arg->language
                           ? strcmp(arg->language, "c++-cpp-output") == 0
                           : tn_str_has_suffix(tn_str_from(arg->text), TN_STR_LIT(".ii"));
  unit->is_preprocessed = unit->is_sycl && is_text;
  for (size_t i = 0; i < TN_COMMAND_TARGETS; i++) {
    tn_buf_init(&unit->bitcode[i], TN_DRIVER_BUFFER_MAXIMUM);
    tn_buf_init(&unit->lowered[i], TN_DRIVER_BUFFER_MAXIMUM);
    tn_buf_init(&unit->symbols[i], TN_DRIVER_BUFFER_MAXIMUM);
    tn_buf_init(&unit->texts[i], TN_DRIVER_BUFFER_MAXIMUM);
  }
  for (size_t i = 0; i < TN_COUNT(unit->traces); i++) {
    tn_clang_trace_init(&unit->traces[i]);
  }
  tn_buf_init(&unit->texts[TN_COMMAND_TARGETS], TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&unit->host_text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&unit->device_text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_arena_init(&unit->arena);
  tn_args_init(&unit->natives, &unit->arena);
  return unit;
}

// A link of device code alone has no use for the host's.
static void add_unit_jobs(tn_plan *plan, tn_unit *unit) {
  const tn_command *command = plan->command;
  const bool makes_code = command->action == TN_ACTION_LINK || command->action == TN_ACTION_OBJECT;
  if (makes_code && unit->is_header) {
    add_unit_header(plan, unit);
  } else if (!makes_code || command->device_only || command->emit_llvm) {
    add_unit_views(plan, unit);
  } else if (command->link_kind == TN_LINK_PROGRAM) {
    add_unit_objects(plan, unit);
  } else if (unit->on_device) {
    const size_t first = plan->jobs.count;
    add_device_jobs(plan, unit);
    tn_plan_add_dependency_job(plan, unit, first);
  }
}

tn_status tn_plan_add_unit(tn_plan *plan, const tn_command_arg *arg, tn_diag *diag) {
  tn_unit *unit = new_unit(plan, arg);
  if (!unit) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the plan");
  }
  if (strcmp(arg->text, "-") == 0) {
    unit->source = keep_standard_input(plan, diag);
    if (!unit->source) {
      return TN_FAIL(diag, IO, "standard input could not be kept in %s", plan->temp_dir);
    }
  }
  tn_args_init(&unit->options, plan->arena);
  tn_command_options(plan->command, TN_GOES_D, &unit->options);
  if (plan->command->sub_group_size != 0) {
    tn_args_add_format(&unit->options, "--sub-group-size=%u", plan->command->sub_group_size);
  }
  unit->recorded_name = tn_frontend_map_path(plan->arena, &unit->options, unit->name);
  if (unit->is_preprocessed) {
    TN_TRY(tn_plan_split_text(plan, unit, diag));
  }
  if (!unit->is_sycl) {
    TN_TRY(tn_plan_check_host_input(plan, unit, diag));
  }
  unit->temps_stem = temps_stem_of(plan, unit);
  name_header(plan, unit);
  tn_plan_name_dependencies(plan, unit);
  add_unit_jobs(plan, unit);
  return TN_OK;
}
