// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses SYCL commands that could not come out right, with what to do instead.
#include "base/file.h"
#include "compile/driver/command.h"

static tn_status check_standard(const tn_command *command, tn_diag *diag) {
  static const char *const old[] = {"98", "03", "0x", "11", "1y", "14"};
  if (!command->standard) {
    return TN_OK;
  }
  tn_str name = tn_str_from(command->standard);
  const tn_str heads[] = {TN_STR_LIT("c++"), TN_STR_LIT("gnu++")};
  for (size_t i = 0; i < TN_COUNT(heads); i++) {
    if (tn_str_has_prefix(name, heads[i])) {
      name = tn_str_slice(name, heads[i].size, SIZE_MAX);
      break;
    }
  }
  for (size_t i = 0; i < TN_COUNT(old); i++) {
    if (tn_str_equals(name, tn_str_from(old[i]))) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "-std=%s: SYCL 2020 needs C++17 or later; use -std=c++17, or no -std",
                     command->standard);
    }
  }
  return TN_OK;
}

static tn_status check_inputs(const tn_command *command, tn_diag *diag) {
  size_t inputs = 0;
  size_t compiled = 0;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input == TN_INPUT_NONE) {
      inputs += arg->option && arg->option->meaning == TN_OPTION_LIBRARY;
      continue;
    }
    inputs++;
    compiled += arg->input != TN_INPUT_LINK;
    if (strcmp(arg->text, "-") == 0) {
      if (!arg->language && command->action != TN_ACTION_PREPROCESS) {
        return TN_FAIL(diag, INVALID_ARGUMENT,
                       "-E or -x is required when the input is from standard input");
      }
    } else if (!tn_file_exists(arg->text)) {
      return TN_FAIL(diag, IO, "no such file or directory: '%s'", arg->text);
    }
    if (arg->input == TN_INPUT_HEADER &&
        (command->action == TN_ACTION_LINK || command->action == TN_ACTION_OBJECT)) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "'%s': this version does not precompile headers for SYCL; leave -fsycl out, "
                     "or say -x c++ when it is a source", arg->text);
    }
  }
  if (inputs == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "no input files");
  }
  if (command->action != TN_ACTION_LINK && command->output && compiled > 1) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "cannot specify -o when generating multiple output files");
  }
  return TN_OK;
}

tn_status tn_command_check(const tn_command *command, tn_diag *diag) {
  TN_TRY(check_standard(command, diag));
  if (command->device_only && command->host_only) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "-fsycl-device-only and -fsycl-host-only exclude each other; leave one out");
  }
  if (command->lto) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "-flto with -fsycl is not in this version: host objects hold no place for "
                   "device code then; leave -flto out");
  }
  if (command->emit_llvm && command->action == TN_ACTION_LINK && !command->device_only) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "-emit-llvm cannot be used when linking; add -c or -S");
  }
  return check_inputs(command, diag);
}
