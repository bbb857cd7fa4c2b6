// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of bytes as sorted spans: a buffer has a handful of them, so they are moved by hand.
#include "run/memory/spans.h"

#include "base/alloc.h"

#include <string.h>

bool tn_spans_reserve(tn_spans *spans, size_t count) {
  if (count <= spans->capacity - spans->count) {
    return true;
  }
  const size_t capacity = 2 * (spans->count + count);
  tn_span *items = tn_alloc_array(capacity, sizeof(*items));
  if (items == NULL) {
    return false;
  }
  if (spans->count > 0) {
    memcpy(items, spans->items, spans->count * sizeof(*items));
  }
  tn_free(spans->items);
  spans->items = items;
  spans->capacity = capacity;
  return true;
}

// `removed` spans from `at` on become one, or none when `with` is empty.
static void splice(tn_spans *spans, size_t at, size_t removed, const tn_span *with, size_t added) {
  const size_t tail = spans->count - at - removed;
  if (tail > 0) {
    memmove(&spans->items[at + added], &spans->items[at + removed], tail * sizeof(*with));
  }
  for (size_t i = 0; i < added; i++) {
    spans->items[at + i] = with[i];
  }
  spans->count = spans->count - removed + added;
}

void tn_spans_add(tn_spans *spans, tn_span span) {
  size_t first = 0;
  while (first < spans->count && spans->items[first].end < span.begin) {
    first++;
  }
  size_t last = first;
  while (last < spans->count && spans->items[last].begin <= span.end) {
    const tn_span *met = &spans->items[last++];
    span.begin = met->begin < span.begin ? met->begin : span.begin;
    span.end = met->end > span.end ? met->end : span.end;
  }
  splice(spans, first, last - first, &span, 1);
}

void tn_spans_remove(tn_spans *spans, tn_span span) {
  size_t first = 0;
  while (first < spans->count && spans->items[first].end <= span.begin) {
    first++;
  }
  size_t last = first;
  tn_span left[2];
  size_t left_count = 0;
  while (last < spans->count && spans->items[last].begin < span.end) {
    const tn_span met = spans->items[last++];
    if (met.begin < span.begin) {
      left[left_count++] = (tn_span){met.begin, span.begin};
    }
    if (met.end > span.end) {
      left[left_count++] = (tn_span){span.end, met.end};
    }
  }
  splice(spans, first, last - first, left, left_count);
}

bool tn_spans_find(const tn_spans *spans, tn_span within, tn_span *out) {
  for (size_t i = 0; i < spans->count; i++) {
    const tn_span *each = &spans->items[i];
    if (each->begin < within.end && within.begin < each->end) {
      out->begin = each->begin > within.begin ? each->begin : within.begin;
      out->end = each->end < within.end ? each->end : within.end;
      return true;
    }
  }
  return false;
}

void tn_spans_deinit(tn_spans *spans) {
  tn_free(spans->items);
  *spans = (tn_spans){0};
}
