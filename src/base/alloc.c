// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only caller of malloc and free; counts what lives and fails on purpose when a test asks.
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>

static _Atomic uint64_t alloc_count;
static _Atomic int64_t alloc_live;

// Events left until the armed one; negative when nothing is armed.
static _Atomic int64_t fault_left = -1;
static _Atomic bool fault_fired;

void tn_fault_arm(int64_t nth) {
  atomic_store_explicit(&fault_fired, false, memory_order_relaxed);
  atomic_store_explicit(&fault_left, nth < 0 ? -1 : nth, memory_order_relaxed);
}

bool tn_fault_hit(void) {
  // Unarmed, which is always but in tests, an event costs one load.
  if (atomic_load_explicit(&fault_left, memory_order_relaxed) < 0) {
    return false;
  }
  // Going on below zero is harmless: only the event that saw 0 fails.
  if (atomic_fetch_sub_explicit(&fault_left, 1, memory_order_relaxed) != 0) {
    return false;
  }
  atomic_store_explicit(&fault_fired, true, memory_order_relaxed);
  return true;
}

bool tn_fault_fired(void) { return atomic_load_explicit(&fault_fired, memory_order_relaxed); }

static void *counted(void *memory) {
  if (memory) {
    atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&alloc_live, 1, memory_order_relaxed);
  }
  return memory;
}

void *tn_alloc(size_t size) {
  if (size == 0 || tn_fault_hit()) {
    return NULL;
  }
  return counted(calloc(1, size));
}

void *tn_alloc_array(size_t count, size_t item_size) {
  size_t size = 0;
  return tn_size_mul(count, item_size, &size) ? tn_alloc(size) : NULL;
}

void *tn_realloc(void *memory, size_t size) {
  if (size == 0 || tn_fault_hit()) {
    return NULL;
  }
  if (!memory) {
    return counted(calloc(1, size));
  }
  void *grown = realloc(memory, size);
  if (grown) {
    atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed);
  }
  return grown;
}

void tn_free(void *memory) {
  if (memory) {
    atomic_fetch_sub_explicit(&alloc_live, 1, memory_order_relaxed);
    free(memory);
  }
}

void *tn_alloc_aligned(size_t size, size_t alignment) {
  if (size == 0 || tn_fault_hit()) {
    return NULL;
  }
  void *memory = NULL;
  const size_t least = alignment < sizeof(void *) ? sizeof(void *) : alignment;
  return posix_memalign(&memory, least, size) == 0 ? counted(memory) : NULL;
}

void tn_free_aligned(void *memory) { tn_free(memory); }

void tn_free_foreign(void *memory) { free(memory); }

char *tn_str_copy(tn_str s) {
  size_t size = 0;
  char *copy = tn_size_add(s.size, 1, &size) ? tn_alloc(size) : NULL;
  if (copy && s.size > 0) {
    memcpy(copy, s.data, s.size);
  }
  return copy;
}

uint64_t tn_alloc_count(void) { return atomic_load_explicit(&alloc_count, memory_order_relaxed); }

int64_t tn_alloc_live(void) { return atomic_load_explicit(&alloc_live, memory_order_relaxed); }
