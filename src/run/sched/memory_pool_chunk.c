// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a chunk of memory: divided where one is too large, joined when they are free.
#include "base/alloc.h"
#include "run/sched/memory_pool.h"

tn_pool_chunk *tn_pool_chunk_create(tn_context *context, void *memory, size_t size) {
  tn_pool_chunk *chunk = tn_alloc(sizeof(*chunk));
  tn_pool_block *block = tn_alloc(sizeof(*block));
  if (chunk == NULL || block == NULL) {
    tn_free(chunk);
    tn_free(block);
    return NULL;
  }
  *block = (tn_pool_block){.size = size};
  *chunk = (tn_pool_chunk){.context = context, .memory = memory, .size = size, .first = block};
  return chunk;
}

void tn_pool_chunk_destroy(tn_pool_chunk *chunk) {
  if (chunk == NULL) {
    return;
  }
  for (tn_pool_block *at = chunk->first; at != NULL;) {
    tn_pool_block *next = at->next;
    tn_free(at);
    at = next;
  }
  tn_free(chunk);
}

bool tn_pool_chunk_is_free(const tn_pool_chunk *chunk) {
  return chunk->first->next == NULL && chunk->first->state == TN_BLOCK_FREE;
}

// What an in-order queue submits from now on comes after what it gave back.
static bool can_have(const tn_pool_block *block, const tn_queue *queue) {
  return block->state == TN_BLOCK_FREE ||
         (block->state == TN_BLOCK_PENDING_FREE && tn_event_queue(block->event) == queue &&
          (tn_queue_flags(queue) & TN_QUEUE_IN_ORDER) != 0);
}

tn_pool_block *tn_pool_chunk_find(const tn_pool_chunk *chunk, size_t size, const tn_queue *queue) {
  tn_pool_block *best = NULL;
  for (tn_pool_block *at = chunk->first; at != NULL; at = at->next) {
    if (at->size >= size && (best == NULL || at->size < best->size) && can_have(at, queue)) {
      best = at;
    }
  }
  return best;
}

tn_event *tn_pool_block_take(tn_pool_block *block, size_t size, size_t asked) {
  tn_pool_block *rest = block->size > size ? tn_alloc(sizeof(*rest)) : NULL;
  tn_event *event = block->event;
  if (rest != NULL) {
    *rest = *block;
    rest->previous = block;
    rest->offset = block->offset + size;
    rest->size = block->size - size;
    rest->asked = 0;
    tn_event_retain_with_queue(rest->event);
    if (block->next != NULL) {
      block->next->previous = rest;
    }
    block->next = rest;
    block->size = size;
  }
  block->state = TN_BLOCK_USED;
  block->asked = asked;
  block->event = NULL;
  return event;
}

// The block behind `block` becomes a part of it.
static void merge_next(tn_pool_block *block) {
  tn_pool_block *next = block->next;
  block->size += next->size;
  block->next = next->next;
  if (next->next != NULL) {
    next->next->previous = block;
  }
  tn_free(next);
}

tn_pool_block *tn_pool_block_reclaim(tn_pool_block *block, tn_event **out_event) {
  *out_event = block->event;
  block->state = TN_BLOCK_FREE;
  block->event = NULL;
  block->asked = 0;
  if (block->next != NULL && block->next->state == TN_BLOCK_FREE) {
    merge_next(block);
  }
  if (block->previous != NULL && block->previous->state == TN_BLOCK_FREE) {
    block = block->previous;
    merge_next(block);
  }
  return block;
}

tn_pool_block *tn_pool_chunk_block_at(const tn_pool_chunk *chunk, const void *memory) {
  const uintptr_t offset = (uintptr_t)memory - (uintptr_t)chunk->memory;
  tn_pool_block *at = offset < chunk->size ? chunk->first : NULL;
  while (at != NULL && at->offset < offset) {
    at = at->next;
  }
  return at != NULL && at->offset == offset && at->state == TN_BLOCK_USED ? at : NULL;
}
