// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools of USM memory (tenon/memory_pool.h).
//
// One short lock guards all pools: their list, chunks and blocks. Adapters and events are asked,
// and references dropped, without it. A pool is listed from its creation until nobody has it and
// all its memory is free.
#include "run/sched/memory_pool.h"

#include "base/alloc.h"
#include "base/log.h"

#include <stdlib.h>

enum {
  ALIGNMENT = 256,
  CHUNK_ALIGNMENT = 4096,
  CHUNK_SIZE = 2 << 20,  // at least, where the maximum allows it
};

static tn_mutex pools_mu = TN_MUTEX_INIT(TN_RANK_LEAF);

struct tn_memory_pool {
  tn_ref ref;
  tn_context *context;  // retained, but by the context's own pools
  bool is_default;      // immutable, as are the next ones
  bool is_zeroed;
  bool is_fixed;  // in memory of the program's
  int32_t kind;
  tn_device *device;
  uint64_t maximum;
  tn_memory_pool *next TN_GUARDED_BY(&pools_mu);
  tn_pool_chunk *chunks TN_GUARDED_BY(&pools_mu);
  uint64_t threshold TN_GUARDED_BY(&pools_mu);
  uint64_t reserved TN_GUARDED_BY(&pools_mu);  // also for chunks that are being made
  bool is_abandoned TN_GUARDED_BY(&pools_mu);
};

static tn_memory_pool *pools TN_GUARDED_BY(&pools_mu);
static _Atomic size_t pool_count;

static void destroy_pool(tn_memory_pool *pool) {
  if (!pool->is_default) {
    tn_context_release(pool->context);
  }
  tn_free(pool);
}

static void free_memory(tn_context *context, void *memory) {
  tn_diag reason;
  if (tn_usm_free(context, memory, &reason) != TN_OK) {
    TN_LOG(memory, "cannot free a chunk of a memory pool: %s", reason.text);
  }
}

static void free_chunks(tn_pool_chunk *chunks) {
  while (chunks != NULL) {
    tn_pool_chunk *next = chunks->next;
    if (chunks->context != NULL) {
      free_memory(chunks->context, chunks->memory);
    }
    tn_pool_chunk_destroy(chunks);
    chunks = next;
  }
}

// Unlinks free chunks while more than `keep` bytes are reserved, and prepends them to `list`.
static tn_pool_chunk *unlink_free_chunks(tn_memory_pool *pool, uint64_t keep, tn_pool_chunk *list)
    TN_REQUIRES(&pools_mu) {
  tn_pool_chunk **at = &pool->chunks;
  while (*at != NULL && pool->reserved > keep) {
    tn_pool_chunk *chunk = *at;
    if (!tn_pool_chunk_is_free(chunk)) {
      at = &chunk->next;
      continue;
    }
    *at = chunk->next;
    pool->reserved -= chunk->size;
    chunk->next = list;
    list = chunk;
  }
  return list;
}

static void link_pool(tn_memory_pool *pool) TN_REQUIRES(&pools_mu) {
  pool->next = pools;
  pools = pool;
  (void)atomic_fetch_add_explicit(&pool_count, 1, memory_order_relaxed);
}

static void unlink_pool(tn_memory_pool *pool) TN_REQUIRES(&pools_mu) {
  (void)atomic_fetch_sub_explicit(&pool_count, 1, memory_order_relaxed);
  tn_memory_pool **at = &pools;
  while (*at != pool) {
    at = &(*at)->next;
  }
  *at = pool->next;
}

// Events of blocks that are pending to be freed.
typedef struct event_list {
  tn_event **items;  // retained with their queues
  size_t count;
  size_t capacity;
} event_list;

// Appends events up to the list's capacity; returns the total number.
static size_t list_events(event_list *list) {
  size_t count = 0;
  tn_mutex_lock(&pools_mu);
  for (const tn_memory_pool *pool = pools; pool != NULL; pool = pool->next) {
    for (const tn_pool_chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next) {
      for (tn_pool_block *at = chunk->first; at != NULL; at = at->next) {
        if (at->state == TN_BLOCK_PENDING_FREE && ++count <= list->capacity) {
          tn_event_retain_with_queue(at->event);
          list->items[list->count++] = at->event;
        }
      }
    }
  }
  tn_mutex_unlock(&pools_mu);
  return count;
}

static int compare_events(const void *a, const void *b) {
  const uintptr_t x = (uintptr_t)*(tn_event *const *)a;
  const uintptr_t y = (uintptr_t)*(tn_event *const *)b;
  return (x > y) - (x < y);
}

// Removes incomplete events and sorts the rest by address.
static void keep_complete(event_list *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    tn_event *event = list->items[i];
    if (tn_event_status(event) == TN_EVENT_COMPLETE) {
      list->items[kept++] = event;
    } else {
      tn_event_release_with_queue(event);
    }
  }
  list->count = kept;
  qsort((void *)list->items, kept, sizeof(tn_event *), compare_events);
}

static bool has_event(const event_list *list, tn_event *event) {
  return bsearch((const void *)&event, (const void *)list->items, list->count, sizeof(tn_event *),
                 compare_events) != NULL;
}

// Frees blocks whose events are complete, until `out`, which takes over the events, is full.
static void reclaim_chunk(const tn_pool_chunk *chunk, const event_list *complete, event_list *out) {
  for (tn_pool_block *at = chunk->first; at != NULL && out->count < out->capacity;
       at = at->next) {
    if (at->state == TN_BLOCK_PENDING_FREE && has_event(complete, at->event)) {
      at = tn_pool_block_reclaim(at, &out->items[out->count++]);
    }
  }
}

static void release_events(event_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    tn_event_release_with_queue(list->items[i]);
  }
  tn_free((void *)list->items);
}

static void reclaim_behind(const event_list *complete, event_list *out) {
  tn_mutex_lock(&pools_mu);
  for (const tn_memory_pool *pool = pools; pool != NULL; pool = pool->next) {
    for (const tn_pool_chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next) {
      reclaim_chunk(chunk, complete, out);
    }
  }
  tn_mutex_unlock(&pools_mu);
}

// Frees blocks whose events are complete; without memory, a later call does.
static void reclaim(void) {
  event_list none = {0};
  const size_t count = list_events(&none);
  if (count == 0) {
    return;
  }
  event_list complete = {.items = tn_alloc_array(count, sizeof(tn_event *)), .capacity = count};
  event_list found = {.items = tn_alloc_array(count, sizeof(tn_event *)), .capacity = count};
  if (complete.items != NULL && found.items != NULL) {
    (void)list_events(&complete);
    keep_complete(&complete);
    reclaim_behind(&complete, &found);
  }
  release_events(&found);
  release_events(&complete);
}

// A pool that nobody has, with nothing given out.
static tn_memory_pool *find_gone(void) TN_REQUIRES(&pools_mu) {
  for (tn_memory_pool *pool = pools; pool != NULL; pool = pool->next) {
    if (pool->is_abandoned && pool->reserved == 0) {
      return pool;
    }
  }
  return NULL;
}

void tn_memory_pools_shrink(void) {
  if (atomic_load_explicit(&pool_count, memory_order_relaxed) == 0) {
    return;
  }
  reclaim();
  tn_memory_pool *gone = NULL;
  do {
    tn_pool_chunk *chunks = NULL;
    tn_mutex_lock(&pools_mu);
    for (tn_memory_pool *pool = pools; pool != NULL; pool = pool->next) {
      chunks = unlink_free_chunks(pool, pool->is_abandoned ? 0 : pool->threshold, chunks);
    }
    gone = find_gone();
    if (gone != NULL) {
      unlink_pool(gone);
    }
    tn_mutex_unlock(&pools_mu);
    free_chunks(chunks);
    if (gone != NULL) {
      destroy_pool(gone);
    }
  } while (gone != NULL);
}

// Frees the device's free chunks, regardless of thresholds.
static void trim(const tn_device *device) {
  tn_pool_chunk *chunks = NULL;
  tn_mutex_lock(&pools_mu);
  for (tn_memory_pool *pool = pools; pool != NULL; pool = pool->next) {
    if (pool->device == device && !pool->is_fixed) {
      chunks = unlink_free_chunks(pool, 0, chunks);
    }
  }
  tn_mutex_unlock(&pools_mu);
  free_chunks(chunks);
}

static tn_status check_params(tn_context *context, const tn_memory_pool_params *params,
                              tn_diag *diag) {
  if (context == NULL || params == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a memory pool needs a context and parameters: one is "
                   "NULL");
  }
  if (params->memory != NULL) {
    return TN_OK;
  }
  TN_TRY(tn_usm_check_alloc(context, params->device, params->kind, 0, diag));
  if (params->kind == TN_USM_HOST && params->device != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a memory pool of USM host memory belongs to no device, but device %s is given",
                   params->device->name);
  }
  return TN_OK;
}

static tn_device *device_of(tn_context *context, tn_device *device) {
  return device != NULL ? tn_context_own_device(context, device)
                        : tn_context_device_at(context, 0);
}

static tn_memory_pool *make_pool(tn_context *context, const tn_memory_pool_params *params) {
  tn_memory_pool *pool = tn_alloc(sizeof(*pool));
  if (pool != NULL) {
    tn_ref_init(&pool->ref);
    pool->context = context;
    pool->is_zeroed = (params->flags & TN_MEMORY_POOL_ZEROED) != 0;
    pool->kind = params->kind;
    pool->device = device_of(context, params->device);
    pool->maximum = params->maximum;
  }
  return pool;
}

static void add_pool(tn_memory_pool *pool, uint64_t threshold, tn_pool_chunk *chunk) {
  tn_mutex_lock(&pools_mu);
  pool->threshold = threshold;
  pool->chunks = chunk;
  pool->reserved = chunk != NULL ? chunk->size : 0;
  link_pool(pool);
  tn_mutex_unlock(&pools_mu);
}

// In memory of the program's.
static tn_status create_fixed(tn_context *context, void *memory, tn_memory_pool **out,
                              tn_diag *diag) {
  tn_usm_info info;
  TN_TRY(tn_usm_query(context, memory, &info, diag));
  if (info.kind == TN_USM_UNKNOWN || info.base != memory) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a memory pool in memory of the program's: %p is not the start of a USM "
                   "allocation of the context",
                   memory);
  }
  const tn_memory_pool_params params = {
      .device = info.device, .kind = info.kind, .maximum = info.size};
  tn_memory_pool *pool = make_pool(context, &params);
  tn_pool_chunk *chunk =
      pool != NULL ? tn_pool_chunk_create(NULL, memory, (size_t)info.size) : NULL;
  if (chunk == NULL) {
    tn_free(pool);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a memory pool");
  }
  pool->is_fixed = true;
  tn_context_retain(context);
  add_pool(pool, info.size, chunk);
  *out = pool;
  return TN_OK;
}

tn_status tn_memory_pool_create(tn_context *context, const tn_memory_pool_params *params,
                                tn_memory_pool **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_params(context, params, diag));
  if (params->memory != NULL) {
    return create_fixed(context, params->memory, out, diag);
  }
  tn_memory_pool *pool = make_pool(context, params);
  if (pool == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a memory pool");
  }
  tn_context_retain(context);
  add_pool(pool, params->threshold, NULL);
  *out = pool;
  return TN_OK;
}

static tn_memory_pool *find_default(const tn_context *context, const tn_device *device,
                                    int32_t kind) TN_REQUIRES(&pools_mu) {
  for (tn_memory_pool *pool = pools; pool != NULL; pool = pool->next) {
    if (pool->is_default && pool->context == context && pool->kind == kind &&
        (kind == TN_USM_HOST || pool->device == device)) {
      return pool;
    }
  }
  return NULL;
}

static tn_memory_pool *unlink_default_of(const tn_context *context) {
  tn_mutex_lock(&pools_mu);
  tn_memory_pool *pool = pools;
  while (pool != NULL && !(pool->is_default && pool->context == context)) {
    pool = pool->next;
  }
  if (pool != NULL) {
    unlink_pool(pool);
  }
  tn_mutex_unlock(&pools_mu);
  return pool;
}

// Called when the context is destroyed: no command uses its pools any more.
static void free_defaults(tn_context *context) TN_NO_ANALYSIS {
  for (tn_memory_pool *pool = unlink_default_of(context); pool != NULL;
       pool = unlink_default_of(context)) {
    free_chunks(pool->chunks);
    destroy_pool(pool);
  }
}

// Another thread may have created the same pool first: then `made` stays the caller's.
static tn_memory_pool *publish_default(tn_memory_pool *made) {
  tn_mutex_lock(&pools_mu);
  tn_memory_pool *pool = find_default(made->context, made->device, made->kind);
  if (pool == NULL) {
    link_pool(made);
    made->context->free_pools = free_defaults;
    pool = made;
  }
  tn_mutex_unlock(&pools_mu);
  return pool;
}

tn_status tn_memory_pool_default(tn_context *context, tn_device *device, int32_t kind,
                                 tn_memory_pool **out, tn_diag *diag) {
  *out = NULL;
  const tn_memory_pool_params params = {
      .struct_size = sizeof(params), .device = device, .kind = kind};
  TN_TRY(check_params(context, &params, diag));
  tn_mutex_lock(&pools_mu);
  *out = find_default(context, device_of(context, device), kind);
  tn_mutex_unlock(&pools_mu);
  if (*out != NULL) {
    return TN_OK;
  }
  tn_memory_pool *made = make_pool(context, &params);
  if (made == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a memory pool");
  }
  made->is_default = true;
  *out = publish_default(made);
  if (*out != made) {
    destroy_pool(made);
  }
  return TN_OK;
}

void tn_memory_pool_retain(tn_memory_pool *pool) { tn_ref_up(&pool->ref); }

void tn_memory_pool_release(tn_memory_pool *pool) {
  if (pool == NULL || !tn_ref_down(&pool->ref)) {
    return;
  }
  tn_mutex_lock(&pools_mu);
  pool->is_abandoned = true;
  tn_mutex_unlock(&pools_mu);
  tn_memory_pools_shrink();
}

void tn_memory_pool_get_info(tn_memory_pool *pool, tn_memory_pool_info *out) {
  reclaim();
  *out = (tn_memory_pool_info){.device = pool->device, .kind = pool->kind};
  tn_mutex_lock(&pools_mu);
  out->threshold = pool->threshold;
  out->reserved_size = pool->reserved;
  for (const tn_pool_chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next) {
    for (const tn_pool_block *at = chunk->first; at != NULL; at = at->next) {
      out->used_size += at->asked;
    }
  }
  tn_mutex_unlock(&pools_mu);
}

void tn_memory_pool_raise_threshold(tn_memory_pool *pool, uint64_t threshold) {
  tn_mutex_lock(&pools_mu);
  pool->threshold = threshold > pool->threshold ? threshold : pool->threshold;
  tn_mutex_unlock(&pools_mu);
}

static tn_status check_queue(const tn_memory_pool *pool, tn_queue *queue, tn_diag *diag) {
  if (tn_queue_context(queue) != pool->context) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a memory pool of another context than the queue's: use a pool of the queue's "
                   "context");
  }
  if (pool->kind != TN_USM_HOST && !tn_device_is(pool->device, tn_queue_device(queue))) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a memory pool of device %s, and a queue of device %s: use a pool of the "
                   "queue's device",
                   pool->device->name, tn_queue_device(queue)->name);
  }
  return TN_OK;
}

// What a block gets: whole steps of the alignment, or what there is in memory that cannot grow.
static size_t block_size(size_t size, size_t there) {
  const size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return rounded < there ? rounded : there;
}

// From what is reserved; NULL when nothing of it fits.
static void *take_reserved(tn_memory_pool *pool, const tn_queue *queue, size_t size) {
  void *memory = NULL;
  tn_event *event = NULL;
  tn_mutex_lock(&pools_mu);
  for (const tn_pool_chunk *chunk = pool->chunks; chunk != NULL && memory == NULL;
       chunk = chunk->next) {
    tn_pool_block *block = tn_pool_chunk_find(chunk, size, queue);
    if (block != NULL) {
      event = tn_pool_block_take(block, block_size(size, block->size), size);
      memory = (char *)chunk->memory + block->offset;
    }
  }
  tn_mutex_unlock(&pools_mu);
  tn_event_release_with_queue(event);
  return memory;
}

static tn_status zero(tn_memory_pool *pool, tn_queue *queue, void *memory, size_t size,
                      tn_diag *diag) {
  if (pool->kind != TN_USM_DEVICE) {
    memset(memory, 0, size);
    return TN_OK;
  }
  static const unsigned char nothing = 0;
  const tn_command command = {.struct_size = sizeof(command), .kind = TN_COMMAND_FILL,
                              .dst = memory, .size = size, .pattern = &nothing, .pattern_size = 1};
  tn_event *event = NULL;
  TN_TRY(tn_queue_submit(queue, &command, &event, diag));
  const tn_status status = tn_event_wait(event, diag);
  tn_event_release(event);
  return status;
}

// Notes that so many bytes are going to be reserved; 0 when the maximum forbids it.
static size_t plan_chunk(tn_memory_pool *pool, size_t size) {
  const uint64_t wanted = block_size(size > CHUNK_SIZE ? size : CHUNK_SIZE, SIZE_MAX);
  uint64_t planned = wanted;
  tn_mutex_lock(&pools_mu);
  if (pool->maximum != 0) {
    const uint64_t left = pool->maximum > pool->reserved ? pool->maximum - pool->reserved : 0;
    planned = left < size ? 0 : wanted < left ? wanted : left;
  }
  pool->reserved += planned;
  tn_mutex_unlock(&pools_mu);
  return (size_t)planned;
}

static tn_status make_chunk(tn_memory_pool *pool, tn_queue *queue, size_t size,
                            tn_pool_chunk **out, tn_diag *diag) {
  tn_device *device = pool->kind == TN_USM_HOST ? NULL : pool->device;
  void *memory = NULL;
  tn_status status = tn_usm_alloc(pool->context, device, pool->kind, size, CHUNK_ALIGNMENT, &memory,
                                  diag);
  if (status == TN_OUT_OF_MEMORY) {
    trim(pool->device);
    status = tn_usm_alloc(pool->context, device, pool->kind, size, CHUNK_ALIGNMENT, &memory, diag);
  }
  TN_TRY(status);
  if (pool->is_zeroed) {
    status = zero(pool, queue, memory, size, diag);
  }
  *out = status == TN_OK ? tn_pool_chunk_create(pool->context, memory, size) : NULL;
  if (*out == NULL) {
    free_memory(pool->context, memory);
  }
  return status == TN_OK && *out == NULL
             ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a chunk of a memory pool")
             : status;
}

// The first block of a new chunk.
static tn_status reserve(tn_memory_pool *pool, tn_queue *queue, size_t size, void **out,
                         tn_diag *diag) {
  const size_t planned = plan_chunk(pool, size);
  if (planned == 0) {
    return TN_FAIL(diag, OUT_OF_MEMORY,
                   "the memory pool's maximum size is %llu bytes: %zu more do not fit into it",
                   (unsigned long long)pool->maximum, size);
  }
  tn_pool_chunk *chunk = NULL;
  const tn_status status = make_chunk(pool, queue, planned, &chunk, diag);
  tn_mutex_lock(&pools_mu);
  if (status == TN_OK) {
    (void)tn_pool_block_take(chunk->first, block_size(size, chunk->size), size);
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    *out = chunk->memory;
  } else {
    pool->reserved -= planned;
  }
  tn_mutex_unlock(&pools_mu);
  return status;
}

tn_status tn_memory_pool_alloc(tn_memory_pool *pool, tn_queue *queue, size_t size, void **out,
                               tn_diag *diag) {
  *out = NULL;
  if (pool == NULL || queue == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_memory_pool_alloc: the %s is NULL",
                   pool == NULL ? "memory pool" : "queue");
  }
  TN_TRY(check_queue(pool, queue, diag));
  if (size > SIZE_MAX - CHUNK_SIZE) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory has %zu bytes", size);
  }
  if (size == 0) {
    return TN_OK;
  }
  *out = take_reserved(pool, queue, size);
  if (*out == NULL) {
    reclaim();
    *out = take_reserved(pool, queue, size);
  }
  return *out != NULL ? TN_OK : reserve(pool, queue, size, out, diag);
}

// Frees the block, now or behind an event, which becomes the block's.
static bool return_block(const tn_context *context, const void *memory, tn_event *event) {
  tn_pool_block *block = NULL;
  tn_mutex_lock(&pools_mu);
  for (const tn_memory_pool *pool = pools; pool != NULL && block == NULL; pool = pool->next) {
    for (const tn_pool_chunk *chunk = pool->context == context ? pool->chunks : NULL;
         chunk != NULL && block == NULL; chunk = chunk->next) {
      block = tn_pool_chunk_block_at(chunk, memory);
    }
  }
  if (block != NULL && event != NULL) {
    block->state = TN_BLOCK_PENDING_FREE;
    block->event = event;
  } else if (block != NULL) {
    tn_event *none = NULL;
    (void)tn_pool_block_reclaim(block, &none);
  }
  tn_mutex_unlock(&pools_mu);
  return block != NULL;
}

tn_status tn_memory_pool_free(tn_context *context, void *memory, tn_event *event, tn_diag *diag) {
  if (memory == NULL) {
    return TN_OK;
  }
  tn_event *behind =
      event != NULL && tn_event_status(event) != TN_EVENT_COMPLETE ? event : NULL;
  tn_event_retain_with_queue(behind);
  if (!return_block(context, memory, behind)) {
    tn_event_release_with_queue(behind);
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%p is not memory that a memory pool of the context gave out, or was given back "
                   "already",
                   memory);
  }
  return TN_OK;
}
