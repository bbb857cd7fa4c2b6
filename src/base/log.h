// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TENON_LOG=registry,program,cache,sched,… prints one line a stop to standard error, with the
// function's name. Off, it costs one relaxed load.
#ifndef TN_BASE_LOG_H
#define TN_BASE_LOG_H

#include <stdatomic.h>

#include "base/str.h"

// X(name, bit)
#define TN_LOG_MAP(X) \
  X(registry, 0) X(device, 1) X(cache, 2) X(program, 3) X(memory, 4) X(sched, 5) X(adapter, 6) \
  X(compile, 7) X(driver, 8) X(vectorize, 9)

enum {
#define TN_LOG_ENUM(name, bit) TN_LOG_##name = 1u << (bit),
  TN_LOG_MAP(TN_LOG_ENUM)
#undef TN_LOG_ENUM
  TN_LOG_DISK = 1u << 30,  // of topic cache: what is on disk, which SYCL_CACHE_TRACE=2 leaves out
};

extern _Atomic uint32_t tn_log_mask;  // set once from the configuration
uint32_t tn_log_topic(tn_str name);   // its bits; 0 when there is none of that name
void tn_log_set(const char *topics);  // "all" or a list by commas; unknown names are ignored
void tn_log_add(uint32_t bits);
void tn_log_write(const char *topic, const char *function, const char *format, ...) TN_PRINTF(3, 4);

#define TN_LOG_IS_ON(topic) \
  ((atomic_load_explicit(&tn_log_mask, memory_order_relaxed) & TN_LOG_##topic) != 0)

#define TN_LOG(topic, ...)                                                      \
  do {                                                                          \
    if (__builtin_expect(TN_LOG_IS_ON(topic), 0)) {                             \
      tn_log_write(#topic, __func__, __VA_ARGS__);                              \
    }                                                                           \
  } while (0)

#endif
