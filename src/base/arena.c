// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of one job in blocks that are freed together.
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>

// A small first block: many arenas hold a few names, and each page that is touched first costs.
enum { FIRST_BLOCK_SIZE = 1024, LARGEST_BLOCK_SIZE = 1024 * 1024 };

struct tn_arena_block {
  tn_arena_block *next;  // owned, older
  size_t used;
  size_t capacity;
  alignas(max_align_t) unsigned char bytes[];
};

void tn_arena_init(tn_arena *arena) { *arena = (tn_arena){.blocks = NULL}; }

void tn_arena_deinit(tn_arena *arena) {
  tn_arena_block *block = arena->blocks;
  arena->blocks = NULL;
  while (block) {
    tn_arena_block *next = block->next;
    tn_free(block);
    block = next;
  }
}

static tn_arena_block *add_block(tn_arena *arena, size_t least) {
  size_t capacity = FIRST_BLOCK_SIZE;
  if (arena->blocks) {
    const size_t twice = arena->blocks->capacity * 2;
    capacity = twice < LARGEST_BLOCK_SIZE ? twice : LARGEST_BLOCK_SIZE;
  }
  capacity = capacity < least ? least : capacity;
  size_t size = 0;
  if (!tn_size_add(capacity, sizeof(tn_arena_block), &size)) {
    return NULL;
  }
  tn_arena_block *block = tn_alloc(size);
  if (!block) {
    return NULL;
  }
  block->capacity = capacity;
  block->next = arena->blocks;
  arena->blocks = block;
  return block;
}

// Blocks come zeroed and no byte is handed out twice, so nothing is cleared here.
void *tn_arena_alloc(tn_arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) {
    return NULL;
  }
  const size_t rounded = tn_size_align(size == 0 ? 1 : size, alignof(max_align_t));
  tn_arena_block *block = arena->blocks;
  if (!block || block->capacity - block->used < rounded) {
    block = add_block(arena, rounded);
    if (!block) {
      arena->failed = true;
      return NULL;
    }
  }
  void *memory = block->bytes + block->used;
  block->used += rounded;
  return memory;
}

void *tn_arena_alloc_array(tn_arena *arena, size_t count, size_t item_size) {
  size_t size = 0;
  return tn_size_mul(count, item_size, &size) ? tn_arena_alloc(arena, size) : NULL;
}

char *tn_arena_str(tn_arena *arena, tn_str s) {
  size_t size = 0;
  char *copy = tn_size_add(s.size, 1, &size) ? tn_arena_alloc(arena, size) : NULL;
  if (copy && s.size > 0) {
    memcpy(copy, s.data, s.size);
  }
  return copy;
}

char *tn_arena_format(tn_arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int needed = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (needed < 0) {
    return NULL;
  }
  char *text = tn_arena_alloc(arena, (size_t)needed + 1);
  if (text) {
    va_start(args, format);
    (void)vsnprintf(text, (size_t)needed + 1, format, args);
    va_end(args);
  }
  return text;
}

bool tn_list_add(tn_list *list, tn_arena *arena, const void *item) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity == 0 ? 8 : list->capacity * 2;
    void **items = tn_arena_alloc_array(arena, capacity, sizeof(*items));
    if (!items) {
      return false;
    }
    if (list->count > 0) {
      memcpy(items, list->items, list->count * sizeof(*items));
    }
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = (void *)item;
  return true;
}
