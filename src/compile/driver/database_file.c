// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -MJ: an entry of a compilation database for each source, in clang's form, with the command that
// the user gave: tools see -fsycl, not one of the passes.
#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "compile/driver/plan_make.h"

static void add_string(tn_buf *out, const char *text) {
  tn_buf_add_char(out, '"');
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      tn_buf_add_char(out, '\\');
    }
    tn_buf_add_char(out, *c);
  }
  tn_buf_add_char(out, '"');
}

static void add_argument(tn_buf *out, const char *text) {
  tn_buf_add_text(out, ", ");
  add_string(out, text);
}

static bool is_left_out(const tn_command_arg *arg) {
  const tn_option_meaning meaning = arg->option ? arg->option->meaning : TN_OPTION_NONE;
  return arg->input != TN_INPUT_NONE || meaning == TN_OPTION_LANGUAGE ||
         meaning == TN_OPTION_OUTPUT || meaning == TN_OPTION_DATABASE ||
         strncmp(arg->text, "-M", 2) == 0;
}

static void add_entry(const tn_plan *plan, const tn_unit *unit, const char *folder, tn_buf *out) {
  const tn_command *command = plan->command;
  const tn_str stem = tn_plan_stem_of(unit->name);
  const bool is_object = command->action == TN_ACTION_OBJECT && unit->output;
  const char *output = is_object ? unit->output
                                 : tn_arena_format(plan->arena, "%.*s.o", TN_STR_ARG(stem));
  tn_buf_add_text(out, "{ \"directory\": ");
  add_string(out, folder);
  tn_buf_add_text(out, ", \"file\": ");
  add_string(out, unit->name);
  tn_buf_add_text(out, ", \"output\": ");
  add_string(out, output ? output : "");
  tn_buf_add_text(out, ", \"arguments\": [");
  add_string(out, plan->program);
  tn_buf_add_format(out, ", \"-x%s\"", unit->language ? unit->language
                                       : unit->is_header ? "c++-header"
                                       : command->is_c   ? "c"
                                                         : "c++");
  add_argument(out, unit->name);
  add_argument(out, "-o");
  add_argument(out, output ? output : "");
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (!is_left_out(arg)) {
      add_argument(out, arg->text);
      for (size_t k = 0; k < arg->extra_count; k++) {
        add_argument(out, arg->extra[k]);
      }
    }
  }
  tn_buf_add_text(out, "]},\n");
}

static tn_status append(const char *path, tn_str text, tn_diag *diag) {
  FILE *file = fopen(path, "ae");
  const bool is_open = file != NULL;
  bool is_written = is_open && fwrite(text.data, 1, text.size, file) == text.size;
  is_written = (!is_open || fclose(file) == 0) && is_written;
  return is_written ? TN_OK
                    : TN_FAIL_NATIVE(diag, IO, errno, "cannot write compilation database '%s': %s",
                                     path, strerror(errno));
}

tn_status tn_plan_database_write(const tn_plan *plan, tn_diag *diag) {
  const tn_command *command = plan->command;
  if (!command->database_file) {
    return TN_OK;
  }
  char folder[4096];
  if (!getcwd(folder, sizeof(folder))) {
    return TN_FAIL_NATIVE(diag, IO, errno, "the current folder cannot be named: %s",
                          strerror(errno));
  }
  tn_buf text;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  for (size_t i = 0; i < plan->units.count; i++) {
    add_entry(plan, plan->units.items[i], folder, &text);
  }
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = append(command->database_file, tn_buf_str(&text), diag);
  }
  tn_buf_deinit(&text);
  return status;
}
