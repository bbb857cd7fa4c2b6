// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that change a process of Clang's, where the Clang inside tenon++ runs the passes: LLVM's
// options hold for all of them, some run one at a time, and plugins are refused.
#include "compile/clang/clang.h"
#include "compile/driver/plan.h"

static bool begins_with_any(const char *text, const char *const *heads, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strncmp(text, heads[i], strlen(heads[i])) == 0) {
      return true;
    }
  }
  return false;
}

static tn_status refuse_plugins(const tn_command *command, tn_diag *diag) {
  static const char *const heads[] = {"-fplugin=", "-fpass-plugin="};
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    const bool is_front_end = strcmp(arg->text, "-Xclang") == 0;
    const char *text = is_front_end ? arg->value : arg->text;
    if (begins_with_any(text, heads, TN_COUNT(heads)) ||
        (is_front_end && strcmp(text, "-load") == 0)) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "%s: plugins need the libraries of an installed clang, which tenon++ does not "
                     "load; name a clang++ that loads them with --tenon-clang=",
                     text);
    }
  }
  return TN_OK;
}

// What follows -mllvm.
static void collect_llvm_options(const tn_command *command, tn_args *out) {
  static const char joined[] = "-mllvm=";
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input != TN_INPUT_NONE) {
      continue;
    }
    if (strcmp(arg->text, "-mllvm") == 0) {
      tn_args_add(out, arg->value);
    } else if (strncmp(arg->text, joined, sizeof(joined) - 1) == 0) {
      tn_args_add(out, arg->text + sizeof(joined) - 1);
    }
  }
}

// Whether LLVM prints because of it: passes side by side would print into each other.
static bool is_printing(const char *option) {
  static const char *const heads[] = {"print", "debug", "dot", "info-output", "pass-remarks",
                                      "stats", "time",  "view", "filter-print"};
  while (*option == '-') {
    option++;
  }
  return begins_with_any(option, heads, TN_COUNT(heads));
}

static bool has_time_report(const tn_command *command) {
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input == TN_INPUT_NONE && strncmp(arg->text, "-ftime-report", 13) == 0) {
      return true;
    }
  }
  return false;
}

tn_status tn_process_options_apply(tn_plan *plan, tn_diag *diag) {
  const tn_command *command = plan->command;
  plan->reports_times = has_time_report(command);
  plan->is_serial = command->verbose || plan->reports_times;
  if (!plan->is_own_clang) {
    return TN_OK;
  }
  TN_TRY(refuse_plugins(command, diag));
  tn_args options;
  tn_args_init(&options, plan->arena);
  collect_llvm_options(command, &options);
  const char *const *words = tn_args_argv(&options);
  if (!words) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for options of LLVM");
  }
  plan->has_llvm_options = options.list.count > 0;
  for (size_t i = 0; i < options.list.count; i++) {
    plan->is_serial = plan->is_serial || is_printing(words[i]);
  }
  return plan->has_llvm_options && !command->print_plan
             ? tn_clang_set_llvm_options(words, options.list.count, diag)
             : TN_OK;
}
