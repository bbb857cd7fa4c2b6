// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment once. Values live in static storage: no allocation, nothing to free.
#include "base/config.h"

#include "base/log.h"
#include "base/str.h"

#include <pthread.h>
#include <stdlib.h>

// Twice what the system lets one variable be; pages that are not used cost nothing.
static char storage[256 * 1024];
static size_t storage_used;

static tn_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

static const char *read_text(const char *name) {
  const char *value = getenv(name);
  const size_t size = value ? strlen(value) + 1 : 0;
  if (size <= 1 || size > sizeof(storage) - storage_used) {
    return "";
  }
  char *copy = storage + storage_used;
  memcpy(copy, value, size);
  storage_used += size;
  return copy;
}

// What is no number, or too large a one, is as if it were not set.
static uint64_t read_large(const char *name, uint64_t maximum, uint64_t otherwise) {
  const char *value = getenv(name);
  uint64_t number = 0;
  if (!value || !tn_str_to_u64(tn_str_trim(tn_str_from(value)), &number) || number > maximum) {
    return otherwise;
  }
  return number;
}

static uint32_t read_number(const char *name, uint32_t maximum, uint32_t otherwise) {
  return (uint32_t)read_large(name, maximum, otherwise);
}

// Bits as DPC++ has them; what is none of them asks for everything.
static uint32_t read_trace(void) {
  const uint32_t both = TN_CACHE_TRACE_DISK | TN_CACHE_TRACE_MEMORY;
  const uint64_t number = read_large("SYCL_CACHE_TRACE", UINT64_MAX, 0);
  return number <= both ? (uint32_t)number : both;
}

// "<folder of `name`><below>", "" when that is unset or no absolute path.
static const char *read_folder(const char *name, const char *below) {
  const char *value = read_text(name);
  const size_t below_size = strlen(below) + 1;
  if (value[0] != '/' || below_size > sizeof(storage) - storage_used) {
    return "";
  }
  // The text ends where the storage that is used does.
  memcpy(storage + storage_used - 1, below, below_size);
  storage_used += below_size - 1;
  return value;
}

static const char *read_cache_dir(void) {
  const char *const places[][2] = {
      {"TENON_CACHE_DIR", ""},
      {"SYCL_CACHE_DIR", "/tenon"},
      {"XDG_CACHE_HOME", "/tenon"},
      {"HOME", "/.cache/tenon"},
  };
  const char *folder = "";
  for (size_t i = 0; i < TN_COUNT(places) && folder[0] == '\0'; i++) {
    folder = read_folder(places[i][0], places[i][1]);
  }
  return folder;
}

static void read_all(void) {
  config.device_selector = read_text("ONEAPI_DEVICE_SELECTOR");
  config.log_topics = read_text("TENON_LOG");
  config.compiler_path = read_text("TENON_COMPILER_LIBRARY");
  config.clang = read_text("TENON_CLANG");
  config.cpu_threads = read_number("TENON_CPU_THREADS", 65536, 0);
  config.mock = read_number("TENON_MOCK", 1, 0) == 1;
  config.opt_level = read_number("TENON_JIT_OPT", 3, 2);
  config.has_opt_level = read_number("TENON_JIT_OPT", 3, UINT32_MAX) != UINT32_MAX;
  config.check = read_number("TENON_CHECK", 1, 0) == 1;
  const char *temp_dir = read_text("TMPDIR");
  config.temp_dir = temp_dir[0] == '/' ? temp_dir : "/tmp";
  const char *search_path = read_text("PATH");
  config.search_path = search_path[0] != '\0' ? search_path : "/usr/local/bin:/usr/bin:/bin";
  config.library_path = read_text("LIBRARY_PATH");
  config.cache =
      read_number("TENON_CACHE", 1, 1) == 1 && read_number("SYCL_CACHE_PERSISTENT", 1, 1) == 1;
  config.cache_dir = read_cache_dir();
  config.cache_mib = read_number("SYCL_CACHE_MAX_SIZE", UINT32_MAX, 1024);
  config.cache_min_image = read_large("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE", UINT64_MAX, 0);
  config.cache_max_image = read_large("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", UINT64_MAX, 0);
  config.cache_in_memory = read_number("SYCL_CACHE_IN_MEM", UINT32_MAX, 1) != 0;
  config.cache_trace = read_trace();
  config.loader_path = read_text("LD_LIBRARY_PATH");
  config.loader_preload = read_text("LD_PRELOAD");
  config.cuda_path = read_text("CUDA_PATH");
  config.rocm_path = read_text("ROCM_PATH");
  tn_log_set(config.log_topics);
  tn_log_add((config.cache_trace != 0 ? (uint32_t)TN_LOG_cache : 0) |
             ((config.cache_trace & TN_CACHE_TRACE_DISK) != 0 ? (uint32_t)TN_LOG_DISK : 0));
}

const tn_config *tn_config_get(void) {
  (void)pthread_once(&config_once, read_all);
  return &config;
}
