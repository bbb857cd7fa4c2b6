// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols' roles in PTX as LLVM writes it, with one directive at the beginning of a line. Source:
// PTX ISA, linking directives: .extern, .visible, .weak, and local without one.
#include "adapter/cuda/cuda_roles.h"

enum { CODE_MAXIMUM = 1 << 30 };

// One image's text on its way.
typedef struct writer {
  const tn_adapter_linkage *linkage;
  tn_str text;
  tn_buf *out;
  size_t copied;       // of the text: is in `out`, or left out
  bool keeps_kernels;  // with their bodies
  tn_str missing;  // the first weak import that nobody gives; empty: there is none
} writer;

static bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%';
}

// Behind the next `mark` that is in no comment and no text; the text's end when there is none.
static size_t skip_to(tn_str text, size_t at, char mark) {
  for (; at < text.size; at++) {
    const char c = text.data[at];
    if (c == mark) {
      return at + 1;
    }
    if (c == '/' && at + 1 < text.size && text.data[at + 1] == '/') {
      const size_t end = tn_str_find_char(tn_str_slice(text, at, SIZE_MAX), '\n');
      at = end == SIZE_MAX ? text.size : at + end;
    } else if (c == '"') {
      const size_t end = tn_str_find_char(tn_str_slice(text, at + 1, SIZE_MAX), '"');
      at = end == SIZE_MAX ? text.size : at + 1 + end;
    }
  }
  return text.size;
}

// Behind the brace that closes the body which begins after `at`.
static size_t skip_body(tn_str text, size_t at) {
  at = skip_to(text, at, '{');
  for (size_t depth = 1; depth > 0 && at < text.size;) {
    const size_t open = skip_to(text, at, '{');
    const size_t close = skip_to(text, at, '}');
    depth = open < close ? depth + 1 : depth - 1;
    at = open < close ? open : close;
  }
  return at;
}

// The function's name behind ".func": "(.param .b32 r) name(".
static tn_str function_name(tn_str text, size_t at) {
  while (at < text.size && (text.data[at] == ' ' || text.data[at] == '\t')) {
    at++;
  }
  if (at < text.size && text.data[at] == '(') {
    at = skip_to(text, at, ')');
  }
  while (at < text.size && (text.data[at] == ' ' || text.data[at] == '\t')) {
    at++;
  }
  size_t end = at;
  while (end < text.size && is_of_name(text.data[end])) {
    end++;
  }
  return tn_str_slice(text, at, end - at);
}

static void copy_to(writer *w, size_t at) {
  tn_buf_add_str(w->out, tn_str_slice(w->text, w->copied, at - w->copied));
  w->copied = at;
}

// What is there from `at` on, `size` characters, becomes `text`.
static void put_instead(writer *w, size_t at, size_t size, const char *text) {
  copy_to(w, at);
  tn_buf_add_text(w->out, text);
  w->copied = at + size;
}

// A function that is never called in a program without it: who calls it asks for its address first.
static size_t define_missing(writer *w, size_t at, size_t directive, tn_str name) {
  const size_t end = skip_to(w->text, at, ';');
  put_instead(w, at, directive, "");
  put_instead(w, end - 1, 1, "{\n\ttrap;\n\tret;\n}\n");
  w->missing = w->missing.size > 0 ? w->missing : name;
  return end;
}

// Returns where to go on.
static size_t write_function(writer *w, size_t at, bool is_weak, size_t directive) {
  const tn_str name = function_name(w->text, at + directive + strlen(" .func"));
  switch (tn_cuda_role_of(w->linkage, name)) {
    case TN_ADAPTER_SYMBOL_PROVIDED:
      if (is_weak) {
        put_instead(w, at, directive, ".visible");
      }
      break;
    case TN_ADAPTER_SYMBOL_REPLACED:
      if (!is_weak) {
        put_instead(w, at, directive, ".weak");
      }
      break;
    case TN_ADAPTER_SYMBOL_UNUSED:
      if (!is_weak) {
        put_instead(w, at, directive, "");
      }
      break;
    case TN_ADAPTER_SYMBOL_IMPORTED:
      if (is_weak) {
        put_instead(w, at, directive, ".extern");
      }
      break;
    case TN_ADAPTER_SYMBOL_UNRESOLVED:
      return define_missing(w, at, directive, name);
    default:
      break;
  }
  return at + directive;
}

// "\tmov.b64 \t%rd1, name;": the address of what nobody gives is 0.
static void write_address(writer *w, tn_str line, size_t at) {
  const size_t comma = tn_str_find_char(line, ',');
  if (comma == SIZE_MAX || line.data[line.size - 1] != ';') {
    return;
  }
  const tn_str name = tn_str_trim(tn_str_slice(line, comma + 1, line.size - comma - 2));
  if (name.size > 0 && name.data[0] != '%' &&
      tn_cuda_role_of(w->linkage, name) == TN_ADAPTER_SYMBOL_UNRESOLVED) {
    put_instead(w, at + (size_t)(name.data - line.data), name.size, "0");
  }
}

static size_t write_line(writer *w, tn_str line, size_t at) {
  static const char visible[] = ".visible";
  static const char weak[] = ".weak";
  if (tn_str_has_prefix(line, TN_STR_LIT(".visible .entry ")) && w->linkage->image_index > 0) {
    if (w->keeps_kernels) {
      put_instead(w, at, sizeof(visible) - 1, weak);
      return at + line.size;
    }
    copy_to(w, at);
    w->copied = skip_body(w->text, at);
    return w->copied;
  }
  if (tn_str_has_prefix(line, TN_STR_LIT(".visible .func"))) {
    return write_function(w, at, false, sizeof(visible) - 1);
  }
  if (tn_str_has_prefix(line, TN_STR_LIT(".weak .func"))) {
    return write_function(w, at, true, sizeof(weak) - 1);
  }
  if (w->missing.size > 0 && tn_str_has_prefix(line, TN_STR_LIT("\tmov.b64"))) {
    write_address(w, line, at);
  }
  return at + line.size;
}

tn_status tn_cuda_ptx_write_roles(const tn_adapter_linkage *linkage, tn_bytes code, tn_buf *out,
                                  tn_diag *diag) {
  const tn_str text = {(const char *)code.data, code.size};
  // Debug information has addresses in the bodies of all functions.
  writer w = {.linkage = linkage,
              .text = text,
              .out = out,
              .keeps_kernels = tn_str_find(text, TN_STR_LIT(".section")) != SIZE_MAX};
  tn_buf_init(out, CODE_MAXIMUM);
  for (size_t at = 0; at < text.size;) {
    const tn_str rest = tn_str_slice(text, at, SIZE_MAX);
    const size_t end = tn_str_find_char(rest, '\n');
    const tn_str line = end == SIZE_MAX ? rest : tn_str_slice(rest, 0, end);
    if (line.size > 0 && (line.data[0] == '.' || line.data[0] == '\t')) {
      at = write_line(&w, line, at);
      const size_t left = tn_str_find_char(tn_str_slice(text, at, SIZE_MAX), '\n');
      at = left == SIZE_MAX ? text.size : at + left + 1;
    } else {
      at += line.size + 1;
    }
  }
  if (w.copied > 0) {
    copy_to(&w, text.size);
  }
  return tn_buf_status(out, diag);
}
