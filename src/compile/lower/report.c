// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes violations as clang writes errors.
#include "compile/lower/report.h"

enum { TN_REPORT_LIMIT = 20, TN_REPORT_CHAIN = 24, TN_REPORT_LINE = 16 * 1024 };

void tn_report_init(tn_report *report, tn_arena *arena, tn_buf *out, const char *fallback) {
  *report = (tn_report){.arena = arena, .out = out, .fallback = fallback};
  tn_map_init(&report->seen);
}

void tn_report_deinit(tn_report *report) { tn_map_deinit(&report->seen); }

static const char *name_of(tn_report *report, LLVMValueRef function) {
  const tn_str symbol = tn_value_name(function);
  const char *text = tn_function_is_kernel(function) ? tn_demangle_kernel(report->arena, symbol)
                                                     : tn_demangle(report->arena, symbol);
  return text ? text : "?";
}

static void write_root(tn_report *report, const tn_reach_node *root) {
  if (tn_function_is_kernel(root->function)) {
    const tn_str file = tn_function_attr(root->function, TN_ATTR_KERNEL_FILE);
    const tn_str line = tn_function_attr(root->function, TN_ATTR_KERNEL_LINE);
    if (file.size != 0) {
      tn_buf_add_format(report->out, "%.*s:%.*s: ", TN_STR_ARG(file), TN_STR_ARG(line));
    }
    tn_buf_add_format(report->out, "note: in kernel '%s'\n", name_of(report, root->function));
    return;
  }
  tn_place_write(report->out, tn_place_of_function(root->function), report->fallback);
  tn_buf_add_format(report->out, "note: in '%s', which is SYCL_EXTERNAL\n",
                    name_of(report, root->function));
}

// What stands between the kernel and the user's function object is of no help.
static bool is_own_detail(LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  return (tn_str_has_prefix(name, TN_STR_LIT("_ZN4sycl6detail")) ||
          tn_str_has_prefix(name, TN_STR_LIT("_ZNK4sycl6detail"))) &&
         tn_str_find(tn_place_of_function(function).file, TN_STR_LIT("include/sycl/")) != SIZE_MAX;
}

static void write_chain(tn_report *report, const tn_reach_node *node) {
  size_t written = 0;
  for (; node->parent; node = node->parent) {
    // The kernel's own call is an artifact of the headers.
    if (tn_function_is_kernel(node->parent->function) || is_own_detail(node->parent->function) ||
        written++ >= TN_REPORT_CHAIN) {
      continue;
    }
    tn_place_write(report->out, tn_place_of_instruction(node->site), report->fallback);
    tn_buf_add_format(report->out, "note: called from '%s' here\n",
                      name_of(report, node->parent->function));
  }
  write_root(report, node);
}

void tn_report_add(tn_report *report, const tn_reach_node *node, LLVMValueRef instruction,
                   const char *format, ...) {
  tn_buf line;
  tn_buf_init(&line, TN_REPORT_LINE);
  tn_place_write(&line, tn_place_of_instruction(instruction), report->fallback);
  tn_buf_add_format(&line, "error: '%s' ", name_of(report, node->function));
  va_list args;
  va_start(args, format);
  tn_buf_add_vformat(&line, format, args);
  va_end(args);
  if (!tn_map_find(&report->seen, tn_buf_str(&line))) {
    // Without memory for the set a line may come twice, which does no harm.
    const bool is_kept = tn_map_set(&report->seen, tn_buf_str(&line), report);
    (void)is_kept;
    report->count += 1;
    if (report->count == 1) {
      report->first = tn_arena_str(report->arena, tn_buf_str(&line));
    }
    if (report->count <= TN_REPORT_LIMIT) {
      tn_buf_add_str(report->out, tn_buf_str(&line));
      tn_buf_add_char(report->out, '\n');
      write_chain(report, node);
    }
  }
  tn_buf_deinit(&line);
}

tn_status tn_report_finish(tn_report *report, tn_diag *diag) {
  if (report->count == 0) {
    return TN_OK;
  }
  if (report->count > TN_REPORT_LIMIT) {
    tn_buf_add_format(report->out, "note: %zu more errors in device code are not shown\n",
                      report->count - TN_REPORT_LIMIT);
  }
  if (report->count == 1) {
    return TN_FAIL(diag, BUILD_FAILED, "%s",
                   report->first ? report->first : "device code is wrong");
  }
  return TN_FAIL(diag, BUILD_FAILED, "%zu errors in device code", report->count);
}
