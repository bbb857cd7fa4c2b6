// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the jobs of a command: which of clang's runs, which steps of ours, what waits for what.
#include "compile/driver/plan.h"

#include "base/file.h"

void tn_plan_init(tn_plan *plan, tn_command *command, tn_arena *arena, FILE *out, FILE *err) {
  *plan = (tn_plan){.command = command, .arena = arena, .out = out, .err = err};
  tn_arena_init(&plan->link_arena);
  tn_args_init(&plan->link_args, arena);
  tn_args_init(&plan->symbols, arena);
  tn_link_inputs_init(&plan->inputs, arena);
  tn_buf_init(&plan->fatbin, TN_DRIVER_BUFFER_MAXIMUM);
}

static void unit_deinit(tn_unit *unit) {
  for (size_t i = 0; i < TN_COMMAND_TARGETS; i++) {
    tn_buf_deinit(&unit->bitcode[i]);
    tn_buf_deinit(&unit->lowered[i]);
  }
  tn_buf_deinit(&unit->host_text);
  tn_buf_deinit(&unit->device_text);
}

void tn_plan_deinit(tn_plan *plan) {
  for (size_t i = 0; i < plan->units.count; i++) {
    unit_deinit(plan->units.items[i]);
  }
  tn_link_inputs_deinit(&plan->inputs);
  tn_buf_deinit(&plan->fatbin);
  tn_arena_deinit(&plan->link_arena);
  if (plan->temp_dir && !plan->command->print_plan) {
    tn_temp_dir_remove(plan->temp_dir);
  } else {
    tn_free(plan->temp_dir);
  }
  plan->temp_dir = NULL;
}

static tn_job *add_job(tn_plan *plan, tn_job_kind kind, tn_unit *unit) {
  tn_job *job = tn_arena_alloc(plan->arena, sizeof(*job));
  if (!job || !tn_list_add(&plan->jobs, plan->arena, job)) {
    plan->link_args.failed = true;
    return NULL;
  }
  job->kind = kind;
  job->unit = unit;
  tn_args_init(&job->args, plan->arena);
  if (unit) {
    unit->pending++;
  }
  return job;
}

static void add_wait(tn_plan *plan, tn_job *job, tn_job *before) {
  if (job && before && !tn_list_add(&job->after, plan->arena, before)) {
    plan->link_args.failed = true;
  }
}

static tn_str stem_of(const char *source) {
  const tn_str base = tn_path_base(tn_str_from(source));
  return tn_str_slice(base, 0, base.size - tn_path_extension(base).size);
}

// "a/b.x" → "a/b<extension>", as clang derives names from -o.
static const char *with_extension(tn_arena *arena, const char *path, const char *extension) {
  const size_t cut = strlen(path) - tn_path_extension(tn_str_from(path)).size;
  return tn_arena_format(arena, "%.*s%s", (int)cut, path, extension);
}

static const char *beside_output(const tn_plan *plan, const char *name) {
  const tn_command *command = plan->command;
  if (command->save_temps != TN_SAVE_TEMPS_OBJ || !command->output ||
      !strchr(command->output, '/')) {
    return name;
  }
  const tn_str folder = tn_path_dir(tn_str_from(command->output));
  return tn_arena_format(plan->arena, "%.*s/%s", TN_STR_ARG(folder), name);
}

static bool makes_fat_objects(const tn_command *command) {
  return command->action == TN_ACTION_OBJECT ||
         (command->action == TN_ACTION_LINK && command->relocatable);
}

// Where the host pass writes. The final place only when clang puts files beside it by its name.
static const char *host_object_of(const tn_plan *plan, const tn_unit *unit, size_t index) {
  const tn_command *command = plan->command;
  const tn_str stem = stem_of(unit->name);
  if (command->action == TN_ACTION_OBJECT &&
      (!unit->on_device || command->beside_object || command->save_temps)) {
    return unit->output;
  }
  if (command->action == TN_ACTION_LINK && command->save_temps) {
    for (size_t i = 0; i < index; i++) {
      if (tn_str_equals(stem_of(((tn_unit *)plan->units.items[i])->name), stem)) {
        return beside_output(
            plan, tn_arena_format(plan->arena, "%.*s-%zu.o", TN_STR_ARG(stem), index));
      }
    }
    return beside_output(plan, tn_arena_format(plan->arena, "%.*s.o", TN_STR_ARG(stem)));
  }
  return tn_arena_format(plan->arena, "%s/%.*s-%zu.o", plan->temp_dir, TN_STR_ARG(stem), index);
}

static const char *object_output_of(const tn_plan *plan, const tn_unit *unit, size_t index) {
  const tn_str stem = stem_of(unit->name);
  if (plan->command->action == TN_ACTION_LINK) {
    return tn_arena_format(plan->arena, "%s/%.*s-%zu.fat.o", plan->temp_dir, TN_STR_ARG(stem),
                           index);
  }
  return plan->command->output
             ? plan->command->output
             : tn_arena_format(plan->arena, "%.*s.o", TN_STR_ARG(stem));
}

// The dependency file is named and filled as if the compiler wrote the final object.
static void add_dependency_args(const tn_plan *plan, const tn_unit *unit, tn_args *out) {
  const tn_command *command = plan->command;
  if (!command->dependency_file) {
    return;
  }
  const tn_str stem = stem_of(unit->name);
  const char *object = command->output ? command->output
                                       : tn_arena_format(plan->arena, "%.*s.o", TN_STR_ARG(stem));
  if (!object) {
    out->failed = true;
    return;
  }
  if (!command->has_dependency_output) {
    tn_args_add(out, "-MF");
    tn_args_add(out, with_extension(plan->arena, object, ".d"));
  }
  if (!command->has_dependency_target) {
    tn_args_add(out, "-MQ");
    tn_args_add(out, object);
  }
}

static tn_pass_params pass_params(const tn_plan *plan, const tn_unit *unit, const tn_args *user) {
  return (tn_pass_params){
      .clang = plan->clang,
      .source = unit->source,
      .language = unit->language,
      .include_dir = plan->include_dir,
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

static tn_job *add_host_pass(tn_plan *plan, tn_unit *unit, const char *action) {
  tn_job *job = add_job(plan, TN_JOB_PASS, unit);
  if (!job) {
    return NULL;
  }
  tn_args user;
  tn_args_init(&user, plan->arena);
  tn_command_options(plan->command, TN_GOES_H, &user);
  add_dependency_args(plan, unit, &user);
  tn_pass_params params = pass_params(plan, unit, &user);
  params.action = action;
  params.output = unit->host_object;
  job->output = certain_output(action, params.output);
  tn_frontend_host_args(&params, &job->args);
  return job;
}

static tn_job *add_device_pass(tn_plan *plan, tn_unit *unit, const char *action,
                               const char *output) {
  tn_job *job = add_job(plan, TN_JOB_PASS, unit);
  if (!job) {
    return NULL;
  }
  job->is_device = true;
  tn_args user;
  tn_args_init(&user, plan->arena);
  tn_command_options(plan->command, TN_GOES_D, &user);
  tn_pass_params params = pass_params(plan, unit, &user);
  params.action = action;
  params.output = output;
  job->output = certain_output(action, output);
  tn_frontend_device_args(&params, &job->args);
  return job;
}

static void print_step(tn_job *job, const char *step) {
  tn_args_add(&job->args, "tenon++");
  tn_args_add(&job->args, step);
}

// Device pass and lowering for each target; `last` collects what a link or an embedding waits for.
static void add_device_jobs(tn_plan *plan, tn_unit *unit, tn_job *waiting) {
  for (size_t t = 0; t < plan->command->target_count; t++) {
    tn_job *pass = add_device_pass(plan, unit, "-c", "-");
    tn_job *lower = add_job(plan, TN_JOB_UNIT, unit);
    if (!pass || !lower) {
      return;
    }
    pass->keeps_output = true;
    pass->target = lower->target = t;
    print_step(lower, "device-unit");
    tn_args_add_format(&lower->args, "--target=%s", plan->command->targets[t]);
    tn_args_add_format(&lower->args, "--unit-id=%016llx", (unsigned long long)unit->id);
    tn_args_add(&lower->args, unit->name);
    add_wait(plan, lower, pass);
    add_wait(plan, waiting, lower);
  }
}

static void add_embed(tn_plan *plan, tn_unit *unit, tn_job *host, size_t first_device_job) {
  tn_job *embed = add_job(plan, TN_JOB_EMBED, unit);
  if (!embed) {
    return;
  }
  print_step(embed, "embed");
  tn_args_add(&embed->args, unit->host_object);
  tn_args_add(&embed->args, "-o");
  tn_args_add(&embed->args, unit->output);
  add_wait(plan, embed, host);
  for (size_t i = first_device_job; i < plan->jobs.count; i++) {
    tn_job *job = plan->jobs.items[i];
    if (job->kind == TN_JOB_UNIT && job->unit == unit) {
      add_wait(plan, embed, job);
    }
  }
}

static void add_unit_objects(tn_plan *plan, tn_unit *unit, size_t index) {
  const tn_command *command = plan->command;
  if (makes_fat_objects(command)) {
    unit->output = object_output_of(plan, unit, index);
  }
  unit->host_object = host_object_of(plan, unit, index);
  const size_t first = plan->jobs.count;
  if (unit->on_device) {
    add_device_jobs(plan, unit, NULL);
  }
  tn_job *host = add_host_pass(plan, unit, "-c");
  if (unit->output && unit->on_device) {
    add_embed(plan, unit, host, first);
  } else {
    unit->output = unit->host_object;
  }
}

// Only one view of the source is asked for, or none is kept: clang writes where it is told to.
static void add_unit_views(tn_plan *plan, tn_unit *unit) {
  const tn_command *command = plan->command;
  static const char *const actions[TN_ACTION_OTHER + 1] = {[TN_ACTION_LINK] = "-c",
                                                           [TN_ACTION_OBJECT] = "-c",
                                                           [TN_ACTION_ASSEMBLY] = "-S",
                                                           [TN_ACTION_PREPROCESS] = "-E",
                                                           [TN_ACTION_SYNTAX] = "-fsyntax-only"};
  const char *action = actions[command->action];
  if (command->device_only) {
    const char *output = command->output;
    const bool writes = command->action != TN_ACTION_PREPROCESS &&
                        command->action != TN_ACTION_SYNTAX;
    if (!output && writes) {
      const tn_str stem = stem_of(unit->name);
      output = tn_arena_format(plan->arena, "%.*s.%s", TN_STR_ARG(stem),
                               command->action == TN_ACTION_ASSEMBLY ? "ll" : "bc");
    }
    tn_job *pass = add_device_pass(plan, unit, action, output);
    if (pass) {
      pass->is_direct = true;
    }
    return;
  }
  unit->host_object = command->output;
  tn_job *host = add_host_pass(plan, unit, action);
  if (host) {
    host->is_direct = command->action != TN_ACTION_SYNTAX;
  }
  if (command->action == TN_ACTION_SYNTAX && unit->on_device) {
    (void)add_device_pass(plan, unit, action, NULL);
  }
  unit->host_object = NULL;
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

static const char *temps_stem_of(const tn_plan *plan, const tn_unit *unit) {
  if (plan->command->save_temps == TN_SAVE_TEMPS_NONE) {
    return NULL;
  }
  const tn_str stem = stem_of(unit->name);
  return beside_output(plan, tn_arena_format(plan->arena, "%.*s", TN_STR_ARG(stem)));
}

static tn_status add_unit(tn_plan *plan, const tn_command_arg *arg, tn_diag *diag) {
  const tn_command *command = plan->command;
  tn_unit *unit = tn_arena_alloc(plan->arena, sizeof(*unit));
  if (!unit || !tn_list_add(&plan->units, plan->arena, unit)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the plan");
  }
  unit->name = arg->text;
  unit->source = arg->text;
  unit->language = arg->language;
  unit->is_sycl = arg->input != TN_INPUT_HOST;
  unit->on_device = unit->is_sycl && !command->host_only;
  for (size_t i = 0; i < TN_COMMAND_TARGETS; i++) {
    tn_buf_init(&unit->bitcode[i], TN_DRIVER_BUFFER_MAXIMUM);
    tn_buf_init(&unit->lowered[i], TN_DRIVER_BUFFER_MAXIMUM);
  }
  tn_buf_init(&unit->host_text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&unit->device_text, TN_DRIVER_BUFFER_MAXIMUM);
  if (strcmp(arg->text, "-") == 0) {
    unit->source = keep_standard_input(plan, diag);
    if (!unit->source) {
      return TN_FAIL(diag, IO, "standard input could not be kept in %s", plan->temp_dir);
    }
  }
  tn_args options;
  tn_args_init(&options, plan->arena);
  tn_command_options(command, TN_GOES_D, &options);
  unit->id = tn_frontend_unit_id(arg->text, &options, command->output);
  unit->temps_stem = temps_stem_of(plan, unit);
  const bool makes_objects =
      command->action == TN_ACTION_LINK || command->action == TN_ACTION_OBJECT;
  if (makes_objects && !command->device_only && !command->emit_llvm) {
    add_unit_objects(plan, unit, plan->units.count - 1);
  } else {
    add_unit_views(plan, unit);
  }
  return TN_OK;
}

// The user's words for the link in their order, with objects in the place of sources.
static void add_link_words(tn_plan *plan) {
  const tn_command *command = plan->command;
  size_t unit = 0;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input == TN_INPUT_LINK) {
      tn_args_add(&plan->link_args, arg->text);
    } else if (arg->input != TN_INPUT_NONE) {
      tn_args_add(&plan->link_args, ((tn_unit *)plan->units.items[unit++])->output);
    } else if (!arg->option || (arg->option->goes & TN_GOES_L) != 0) {
      tn_command_arg_add(arg, &plan->link_args);
    }
  }
}

static void add_link_args(tn_plan *plan) {
  const tn_command *command = plan->command;
  tn_args *args = &plan->link_args;
  tn_args_add(args, plan->clang);
  tn_args_add(args, "-Qunused-arguments");
  if (!command->relocatable) {
    // Before the libraries: under --as-needed only those count that something before them needs.
    tn_args_add(args, plan->wrapper);
  }
  add_link_words(plan);
  if (!command->relocatable) {
    tn_args_add_format(args, "-L%s", plan->lib_dir);
    tn_args_add(args, "-ltenon");
    if (!command->is_static) {
      tn_args_add_format(args, "-Wl,-rpath,%s", plan->lib_dir);
      if (!command->shared) {
        tn_args_add(args, "-Wl,--export-dynamic-symbol=__tenon_export_*");
      }
    }
  }
  tn_args_add(args, "-o");
  tn_args_add(args, plan->link_output);
}

// The device link waits for the units only, so it runs while host passes still do; archives make it
// wait for those as well, for only the host's linker knows which members it takes.
static tn_job *add_device_link(tn_plan *plan, size_t unit_jobs) {
  tn_job *link = add_job(plan, TN_JOB_DEVICE_LINK, NULL);
  tn_job *wrap = add_job(plan, TN_JOB_WRAP, NULL);
  if (!link || !wrap) {
    return NULL;
  }
  for (size_t i = 0; i < unit_jobs; i++) {
    tn_job *job = plan->jobs.items[i];
    if (job->kind == TN_JOB_UNIT || plan->inputs.archives.count > 0) {
      add_wait(plan, link, job);
    }
  }
  print_step(link, "device-link");
  for (size_t t = 0; t < plan->command->target_count; t++) {
    tn_args_add_format(&link->args, "--target=%s", plan->command->targets[t]);
  }
  tn_args_add_format(&link->args, "-O%u", plan->command->opt_level);
  for (size_t i = 0; i < plan->units.count; i++) {
    const tn_unit *unit = plan->units.items[i];
    if (unit->on_device) {
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
  print_step(wrap, "wrap");
  tn_args_add(&wrap->args, "-o");
  tn_args_add(&wrap->args, plan->wrapper);
  add_wait(plan, wrap, link);
  return wrap;
}

static tn_status add_link(tn_plan *plan, tn_diag *diag) {
  const tn_command *command = plan->command;
  plan->link_output = command->output ? command->output : "a.out";
  const tn_str base = tn_path_base(tn_str_from(plan->link_output));
  const char *stem = beside_output(plan, tn_arena_format(plan->arena, "%.*s", TN_STR_ARG(base)));
  plan->wrapper = command->save_temps
                      ? tn_arena_format(plan->arena, "%s.wrapper.o", stem)
                      : tn_arena_format(plan->arena, "%s/wrapper.o", plan->temp_dir);
  plan->image = command->save_temps ? tn_arena_format(plan->arena, "%s.tnfb", stem) : NULL;
  const size_t unit_jobs = plan->jobs.count;
  tn_job *wrap = NULL;
  if (!command->relocatable) {
    TN_TRY(tn_link_inputs_scan(&plan->inputs, command, diag));
    wrap = add_device_link(plan, unit_jobs);
  }
  tn_job *link = add_job(plan, TN_JOB_HOST_LINK, NULL);
  if (link) {
    for (size_t i = 0; i < unit_jobs; i++) {
      add_wait(plan, link, plan->jobs.items[i]);
    }
    add_wait(plan, link, wrap);
    add_link_args(plan);
    tn_args_add_all(&link->args, &plan->link_args);
  }
  return TN_OK;
}

static void print_warnings(const tn_plan *plan) {
  const tn_command *command = plan->command;
  if ((command->action == TN_ACTION_ASSEMBLY || command->emit_llvm) && !command->device_only &&
      !command->host_only) {
    (void)fprintf(plan->err,
                  "tenon++: warning: %s writes the host's code only; -fsycl-device-only writes the "
                  "device's, -fsycl-host-only says that this is what is meant\n",
                  command->emit_llvm ? "-emit-llvm" : "-S");
  }
  for (size_t i = 0; i < command->args.count && command->action != TN_ACTION_LINK; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input == TN_INPUT_LINK) {
      (void)fprintf(plan->err, "tenon++: warning: %s: 'linker' input unused\n", arg->text);
    }
  }
  for (size_t i = 0; i < plan->inputs.warnings.list.count; i++) {
    (void)fprintf(plan->err, "tenon++: warning: %s\n", tn_args_at(&plan->inputs.warnings, i));
  }
}

tn_status tn_plan_make(tn_plan *plan, tn_diag *diag) {
  const tn_command *command = plan->command;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input != TN_INPUT_NONE && arg->input != TN_INPUT_LINK) {
      TN_TRY(add_unit(plan, arg, diag));
    }
  }
  if (command->action == TN_ACTION_LINK && !command->device_only) {
    TN_TRY(add_link(plan, diag));
  }
  for (size_t i = 0; i < plan->jobs.count; i++) {
    if (!tn_args_argv(&((tn_job *)plan->jobs.items[i])->args)) {
      plan->link_args.failed = true;
    }
  }
  if (plan->link_args.failed || plan->inputs.warnings.failed) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the plan");
  }
  print_warnings(plan);
  return TN_OK;
}

void tn_args_print(const tn_args *args, FILE *out) {
  for (size_t i = 0; i < args->list.count; i++) {
    (void)fputs(" \"", out);
    for (const char *c = tn_args_at(args, i); *c != '\0'; c++) {
      if (*c == '"' || *c == '\\' || *c == '$') {
        (void)fputc('\\', out);
      }
      (void)fputc(*c, out);
    }
    (void)fputc('"', out);
  }
  (void)fputc('\n', out);
}

void tn_plan_print(const tn_plan *plan, FILE *out) {
  for (size_t i = 0; i < plan->jobs.count; i++) {
    tn_args_print(&((tn_job *)plan->jobs.items[i])->args, out);
  }
}
