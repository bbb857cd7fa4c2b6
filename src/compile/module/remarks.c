// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects remarks: in the order of the code, each location once for a kind and a subject.
#include <stdarg.h>
#include <stdio.h>

#include "compile/module/module.h"

void tn_remarks_init(tn_remarks *remarks, tn_arena *arena, uint32_t kinds) {
  *remarks = (tn_remarks){.arena = arena, .kinds = kinds};
}

void tn_remarks_begin(tn_remarks *remarks, const char *kernel, tn_place place) {
  if (remarks) {
    remarks->kernel = kernel;
    remarks->place = place;
    remarks->first = remarks->list.count;
    remarks->is_over = false;
  }
}

static bool is_known(const tn_remarks *remarks, const tn_remark *remark) {
  for (size_t i = remarks->first; i < remarks->list.count; i++) {
    const tn_remark *other = tn_remarks_at(remarks, i);
    if (other->kind == remark->kind && strcmp(other->subject, remark->subject) == 0 &&
        other->place.line == remark->place.line &&
        tn_str_equals(other->place.file, remark->place.file)) {
      return true;
    }
  }
  return false;
}

static char *format_text(tn_arena *arena, const char *format, va_list args) {
  char text[512];
  (void)vsnprintf(text, sizeof(text), format, args);
  return tn_arena_str(arena, tn_str_from(text));
}

// A remark that there is no memory for is lost: the build does not depend on remarks.
static bool push(tn_remarks *remarks, const tn_remark *remark) {
  tn_remark *kept = remark->text ? tn_arena_alloc(remarks->arena, sizeof(*kept)) : NULL;
  if (kept) {
    *kept = *remark;
  }
  return kept && tn_list_add(&remarks->list, remarks->arena, kept);
}

void tn_remarks_add(tn_remarks *remarks, tn_remark_kind kind, const char *subject, tn_place place,
                    const char *format, ...) {
  if (!remarks || (remarks->kinds & (uint32_t)kind) == 0) {
    return;
  }
  tn_remark remark = {kind, subject, place.line != 0 ? place : remarks->place, NULL};
  if (is_known(remarks, &remark)) {
    return;
  }
  if (remarks->list.count - remarks->first >= TN_REMARKS_MAX) {
    remarks->is_over = true;
    return;
  }
  va_list args;
  va_start(args, format);
  remark.text = format_text(remarks->arena, format, args);
  va_end(args);
  (void)push(remarks, &remark);
}

void tn_remarks_end(tn_remarks *remarks, tn_remark_kind kind, const char *text) {
  if (!remarks) {
    return;
  }
  if (remarks->is_over) {
    const tn_remark more = {
        (tn_remark_kind)(remarks->kinds & (0U - remarks->kinds)), "limit", remarks->place,
        tn_arena_format(remarks->arena, "kernel '%s': further remarks are left out",
                        remarks->kernel)};
    (void)push(remarks, &more);
  }
  if ((remarks->kinds & (uint32_t)kind) == 0) {
    return;
  }
  const tn_remark whole = {
      kind, "kernel", remarks->place,
      tn_arena_format(remarks->arena, "kernel '%s': %s", remarks->kernel, text)};
  const size_t before = remarks->list.count;
  if (push(remarks, &whole)) {
    void **items = remarks->list.items;
    void *added = items[before];
    memmove(items + remarks->first + 1, items + remarks->first,
            (before - remarks->first) * sizeof(*items));
    items[remarks->first] = added;
  }
}
