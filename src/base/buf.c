// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A byte buffer that grows up to its maximum; the first failure sticks.
#include "base/buf.h"

#include <stdio.h>

void tn_buf_init(tn_buf *buf, size_t maximum) {
  // One byte is kept for the NUL behind the end.
  *buf = (tn_buf){.maximum = maximum < SIZE_MAX ? maximum : SIZE_MAX - 1, .failed = TN_OK};
}

void tn_buf_deinit(tn_buf *buf) {
  if (buf) {
    tn_free(buf->data);
    tn_buf_init(buf, buf->maximum);
  }
}

void tn_buf_clear(tn_buf *buf) {
  buf->size = 0;
  buf->failed = TN_OK;
  if (buf->data) {
    buf->data[0] = '\0';
  }
}

// Room for `extra` more bytes and the NUL.
static bool buf_reserve(tn_buf *buf, size_t extra) {
  if (buf->failed != TN_OK) {
    return false;
  }
  if (extra > buf->maximum - buf->size) {
    buf->failed = TN_INVALID_ARGUMENT;
    return false;
  }
  const size_t needed = buf->size + extra + 1;
  if (needed <= buf->capacity) {
    return true;
  }
  size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;
  while (capacity < needed) {
    capacity = capacity > buf->maximum / 2 ? buf->maximum + 1 : capacity * 2;
  }
  char *data = tn_realloc(buf->data, capacity);
  if (!data) {
    buf->failed = TN_OUT_OF_MEMORY;
    return false;
  }
  buf->data = data;
  buf->capacity = capacity;
  return true;
}

char *tn_buf_add_space(tn_buf *buf, size_t size) {
  if (!buf_reserve(buf, size)) {
    return NULL;
  }
  char *space = buf->data + buf->size;
  buf->size += size;
  buf->data[buf->size] = '\0';
  return space;
}

void tn_buf_add(tn_buf *buf, const void *data, size_t size) {
  if (!buf_reserve(buf, size)) {
    return;
  }
  if (size > 0) {
    memcpy(buf->data + buf->size, data, size);
  }
  buf->size += size;
  buf->data[buf->size] = '\0';
}

void tn_buf_add_str(tn_buf *buf, tn_str s) { tn_buf_add(buf, s.data, s.size); }

void tn_buf_add_text(tn_buf *buf, const char *text) { tn_buf_add_str(buf, tn_str_from(text)); }

void tn_buf_add_char(tn_buf *buf, char c) { tn_buf_add(buf, &c, 1); }

void tn_buf_add_format(tn_buf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tn_buf_add_vformat(buf, format, args);
  va_end(args);
}

void tn_buf_add_vformat(tn_buf *buf, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int needed = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (needed < 0) {
    if (buf->failed == TN_OK) {
      buf->failed = TN_INVALID_ARGUMENT;
    }
    return;
  }
  if (!buf_reserve(buf, (size_t)needed)) {
    return;
  }
  (void)vsnprintf(buf->data + buf->size, (size_t)needed + 1, format, args);
  buf->size += (size_t)needed;
}

void tn_buf_align(tn_buf *buf, size_t alignment) {
  const size_t extra = tn_size_align(buf->size, alignment) - buf->size;
  if (!buf_reserve(buf, extra)) {
    return;
  }
  memset(buf->data + buf->size, 0, extra + 1);
  buf->size += extra;
}

void tn_buf_add_u32(tn_buf *buf, uint32_t value) {
  uint8_t bytes[4];
  for (size_t i = 0; i < sizeof(bytes); i++) {
    bytes[i] = (uint8_t)(value >> (8 * i));
  }
  tn_buf_add(buf, bytes, sizeof(bytes));
}

void tn_buf_add_u64(tn_buf *buf, uint64_t value) {
  uint8_t bytes[8];
  for (size_t i = 0; i < sizeof(bytes); i++) {
    bytes[i] = (uint8_t)(value >> (8 * i));
  }
  tn_buf_add(buf, bytes, sizeof(bytes));
}

const char *tn_buf_text(const tn_buf *buf) {
  return buf->data && buf->failed == TN_OK ? buf->data : "";
}

tn_status tn_buf_status(const tn_buf *buf, tn_diag *diag) {
  if (buf->failed == TN_OK) {
    return TN_OK;
  }
  if (buf->failed == TN_OUT_OF_MEMORY) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a buffer beyond %zu bytes", buf->size);
  }
  return TN_FAIL(diag, INVALID_ARGUMENT, "the data do not fit into the %zu bytes allowed for them",
                 buf->maximum);
}
