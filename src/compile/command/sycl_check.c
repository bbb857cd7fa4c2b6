// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses SYCL commands that could not come out right, with what to do instead.
#include "base/file.h"
#include "compile/command/command.h"

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

// A header that would be precompiled.
static tn_status check_header(const tn_command *command, const char *name, tn_diag *diag) {
  static const char *const with_code[] = {"-fpch-codegen", "-fpch-debuginfo", "-gmodules",
                                          "-fmodules-codegen", "-fmodules-debuginfo"};
  if (command->action == TN_ACTION_LINK || command->action == TN_ACTION_ASSEMBLY) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "'%s': with -fsycl a header is precompiled by a command of its own; or use "
                   "-x c++ when it is a source",
                   name);
  }
  if (command->action != TN_ACTION_OBJECT) {
    return TN_OK;
  }
  if (strcmp(name, "-") == 0) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "with -fsycl a header from standard input is not precompiled; name a file");
  }
  if (command->is_c) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "'%s': with -fsycl headers of C are not precompiled; leave -fsycl out", name);
  }
  for (size_t i = 0; i < TN_COUNT(with_code); i++) {
    if (tn_command_has_option(command, with_code[i])) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "'%s': %s is not supported with -fsycl when a header is precompiled; leave %s "
                     "out",
                     name, with_code[i], with_code[i]);
    }
  }
  const char *wrong = command->host_compiler                              ? "-fsycl-host-compiler="
          : tn_frontend_clang_is_named(command->clang) ? "--tenon-clang= or TENON_CLANG"
                                                              : NULL;
  return wrong ? TN_FAIL(diag, UNSUPPORTED,
                         "'%s': with %s headers are not precompiled for SYCL; leave it out", name,
                         wrong)
               : TN_OK;
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
    if (arg->input == TN_INPUT_HEADER) {
      TN_TRY(check_header(command, arg->text, diag));
    }
  }
  if (inputs == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "no input files");
  }
  const bool is_one_each = command->action != TN_ACTION_LINK || command->device_only;
  if (is_one_each && command->output && compiled > 1) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "cannot specify -o when generating multiple output files");
  }
  return TN_OK;
}

// Two options of which only one can be meant.
static tn_status check_pairs(const tn_command *command, tn_diag *diag) {
  const bool links_object = command->has_device_link;
  const bool links_images = command->link_target_list != NULL;
  const bool has_archs = command->arch_lists.list.count > 0;
  const struct {
    bool is_wrong;
    const char *one, *other, *why;
  } pairs[] = {
      {command->device_only && command->host_only, "-fsycl-device-only", "-fsycl-host-only",
       "exclude each other"},
      {links_object && links_images, "-fsycl-link",
       "-fsycl-link-targets=", "write different files"},
      {command->target_list && links_images,
       "-fsycl-targets=", "-fsycl-link-targets=", "both list the targets of the link"},
      {command->target_list && has_archs,
       "-fsycl-targets=", "--offload-arch=", "both list the targets"},
      {links_images && has_archs,
       "-fsycl-link-targets=", "--offload-arch=", "both list the targets of the link"},
      {links_images && command->added.count > 0, "-fsycl-link-targets=", "-fsycl-add-targets=",
       "are two steps: the one writes an image, the other takes it into a program"},
      {links_object && command->no_rdc, "-fsycl-link", "-fno-sycl-rdc",
       "are two ways: objects of -fno-sycl-rdc need no device link"},
      {links_images && command->no_rdc, "-fsycl-link-targets=", "-fno-sycl-rdc",
       "are two ways: objects of -fno-sycl-rdc need no device link"},
      {command->relocatable && command->added.count > 0, "-r", "-fsycl-add-targets=",
       "do not go together: -r leaves the device link to a later command, give it there"},
  };
  for (size_t i = 0; i < TN_COUNT(pairs); i++) {
    if (pairs[i].is_wrong) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "%s and %s %s; leave one out", pairs[i].one,
                     pairs[i].other, pairs[i].why);
    }
  }
  return TN_OK;
}

static tn_status check_device_link(const tn_command *command, tn_diag *diag) {
  if (command->link_kind == TN_LINK_PROGRAM) {
    return TN_OK;
  }
  const char *wrong = NULL;
  static const char *const actions[TN_ACTION_OTHER + 1] = {
      [TN_ACTION_OBJECT] = "-c",
      [TN_ACTION_ASSEMBLY] = "-S",
      [TN_ACTION_PREPROCESS] = "-E",
      [TN_ACTION_DEPENDENCIES] = "-M",
      [TN_ACTION_SYNTAX] = "-fsyntax-only",
      [TN_ACTION_OTHER] = "--analyze or --precompile"};
  const struct {
    bool is_there;
    const char *name;
  } others[] = {
      {command->action != TN_ACTION_LINK, actions[command->action]},
      {command->device_only, "-fsycl-device-only"},
      {command->host_only, "-fsycl-host-only"},
      {command->shared, "-shared"},
      {command->is_static, "-static"},
      {command->relocatable, "-r"},
  };
  for (size_t i = 0; i < TN_COUNT(others) && !wrong; i++) {
    wrong = others[i].is_there ? others[i].name : NULL;
  }
  return wrong ? TN_FAIL(diag, INVALID_ARGUMENT,
                         "%s links device code and nothing else, so it "
                         "does not go with %s; leave one out",
                         command->has_device_link ? "-fsycl-link" : "-fsycl-link-targets=", wrong)
               : TN_OK;
}

static tn_status check_targets(const tn_command *command, tn_diag *diag) {
  for (size_t i = 0; i < command->target_count; i++) {
    const tn_target *target = &command->targets[i];
    if (target->kind == TN_TARGET_AMDGPU && !target->processor) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s: name the processor, as in -fsycl-targets=amd_gpu_gfx90a, or by "
                     "-Xsycl-target-backend=amdgcn-amd-amdhsa --offload-arch=gfx90a",
                     target->word);
    }
    TN_TRY(tn_target_check_sub_group_size(target, command->sub_group_size, diag));
  }
  if (command->device_only && command->target_count > 1 && command->output) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "-o with -fsycl-device-only and %zu targets: each "
                   "writes a file of its own; leave -o out or name one target",
                   command->target_count);
  }
  return TN_OK;
}

static tn_status check_code_options(const tn_command *command, tn_diag *diag) {
  if (command->device_obj && strcmp(command->device_obj, "spirv") == 0) {
    return TN_FAIL(
        diag, UNSUPPORTED,
        "-fsycl-device-obj=spirv: Tenon's objects hold LLVM IR, of which the device link "
        "makes SPIR-V; leave it out, and use -fsycl-targets=spirv64");
  }
  if (command->device_obj && strcmp(command->device_obj, "llvmir") != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "-fsycl-device-obj=%s: the format is llvmir",
                   command->device_obj);
  }
  if (command->is_c && (command->host_compiler || command->int_header)) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "-fsycl-host-compiler= and -fsycl-int-header= are for C++: clang compiles the "
                   "host's part of C; leave them out");
  }
  if (command->host_options && !command->host_compiler) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "-fsycl-host-compiler-options= needs -fsycl-host-compiler=; options of clang "
                   "itself are written as they are");
  }
  if (command->int_header &&
      (command->int_header[0] == '\0' || tn_command_input_count(command, TN_INPUT_SYCL) != 1)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "-fsycl-int-header=%s: it takes a file, and a command with one C++ source",
                   command->int_header);
  }
  if (command->preamble_dir && command->preamble_dir[0] == '\0') {
    return TN_FAIL(diag, INVALID_ARGUMENT, "--persistent-auto-pch= needs a folder");
  }
  if (command->dump_dir && command->dump_dir[0] == '\0') {
    return TN_FAIL(diag, INVALID_ARGUMENT, "-fsycl-dump-device-code= needs a folder");
  }
  if (command->host_compiler && tn_command_has_option(command, "-include-pch")) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "-fsycl-host-compiler= and -include-pch exclude each other: the host's compiler "
                   "cannot read precompiled headers of Clang; use -include");
  }
  for (size_t i = 0; i < command->added.count && command->action == TN_ACTION_LINK; i++) {
    const tn_added_image *added = command->added.items[i];
    if (!tn_file_exists(added->path)) {
      return TN_FAIL(diag, IO, "-fsycl-add-targets=: no such file: '%s'", added->path);
    }
  }
  return TN_OK;
}

tn_status tn_command_check(const tn_command *command, tn_diag *diag) {
  TN_TRY(check_standard(command, diag));
  TN_TRY(check_pairs(command, diag));
  TN_TRY(check_device_link(command, diag));
  TN_TRY(check_targets(command, diag));
  TN_TRY(check_code_options(command, diag));
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
