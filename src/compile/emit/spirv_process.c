// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's back end for SPIR-V in processes of its own. It numbers blocks by a table that is kept as
// long as the process and has addresses of functions as its keys: where the memory of an earlier
// module's functions is used again, labels get numbers that something else has. So a process emits
// one module, its first; later ones are emitted by lib/tenon/tenon-spirv, one each.
#include "compile/emit/spirv_process.h"

#include "base/dynlib.h"
#include "base/file.h"
#include "base/process.h"
#include "compile/emit/device_machine.h"

#include <stdio.h>

#define HELPER "tenon/tenon-spirv"
enum { CODE_MAX = 1 << 30, MAGIC = 0x07230203 };

// "error <status> <text>": what failed in the other process.
static tn_status read_failure(tn_str answer, int exit_status, tn_diag *diag) {
  uint64_t code = 0;
  tn_str rest = answer;
  const bool is_whole = tn_str_equals(tn_str_split(&rest, ' '), TN_STR_LIT("error")) &&
                        tn_str_to_u64(tn_str_split(&rest, ' '), &code) && code != TN_OK &&
                        code <= TN_DEVICE_FAILED;
  if (!is_whole) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "LLVM's back end for SPIR-V ended without an answer (exit status %d)",
                   exit_status);
  }
  return tn_diag_set(diag, (tn_status)code, 0, __FILE__, __LINE__, "%.*s", TN_STR_ARG(rest));
}

static bool is_spirv(const tn_buf *answer) {
  uint32_t magic = 0;
  if (answer->size >= sizeof(magic)) {
    memcpy(&magic, answer->data, sizeof(magic));
  }
  return magic == MAGIC;
}

// The program beside the library that this function is in: an owned path, or NULL.
static char *find_helper(const char **out_library) {
  static const char here;
  const char *library = tn_dynlib_path_of(&here);
  if (!library || library[0] != '/') {
    return NULL;
  }
  *out_library = library;
  char *helper = tn_path_join(tn_path_dir(tn_str_from(library)), TN_STR_LIT(HELPER));
  if (helper && !tn_file_is_executable(helper)) {
    tn_free(helper);
    return NULL;
  }
  return helper;
}

tn_status tn_spirv_process_run(LLVMModuleRef module, uint32_t opt_level, bool *out_is_done,
                               tn_buf *out, tn_diag *diag) {
  *out_is_done = false;
  const char *library = NULL;
  char *helper = find_helper(&library);
  if (!helper) {
    return TN_OK;
  }
  char level[sizeof("4294967295")];
  (void)snprintf(level, sizeof(level), "%u", opt_level);
  const char *const argv[] = {helper, library, level, NULL};
  tn_buf bitcode;
  tn_buf answer;
  tn_buf_init(&bitcode, CODE_MAX);
  tn_buf_init(&answer, CODE_MAX);
  int exit_status = -1;
  tn_status status = tn_module_write(module, &bitcode, diag);
  if (status == TN_OK) {
    *out_is_done = tn_process_filter(argv, tn_buf_bytes(&bitcode), &answer, &exit_status, NULL) ==
                   TN_OK;
  }
  if (*out_is_done) {
    status = tn_buf_status(&answer, diag);
    if (status == TN_OK && is_spirv(&answer)) {
      tn_buf_add(out, answer.data, answer.size);
      status = tn_buf_status(out, diag);
    } else if (status == TN_OK) {
      status = read_failure(tn_buf_str(&answer), exit_status, diag);
    }
  }
  tn_buf_deinit(&answer);
  tn_buf_deinit(&bitcode);
  tn_free(helper);
  return status;
}

static tn_status emit_in(tn_llvm_job *job, tn_arena *arena, tn_bytes bitcode, uint32_t opt_level,
                         tn_buf *out, tn_diag *diag) {
  tn_target target;
  LLVMModuleRef module = NULL;
  LLVMTargetMachineRef machine = NULL;
  TN_TRY(tn_target_read(arena, "-fsycl-targets=", TN_STR_LIT("spirv64"), &target, diag));
  TN_TRY(tn_module_parse(job, bitcode, "device code", &module, diag));
  tn_status status = tn_device_machine_create(&target, opt_level, &machine, diag);
  if (status == TN_OK) {
    status = tn_device_emit(job, module, &target, machine, opt_level, false, out, diag);
    LLVMDisposeTargetMachine(machine);
  }
  LLVMDisposeModule(module);
  return status;
}

tn_status tn_emit_spirv(tn_bytes bitcode, uint32_t opt_level, tn_buf *out, tn_diag *diag) {
  tn_arena arena;
  tn_llvm_job job;
  tn_arena_init(&arena);
  tn_status status = tn_llvm_job_init(&job, diag);
  if (status == TN_OK) {
    status = emit_in(&job, &arena, bitcode, opt_level, out, diag);
  }
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return status;
}
