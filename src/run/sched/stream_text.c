// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the records that work-items wrote into text. Numbers are written as the C library writes
// them, in the C locale.
#include "run/sched/stream_text.h"

#include "tenon/stream.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

enum {
  PRECISION_MAXIMUM = 1100,  // no double has more digits behind its point
  WIDTH_MAXIMUM = 4096,
  NUMBER_SIZE = PRECISION_MAXIMUM + WIDTH_MAXIMUM + 512,
};

typedef struct record {
  unsigned kind, count;
  int width, precision;
  unsigned flags;         // TN_STREAM_…
  unsigned bytes;         // of an integer
  const uint64_t *words;  // after the first
} record;

typedef struct printer {
  const uint64_t *words;
  size_t count;
  tn_stream_put put;
  void *user;
} printer;

void tn_stream_text_clear(void *memory, size_t size) {
  uint64_t *words = memory;
  words[0] = TN_STREAM_BEGIN;
  words[1] = size / sizeof(*words);
}

static void put_padded(const printer *p, const record *r, const char *text, size_t size) {
  static const char spaces[] = "                ";
  const size_t width = (size_t)r->width;
  for (size_t left = width > size ? width - size : 0; left > 0;) {
    const size_t count = left < sizeof(spaces) - 1 ? left : sizeof(spaces) - 1;
    p->put(p->user, spaces, count);
    left -= count;
  }
  p->put(p->user, text, size);
}

static void put_integer(const printer *p, const record *r, uint64_t value) {
  char text[NUMBER_SIZE];
  const unsigned base = r->flags & (TN_STREAM_HEX | TN_STREAM_OCT);
  const bool shows_base = (r->flags & TN_STREAM_SHOW_BASE) != 0;
  const bool shows_plus = (r->flags & TN_STREAM_SHOW_PLUS) != 0;
  const unsigned long long bits =
      r->bytes > 0 && r->bytes < 8 ? value & (((uint64_t)1 << r->bytes * 8) - 1) : value;
  int size = 0;
  if (base == TN_STREAM_HEX) {
    size = snprintf(text, sizeof(text), shows_base ? "%#llx" : "%llx", bits);
  } else if (base == TN_STREAM_OCT) {
    size = snprintf(text, sizeof(text), shows_base ? "%#llo" : "%llo", bits);
  } else if (r->kind == TN_STREAM_SIGNED) {
    size = snprintf(text, sizeof(text), shows_plus ? "%+lld" : "%lld", (long long)value);
  } else {
    size = snprintf(text, sizeof(text), "%llu", bits);
  }
  put_padded(p, r, text, (size_t)size);
}

static void put_real(const printer *p, const record *r, uint64_t bits) {
  char text[NUMBER_SIZE];
  double value = 0;
  memcpy(&value, &bits, sizeof(value));
  const bool shows_plus = (r->flags & TN_STREAM_SHOW_PLUS) != 0;
  int size = 0;
  switch (r->flags & TN_STREAM_HEX_REAL) {
    case TN_STREAM_HEX_REAL:
      size = snprintf(text, sizeof(text), shows_plus ? "%+a" : "%a", value);
      break;
    case TN_STREAM_FIXED:
      size = snprintf(text, sizeof(text), shows_plus ? "%+.*f" : "%.*f", r->precision, value);
      break;
    case TN_STREAM_SCIENTIFIC:
      size = snprintf(text, sizeof(text), shows_plus ? "%+.*e" : "%.*e", r->precision, value);
      break;
    default:
      size = snprintf(text, sizeof(text), shows_plus ? "%+.*g" : "%.*g", r->precision, value);
      break;
  }
  put_padded(p, r, text, (size_t)size);
}

static void put_address(const printer *p, const record *r, uint64_t value) {
  char text[32];
  const int size = snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
  put_padded(p, r, text, (size_t)size);
}

static void put_list(const printer *p, const record *r) {
  for (unsigned i = 0; i < r->count; i++) {
    p->put(p->user, i == 0 ? "{" : ", ", i == 0 ? 1 : 2);
    put_integer(p, r, r->words[i]);
  }
  p->put(p->user, "}", 1);
}

// The number of words after its first one.
static size_t words_of(uint64_t first) {
  switch (first & 15) {
    case TN_STREAM_TEXT:
      return (size_t)((first >> 32) + 7) / 8;
    case TN_STREAM_SIGNED:
    case TN_STREAM_UNSIGNED:
    case TN_STREAM_REAL:
    case TN_STREAM_ADDRESS:
      return 1;
    case TN_STREAM_LIST:
      return (size_t)(first >> 4 & 15);
    default:
      return 0;
  }
}

static int smaller(int a, int b) { return a < b ? a : b; }

static record read_record(const uint64_t *words) {
  const uint64_t first = words[0];
  return (record){.kind = (unsigned)(first & 15),
                  .count = (unsigned)(first >> 4 & 15),
                  .flags = (unsigned)(first & 0xff00),
                  .width = smaller((int)(first >> 16 & 0xffff), WIDTH_MAXIMUM),
                  .precision = smaller((int)(first >> 32 & 0xffff), PRECISION_MAXIMUM),
                  .bytes = (unsigned)(first >> 48),
                  .words = words + 1};
}

// The words of the record are all in the memory.
static void put_record(const printer *p, const uint64_t *words) {
  const record r = read_record(words);
  const uint32_t upper = (uint32_t)(words[0] >> 32);
  switch (r.kind) {
    case TN_STREAM_TEXT:
      put_padded(p, &r, (const char *)r.words, upper);
      break;
    case TN_STREAM_LETTERS: {
      char letters[sizeof(upper)];
      memcpy(letters, &upper, sizeof(upper));
      put_padded(p, &r, letters, r.count < sizeof(letters) ? r.count : sizeof(letters));
      break;
    }
    case TN_STREAM_SIGNED:
    case TN_STREAM_UNSIGNED:
      put_integer(p, &r, r.words[0]);
      break;
    case TN_STREAM_REAL:
      put_real(p, &r, r.words[0]);
      break;
    case TN_STREAM_ADDRESS:
      put_address(p, &r, r.words[0]);
      break;
    case TN_STREAM_LIST:
      put_list(p, &r);
      break;
    default:
      break;
  }
}

// The records of the piece at that word. False when it does not lie in the memory.
static bool read_piece(const printer *p, size_t at, const uint64_t **out, size_t *out_count) {
  if (at + 2 > p->count) {
    return false;
  }
  const size_t room = (uint32_t)p->words[at + 1];
  const size_t used = (size_t)(p->words[at] >> 32);
  *out = p->words + at + 2;
  *out_count = used;
  return room > 0 && room <= p->count - at - 2 && used <= room;
}

static void put_pieces(const printer *p, size_t at) {
  const uint64_t *records = NULL;
  size_t left = 0;
  while (read_piece(p, at, &records, &left)) {
    while (left > 0) {
      const size_t more = words_of(records[0]);
      if (more >= left) {
        break;
      }
      put_record(p, records);
      records += more + 1;
      left -= more + 1;
    }
    const size_t next = (uint32_t)p->words[at];
    if (next <= at) {
      return;
    }
    at = next;
  }
}

void tn_stream_text_put(const void *memory, size_t size, tn_stream_put put, void *user) {
  const uint64_t *words = memory;
  printer p = {.words = words, .count = size / sizeof(*words), .put = put, .user = user};
  if (words[0] < p.count) {
    p.count = (size_t)words[0];
  }
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const locale_t before = plain ? uselocale(plain) : (locale_t)0;
  const uint64_t *records = NULL;
  size_t used = 0;
  for (size_t at = TN_STREAM_BEGIN; read_piece(&p, at, &records, &used);
       at += 2 + (size_t)(uint32_t)words[at + 1]) {
    if (words[at + 1] & TN_STREAM_FIRST) {
      put_pieces(&p, at);
    }
  }
  if (plain) {
    (void)uselocale(before);
    freelocale(plain);
  }
}
