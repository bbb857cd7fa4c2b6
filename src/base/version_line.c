// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs say of themselves to people, and to build systems that look for a compiler.
#include "base/version_line.h"

#include "base/str.h"

#define VERSION_LINE "Tenon version " TN_VERSION

const char *tn_version_line(const char *program) {
  const tn_str name = tn_path_base(tn_str_from(program ? program : ""));
  return tn_str_equals(name, TN_STR_LIT("clang++")) || tn_str_equals(name, TN_STR_LIT("clang"))
             ? VERSION_LINE " in the place of the DPC++ compiler 2026.2"
             : VERSION_LINE;
}
