// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of libtenon-compiler: makes SPIR-V of the bitcode on standard input, in a process of its own
// (compile/emit/spirv_process.c). tenon-spirv <compiler library> <level>. Writes the SPIR-V to
// standard output, or "error <status> <text>".
#include "base/alloc.h"
#include "base/str.h"
#include "tools/child_program.h"

#include <stdio.h>

enum { SECONDS_MAXIMUM = 3600 };

static tn_status emit(const char *path, const char *level, tn_diag *diag) {
  const tn_compiler *compiler = NULL;
  uint64_t opt_level = 0;
  char *bitcode = NULL;
  size_t bitcode_size = 0;
  void *code = NULL;
  size_t size = 0;
  if (!tn_str_to_u64(tn_str_from(level), &opt_level)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "'%s' is no optimization level", level);
  }
  TN_TRY(tn_child_compiler(path, &compiler, diag));
  TN_TRY(tn_child_input(&bitcode, &bitcode_size, diag));
  const tn_status status =
      compiler->emit_spirv(bitcode, bitcode_size, (uint32_t)opt_level, &code, &size, diag);
  if (status == TN_OK) {
    (void)fwrite(code, 1, size, stdout);
    compiler->free_object(code);
  }
  tn_free(bitcode);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    (void)fprintf(stderr, "usage: tenon-spirv <compiler library> <level> < bitcode\n");
    return 2;
  }
  tn_diag diag = {0};
  tn_child_limit(SECONDS_MAXIMUM);
  const tn_status status = emit(argv[1], argv[2], &diag);
  tn_child_end(status, &diag);
}
