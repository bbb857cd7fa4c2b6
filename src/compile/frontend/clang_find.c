// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds clang as a program.
#include "base/config.h"
#include "base/file.h"
#include "base/process.h"
#include "compile/frontend/frontend.h"

#ifndef TN_CLANG_PATH
#define TN_CLANG_PATH ""
#endif

static tn_status found(tn_arena *arena, const char *path, const char **out, tn_diag *diag) {
  *out = tn_arena_str(arena, tn_str_from(path));
  return *out ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the path of clang");
}

static tn_status find_wanted(tn_arena *arena, const char *wanted, const char *origin,
                             const char **out, tn_diag *diag) {
  char *path = tn_process_find(wanted);
  if (!path) {
    return TN_FAIL(diag, IO, "%s=%s: there is no such program; name a clang++ of version 22",
                   origin, wanted);
  }
  const tn_status status = found(arena, path, out, diag);
  tn_free(path);
  return status;
}

bool tn_frontend_clang_is_named(const char *wanted) {
  return (wanted && wanted[0] != '\0') || tn_config_get()->clang[0] != '\0';
}

bool tn_frontend_clang_takes_plugin(const char *program) {
  char *real = tn_path_real(program);
  char *own = tn_path_real(TN_CLANG_PATH);
  const bool is_own = real && own && strcmp(real, own) == 0;
  tn_free(real);
  tn_free(own);
  return is_own;
}

tn_status tn_frontend_clang_find(tn_arena *arena, const char *wanted, const char **out,
                                 tn_diag *diag) {
  *out = NULL;
  if (wanted && wanted[0] != '\0') {
    return find_wanted(arena, wanted, "--tenon-clang", out, diag);
  }
  const char *configured = tn_config_get()->clang;
  if (configured[0] != '\0') {
    return find_wanted(arena, configured, "TENON_CLANG", out, diag);
  }
  return TN_OK;
}

tn_status tn_frontend_clang_find_installed(tn_arena *arena, const char **out, tn_diag *diag) {
  *out = NULL;
  if (TN_CLANG_PATH[0] != '\0' && tn_file_is_executable(TN_CLANG_PATH)) {
    return found(arena, TN_CLANG_PATH, out, diag);
  }
  char *path = tn_process_find("clang++-22");
  const tn_status status = path ? found(arena, path, out, diag) : TN_OK;
  tn_free(path);
  return status;
}
