// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports the try blocks that the front end noted (compile/clang/function_notes.hpp).
#include "compile/check/try_check.h"

#include "compile/lower/lower.h"

static bool read_location(tn_str *rest, tn_place *out) {
  uint64_t line = 0;
  uint64_t column = 0;
  if (!tn_str_to_u64(tn_str_split(rest, ':'), &line) ||
      !tn_str_to_u64(tn_str_split(rest, ','), &column)) {
    return false;
  }
  out->line = (uint32_t)line;
  out->column = (uint32_t)column;
  return true;
}

static void check_function(LLVMValueRef function, tn_report *report) {
  tn_str file = tn_function_attr(function, TN_ATTR_TRY_BLOCKS);
  tn_str locations = file.size > 0 ? tn_str_split(&file, '|') : (tn_str){0};
  tn_place place = {file, 0, 0};
  while (!tn_is_library_header(file) && read_location(&locations, &place)) {
    tn_report_warn_at(report, place,
                      "'%s' has a try block; device code has no exceptions, and its handlers are "
                      "left out",
                      tn_report_name(report, function));
  }
}

void tn_try_check(const tn_reach *reach, tn_report *report) {
  for (size_t i = 0; i < reach->nodes.count; ++i) {
    const tn_reach_node *node = reach->nodes.items[i];
    check_function(node->function, report);
  }
}
