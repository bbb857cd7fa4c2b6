// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -M, -MD and their kin: each pass over a source lists what it read, and the lists become one. A
// header of the device pass alone is a prerequisite like any other.
#include "base/file.h"
#include "base/map.h"
#include "compile/driver/plan_make.h"

// "a/b.x" → "a/b<extension>", as clang derives names from -o.
static const char *with_extension(tn_arena *arena, const char *path, const char *extension) {
  const size_t cut = strlen(path) - tn_path_extension(tn_str_from(path)).size;
  return tn_arena_format(arena, "%.*s%s", (int)cut, path, extension);
}

// The file that the rule is of, as if one compiler wrote the final output.
static const char *target_of(const tn_plan *plan, const tn_unit *unit) {
  const tn_command *command = plan->command;
  const char *extension = "o";
  if (command->device_only) {
    extension = command->action == TN_ACTION_ASSEMBLY ? "ll" : "bc";
  }
  return command->output ? command->output
                         : tn_arena_format(plan->arena, "%.*s.%s",
                                           TN_STR_ARG(tn_plan_stem_of(unit->name)), extension);
}

void tn_plan_name_dependencies(tn_plan *plan, tn_unit *unit) {
  const tn_command *command = plan->command;
  const bool is_rule_alone = command->action == TN_ACTION_DEPENDENCIES;
  if (!is_rule_alone && !command->dependency_file) {
    return;
  }
  const char *standard_output = "-";
  const char *target = target_of(plan, unit);
  if (command->has_dependency_output) {
    unit->dependency_output = command->dependency_output;
  } else if (is_rule_alone) {
    unit->dependency_output = command->output ? command->output : standard_output;
  } else {
    unit->dependency_output = target ? with_extension(plan->arena, target, ".d") : NULL;
  }
  if (!is_rule_alone && !command->has_dependency_target) {
    unit->dependency_target = target;
  }
}

// "-Wp,-MD,a.d,-MP" as the words it stands for; names of files are left out.
static void add_preprocessor_words(const char *value, tn_args *out) {
  tn_str rest = tn_str_from(value);
  while (rest.data) {
    const tn_str word = tn_str_split(&rest, ',');
    const bool is_file = tn_str_equals(word, TN_STR_LIT("-MF"));
    const bool is_mode =
        tn_str_equals(word, TN_STR_LIT("-MD")) || tn_str_equals(word, TN_STR_LIT("-MMD"));
    if (!tn_str_has_prefix(word, TN_STR_LIT("-M"))) {
      continue;
    }
    if (!is_file) {
      tn_args_add_format(out, "%.*s", TN_STR_ARG(word));
    }
    if (rest.data && (is_file || is_mode)) {
      (void)tn_str_split(&rest, ',');
    } else if (rest.data && (tn_str_equals(word, TN_STR_LIT("-MT")) ||
                             tn_str_equals(word, TN_STR_LIT("-MQ")))) {
      const tn_str name = tn_str_split(&rest, ',');
      tn_args_add_format(out, "%.*s", TN_STR_ARG(name));
    }
  }
}

// What the user asks about rules, for a pass that is not given the host's options.
static void add_rule_options(const tn_command *command, tn_args *out) {
  static const char *const options[] = {"-M", "-MM", "-MD", "-MMD", "-MP",
                                        "-MG", "-MV", "-MT", "-MQ"};
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    for (size_t k = 0; arg->option && k < TN_COUNT(options); k++) {
      if (strcmp(arg->option->spelling, options[k]) == 0) {
        tn_command_arg_add(arg, out);
      }
    }
    if (arg->option && strcmp(arg->option->spelling, "-Wp,") == 0) {
      add_preprocessor_words(arg->value, out);
    }
  }
}

// The host's list comes first: what is added to it is the device's alone.
static void add_part(const tn_plan *plan, tn_unit *unit, const char *part, bool is_first,
                     tn_args *out) {
  tn_list *parts = &unit->dependency_parts;
  if (!part || !tn_list_add(parts, plan->arena, part)) {
    out->failed = true;
  } else if (is_first) {
    void *last = parts->items[parts->count - 1];
    parts->items[parts->count - 1] = parts->items[0];
    parts->items[0] = last;
  }
}

void tn_plan_add_dependency_args(const tn_plan *plan, tn_unit *unit, tn_job *pass, bool is_alone,
                                 tn_args *out) {
  if (!unit->dependency_output) {
    return;
  }
  const char *part = unit->dependency_output;
  if (!is_alone) {
    part = pass->is_device ? tn_arena_format(plan->arena, "%s/%zu.device%zu.d", plan->temp_dir,
                                             unit->index, pass->target)
                           : tn_arena_format(plan->arena, "%s/%zu.host.d", plan->temp_dir,
                                             unit->index);
    add_part(plan, unit, part, !pass->is_device, out);
  }
  if (pass->is_device) {
    add_rule_options(plan->command, out);
  } else {
    unit->dependency_file = part;
  }
  tn_args_add(out, "-MF");
  tn_args_add(out, part);
  if (unit->dependency_target) {
    tn_args_add(out, "-MQ");
    tn_args_add(out, unit->dependency_target);
  }
}

void tn_plan_add_dependency_job(tn_plan *plan, tn_unit *unit, size_t first_job) {
  const size_t last_job = plan->jobs.count;
  if (unit->dependency_parts.count == 0) {
    return;
  }
  tn_job *job = tn_job_add(plan, TN_JOB_DEPENDENCIES, unit);
  if (!job) {
    return;
  }
  tn_job_name_step(job, "dependencies");
  for (size_t i = 0; i < unit->dependency_parts.count; i++) {
    tn_args_add(&job->args, unit->dependency_parts.items[i]);
  }
  tn_args_add(&job->args, "-o");
  tn_args_add(&job->args, unit->dependency_output);
  for (size_t i = first_job; i < last_job; i++) {
    tn_job *before = plan->jobs.items[i];
    if (before->kind == TN_JOB_PASS) {
      tn_job_wait_for(plan, job, before);
    }
  }
  tn_plan_keep_order(plan, job);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// A backslash before the end of a line, which goes on then.
static size_t continuation_size(tn_str rest) {
  if (tn_str_has_prefix(rest, TN_STR_LIT("\\\n"))) {
    return 2;
  }
  return tn_str_has_prefix(rest, TN_STR_LIT("\\\r\n")) ? 3 : 0;
}

// The size of the name that `rest` begins with, as it is written: a blank belongs to the name when
// the backslashes before it are odd in number, or when -MV quotes it.
static size_t name_size(tn_str rest) {
  if (rest.data[0] == '"') {
    const size_t close = tn_str_find_char(tn_str_slice(rest, 1, SIZE_MAX), '"');
    if (close != SIZE_MAX) {
      return close + 2;
    }
  }
  size_t slashes = 0;
  for (size_t i = 0; i < rest.size; i++) {
    if (is_blank(rest.data[i]) && (slashes % 2 == 0 || rest.data[i] != ' ')) {
      return i;
    }
    slashes = rest.data[i] == '\\' ? slashes + 1 : 0;
  }
  return rest.size;
}

// The next name of a rule; false at the end of the rule, where *rest begins with the line's end.
static bool next_name(tn_str *rest, tn_str *out) {
  while (rest->size > 0) {
    const size_t continuation = continuation_size(*rest);
    if (continuation > 0) {
      *rest = tn_str_slice(*rest, continuation, SIZE_MAX);
    } else if (rest->data[0] == '\n') {
      return false;
    } else if (is_blank(rest->data[0])) {
      *rest = tn_str_slice(*rest, 1, SIZE_MAX);
    } else {
      const size_t size = name_size(*rest);
      *out = tn_str_slice(*rest, 0, size);
      *rest = tn_str_slice(*rest, size, SIZE_MAX);
      return true;
    }
  }
  return false;
}

// Past the targets: the first name that ends in a colon, or is one.
static void skip_targets(tn_str *rest) {
  tn_str name = {0};
  while (next_name(rest, &name)) {
    if (name.data[name.size - 1] == ':') {
      return;
    }
    if (rest->size > 0 && rest->data[0] == ':') {
      *rest = tn_str_slice(*rest, 1, SIZE_MAX);
      return;
    }
  }
}

// Names of `rule` that are not in `known` yet become known, and go to `out`.
static bool add_names(tn_str rule, tn_map *known, tn_arena *arena, tn_list *out) {
  static char is_known;
  tn_str name = {0};
  skip_targets(&rule);
  while (next_name(&rule, &name)) {
    if (tn_map_find(known, name)) {
      continue;
    }
    const char *text = tn_arena_str(arena, name);
    if (!text || !tn_map_set(known, name, &is_known) || !tn_list_add(out, arena, text)) {
      return false;
    }
  }
  return true;
}

void tn_dependencies_merge(const tn_str *parts, size_t count, bool has_phony_targets, tn_buf *out) {
  tn_arena arena;
  tn_map known;
  tn_list of_first = {0};
  tn_list more = {0};
  tn_arena_init(&arena);
  tn_map_init(&known);
  bool done = add_names(parts[0], &known, &arena, &of_first);
  for (size_t i = 1; i < count; i++) {
    done = done && add_names(parts[i], &known, &arena, &more);
  }
  if (!done) {
    out->failed = TN_OUT_OF_MEMORY;
  }
  tn_str tail = parts[0];
  tn_str name = {0};
  while (next_name(&tail, &name)) {
  }
  tn_buf_add_str(out, tn_str_slice(parts[0], 0, parts[0].size - tail.size));
  for (size_t i = 0; i < more.count; i++) {
    tn_buf_add_format(out, " \\\n  %s", (const char *)more.items[i]);
  }
  tn_buf_add_str(out, tail.size > 0 ? tail : TN_STR_LIT("\n"));
  for (size_t i = 0; has_phony_targets && i < more.count; i++) {
    tn_buf_add_format(out, "%s:\n", (const char *)more.items[i]);
  }
  tn_map_deinit(&known);
  tn_arena_deinit(&arena);
}

static bool has_phony_targets(const tn_command *command) {
  tn_args options;
  tn_arena arena;
  bool found = false;
  tn_arena_init(&arena);
  tn_args_init(&options, &arena);
  add_rule_options(command, &options);
  for (size_t i = 0; i < options.list.count; i++) {
    found = found || strcmp(tn_args_at(&options, i), "-MP") == 0;
  }
  tn_arena_deinit(&arena);
  return found;
}

// Other compilers may write no file where clang does; then there is one list less.
tn_status tn_unit_dependencies_write(const tn_plan *plan, const tn_unit *unit, tn_diag *diag) {
  tn_str texts[TN_COMMAND_TARGETS + 1] = {{0}};
  size_t count = 0;
  tn_status status = TN_OK;
  tn_buf text;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  for (size_t i = 0; status == TN_OK && i < unit->dependency_parts.count; i++) {
    const char *part = unit->dependency_parts.items[i];
    char *data = NULL;
    if (tn_file_exists(part)) {
      status = tn_file_read(part, TN_DRIVER_BUFFER_MAXIMUM, &data, &texts[count].size, diag);
      texts[count].data = data;
      count += data != NULL;
    }
  }
  if (status == TN_OK && count > 0) {
    tn_dependencies_merge(texts, count, has_phony_targets(plan->command), &text);
    status = tn_buf_status(&text, diag);
    if (status == TN_OK) {
      status = tn_plan_write_text(plan, unit->dependency_output, tn_buf_str(&text), diag);
    }
  }
  for (size_t i = 0; i < count; i++) {
    tn_free((char *)texts[i].data);
  }
  tn_buf_deinit(&text);
  return status;
}
