// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the caches did in this process, and whether the compiler was needed for it.
#include <tenon/cache.h>

#include <stdio.h>
#include <string.h>

inline bool is_mapped(const char *name) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[4096];
  bool found = false;
  while (maps && fgets(line, sizeof(line), maps)) {
    found = found || strstr(line, name);
  }
  if (maps) {
    fclose(maps);
  }
  return found;
}

inline void report() {
  tn_cache_stats stats = {};
  stats.struct_size = sizeof(stats);
  tn_cache_get_stats(&stats);
  printf("builds %d, disk %d hits %d misses %d kept, memory %d hits %d misses, %s\n",
         static_cast<int>(stats.builds), static_cast<int>(stats.disk_hits),
         static_cast<int>(stats.disk_misses), static_cast<int>(stats.disk_writes),
         static_cast<int>(stats.memory_hits), static_cast<int>(stats.memory_misses),
         is_mapped("libLLVM") || is_mapped("libtenon-compiler") ? "compiler" : "no compiler");
}
