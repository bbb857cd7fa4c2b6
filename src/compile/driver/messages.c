// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both passes read the same source, so most of what one reports the other has reported.
#include <ctype.h>

#include "compile/driver/job_run.h"
#include "compile/driver/message_line.h"

typedef struct filter {
  tn_str host;      // what the host pass printed, without colors
  tn_str device;    // what the device passes printed
  tn_buf *out;
  size_t errors;    // that were kept since clang last counted
  size_t warnings;
} filter;

// Whether `line` is a whole line of `text`.
static bool has_line(tn_str text, tn_str line) {
  tn_str rest = text;
  while (rest.data) {
    const tn_str next = tn_str_split(&rest, '\n');
    if (next.data && tn_str_equals(next, line)) {
      return true;
    }
  }
  return false;
}

static bool is_lead(tn_str line) {
  return tn_str_has_prefix(line, TN_STR_LIT("In file included from "));
}

// "[-Wshadow]" or "[-Werror,-Wshadow]" at the end of a warning; empty without.
static tn_str group_of(tn_str line) {
  size_t at = line.size;
  while (at > 0 && line.data[at - 1] != '[') {
    at--;
  }
  return at > 0 && line.data[line.size - 1] == ']' ? tn_str_slice(line, at, SIZE_MAX)
                                                   : (tn_str){NULL, 0};
}

// Whether the host pass warned of the same at the same place, maybe in other words.
static bool has_warning_at(tn_str host, tn_str line) {
  const tn_str place = tn_message_place(line);
  const tn_str group = group_of(line);
  tn_str rest = host;
  while (rest.data && place.size > 0 && group.size > 0) {
    const tn_str other = tn_str_split(&rest, '\n');
    if (tn_message_kind_of(other) != TN_MESSAGE_NONE && tn_str_has_prefix(other, place) &&
        tn_str_equals(group_of(other), group)) {
      return true;
    }
  }
  return false;
}

// "2 warnings and 1 error generated.", also with a target's name.
static bool is_count(tn_str line) {
  return line.size > 0 && isdigit((unsigned char)line.data[0]) &&
         tn_str_find(line, TN_STR_LIT(" generated")) != SIZE_MAX &&
         (tn_str_find(line, TN_STR_LIT("error")) != SIZE_MAX ||
          tn_str_find(line, TN_STR_LIT("warning")) != SIZE_MAX);
}

// A warning that names no place is of the command line, which both passes have.
static bool is_known(const filter *f, tn_str line, tn_str plain, tn_message_kind kind) {
  return has_line(f->host, plain) ||
         has_line(tn_str_from_range(f->device.data, line.data), line) ||
         (kind == TN_MESSAGE_WARNING &&
          (tn_str_has_prefix(plain, TN_STR_LIT("warning: ")) || has_warning_at(f->host, plain)));
}

// In place of clang's own line, which counts what is left out as well.
static void add_count(filter *f) {
  if (f->warnings > 0) {
    tn_buf_add_format(f->out, "%zu warning%s", f->warnings, f->warnings == 1 ? "" : "s");
  }
  if (f->errors > 0) {
    tn_buf_add_format(f->out, "%s%zu error%s", f->warnings > 0 ? " and " : "", f->errors,
                      f->errors == 1 ? "" : "s");
  }
  if (f->errors + f->warnings > 0) {
    tn_buf_add_text(f->out, " generated.\n");
  }
  f->errors = 0;
  f->warnings = 0;
}

static void filter_all(filter *f) {
  tn_str rest = f->device;
  const char *lead = NULL;  // where the lines before a head begin
  bool drops = false;
  tn_buf plain;
  tn_buf_init(&plain, TN_DRIVER_BUFFER_MAXIMUM);
  while (rest.data && rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    const char *end = line.data + line.size + (rest.data ? 1 : 0);
    tn_buf_clear(&plain);
    tn_message_add_plain(line, &plain);
    const tn_message_kind kind = tn_message_kind_of(tn_buf_str(&plain));
    const bool is_head = kind == TN_MESSAGE_ERROR || kind == TN_MESSAGE_WARNING ||
                         kind == TN_MESSAGE_REMARK;
    if (is_lead(tn_buf_str(&plain))) {
      lead = lead ? lead : line.data;
      continue;
    }
    if (is_count(tn_buf_str(&plain))) {
      add_count(f);
      continue;
    }
    if (is_head) {
      drops = is_known(f, line, tn_buf_str(&plain), kind);
      f->errors += kind == TN_MESSAGE_ERROR && !drops;
      f->warnings += kind == TN_MESSAGE_WARNING && !drops;
    }
    if (!drops || (lead && !is_head)) {
      tn_buf_add_str(f->out, tn_str_from_range(lead ? lead : line.data, end));
    }
    lead = NULL;
  }
  tn_buf_deinit(&plain);
}

// A group is "In file included from …" lines, the line with the error or warning, and what explains
// it up to the next group. Groups are dropped that the host has printed, or the device code of
// another target.
void tn_messages_filter(tn_str device, tn_str host, tn_buf *out) {
  tn_buf plain;
  tn_buf_init(&plain, TN_DRIVER_BUFFER_MAXIMUM);
  tn_message_add_plain(host, &plain);
  filter f = {.host = tn_buf_str(&plain), .device = device, .out = out};
  filter_all(&f);
  tn_buf_deinit(&plain);
}
