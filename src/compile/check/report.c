// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes violations as clang writes errors.
#include "compile/check/report.h"

enum { TN_REPORT_LIMIT = 20, TN_REPORT_CHAIN = 24, TN_REPORT_LINE = 16 * 1024 };

void tn_report_init(tn_report *report, tn_arena *arena, tn_buf *out, const char *fallback) {
  *report = (tn_report){.arena = arena, .out = out, .fallback = fallback};
  tn_map_init(&report->seen);
}

void tn_report_deinit(tn_report *report) { tn_map_deinit(&report->seen); }

const char *tn_report_name(tn_report *report, LLVMValueRef function) {
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
    tn_buf_add_format(report->out, "note: in kernel '%s'\n",
                      tn_report_name(report, root->function));
    return;
  }
  tn_place_write(report->out, tn_place_of_function(root->function), report->fallback);
  tn_buf_add_format(report->out, "note: in '%s', which is SYCL_EXTERNAL\n",
                    tn_report_name(report, root->function));
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
                      tn_report_name(report, node->parent->function));
  }
  write_root(report, node);
}

// Writes the line once; false when it was there already, or there are too many.
static bool write_once(tn_report *report, bool is_error, tn_str line) {
  size_t *count = is_error ? &report->count : &report->warning_count;
  if (tn_map_find(&report->seen, line)) {
    return false;
  }
  // Without memory for the set a line may come twice, which does no harm.
  const bool is_kept = tn_map_set(&report->seen, line, report);
  (void)is_kept;
  *count += 1;
  if (is_error && *count == 1) {
    report->first = tn_arena_str(report->arena, line);
  }
  if (*count > TN_REPORT_LIMIT) {
    return false;
  }
  tn_buf_add_str(report->out, line);
  tn_buf_add_char(report->out, '\n');
  return true;
}

static bool write_line(tn_report *report, bool is_error, LLVMValueRef function,
                       LLVMValueRef instruction, const char *format, va_list args) TN_PRINTF(5, 0);
static bool write_line(tn_report *report, bool is_error, LLVMValueRef function,
                       LLVMValueRef instruction, const char *format, va_list args) {
  tn_buf line;
  tn_buf_init(&line, TN_REPORT_LINE);
  tn_place_write(
      &line, instruction ? tn_place_of_instruction(instruction) : tn_place_of_function(function),
      report->fallback);
  tn_buf_add_format(&line, "%s: '%s' ", is_error ? "error" : "warning",
                    tn_report_name(report, function));
  tn_buf_add_vformat(&line, format, args);
  const bool is_shown = write_once(report, is_error, tn_buf_str(&line));
  tn_buf_deinit(&line);
  return is_shown;
}

static bool write_at(tn_report *report, bool is_error, tn_place place, const char *format,
                     va_list args) TN_PRINTF(4, 0);
static bool write_at(tn_report *report, bool is_error, tn_place place, const char *format,
                     va_list args) {
  tn_buf line;
  tn_buf_init(&line, TN_REPORT_LINE);
  tn_place_write(&line, place, report->fallback);
  tn_buf_add_text(&line, is_error ? "error: " : "warning: ");
  tn_buf_add_vformat(&line, format, args);
  const bool is_shown = write_once(report, is_error, tn_buf_str(&line));
  tn_buf_deinit(&line);
  return is_shown;
}

void tn_report_add(tn_report *report, const tn_reach_node *node, LLVMValueRef instruction,
                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  const bool is_shown = write_line(report, true, node->function, instruction, format, args);
  va_end(args);
  if (is_shown) {
    write_chain(report, node);
  }
}

void tn_report_warn(tn_report *report, const tn_reach_node *node, LLVMValueRef instruction,
                    const char *format, ...) {
  va_list args;
  va_start(args, format);
  const bool is_shown = write_line(report, false, node->function, instruction, format, args);
  va_end(args);
  if (is_shown) {
    write_chain(report, node);
  }
}

void tn_report_warn_way(tn_report *report, const tn_report_step *steps, size_t count,
                        const char *note, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const bool is_shown = write_line(report, false, steps[0].function, steps[0].site, format, args);
  va_end(args);
  for (size_t i = 1; is_shown && i < count; ++i) {
    if (!is_own_detail(steps[i].function)) {
      tn_place_write(report->out, tn_place_of_instruction(steps[i].site), report->fallback);
      tn_buf_add_format(report->out, "note: called from '%s' here\n",
                        tn_report_name(report, steps[i].function));
    }
  }
  if (is_shown) {
    tn_place_write(report->out, tn_place_of_function(steps[count - 1].function), report->fallback);
    tn_buf_add_format(report->out, "note: %s\n", note);
  }
}

void tn_report_warn_at(tn_report *report, tn_place place, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const bool is_shown = write_at(report, false, place, format, args);
  (void)is_shown;  // nothing follows it
  va_end(args);
}

void tn_report_add_at(tn_report *report, tn_place place, LLVMValueRef function, const char *format,
                      ...) {
  va_list args;
  va_start(args, format);
  const bool is_shown = write_at(report, true, place, format, args);
  va_end(args);
  if (is_shown) {
    tn_place_write(report->out, tn_place_of_function(function), report->fallback);
    tn_buf_add_format(report->out, "note: in the declaration of '%s'\n",
                      tn_report_name(report, function));
  }
}

static void write_rest(tn_report *report, const char *what, size_t count) {
  if (count > TN_REPORT_LIMIT) {
    tn_buf_add_format(report->out, "note: %zu more %s in device code are not shown\n",
                      count - TN_REPORT_LIMIT, what);
  }
}

tn_status tn_report_finish(tn_report *report, tn_diag *diag) {
  write_rest(report, "errors", report->count);
  write_rest(report, "warnings", report->warning_count);
  if (report->count == 0) {
    return TN_OK;
  }
  if (report->count == 1) {
    return TN_FAIL(diag, BUILD_FAILED, "%s",
                   report->first ? report->first : "device code is wrong");
  }
  return TN_FAIL(diag, BUILD_FAILED, "%zu errors in device code", report->count);
}
