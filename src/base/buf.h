// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A growing byte buffer with a maximum given at init. Writing never crashes: the first failure
// (no memory, maximum reached) sticks, further writes do nothing, and tn_buf_status tells.
#ifndef TN_BASE_BUF_H
#define TN_BASE_BUF_H

#include <stdarg.h>

#include "base/alloc.h"
#include "base/str.h"

typedef struct tn_buf {
  char *data;       // owned; NUL-terminated behind size once anything was written
  size_t size;
  size_t capacity;
  size_t maximum;   // bytes that size may never exceed
  tn_status failed; // TN_OK until a write fails
} tn_buf;

void tn_buf_init(tn_buf *buf, size_t maximum);
void tn_buf_deinit(tn_buf *buf);  // NULL-safe, leaves an empty buffer
void tn_buf_clear(tn_buf *buf);   // keeps the memory, forgets a failure
void tn_buf_add(tn_buf *buf, const void *data, size_t size);
// `size` bytes for the caller to write, part of the buffer at once; NULL when they do not fit.
char *tn_buf_add_space(tn_buf *buf, size_t size);
void tn_buf_add_str(tn_buf *buf, tn_str s);
void tn_buf_add_text(tn_buf *buf, const char *text);
void tn_buf_add_char(tn_buf *buf, char c);
void tn_buf_add_format(tn_buf *buf, const char *format, ...) TN_PRINTF(2, 3);
void tn_buf_add_vformat(tn_buf *buf, const char *format, va_list args) TN_PRINTF(2, 0);
void tn_buf_align(tn_buf *buf, size_t alignment);  // zero bytes up to a multiple
// Little-endian integers.
void tn_buf_add_u32(tn_buf *buf, uint32_t value);
void tn_buf_add_u64(tn_buf *buf, uint64_t value);
// NUL-terminated text so far; "" for an empty or failed buffer.
const char *tn_buf_text(const tn_buf *buf);
static inline tn_str tn_buf_str(const tn_buf *buf) { return (tn_str){buf->data, buf->size}; }
static inline tn_bytes tn_buf_bytes(const tn_buf *buf) {
  return tn_bytes_from(buf->data, buf->size);
}
TN_MUST_USE tn_status tn_buf_status(const tn_buf *buf, tn_diag *diag);

#endif
