// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of libtenon: makes device images of the bitcode on standard input, in a process that may end
// where LLVM's reader does. tenon-import <compiler library> <name>. Writes the fat binary to
// standard output, or "error <status> <text>" (docs/decisions/damaged-bitcode.md).
#include "tools/child_program.h"

#include "base/alloc.h"

#include <stdio.h>

// Damaged bitcode that LLVM reads for longer is not read any further.
enum { SECONDS_MAXIMUM = 120 };

static tn_status import(const char *path, const char *name, tn_diag *diag) {
  const tn_compiler *compiler = NULL;
  char *bitcode = NULL;
  size_t bitcode_size = 0;
  void *fatbin = NULL;
  size_t size = 0;
  TN_TRY(tn_child_compiler(path, &compiler, diag));
  TN_TRY(tn_child_input(&bitcode, &bitcode_size, diag));
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
  tn_child_limit(SECONDS_MAXIMUM);
  const tn_status status = import(argv[1], argv[2], &diag);
  tn_child_end(status, &diag);
}
