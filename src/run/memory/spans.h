// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of bytes as sorted spans that do not touch.
#ifndef TN_RUN_MEMORY_SPANS_H
#define TN_RUN_MEMORY_SPANS_H

#include "base/base.h"

typedef struct tn_span {
  size_t begin;
  size_t end;
} tn_span;

static inline bool tn_span_overlaps(tn_span a, tn_span b) {
  return a.begin < b.end && b.begin < a.end;
}

// All zero: empty.
typedef struct tn_spans {
  tn_span *items;  // owned
  size_t count;
  size_t capacity;
} tn_spans;

// Room for `count` more spans. False without memory.
bool tn_spans_reserve(tn_spans *spans, size_t count);
// Room for one more must be there.
void tn_spans_add(tn_spans *spans, tn_span span);
void tn_spans_remove(tn_spans *spans, tn_span span);
// The first bytes of `within` that are in the set.
bool tn_spans_find(const tn_spans *spans, tn_span within, tn_span *out);
void tn_spans_deinit(tn_spans *spans);

#endif
