// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One line a stop on standard error, for people who follow a kernel with TENON_LOG.
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

_Atomic uint32_t tn_log_mask;

uint32_t tn_log_topic(tn_str name) {
#define TOPIC_BIT(topic, bit)                    \
  if (tn_str_equals(name, TN_STR_LIT(#topic))) { \
    return 1u << (bit);                          \
  }
  TN_LOG_MAP(TOPIC_BIT)
#undef TOPIC_BIT
  return tn_str_equals(name, TN_STR_LIT("all")) ? UINT32_MAX : 0;
}

void tn_log_set(const char *topics) {
  uint32_t mask = 0;
  tn_str rest = tn_str_from(topics);
  while (rest.data) {
    mask |= tn_log_topic(tn_str_trim(tn_str_split(&rest, ',')));
  }
  mask |= (mask & TN_LOG_cache) != 0 ? (uint32_t)TN_LOG_DISK : 0;
  atomic_store_explicit(&tn_log_mask, mask, memory_order_relaxed);
}

void tn_log_add(uint32_t bits) {
  (void)atomic_fetch_or_explicit(&tn_log_mask, bits, memory_order_relaxed);
}

// One write a line, so that lines of several threads do not mix.
void tn_log_write(const char *topic, const char *function, const char *format, ...) {
  char line[2048];
  int size = snprintf(line, sizeof(line), "[tenon %s] %s: ", topic, function);
  if (size < 0 || (size_t)size >= sizeof(line) - 1) {
    return;
  }
  va_list args;
  va_start(args, format);
  const int more = vsnprintf(line + size, sizeof(line) - (size_t)size, format, args);
  va_end(args);
  if (more < 0) {
    return;
  }
  size_t total = (size_t)size + (size_t)more;
  if (total > sizeof(line) - 1) {
    total = sizeof(line) - 1;
  }
  line[total] = '\n';
  const ssize_t written = write(STDERR_FILENO, line, total + 1);
  (void)written;
}
