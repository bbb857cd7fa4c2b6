// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools of USM memory, which is given back in the order of queues. See tenon.h for ownership and
// threading. Source: sycl_ext_oneapi_async_memory_alloc.
//
// A pool reserves USM memory of one kind, in chunks, and gives parts of it out. What is given back
// behind an event is reused when the event is complete, and at once by the in-order queue that the
// event is of. Chunks that are free go when more than the threshold is reserved, where a queue is
// waited for (tn_queue_wait). All functions may be called by any thread.
#ifndef TENON_MEMORY_POOL_H
#define TENON_MEMORY_POOL_H

#include "tenon/memory.h"
#include "tenon/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

// Counted. It keeps its context, and stays after its last reference until all of its memory is
// given back.
typedef struct tn_memory_pool tn_memory_pool;

enum { TN_MEMORY_POOL_ZEROED = 1u << 0 };  // memory is 0 when it is reserved
typedef struct tn_memory_pool_params {
  uint32_t struct_size;  // sizeof(tn_memory_pool_params)
  uint32_t flags;        // TN_MEMORY_POOL_…
  tn_device *device;     // of the context; NULL with TN_USM_HOST
  int32_t kind;          // TN_USM_…
  uint32_t reserved;
  uint64_t threshold;  // bytes that stay reserved
  uint64_t maximum;    // bytes that are reserved at most; 0 = as many as there are
  // Instead of memory of its own: all of a USM allocation of the context, which outlives the pool;
  // then nothing above but struct_size counts. NULL without.
  void *memory;
} tn_memory_pool_params;
// INVALID_ARGUMENT, WRONG_CONTEXT, OUT_OF_MEMORY. Nothing is reserved yet.
TN_API TN_MUST_USE tn_status tn_memory_pool_create(tn_context *context,
                                                   const tn_memory_pool_params *params,
                                                   tn_memory_pool **out, tn_diag *diag);
// The context's own pool of a kind on a device (NULL with TN_USM_HOST), made by the first call.
// Borrowed: good as long as the context.
TN_API TN_MUST_USE tn_status tn_memory_pool_default(tn_context *context, tn_device *device,
                                                    int32_t kind, tn_memory_pool **out,
                                                    tn_diag *diag);
TN_API void tn_memory_pool_retain(tn_memory_pool *pool);
TN_API void tn_memory_pool_release(tn_memory_pool *pool);  // NULL-safe

typedef struct tn_memory_pool_info {
  tn_device *device;  // the context's first with TN_USM_HOST
  int32_t kind;       // TN_USM_…
  uint32_t reserved;
  uint64_t threshold;
  uint64_t reserved_size;  // bytes of all chunks
  uint64_t used_size;      // bytes that are given out, and not given back by a complete command
} tn_memory_pool_info;
TN_API void tn_memory_pool_get_info(tn_memory_pool *pool, tn_memory_pool_info *out);
// Does nothing when it is not larger than the threshold is.
TN_API void tn_memory_pool_raise_threshold(tn_memory_pool *pool, uint64_t threshold);

// `size` bytes, aligned to 256, for commands that are submitted to `queue` from now on, and for
// what depends on them. *out is NULL for 0 bytes. INVALID_ARGUMENT when queue and pool are not of
// one context, and one device but for host memory; OUT_OF_MEMORY, also where the maximum is
// reached.
TN_API TN_MUST_USE tn_status tn_memory_pool_alloc(tn_memory_pool *pool, tn_queue *queue,
                                                  size_t size, void **out, tn_diag *diag);
// Gives the memory back to its pool when `event` is complete (NULL: it is not used any more).
// INVALID_ARGUMENT when no pool of the context gave it out, or it was given back. NULL is fine.
TN_API TN_MUST_USE tn_status tn_memory_pool_free(tn_context *context, void *memory,
                                                 tn_event *event, tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
