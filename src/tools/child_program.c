// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that the libraries start: their limits, the compiler library, their answer.
#include "tools/child_program.h"

#include "base/file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { INPUT_MAXIMUM = 1 << 30 };

void tn_child_limit(unsigned seconds) {
  const struct rlimit computing = {seconds, seconds};
  const struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CPU, &computing);
  (void)setrlimit(RLIMIT_CORE, &none);
}

tn_status tn_child_compiler(const char *path, const tn_compiler **out, tn_diag *diag) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, TN_COMPILER_QUERY) : NULL;
  if (!symbol) {
    const char *reason = dlerror();
    return TN_FAIL(diag, UNSUPPORTED, "%s: %s", path, reason ? reason : "cannot be loaded");
  }
  tn_compiler_query_fn query = NULL;
  memcpy(&query, &symbol, sizeof(query));
  *out = query(TN_COMPILER_VERSION);
  if (!*out || (*out)->version != TN_COMPILER_VERSION || (*out)->size < sizeof(**out)) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "%s is of another version: install the one that belongs to this runtime", path);
  }
  return TN_OK;
}

tn_status tn_child_input(char **out_data, size_t *out_size, tn_diag *diag) {
  return tn_file_read("/dev/stdin", INPUT_MAXIMUM, out_data, out_size, diag);
}

void tn_child_end(tn_status status, const tn_diag *diag) {
  if (status != TN_OK) {
    (void)printf("error %d %s", (int)status, diag->text);
  }
  // The compiler library's threads and static objects need no end of their own.
  (void)fflush(stdout);
  _exit(status == TN_OK ? 0 : 1);
}
