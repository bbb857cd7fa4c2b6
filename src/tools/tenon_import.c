// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of libtenon: makes device images of the bitcode on standard input, in a process that may end
// where LLVM's reader does. tenon-import <compiler library> <name>. Writes the fat binary to
// standard output, or "error <status> <text>" (docs/decisions/damaged-bitcode.md).
#include "base/file.h"
#include "tenon/compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// Damaged bitcode that LLVM reads for longer is not read any further.
enum { INPUT_MAXIMUM = 1 << 30, SECONDS_MAXIMUM = 120 };

static void limit(void) {
  const struct rlimit seconds = {SECONDS_MAXIMUM, SECONDS_MAXIMUM};
  const struct rlimit none = {0, 0};
  (void)setrlimit(RLIMIT_CPU, &seconds);
  (void)setrlimit(RLIMIT_CORE, &none);
}

static tn_status find_table(const char *path, const tn_compiler **out, tn_diag *diag) {
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
    return TN_FAIL(diag, UNSUPPORTED, "%s is of another version: install the one that belongs to "
                   "this runtime", path);
  }
  return TN_OK;
}

static tn_status import(const char *path, const char *name, tn_diag *diag) {
  const tn_compiler *compiler = NULL;
  char *bitcode = NULL;
  size_t bitcode_size = 0;
  void *fatbin = NULL;
  size_t size = 0;
  TN_TRY(find_table(path, &compiler, diag));
  TN_TRY(tn_file_read("/dev/stdin", INPUT_MAXIMUM, &bitcode, &bitcode_size, diag));
  const tn_status status =
      compiler->import_bitcode(bitcode, bitcode_size, name, &fatbin, &size, diag);
  if (status == TN_OK) {
    (void)fwrite(fatbin, 1, size, stdout);
    compiler->free_object(fatbin);
  }
  tn_free(bitcode);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    (void)fprintf(stderr, "usage: tenon-import <compiler library> <name> < bitcode\n");
    return 2;
  }
  tn_diag diag = {0};
  limit();
  const tn_status status = import(argv[1], argv[2], &diag);
  if (status != TN_OK) {
    (void)printf("error %d %s", (int)status, diag.text);
  }
  // The compiler library's threads and static objects need no end of their own.
  (void)fflush(stdout);
  _exit(status == TN_OK ? 0 : 1);
}
