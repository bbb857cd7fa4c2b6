// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment once. Values live in static storage: no allocation, nothing to free.
#include "base/config.h"

#include "base/log.h"
#include "base/str.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/auxv.h>

// Twice what the system lets one variable be; pages that are not used cost nothing.
static char storage[256 * 1024];
static size_t storage_used;

static tn_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

// As many as there are variables; TENON_LOG may have several words.
enum { IGNORED_MAXIMUM = 32, SHOWN_MAXIMUM = 200, SUB_GROUP_MAXIMUM = 1024,
       TRY_SECONDS_MAXIMUM = 3600 };
static tn_config_ignored ignored[IGNORED_MAXIMUM];

bool tn_config_is_secure_execution(void) { return getauxval(AT_SECURE) != 0; }

// The caller of a program with other rights than its own must not steer it
// (docs/decisions/secure-execution.md).
static char *get_variable(const char *name) {
  return tn_config_is_secure_execution() ? NULL : secure_getenv(name);
}

// libtenon-compiler.so is linked with --wrap=getenv: LLVM and Clang ask here. What is called above,
// secure_getenv, is not wrapped.
char *__wrap_getenv(const char *name);
char *__wrap_getenv(const char *name) { return get_variable(name); }

static const char *read_text(const char *name) {
  const char *value = get_variable(name);
  const size_t size = value ? strlen(value) + 1 : 0;
  if (size <= 1 || size > sizeof(storage) - storage_used) {
    return "";
  }
  char *copy = storage + storage_used;
  memcpy(copy, value, size);
  storage_used += size;
  return copy;
}

// Spaces around it do not count; empty when it is not set.
static tn_str read_word(const char *name) {
  const char *value = get_variable(name);
  return value ? tn_str_trim(tn_str_from(value)) : (tn_str){"", 0};
}

// `is_not`: "no number".
static TN_PRINTF(3, 4) void ignore(const char *name, tn_str value, const char *is_not, ...) {
  char what[160];
  char *text = storage + storage_used;
  const size_t space = sizeof(storage) - storage_used;
  va_list args;
  va_start(args, is_not);
  (void)vsnprintf(what, sizeof(what), is_not, args);
  va_end(args);
  const int size = snprintf(text, space, "%s has the value '%.*s', which is %s: ignored", name,
                            TN_STR_ARG(tn_str_slice(value, 0, SHOWN_MAXIMUM)), what);
  if (size > 0 && (size_t)size < space && config.ignored_count < IGNORED_MAXIMUM) {
    storage_used += (size_t)size + 1;
    ignored[config.ignored_count++] = (tn_config_ignored){.name = name, .text = text};
  }
}

// What is no number, or too large a one, is as if it were not set.
static uint64_t read_large(const char *name, uint64_t maximum, uint64_t otherwise) {
  const tn_str value = read_word(name);
  uint64_t number = 0;
  if (tn_str_is_empty(value)) {
    return otherwise;
  }
  if (!tn_str_to_u64(value, &number) || number > maximum) {
    if (maximum == UINT64_MAX) {
      ignore(name, value, "no number from 0 on");
    } else {
      ignore(name, value, "no number from 0 to %llu", (unsigned long long)maximum);
    }
    return otherwise;
  }
  return number;
}

static uint32_t read_number(const char *name, uint32_t maximum, uint32_t otherwise) {
  return (uint32_t)read_large(name, maximum, otherwise);
}

// Bytes, or a number with K, M or G.
static uint64_t read_size(const char *name, uint64_t minimum, uint64_t maximum,
                          uint64_t otherwise) {
  static const char units[] = "KMG";
  const tn_str value = read_word(name);
  tn_str number = value;
  unsigned shift = 0;
  for (unsigned i = 0; i < sizeof(units) - 1 && shift == 0; i++) {
    if (tn_str_has_suffix(value, (tn_str){&units[i], 1})) {
      shift = 10 * (i + 1);
      number.size--;
    }
  }
  uint64_t size = 0;
  if (tn_str_is_empty(value)) {
    return otherwise;
  }
  if (!tn_str_to_u64(number, &size) || size > maximum >> shift || size << shift < minimum) {
    ignore(name, value, "no size from %lluK to %lluG: a number of bytes, or one with K, M or G",
           (unsigned long long)(minimum >> 10), (unsigned long long)(maximum >> 30));
    return otherwise;
  }
  return size << shift;
}

static bool read_switch(const char *name, bool otherwise) {
  static const char *const words[] = {"false", "true", "off", "on", "no", "yes"};
  const tn_str value = read_word(name);
  uint64_t number = 0;
  if (tn_str_is_empty(value)) {
    return otherwise;
  }
  if (tn_str_to_u64(value, &number) && number <= 1) {
    return number == 1;
  }
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    if (strlen(words[i]) == value.size && strncasecmp(words[i], value.data, value.size) == 0) {
      return i % 2 == 1;
    }
  }
  ignore(name, value, "neither 0, false, off or no, nor 1, true, on or yes");
  return otherwise;
}

// Bits as DPC++ has them; what is none of them asks for everything.
static uint32_t read_trace(void) {
  const uint32_t both = TN_CACHE_TRACE_DISK | TN_CACHE_TRACE_MEMORY;
  const uint64_t number = read_large("SYCL_CACHE_TRACE", UINT64_MAX, 0);
  return number <= both ? (uint32_t)number : both;
}

// "" when it is unset or no absolute path.
static const char *read_path(const char *name) {
  const char *value = read_text(name);
  if (value[0] != '/' && value[0] != '\0') {
    ignore(name, tn_str_from(value), "no full path");
    return "";
  }
  return value;
}

// "" when it is unset or no name of a GPU's processor.
static const char *read_processor(const char *name) {
  const char *value = read_text(name);
  const bool has_head = strncmp(value, "sm_", 3) == 0 || strncmp(value, "gfx", 3) == 0;
  const size_t size = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789_");
  if (value[0] != '\0' && (!has_head || value[size] != '\0')) {
    ignore(name, tn_str_from(value), "no GPU's processor, as sm_90 or gfx90a");
    return "";
  }
  return value;
}

// "<folder of `name`><below>", "" when there is none.
static const char *read_folder(const char *name, const char *below) {
  const char *value = read_path(name);
  const size_t below_size = strlen(below) + 1;
  if (value[0] == '\0' || below_size > sizeof(storage) - storage_used) {
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

static void check_topics(void) {
#define TOPIC_WORD(name, bit) #name ", "
  tn_str rest = tn_str_from(config.log_topics);
  while (rest.data) {
    const tn_str word = tn_str_trim(tn_str_split(&rest, ','));
    if (!tn_str_is_empty(word) && tn_log_topic(word) == 0) {
      ignore("TENON_LOG", word, "no topic; there are " TN_LOG_MAP(TOPIC_WORD) "all");
    }
  }
#undef TOPIC_WORD
}

// To whoever asked for lines, even if not in words that name any.
static void say_ignored(void) {
  uint64_t number = 1;
  const tn_str trace = read_word("SYCL_CACHE_TRACE");
  const bool is_traced = !tn_str_is_empty(trace) && (!tn_str_to_u64(trace, &number) || number != 0);
  for (size_t i = 0; i < config.ignored_count && (config.log_topics[0] != '\0' || is_traced); i++) {
    tn_log_write("environment", "tn_config_get", "%s", config.ignored[i].text);
  }
}

static void read_all(void) {
  config.is_secure = tn_config_is_secure_execution();
  config.ignored = ignored;
  config.device_selector = read_text("ONEAPI_DEVICE_SELECTOR");
  config.log_topics = read_text("TENON_LOG");
  config.compiler_path = read_text("TENON_COMPILER_LIBRARY");
  config.clang = read_text("TENON_CLANG");
  config.cpu_threads = read_number("TENON_CPU_THREADS", 65536, 0);
  config.cpu_stack_size = read_size("TENON_CPU_STACK_SIZE", TN_CPU_STACK_MINIMUM,
                                    TN_CPU_STACK_MAXIMUM, TN_CPU_STACK_DEFAULT);
  config.mock = read_switch("TENON_MOCK", false);
  config.try_drivers = read_number("TENON_TRY_DRIVERS", TRY_SECONDS_MAXIMUM, 0);
  const uint32_t opt_level = read_number("TENON_JIT_OPT", 3, UINT32_MAX);
  config.has_opt_level = opt_level != UINT32_MAX;
  config.opt_level = config.has_opt_level ? opt_level : 2;
  config.sub_group_size = read_number("TENON_SUB_GROUP_SIZE", SUB_GROUP_MAXIMUM, 0);
  config.tiered = read_switch("TENON_TIERED", true);
  config.check = read_switch("TENON_CHECK", false);
  config.perf_map = read_switch("TENON_PERF_MAP", false);
  const char *temp_dir = read_path("TMPDIR");
  config.temp_dir = temp_dir[0] != '\0' ? temp_dir : "/tmp";
  const char *search_path = read_text("PATH");
  config.search_path = search_path[0] != '\0' ? search_path : "/usr/local/bin:/usr/bin:/bin";
  config.library_path = read_text("LIBRARY_PATH");
  const bool cache = read_switch("TENON_CACHE", true);
  config.cache = read_switch("SYCL_CACHE_PERSISTENT", true) && cache && !config.is_secure;
  config.cache_dir = read_cache_dir();
  config.cache_mib = read_number("SYCL_CACHE_MAX_SIZE", UINT32_MAX, 1024);
  config.cache_min_image = read_large("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE", UINT64_MAX, 0);
  config.cache_max_image = read_large("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", UINT64_MAX, 0);
  config.cache_in_memory = read_switch("SYCL_CACHE_IN_MEM", true);
  config.cache_trace = read_trace();
  config.loader_path = read_text("LD_LIBRARY_PATH");
  config.loader_preload = read_text("LD_PRELOAD");
  config.cuda_path = read_text("CUDA_PATH");
  const bool has_visible = get_variable("CUDA_VISIBLE_DEVICES") != NULL;
  config.cuda_visible_devices = has_visible ? read_text("CUDA_VISIBLE_DEVICES") : NULL;
  config.rocm_path = read_text("ROCM_PATH");
  config.jit_processor = read_processor("SYCL_JIT_AMDGCN_PTX_TARGET_CPU");
  config.include_paths[0] = read_text("CPATH");
  config.include_paths[1] = read_text("C_INCLUDE_PATH");
  config.include_paths[2] = read_text("CPLUS_INCLUDE_PATH");
  tn_log_set(config.log_topics);
  tn_log_add((config.cache_trace != 0 ? (uint32_t)TN_LOG_cache : 0) |
             ((config.cache_trace & TN_CACHE_TRACE_DISK) != 0 ? (uint32_t)TN_LOG_DISK : 0));
  check_topics();
  say_ignored();
}

const tn_config *tn_config_get(void) {
  (void)pthread_once(&config_once, read_all);
  return &config;
}
