// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the caches of built programs have done in this process. See tenon.h for threading and NULL.
// Source: design 3.5; docs/formats/disk-cache.md.
#ifndef TENON_CACHE_H
#define TENON_CACHE_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_cache_stats {
  uint32_t struct_size;  // sizeof(tn_cache_stats), set by the caller
  uint32_t reserved;       // 0
  uint64_t memory_hits;    // look-ups that found a finished program, or waited for one
  uint64_t memory_misses;  // look-ups that had to make one
  uint64_t evictions;      // entries that left memory because its bound was reached
  uint64_t disk_hits;
  uint64_t disk_misses;
  uint64_t disk_waits;   // of the hits: those that another process was just building
  uint64_t disk_writes;  // entries kept
  uint64_t builds;       // programs that were compiled
  uint64_t source_builds;  // sources that were compiled, once for each target (tenon/rtc.h)
} tn_cache_stats;

// Counts since the start of the process; those that `struct_size` has room for, and nothing where
// `out` is NULL. Any thread.
TN_API void tn_cache_get_stats(tn_cache_stats *out);

#ifdef __cplusplus
}
#endif
#endif
