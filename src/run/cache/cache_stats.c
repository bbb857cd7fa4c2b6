// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the caches have done, in numbers.
#include "run/cache/cache.h"
#include "tenon/cache.h"

#include <stdatomic.h>

static _Atomic uint64_t counts[TN_CACHE_COUNTS];

void tn_cache_count(tn_cache_counter counter) {
  (void)atomic_fetch_add_explicit(&counts[counter], 1, memory_order_relaxed);
}

void tn_cache_get_stats(tn_cache_stats *out) {
  if (!out) {
    return;
  }
  uint64_t *const places[TN_CACHE_COUNTS] = {
      [TN_CACHE_MEMORY_HITS] = &out->memory_hits, [TN_CACHE_MEMORY_MISSES] = &out->memory_misses,
      [TN_CACHE_EVICTIONS] = &out->evictions,     [TN_CACHE_DISK_HITS] = &out->disk_hits,
      [TN_CACHE_DISK_MISSES] = &out->disk_misses, [TN_CACHE_DISK_WAITS] = &out->disk_waits,
      [TN_CACHE_DISK_WRITES] = &out->disk_writes, [TN_CACHE_BUILDS] = &out->builds,
      [TN_CACHE_SOURCE_BUILDS] = &out->source_builds,
  };
  // A caller of an earlier version has fewer of them.
  for (size_t i = 0; i < TN_CACHE_COUNTS; i++) {
    const size_t end = (size_t)((char *)places[i] - (char *)out) + sizeof(uint64_t);
    if (end <= out->struct_size) {
      *places[i] = atomic_load_explicit(&counts[i], memory_order_relaxed);
    }
  }
}
