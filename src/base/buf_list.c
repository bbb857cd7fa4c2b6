// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of buffers.
#include "base/buf_list.h"

tn_buf *tn_buf_list_add(tn_list *list, tn_arena *arena, size_t maximum) {
  tn_buf *buf = tn_arena_alloc(arena, sizeof(*buf));
  if (!buf || !tn_list_add(list, arena, buf)) {
    return NULL;
  }
  tn_buf_init(buf, maximum);
  return buf;
}

bool tn_buf_list_move(tn_list *from, tn_list *to, tn_arena *arena) {
  for (size_t i = 0; i < from->count; i++) {
    tn_buf *buf = tn_buf_list_add(to, arena, 0);
    if (!buf) {
      return false;
    }
    *buf = *(tn_buf *)from->items[i];
    tn_buf_init(from->items[i], 0);
  }
  from->count = 0;
  return true;
}

void tn_buf_list_clear(tn_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    tn_buf_deinit(list->items[i]);
  }
  list->count = 0;
}
