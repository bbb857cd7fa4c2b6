// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache in memory of things that are slow to build: one thread builds, the others wait for the
// same result or the same diagnosis. Keys nest as in seed 000: {name} → {module, options, device}.
#ifndef TN_RUN_CACHE_CACHE_H
#define TN_RUN_CACHE_CACHE_H

#include "base/map.h"
#include "base/store.h"
#include "base/thread.h"

typedef struct tn_cache_key {
  tn_str name;      // outer key; copied
  uint64_t module;  // inner key
  uint64_t options;
  const void *device;
} tn_cache_key;

// Values are counted by their owner's functions. retain may be called with the cache's lock held
// and must not block; release is never called under it.
typedef struct tn_cache_ops {
  const char *what;  // for the log
  void (*retain)(void *value);
  void (*release)(void *value);
  bool is_last;  // what it builds is looked for in no other cache: it counts as missed
} tn_cache_ops;

typedef struct tn_cache_entry tn_cache_entry;

// Static storage or a field; TN_CACHE_INIT. All functions: any thread, several at a time.
typedef struct tn_cache {
  tn_mutex mu;
  const tn_cache_ops *ops;  // immutable
  size_t maximum;           // immutable: entries kept; the least recently used one goes
  // Immutable; not NULL: what a value takes, which never changes. All finished ones together take
  // no more than maximum_bytes. Called with the lock held.
  size_t (*size)(const void *value);
  size_t maximum_bytes;
  tn_map names TN_GUARDED_BY(&mu);  // name → chain of entries
  size_t count TN_GUARDED_BY(&mu);  // finished entries
  size_t bytes TN_GUARDED_BY(&mu);  // what their values take, where that is known
  tn_cache_entry *newest TN_GUARDED_BY(&mu);  // finished entries by last use
  tn_cache_entry *oldest TN_GUARDED_BY(&mu);
} tn_cache;
#define TN_CACHE_INIT(cache_ops, cache_maximum)                        \
  {.mu = TN_MUTEX_INIT(TN_RANK_PROGRAM_CACHE), .ops = (cache_ops),     \
   .maximum = (cache_maximum)}
#define TN_CACHE_INIT_SIZED(cache_ops, cache_maximum, cache_size, cache_bytes) \
  {.mu = TN_MUTEX_INIT(TN_RANK_PROGRAM_CACHE), .ops = (cache_ops),             \
   .maximum = (cache_maximum), .size = (cache_size), .maximum_bytes = (cache_bytes)}

// The value, retained for the caller; NULL when it is not there or still being built.
void *tn_cache_find(tn_cache *cache, const tn_cache_key *key);

// Makes the value; called with no lock held. The value's one reference goes to the cache.
typedef tn_status (*tn_cache_build_fn)(void *user, void **out, tn_diag *diag);
// Finds the value, waits for it, or builds it; retained for the caller. When the build fails, all
// who waited for it get its diagnosis, and the next caller builds again: what was missing may have
// been loaded since. `owner` is whom tn_cache_forget names.
TN_MUST_USE tn_status tn_cache_get(tn_cache *cache, const tn_cache_key *key, uint64_t owner,
                                   tn_cache_build_fn build, void *user, void **out, tn_diag *diag);
// Enters a finished value (which the cache retains) unless the key is there. A cache may forget, so
// a lack of memory only means that it does not remember.
void tn_cache_put(tn_cache *cache, const tn_cache_key *key, uint64_t owner, void *value);
// Drops all finished entries of an owner; an entry being built is dropped when it is finished.
void tn_cache_forget(tn_cache *cache, uint64_t owner);
// Drops all finished entries whose keys have the device; none is being built.
void tn_cache_forget_device(tn_cache *cache, const void *device);
size_t tn_cache_size(tn_cache *cache);  // finished entries

// Built code on disk (docs/formats/disk-cache.md): the store, or NULL when there is none. As for
// all stores, nothing that goes wrong there is an error.
#define TN_DISK_CACHE_NAME "program"
tn_store *tn_disk_cache_store(void);
// What run-time compilation made of sources, in a store of its own.
#define TN_DISK_CACHE_SOURCE_NAME "source"
tn_store *tn_disk_cache_source_store(void);

// One thing on its way out of the store or into it. Storage is the caller's; one thread.
typedef struct tn_disk_item {
  tn_buf bytes;      // owned
  tn_bytes content;  // of them, when it was found
  tn_store_claim claim;
  bool is_claimed;  // others wait for what this one makes
  bool is_source;   // set after init: it is of tn_disk_cache_source_store
} tn_disk_item;
void tn_disk_item_init(tn_disk_item *item);
void tn_disk_item_deinit(tn_disk_item *item);  // also gives up the claim
// Fills item->content; waits for who is just making it, for a bounded time. False: it is to be
// made, and to be kept if that succeeds.
bool tn_disk_cache_find(const uint8_t key[TN_STORE_KEY_SIZE], tn_disk_item *item);
// In the place of what may be there; ends the claim. `description`: for people.
void tn_disk_cache_keep(const uint8_t key[TN_STORE_KEY_SIZE], tn_disk_item *item,
                        tn_str description, tn_bytes content);

// The counts of tenon/cache.h.
typedef enum tn_cache_counter {
  TN_CACHE_MEMORY_HITS,
  TN_CACHE_MEMORY_MISSES,
  TN_CACHE_EVICTIONS,
  TN_CACHE_DISK_HITS,
  TN_CACHE_DISK_MISSES,
  TN_CACHE_DISK_WAITS,
  TN_CACHE_DISK_WRITES,
  TN_CACHE_BUILDS,
  TN_CACHE_SOURCE_BUILDS,
  TN_CACHE_COUNTS,
} tn_cache_counter;
void tn_cache_count(tn_cache_counter counter);

#endif
