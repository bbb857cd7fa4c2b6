// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitcode as device images. LLVM's reader ends the process upon some damaged bitcode, so that it
// runs in another one, lib/tenon/tenon-import (docs/decisions/damaged-bitcode.md). What comes back
// is a fat binary, which has a checksum.
#include "run/program/bitcode_import.h"

#include "base/file.h"
#include "base/log.h"
#include "base/process.h"
#include "image/image.h"
#include "run/device/device.h"

#define HELPER "tenon/tenon-import"
enum { ANSWER_MAXIMUM = 1 << 30 };

static tn_status import_here(tn_bytes bitcode, const char *name, tn_buf *out, tn_diag *diag) {
  const tn_compiler *compiler = NULL;
  TN_TRY(tn_device_get_compiler(&compiler, diag));
  if (!compiler->import_bitcode) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "it is LLVM bitcode, which the compiler library that is "
                   "installed cannot open: install the one that belongs to this runtime");
  }
  void *fatbin = NULL;
  size_t size = 0;
  TN_TRY(compiler->import_bitcode(bitcode.data, bitcode.size, name, &fatbin, &size, diag));
  tn_buf_add(out, fatbin, size);
  compiler->free_object(fatbin);
  return tn_buf_status(out, diag);
}

// "error <status> <text>": what the compiler library said in the other process.
static tn_status read_failure(tn_str answer, tn_diag *diag) {
  uint64_t code = 0;
  tn_str rest = answer;
  const bool is_whole = tn_str_equals(tn_str_split(&rest, ' '), TN_STR_LIT("error")) &&
                        tn_str_to_u64(tn_str_split(&rest, ' '), &code) && code != TN_OK &&
                        code <= TN_DEVICE_FAILED;
  if (!is_whole) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the device bitcode cannot be read: it is damaged, and LLVM does not get "
                   "through it");
  }
  return tn_diag_set(diag, (tn_status)code, 0, __FILE__, __LINE__, "%.*s", TN_STR_ARG(rest));
}

// False when the bitcode was not read: the caller reads it.
static bool import_there(const char *library, tn_bytes bitcode, const char *name, tn_buf *out,
                         tn_status *status, tn_diag *diag) {
  char *helper = tn_path_join(tn_path_dir(tn_str_from(library)), TN_STR_LIT(HELPER));
  tn_buf answer;
  tn_buf_init(&answer, ANSWER_MAXIMUM);
  bool is_done = helper && tn_file_is_executable(helper);
  if (is_done) {
    const char *const argv[] = {helper, library, name, NULL};
    tn_diag reason = {0};
    int exit_status = -1;
    is_done = tn_process_filter(argv, bitcode, &answer, &exit_status, &reason) == TN_OK;
    TN_LOG(program, "%s: %s", helper, is_done ? "started" : reason.text);
  }
  if (is_done && answer.failed != TN_OK) {
    *status = tn_buf_status(&answer, diag);
  } else if (is_done && tn_file_kind_of(tn_buf_bytes(&answer)) == TN_FILE_FATBIN) {
    tn_buf_add(out, answer.data, answer.size);
    *status = tn_buf_status(out, diag);
  } else if (is_done) {
    *status = read_failure(tn_buf_str(&answer), diag);
  }
  tn_buf_deinit(&answer);
  tn_free(helper);
  return is_done;
}

tn_status tn_bitcode_import(tn_bytes bitcode, const char *name, tn_buf *out, tn_diag *diag) {
  char *library = tn_device_compiler_path();
  tn_status status = TN_OK;
  // A library that is named without its folder has no helper beside it.
  const bool is_done = library && library[0] == '/' &&
                       import_there(library, bitcode, name, out, &status, diag);
  tn_free(library);
  return is_done ? status : import_here(bitcode, name, out, diag);
}
