// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cores the process may use, and which of them share a NUMA node or a cache: from the
// system's own tables, read when somebody first asks for sub-devices.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"
#include "base/file.h"

#include <sched.h>
#include <stdio.h>

enum { PATH_MAXIMUM = 512, FILE_MAXIMUM = 64 * 1024, CACHES_MAXIMUM = 16 };

uint32_t tn_cpu_list_cores(uint32_t *out, uint32_t capacity) {
  cpu_set_t set;
  CPU_ZERO(&set);
  uint32_t count = 0;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE && count < capacity; cpu++) {
      if (CPU_ISSET(cpu, &set)) {
        out[count++] = cpu;
      }
    }
  }
  if (count == 0 && capacity > 0) {
    out[count++] = 0;
  }
  return count;
}

// The file's text without the space around it; empty when there is none. `*out_data` is owned.
static tn_str read_text(char **out_data, const char *folder, const char *name) {
  tn_buf path;
  tn_buf_init(&path, PATH_MAXIMUM);
  tn_buf_add_format(&path, "%s/%s", folder, name);
  size_t size = 0;
  *out_data = NULL;
  if (tn_buf_status(&path, NULL) == TN_OK) {
    TN_IGNORE(tn_file_read(tn_buf_text(&path), FILE_MAXIMUM, out_data, &size, NULL),
              "a table that is not there tells nothing");
  }
  tn_buf_deinit(&path);
  return *out_data != NULL ? tn_str_trim((tn_str){*out_data, size}) : (tn_str){NULL, 0};
}

static bool read_number(const char *folder, const char *name, uint64_t *out) {
  char *data = NULL;
  const bool ok = tn_str_to_u64(read_text(&data, folder, name), out);
  tn_free(data);
  return ok;
}

bool tn_cpu_list_next(tn_str *list, uint64_t *out_first, uint64_t *out_last) {
  if (tn_str_is_empty(*list)) {
    return false;
  }
  const tn_str range = tn_str_split(list, ',');
  const size_t dash = tn_str_find_char(range, '-');
  const bool is_range = dash != SIZE_MAX;
  return tn_str_to_u64(is_range ? tn_str_slice(range, 0, dash) : range, out_first) &&
         tn_str_to_u64(is_range ? tn_str_slice(range, dash + 1, range.size) : range, out_last);
}

// Every unit whose core is in the list "0-3,8" is of the group.
static void mark(tn_cpu_unit *units, uint32_t count, tn_str list, size_t domain, uint32_t group) {
  uint64_t first = 0;
  uint64_t last = 0;
  while (tn_cpu_list_next(&list, &first, &last)) {
    for (uint32_t i = 0; i < count; i++) {
      if (units[i].cpu >= first && units[i].cpu <= last) {
        units[i].group[domain] = group;
      }
    }
  }
}

static void read_nodes(const char *root, tn_cpu_unit *units, uint32_t count) {
  char *data = NULL;
  tn_str online = read_text(&data, root, "node/online");
  uint64_t first = 0;
  uint64_t last = 0;
  while (tn_cpu_list_next(&online, &first, &last)) {
    for (uint64_t node = first; node <= last && node < TN_CPU_UNITS_MAXIMUM; node++) {
      char name[64];
      (void)snprintf(name, sizeof(name), "node/node%llu/cpulist", (unsigned long long)node);
      char *list = NULL;
      mark(units, count, read_text(&list, root, name), TN_AFFINITY_NUMA, (uint32_t)node);
      tn_free(list);
    }
  }
  tn_free(data);
}

static size_t domain_of_level(uint64_t level) {
  static const size_t domains[] = {0, TN_AFFINITY_L1, TN_AFFINITY_L2, TN_AFFINITY_L3,
                                   TN_AFFINITY_L4};
  return level < TN_COUNT(domains) ? domains[level] : 0;
}

// False when there is no such cache. `group` is the core that asks.
static bool read_cache(const char *root, uint32_t cpu, uint32_t index, tn_cpu_unit *units,
                       uint32_t count) {
  char folder[PATH_MAXIMUM];
  (void)snprintf(folder, sizeof(folder), "%s/cpu/cpu%u/cache/index%u", root, cpu, index);
  uint64_t level = 0;
  if (!read_number(folder, "level", &level)) {
    return false;
  }
  char *data = NULL;
  const tn_str type = read_text(&data, folder, "type");
  const bool holds_data = !tn_str_equals(type, TN_STR_LIT("Instruction"));
  tn_free(data);
  const size_t domain = domain_of_level(level);
  if (holds_data && domain != 0) {
    char *list = NULL;
    mark(units, count, read_text(&list, folder, "shared_cpu_list"), domain, cpu);
    tn_free(list);
  }
  return true;
}

void tn_cpu_topology_read(const char *root, tn_cpu_unit *units, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    for (size_t d = 0; d < TN_COUNT(units[i].group); d++) {
      units[i].group[d] = TN_CPU_NO_GROUP;
    }
  }
  read_nodes(root, units, count);
  for (uint32_t i = 0; i < count; i++) {
    // A core whose caches another one told of already is not asked again.
    bool is_known = units[i].group[TN_AFFINITY_L1] != TN_CPU_NO_GROUP;
    for (uint32_t c = 0; c < CACHES_MAXIMUM && !is_known; c++) {
      is_known = !read_cache(root, units[i].cpu, c, units, count);
    }
  }
}

uint64_t tn_cpu_cache_size(const char *root) {
  uint64_t best_level = 0;
  uint64_t best_size = 0;
  for (uint32_t index = 0; index < CACHES_MAXIMUM; index++) {
    char folder[PATH_MAXIMUM];
    (void)snprintf(folder, sizeof(folder), "%s/cpu/cpu0/cache/index%u", root, index);
    uint64_t level = 0;
    if (!read_number(folder, "level", &level)) {
      break;
    }
    char *data = NULL;
    const tn_str size = read_text(&data, folder, "size");  // "32768K"
    uint64_t number = 0;
    if (level > best_level && size.size > 1 &&
        tn_str_to_u64(tn_str_slice(size, 0, size.size - 1), &number)) {
      const char unit = size.data[size.size - 1];
      best_level = level;
      best_size = number * (unit == 'M' ? 1024u * 1024u : 1024u);
    }
    tn_free(data);
  }
  return best_size;
}

uint64_t tn_cpu_clock_mhz(const char *root) {
  uint64_t khz = 0;
  return read_number(root, "cpu/cpu0/cpufreq/cpuinfo_max_freq", &khz) ? khz / 1000 : 0;
}

// "200000 100000": microseconds of computing in a period of so many; "max" or -1: no limit.
uint32_t tn_cpu_core_limit(const char *root) {
  char *data = NULL;
  tn_str text = read_text(&data, root, "cpu.max");
  uint64_t quota = 0;
  uint64_t period = 0;
  bool is_limited =
      tn_str_to_u64(tn_str_split(&text, ' '), &quota) && tn_str_to_u64(tn_str_trim(text), &period);
  tn_free(data);
  is_limited = is_limited || (read_number(root, "cpu/cpu.cfs_quota_us", &quota) &&
                              read_number(root, "cpu/cpu.cfs_period_us", &period));
  if (!is_limited || quota == 0 || period == 0) {
    return UINT32_MAX;
  }
  const uint64_t cores = quota / period + (quota % period != 0);
  return cores < UINT32_MAX ? (uint32_t)cores : UINT32_MAX;
}

uint64_t tn_cpu_memory_limit(const char *root) {
  uint64_t limit = UINT64_MAX;
  if (!read_number(root, "memory.max", &limit) &&
      !read_number(root, "memory/memory.limit_in_bytes", &limit)) {
    limit = UINT64_MAX;
  }
  return limit;
}

void tn_cpu_pin_thread(const tn_cpu_unit *units, uint32_t count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (uint32_t i = 0; i < count; i++) {
    if (units[i].cpu < CPU_SETSIZE) {
      CPU_SET(units[i].cpu, &set);
    }
  }
  // A core that was taken away meanwhile: the thread then runs where the system lets it.
  (void)sched_setaffinity(0, sizeof(set), &set);
}
