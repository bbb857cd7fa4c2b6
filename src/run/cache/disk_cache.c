// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built code on disk: two stores for the process, opened when one is first asked for and never
// closed, so that no thread can be using them when they go.
#include "base/config.h"
#include "base/store_value.h"
#include "run/cache/cache.h"

#include <pthread.h>

enum { VALUE_MAXIMUM = 1 << 30, WAIT_MS = 30000 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static tn_store *store;   // immutable after `once`
static pthread_once_t source_once = PTHREAD_ONCE_INIT;
static tn_store *sources;  // immutable after `source_once`

static tn_store *open_named(const char *name) {
  const tn_config *config = tn_config_get();
  return config->cache
             ? tn_store_open(config->cache_dir, name, (uint64_t)config->cache_mib * 1024 * 1024,
                             TN_STORE_SYNC)
             : NULL;
}

static void open_store(void) { store = open_named(TN_DISK_CACHE_NAME); }
static void open_sources(void) { sources = open_named(TN_DISK_CACHE_SOURCE_NAME); }

tn_store *tn_disk_cache_store(void) {
  (void)pthread_once(&once, open_store);
  return store;
}

tn_store *tn_disk_cache_source_store(void) {
  (void)pthread_once(&source_once, open_sources);
  return sources;
}

static tn_store *store_of(const tn_disk_item *item) {
  return item->is_source ? tn_disk_cache_source_store() : tn_disk_cache_store();
}

void tn_disk_item_init(tn_disk_item *item) {
  *item = (tn_disk_item){.is_claimed = false};
  tn_buf_init(&item->bytes, VALUE_MAXIMUM);
}

static void end_claim(tn_disk_item *item) {
  if (item->is_claimed) {
    tn_store_release_claim(store_of(item), &item->claim);
    item->is_claimed = false;
  }
}

void tn_disk_item_deinit(tn_disk_item *item) {
  end_claim(item);
  tn_buf_deinit(&item->bytes);
  item->content = (tn_bytes){NULL, 0};
}

bool tn_disk_cache_find(const uint8_t key[TN_STORE_KEY_SIZE], tn_disk_item *item) {
  bool has_waited = false;
  const tn_store_found found = tn_store_get_or_claim(store_of(item), key, WAIT_MS, &item->bytes,
                                                     &item->claim, &has_waited);
  tn_str description;
  item->is_claimed = found == TN_STORE_CLAIMED;
  const bool is_hit = found == TN_STORE_HIT &&
                      tn_store_value_read(tn_buf_bytes(&item->bytes), &description, &item->content);
  tn_cache_count(is_hit ? TN_CACHE_DISK_HITS : TN_CACHE_DISK_MISSES);
  if (is_hit && has_waited) {
    tn_cache_count(TN_CACHE_DISK_WAITS);
  }
  return is_hit;
}

void tn_disk_cache_keep(const uint8_t key[TN_STORE_KEY_SIZE], tn_disk_item *item,
                        tn_str description, tn_bytes content) {
  tn_buf value;
  tn_buf_init(&value, VALUE_MAXIMUM);
  tn_store_value_write(&value, description, content);
  if (value.failed == TN_OK && tn_store_put(store_of(item), key, tn_buf_bytes(&value))) {
    tn_cache_count(TN_CACHE_DISK_WRITES);
  }
  tn_buf_deinit(&value);
  end_claim(item);
}
