// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs say of themselves to people, and to build systems that look for a compiler.
#include "base/version_line.h"

#include "base/str.h"

void tn_version_line_print(const char *program, FILE *out) {
  const tn_str name = tn_path_base(tn_str_from(program ? program : ""));
  const bool stands_for = tn_str_equals(name, TN_STR_LIT("clang++"));
  (void)fprintf(out, "Tenon version %s%s\n", TN_VERSION,
                stands_for ? " in the place of the DPC++ compiler 2026.2" : "");
}
