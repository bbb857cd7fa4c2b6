// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a program is the clang that Tenon needs, by what its --version says.
#include "base/process.h"
#include "compile/frontend/frontend.h"

enum { CLANG_VERSION_TEXT_MAXIMUM = 1 << 20 };

static const char advice[] =
    "Tenon needs clang 22: install clang-22, or name it with TENON_CLANG or --tenon-clang";

static bool is_version_char(char c) { return (c >= '0' && c <= '9') || c == '.'; }

tn_status tn_frontend_version_check(const char *program, tn_str text, tn_diag *diag) {
  tn_str rest = text;
  const tn_str line = tn_str_split(&rest, '\n');
  const tn_str lead = TN_STR_LIT("clang version ");
  const size_t at = tn_str_find(line, lead);
  if (at == SIZE_MAX) {
    return TN_FAIL(diag, UNSUPPORTED, "'%s' is not clang; %s", program, advice);
  }
  const tn_str version = tn_str_slice(line, at + lead.size, SIZE_MAX);
  if (tn_str_has_prefix(version, TN_STR_LIT("22."))) {
    return TN_OK;
  }
  size_t size = 0;
  while (size < version.size && is_version_char(version.data[size])) {
    size++;
  }
  return TN_FAIL(diag, UNSUPPORTED, "'%s' is clang %.*s; %s", program,
                 TN_STR_ARG(tn_str_slice(version, 0, size)), advice);
}

tn_status tn_frontend_clang_check(const char *program, tn_diag *diag) {
  const char *const argv[] = {program, "--version", NULL};
  tn_buf output;
  tn_buf errors;
  tn_buf_init(&output, CLANG_VERSION_TEXT_MAXIMUM);
  tn_buf_init(&errors, CLANG_VERSION_TEXT_MAXIMUM);
  tn_process process;
  int code = 0;
  tn_status status = tn_process_start(argv,
                                      TN_PROCESS_CAPTURE_OUTPUT | TN_PROCESS_CAPTURE_ERROR |
                                          TN_PROCESS_NULL_INPUT,
                                      &process, diag);
  if (status == TN_OK) {
    status = tn_process_wait(&process, &output, &errors, &code, diag);
  }
  if (status == TN_OK) {
    // A failing program says nothing that counts.
    const tn_str text = code == 0 ? tn_buf_str(&output) : TN_STR_LIT("");
    status = tn_frontend_version_check(program, text, diag);
  }
  tn_buf_deinit(&output);
  tn_buf_deinit(&errors);
  return status;
}
