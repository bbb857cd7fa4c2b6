// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ground all components stand on: attributes, fallible-call macros, checked sizes.
#ifndef TN_BASE_BASE_H
#define TN_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/status.h"

#define TN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

// Belt and braces: the condition is believed to hold (or never to hold). Asserts in debug builds,
// acts as a plain condition in release builds.
#ifdef NDEBUG
#define TN_ALWAYS(x) (x)
#define TN_NEVER(x) (x)
#else
#include <assert.h>
#define TN_ALWAYS(x) ((x) ? true : (assert(false && #x), false))
#define TN_NEVER(x) ((x) ? (assert(false && #x), true) : false)
#endif

// Records a failure in `diag` (may be NULL) and yields its code.
//   return TN_FAIL(diag, BUILD_FAILED, "kernel %s: …", name);
#define TN_FAIL(diag, code, ...) tn_diag_set((diag), TN_##code, 0, __FILE__, __LINE__, __VA_ARGS__)
#define TN_FAIL_NATIVE(diag, code, native, ...) \
  tn_diag_set((diag), TN_##code, (native), __FILE__, __LINE__, __VA_ARGS__)

// Returns early on failure. Only in functions that own nothing yet; elsewhere `goto done`.
#define TN_TRY(expr)                                  \
  do {                                                \
    const tn_status tn_try_status = (expr);           \
    if (tn_try_status != TN_OK) return tn_try_status; \
  } while (0)

// Drops a status on purpose; the reason is for the reader.
#define TN_IGNORE(expr, reason)                                   \
  do {                                                            \
    if ((expr) != TN_OK) { /* ignored: reason */ }                \
  } while (0)

tn_status tn_diag_set(tn_diag *diag, tn_status code, int32_t native, const char *file, int line,
                      const char *format, ...) TN_PRINTF(6, 7);
// Puts "<prefix>: " in front of the text that is there, cutting at the end. NULL-safe.
void tn_diag_prepend(tn_diag *diag, const char *format, ...) TN_PRINTF(2, 3);

// Checked size arithmetic: false on overflow, and *out untouched.
static inline bool tn_size_add(size_t a, size_t b, size_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool tn_size_mul(size_t a, size_t b, size_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}
// The sum, or UINT64_MAX where 64 bits cannot hold the sum.
static inline uint64_t tn_u64_add_capped(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
static inline size_t tn_size_align(size_t value, size_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

#endif
