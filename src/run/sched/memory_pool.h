// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to sched: chunks of memory, and the blocks that they are divided into.
#ifndef TN_RUN_SCHED_MEMORY_POOL_H
#define TN_RUN_SCHED_MEMORY_POOL_H

#include "run/sched/sched.h"
#include "tenon/memory_pool.h"

typedef enum tn_block_state {
  TN_BLOCK_FREE,
  TN_BLOCK_USED,
  TN_BLOCK_PENDING_FREE,  // free when its event is complete
} tn_block_state;

// The blocks of a chunk follow each other; no two that are free are neighbours.
typedef struct tn_pool_block tn_pool_block;
struct tn_pool_block {
  tn_pool_block *next;
  tn_pool_block *previous;
  size_t offset;
  size_t size;
  size_t asked;  // of what is not free
  tn_block_state state;
  tn_event *event;  // PENDING_FREE: retained with its queue
};

typedef struct tn_pool_chunk tn_pool_chunk;
struct tn_pool_chunk {
  tn_pool_chunk *next;
  tn_context *context;  // the memory was allocated in; NULL: it belongs to the program
  void *memory;
  size_t size;
  tn_pool_block *first;
};

// NULL without memory. One block, which is free.
tn_pool_chunk *tn_pool_chunk_create(tn_context *context, void *memory, size_t size);
void tn_pool_chunk_destroy(tn_pool_chunk *chunk);  // not its memory; NULL-safe
bool tn_pool_chunk_is_free(const tn_pool_chunk *chunk);
// The smallest block of `size` bytes that `queue` may have now; NULL when there is none.
tn_pool_block *tn_pool_chunk_find(const tn_pool_chunk *chunk, size_t size, const tn_queue *queue);
// The block is used from here on, for `asked` bytes; what is beyond `size` stays as it was, where
// there is memory to note it. The block's event becomes the caller's, or is NULL.
tn_event *tn_pool_block_take(tn_pool_block *block, size_t size, size_t asked);
// Free, and one with its neighbours that are: returns what it is a part of now. Its event becomes
// the caller's, or is NULL.
tn_pool_block *tn_pool_block_reclaim(tn_pool_block *block, tn_event **out_event);
// The block that begins at `memory` and is used; NULL when there is none.
tn_pool_block *tn_pool_chunk_block_at(const tn_pool_chunk *chunk, const void *memory);

// Where somebody has waited for a queue: chunks that are free go, as far as their pools' thresholds
// allow it, and so do pools that nobody has any more. Quick where there are no pools.
void tn_memory_pools_shrink(void);

#endif
