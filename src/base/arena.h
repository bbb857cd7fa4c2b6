// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of one job: allocated piece by piece, freed at once. Not for several threads at a time.
#ifndef TN_BASE_ARENA_H
#define TN_BASE_ARENA_H

#include "base/alloc.h"
#include "base/str.h"

typedef struct tn_arena_block tn_arena_block;
typedef struct tn_arena {
  tn_arena_block *blocks;  // owned, newest first
  bool failed;             // there was no memory at least once
} tn_arena;

void tn_arena_init(tn_arena *arena);
void tn_arena_deinit(tn_arena *arena);
// Zeroed, aligned for any type; NULL when there is no memory. A size of 0 gives a valid pointer.
void *tn_arena_alloc(tn_arena *arena, size_t size);
void *tn_arena_alloc_array(tn_arena *arena, size_t count, size_t item_size);
// NUL-terminated copies; NULL when there is no memory.
char *tn_arena_str(tn_arena *arena, tn_str s);
char *tn_arena_format(tn_arena *arena, const char *format, ...) TN_PRINTF(2, 3);

// A growing array of pointers in an arena: the old storage is left to the arena.
typedef struct tn_list {
  void **items;
  size_t count;
  size_t capacity;
} tn_list;
TN_MUST_USE bool tn_list_add(tn_list *list, tn_arena *arena, const void *item);

#endif
