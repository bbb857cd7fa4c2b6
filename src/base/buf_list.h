// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that are made one after another and end together: a list of them in an arena.
#ifndef TN_BASE_BUF_LIST_H
#define TN_BASE_BUF_LIST_H

#include "base/arena.h"
#include "base/buf.h"

// A new buffer at the end of the list; NULL when there is no memory.
tn_buf *tn_buf_list_add(tn_list *list, tn_arena *arena, size_t maximum);
// Hands the buffers of `from`, which is empty then, to the end of `to`; false when there is no
// memory, and each buffer is in one of the two.
TN_MUST_USE bool tn_buf_list_move(tn_list *from, tn_list *to, tn_arena *arena);
// Frees what all hold, before the arena goes; the list is empty then.
void tn_buf_list_clear(tn_list *list);

#endif
