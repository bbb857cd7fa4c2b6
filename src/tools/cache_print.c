// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables for people, and the same in JSON.
#include "tools/cache_print.h"

#include "base/store_value.h"
#include "tools/printed_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HEAD_SIZE = 64 * 1024, SHOWN_DIGITS = 16 };

void tn_cache_print_size(tn_buf *out, uint64_t size) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  uint64_t tenths = size * 10;
  if (size > UINT64_MAX / 10) {
    tn_buf_add_text(out, "very large");
    return;
  }
  while (tenths >= 10240 && unit + 1 < TN_COUNT(units)) {
    tenths /= 1024;
    unit++;
  }
  tn_buf_add_format(out, "%llu", (unsigned long long)(tenths / 10));
  if (unit > 0) {
    tn_buf_add_format(out, ".%u", (unsigned)(tenths % 10));
  }
  tn_buf_add_format(out, " %s", units[unit]);
}

// Of people's time in text, of the world's in JSON.
static void put_time(tn_buf *out, int64_t ns, bool as_json) {
  const time_t seconds = (time_t)(ns / 1000000000);
  struct tm parts;
  char text[64] = "";
  if (as_json ? gmtime_r(&seconds, &parts) : localtime_r(&seconds, &parts)) {
    (void)strftime(text, sizeof(text), as_json ? "\"%Y-%m-%dT%H:%M:%SZ\"" : "%Y-%m-%d %H:%M:%S",
                   &parts);
  }
  tn_buf_add_text(out, text[0] != '\0' ? text : as_json ? "null" : "unknown time");
}

static void find_uses(const tn_store_listing *listing, int64_t *out_first, int64_t *out_last) {
  *out_first = INT64_MAX;
  *out_last = INT64_MIN;
  for (size_t i = 0; i < listing->count; i++) {
    const int64_t used = listing->entries[i].used_ns;
    *out_first = used < *out_first ? used : *out_first;
    *out_last = used > *out_last ? used : *out_last;
  }
}

static void put_stats_text(tn_buf *out, const tn_cache_shelf *shelf) {
  const tn_store_listing *found = &shelf->listing;
  int64_t first = 0;
  int64_t last = 0;
  tn_buf_add_format(out, "%-8s %zu %s", shelf->name, found->count,
                    found->count == 1 ? "entry" : "entries");
  if (found->count > 0) {
    find_uses(found, &first, &last);
    tn_buf_add_text(out, ", ");
    tn_cache_print_size(out, found->disk_size);
    tn_buf_add_text(out, ", used between ");
    put_time(out, first, false);
    tn_buf_add_text(out, " and ");
    put_time(out, last, false);
  }
  if (found->temp_count > 0) {
    tn_buf_add_format(out, "; %zu unfinished, ", found->temp_count);
    tn_cache_print_size(out, found->temp_size);
  }
  tn_buf_add_char(out, '\n');
}

static void put_stats_json(tn_buf *out, const tn_cache_shelf *shelf) {
  const tn_store_listing *found = &shelf->listing;
  int64_t first = 0;
  int64_t last = 0;
  tn_buf_add_format(out, "{\"name\":\"%s\",\"entries\":%zu,\"bytes\":%llu", shelf->name,
                    found->count, (unsigned long long)found->disk_size);
  tn_buf_add_format(out, ",\"unfinished\":%zu,\"unfinished_bytes\":%llu", found->temp_count,
                    (unsigned long long)found->temp_size);
  if (found->count > 0) {
    find_uses(found, &first, &last);
    tn_buf_add_text(out, ",\"first_used\":");
    put_time(out, first, true);
    tn_buf_add_text(out, ",\"last_used\":");
    put_time(out, last, true);
  }
  tn_buf_add_char(out, '}');
}

void tn_cache_print_stats(tn_buf *out, const char *folder, uint64_t maximum,
                          const tn_cache_shelf *shelves, size_t count, bool as_json) {
  if (as_json) {
    tn_buf_add_text(out, "{\"folder\":");
    tn_print_json(out, tn_str_from(folder));
    tn_buf_add_format(out, ",\"bound\":%llu,\"caches\":[", (unsigned long long)maximum);
  } else {
    tn_print_text(out, tn_str_from(folder));
    tn_buf_add_text(out, "\nbound    ");
    if (maximum > 0) {
      tn_cache_print_size(out, maximum);
      tn_buf_add_text(out, " each\n");
    } else {
      tn_buf_add_text(out, "none\n");
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (as_json) {
      tn_buf_add_text(out, i > 0 ? "," : "");
      put_stats_json(out, &shelves[i]);
    } else {
      put_stats_text(out, &shelves[i]);
    }
  }
  tn_buf_add_text(out, as_json ? "]}\n" : "");
}

typedef struct row {
  const tn_cache_shelf *shelf;
  const tn_store_listed *entry;
} row;

static int by_use(const void *a, const void *b) {
  const int64_t first = ((const row *)a)->entry->used_ns;
  const int64_t second = ((const row *)b)->entry->used_ns;
  return first < second ? 1 : first > second ? -1 : 0;
}

// What the entry says of itself: its description's first line.
static tn_str describe(const tn_cache_shelf *shelf, tn_store_state state, const tn_buf *head) {
  tn_str text = {NULL, 0};
  tn_bytes content = {NULL, 0};
  switch (state) {
    case TN_STORE_DAMAGED:
      return TN_STR_LIT("damaged");
    case TN_STORE_FOREIGN:
      return TN_STR_LIT("of another version of Tenon");
    case TN_STORE_UNREAD:
      return TN_STR_LIT("cannot be read");
    case TN_STORE_GOOD:
      break;
  }
  if (strcmp(shelf->name, "link") == 0) {
    return TN_STR_LIT("device link");
  }
  if (strcmp(shelf->name, "preamble") == 0) {
    return TN_STR_LIT("precompiled header");
  }
  if (!tn_store_value_read(tn_buf_bytes(head), &text, &content)) {
    return TN_STR_LIT("no description");
  }
  return tn_str_slice(text, 0, tn_str_find_char(text, '\n'));
}

static void put_key(tn_buf *out, const uint8_t *key, size_t digits) {
  for (size_t i = 0; i < digits / 2; i++) {
    tn_buf_add_format(out, "%02x", key[i]);
  }
}

static void put_row(tn_buf *out, const row *r, tn_buf *head, bool as_json) {
  uint64_t size = 0;
  const tn_store_state state = tn_store_peek(r->shelf->store, r->entry->key, head, &size);
  const tn_str text = describe(r->shelf, state, head);
  size = state == TN_STORE_GOOD ? size : r->entry->disk_size;
  if (as_json) {
    tn_buf_add_format(out, "\n{\"cache\":\"%s\",\"key\":\"", r->shelf->name);
    put_key(out, r->entry->key, (size_t)2 * TN_STORE_KEY_SIZE);
    tn_buf_add_format(out, "\",\"bytes\":%llu,\"used\":", (unsigned long long)size);
    put_time(out, r->entry->used_ns, true);
    tn_buf_add_text(out, ",\"description\":");
    tn_print_json(out, text);
    tn_buf_add_char(out, '}');
    return;
  }
  tn_buf_add_format(out, "%-8s ", r->shelf->name);
  put_key(out, r->entry->key, SHOWN_DIGITS);
  tn_buf_add_text(out, "  ");
  put_time(out, r->entry->used_ns, false);
  tn_buf_add_text(out, "  ");
  tn_cache_print_size(out, size);
  tn_buf_add_text(out, "  ");
  tn_print_text(out, text);
  tn_buf_add_char(out, '\n');
}

tn_status tn_cache_print_entries(tn_buf *out, const tn_cache_shelf *shelves, size_t count,
                                 bool as_json, tn_diag *diag) {
  size_t total = 0;
  size_t at = 0;
  tn_buf head;
  for (size_t i = 0; i < count; i++) {
    total += shelves[i].listing.count;
  }
  row *rows = tn_alloc_array(total > 0 ? total : 1, sizeof(*rows));
  if (!rows) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a list of %zu entries", total);
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < shelves[i].listing.count; k++) {
      rows[at++] = (row){&shelves[i], &shelves[i].listing.entries[k]};
    }
  }
  qsort(rows, total, sizeof(*rows), by_use);
  tn_buf_init(&head, HEAD_SIZE);
  tn_buf_add_text(out, as_json ? "{\"entries\":[" : "");
  for (size_t i = 0; i < total; i++) {
    tn_buf_add_text(out, as_json && i > 0 ? "," : "");
    put_row(out, &rows[i], &head, as_json);
  }
  tn_buf_add_text(out, as_json ? "\n]}\n" : "");
  tn_buf_deinit(&head);
  tn_free(rows);
  return TN_OK;
}
