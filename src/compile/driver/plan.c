// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the jobs of a command: which of clang's runs, which steps of ours, what waits for what.
#include "compile/driver/plan_make.h"

#include "base/file.h"
#include "base/process.h"

void tn_plan_init(tn_plan *plan, tn_command *command, tn_arena *arena, FILE *out, FILE *err) {
  *plan = (tn_plan){.command = command, .arena = arena, .out = out, .err = err};
  tn_arena_init(&plan->link_arena);
  tn_args_init(&plan->link_args, arena);
  tn_args_init(&plan->symbols, arena);
  tn_args_init(&plan->natives, arena);
  tn_args_init(&plan->host_options, arena);
  tn_args_init(&plan->left_out, arena);
  tn_map_init(&plan->asked);
  tn_link_inputs_init(&plan->inputs, arena);
  tn_buf_init(&plan->fatbin, TN_DRIVER_BUFFER_MAXIMUM);
}

static void unit_deinit(tn_unit *unit) {
  for (size_t i = 0; i < TN_COMMAND_TARGETS; i++) {
    tn_buf_deinit(&unit->bitcode[i]);
    tn_buf_deinit(&unit->lowered[i]);
    tn_buf_deinit(&unit->symbols[i]);
    tn_buf_deinit(&unit->texts[i]);
  }
  for (size_t i = 0; i < TN_COUNT(unit->traces); i++) {
    tn_clang_trace_deinit(&unit->traces[i]);
  }
  tn_buf_deinit(&unit->texts[TN_COMMAND_TARGETS]);
  tn_buf_deinit(&unit->host_text);
  tn_buf_deinit(&unit->device_text);
  tn_arena_deinit(&unit->arena);
}

void tn_plan_deinit(tn_plan *plan) {
  for (size_t i = 0; i < plan->units.count; i++) {
    unit_deinit(plan->units.items[i]);
  }
  tn_map_deinit(&plan->asked);
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

tn_job *tn_job_add(tn_plan *plan, tn_job_kind kind, tn_unit *unit) {
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

void tn_job_wait_for(tn_plan *plan, tn_job *job, tn_job *before) {
  if (job && before && !tn_list_add(&job->after, plan->arena, before)) {
    plan->link_args.failed = true;
  }
}

void tn_job_name_step(tn_job *job, const char *step) {
  tn_args_add(&job->args, "tenon++");
  tn_args_add(&job->args, step);
}

// The linker itself, which starts in a tenth of the time of clang; through clang when one is named.
static void name_linker(tn_plan *plan, tn_args *args) {
  const char *named = plan->command->linker_option;
  char *found = named ? NULL : tn_process_find("ld");
  const char *linker = found ? tn_arena_str(plan->arena, tn_str_from(found)) : NULL;
  tn_free(found);
  tn_args_add(args, linker ? linker : plan->clang);
  tn_args_add(args, "-r");
  if (!linker) {
    tn_args_add(args, "-Qunused-arguments");
    tn_args_add(args, "-nostdlib");
  }
  if (named) {
    tn_args_add(args, named);
  }
}

void tn_job_name_join(tn_plan *plan, tn_job *job, const char *first, const char *wrapper,
                      const char *output) {
  name_linker(plan, &job->args);
  if (first) {
    tn_args_add(&job->args, first);
  }
  tn_args_add(&job->args, wrapper);
  tn_args_add(&job->args, "-o");
  tn_args_add(&job->args, output);
}

static void name_words(tn_job *job, const char *option, const tn_args *words) {
  for (size_t i = 0; i < words->list.count; i++) {
    tn_args_add_format(&job->args, "%s=%s", option, tn_args_at(words, i));
  }
}

void tn_job_name_link(tn_plan *plan, tn_job *job) {
  static const char *const splits[] = {
      [TN_SPLIT_AUTO] = "auto", [TN_SPLIT_PER_SOURCE] = "per_source",
      [TN_SPLIT_PER_KERNEL] = "per_kernel", [TN_SPLIT_OFF] = "off"};
  const tn_command *command = plan->command;
  for (size_t t = 0; t < command->target_count; t++) {
    tn_args_add_format(&job->args, "--target=%s", command->targets[t].word);
    if (command->targets[t].processor) {
      tn_args_add_format(&job->args, "--processor=%s", command->targets[t].processor);
    }
    name_words(job, "--backend", &command->words[t][TN_STAGE_BACKEND]);
    name_words(job, "--linker", &command->words[t][TN_STAGE_LINKER]);
  }
  tn_args_add_format(&job->args, "-O%u", command->opt_level);
  tn_args_add_format(&job->args, "--split=%s", splits[command->split]);
  if (command->no_rdc) {
    tn_args_add(&job->args, "--alone");
  }
  if (command->embed_ir) {
    tn_args_add(&job->args, "--embed-ir");
  }
  if (command->compress) {
    tn_args_add_format(&job->args, "--compress=%u", (unsigned)tn_command_compression(command));
  }
  if (command->dump_dir) {
    tn_args_add_format(&job->args, "--dump=%s", command->dump_dir);
  }
}

tn_str tn_plan_stem_of(const char *source) {
  const tn_str base = tn_path_base(tn_str_from(source));
  return tn_str_slice(base, 0, base.size - tn_path_extension(base).size);
}

const char *tn_plan_beside_output(const tn_plan *plan, const char *name) {
  const tn_command *command = plan->command;
  if (command->save_temps != TN_SAVE_TEMPS_OBJ || !command->output ||
      !strchr(command->output, '/')) {
    return name;
  }
  const tn_str folder = tn_path_dir(tn_str_from(command->output));
  return tn_arena_format(plan->arena, "%.*s/%s", TN_STR_ARG(folder), name);
}

static void warn_of_views(const tn_plan *plan) {
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
}

// Options for tools that do not run: device code of such a target is compiled by LLVM, or later.
static void warn_of_stage_words(const tn_plan *plan) {
  const tn_command *command = plan->command;
  static const char *const stages[] = {
      [TN_STAGE_BACKEND] = "backend", [TN_STAGE_LINKER] = "linker"};
  for (size_t t = 0; t < command->target_count; t++) {
    if (command->of_intel[t]) {
      (void)fprintf(plan->err,
                    "tenon++: warning: -Xsycl-target-backend: '%s' is left out for %s: it is an "
                    "option for Intel's GPUs\n", command->of_intel[t], command->targets[t].word);
    }
    for (size_t s = TN_STAGE_BACKEND; s < TN_STAGE_COUNT; s++) {
      const tn_args *words = &command->words[t][s];
      if (words->list.count == 0 ||
          tn_command_stage_is_used(&command->targets[t], (tn_target_stage)s)) {
        continue;
      }
      (void)fprintf(plan->err,
                    "tenon++: warning: -Xsycl-target-%s: '%s' is left out for %s, for which no "
                    "%s of a vendor is run\n", stages[s], tn_args_at(words, 0),
                    command->targets[t].word, s == TN_STAGE_BACKEND ? "compiler" : "linker");
    }
  }
}

static void warn_of_ignored(const tn_plan *plan) {
  for (size_t i = 0; i < plan->command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(plan->command, i);
    if (arg->option && arg->option->meaning == TN_OPTION_IGNORED) {
      (void)fprintf(plan->err, "tenon++: warning: %s is ignored: %s\n", arg->text,
                    arg->option->value);
    }
  }
}

// As Clang does it: build files give options of all targets that a program may have.
static void warn_of_unused_words(const tn_plan *plan) {
  for (size_t i = 0; i < plan->command->stage_words.count; i++) {
    const tn_stage_words *given = plan->command->stage_words.items[i];
    if (given->is_unused) {
      (void)fprintf(plan->err,
                    "tenon++: warning: %s is not used: '%s' is not a target of this command\n",
                    given->option, given->target);
    }
  }
}

static void print_warnings(const tn_plan *plan) {
  warn_of_unused_words(plan);
  warn_of_ignored(plan);
  warn_of_views(plan);
  warn_of_stage_words(plan);
  if (plan->left_out.list.count > 0) {
    (void)fprintf(plan->err, "tenon++: warning: %s is not given", plan->host_compiler);
    for (size_t i = 0; i < plan->left_out.list.count; i++) {
      (void)fprintf(plan->err, " %s", tn_args_at(&plan->left_out, i));
    }
    (void)fprintf(plan->err, "; -fsycl-host-compiler-options= gives it options of its own\n");
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
      TN_TRY(tn_plan_add_unit(plan, arg, diag));
    }
  }
  if (command->action == TN_ACTION_LINK && !command->device_only) {
    TN_TRY(tn_plan_add_link(plan, diag));
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
  flockfile(out);
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
  funlockfile(out);
}

// -### -v: the commands of the Clang inside as clang++ shows them.
static bool show_clang(const tn_plan *plan, const tn_args *args, bool is_first, FILE *out) {
  tn_buf none;
  tn_buf said;
  tn_buf_init(&none, 0);
  tn_buf_init(&said, TN_DRIVER_BUFFER_MAXIMUM);
  const tn_clang_pass_run run = {.args = (const char *const *)args->list.items,
                                 .out = &none,
                                 .log = &said,
                                 .notes = out,
                                 .says_version = is_first};
  int code = 0;
  tn_diag diag;
  const bool is_shown = tn_args_at(args, 0) == plan->clang &&
                        tn_clang_show(&run, &code, &diag) == TN_OK && code == 0;
  tn_buf_deinit(&none);
  tn_buf_deinit(&said);
  return is_shown;
}

void tn_plan_print(const tn_plan *plan, FILE *out) {
  bool is_first = true;
  for (size_t i = 0; i < plan->jobs.count; i++) {
    const tn_args *args = &((const tn_job *)plan->jobs.items[i])->args;
    if (plan->is_own_clang && plan->command->verbose && show_clang(plan, args, is_first, out)) {
      is_first = false;
    } else {
      tn_args_print(args, out);
    }
  }
}
