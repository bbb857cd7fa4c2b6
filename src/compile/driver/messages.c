// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both passes read the same source, so most of what one says the other has said.
#include "compile/driver/job_run.h"

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

static bool is_head(tn_str line) {
  return tn_str_find(line, TN_STR_LIT("error: ")) != SIZE_MAX ||
         tn_str_find(line, TN_STR_LIT("warning: ")) != SIZE_MAX;
}

static bool is_lead(tn_str line) {
  return tn_str_has_prefix(line, TN_STR_LIT("In file included from "));
}

// A group is "In file included from …" lines, the line with the error, and what explains it up to
// the next group. Groups are dropped whose error line the host has printed, or the device code of
// another target.
void tn_messages_filter(tn_str device, tn_str host, tn_buf *out) {
  tn_str rest = device;
  const char *lead = NULL;  // where the lines before a head begin
  bool drops = false;
  while (rest.data && rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    const char *end = line.data + line.size + (rest.data ? 1 : 0);
    if (is_lead(line)) {
      lead = lead ? lead : line.data;
      continue;
    }
    if (is_head(line)) {
      drops = has_line(host, line) || has_line(tn_str_from_range(device.data, line.data), line);
    }
    if (!drops || (lead && !is_head(line))) {
      tn_buf_add_str(out, tn_str_from_range(lead ? lead : line.data, end));
    }
    lead = NULL;
  }
}
