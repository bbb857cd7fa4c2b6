// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The build cache's state machine.
//
//   (absent) ──get: first caller──▶ BUILDING ──ok──▶ DONE ──evicted, forgotten──▶ (absent)
//                                       │    put ─────▲
//                                       └──failed──▶ FAILED: off the map, kept by its waiters
//
// Invariants
// 1. An entry in the map is BUILDING or DONE. A DONE entry holds one reference to its value.
// 2. An entry is freed when it is out of the map and nobody builds or waits (users == 0).
// 3. The builder works without the lock; only it moves its entry out of BUILDING.
#include "run/cache/cache.h"

#include "base/config.h"
#include "base/log.h"

// SYCL_CACHE_TRACE=1 asks for the lines of the disk alone.
#define TRACE(...)                                                   \
  do {                                                               \
    if (tn_config_get()->cache_trace != TN_CACHE_TRACE_DISK) {       \
      TN_LOG(cache, __VA_ARGS__);                                    \
    }                                                                \
  } while (0)

typedef enum entry_state { ENTRY_BUILDING, ENTRY_DONE, ENTRY_FAILED } entry_state;

// All fields are guarded by the cache's lock; name is immutable.
struct tn_cache_entry {
  tn_cache_entry *next_same_name;
  tn_cache_entry *newer;  // in the order of use, when DONE
  tn_cache_entry *older;
  char *name;  // owned
  size_t name_size;
  uint64_t module;
  uint64_t options;
  const void *device;
  uint64_t owner;
  entry_state state;
  bool is_mapped;
  bool is_forgotten;  // its owner went while it was being built
  size_t users;       // the builder and those who wait
  void *value;        // owned reference when DONE
  void *dropped_value;  // owned reference on the way out
  tn_cond changed;
  tn_diag diag;  // when FAILED
};

static tn_str entry_name(const tn_cache_entry *entry) {
  return (tn_str){entry->name, entry->name_size};
}

static tn_cache_entry *entry_create(const tn_cache_key *key, uint64_t owner, entry_state state) {
  tn_cache_entry *entry = tn_alloc(sizeof(*entry));
  char *name = tn_str_copy(key->name);
  if (!entry || !name) {
    tn_free(entry);
    tn_free(name);
    return NULL;
  }
  entry->name = name;
  entry->name_size = key->name.size;
  entry->module = key->module;
  entry->options = key->options;
  entry->device = key->device;
  entry->owner = owner;
  entry->state = state;
  tn_cond_init(&entry->changed);
  return entry;
}

static void entry_destroy(tn_cache_entry *entry) {
  tn_cond_deinit(&entry->changed);
  tn_free(entry->name);
  tn_free(entry);
}

static tn_cache_entry *find(tn_cache *cache, const tn_cache_key *key) TN_REQUIRES(&cache->mu) {
  tn_cache_entry *entry = tn_map_find(&cache->names, key->name);
  while (entry && (entry->module != key->module || entry->options != key->options ||
                   entry->device != key->device)) {
    entry = entry->next_same_name;
  }
  return entry;
}

// An empty map keeps no memory.
static void trim_names(tn_cache *cache) TN_REQUIRES(&cache->mu) {
  if (cache->names.count == 0) {
    tn_map_deinit(&cache->names);
  }
}

static bool map_entry(tn_cache *cache, tn_cache_entry *entry) TN_REQUIRES(&cache->mu) {
  entry->next_same_name = tn_map_find(&cache->names, entry_name(entry));
  entry->is_mapped = tn_map_set(&cache->names, entry_name(entry), entry);
  trim_names(cache);
  return entry->is_mapped;
}

static void unmap_entry(tn_cache *cache, tn_cache_entry *entry) TN_REQUIRES(&cache->mu) {
  tn_cache_entry *first = tn_map_find(&cache->names, entry_name(entry));
  if (first != entry) {
    while (first->next_same_name != entry) {
      first = first->next_same_name;
    }
    first->next_same_name = entry->next_same_name;
  } else if (entry->next_same_name) {
    // Replacing the value of a key that is there takes no memory.
    const bool replaced = tn_map_set(&cache->names, entry_name(entry), entry->next_same_name);
    (void)TN_ALWAYS(replaced);
  } else {
    (void)tn_map_remove(&cache->names, entry_name(entry));
  }
  trim_names(cache);
  entry->is_mapped = false;
}

static void use_unlink(tn_cache *cache, tn_cache_entry *entry) TN_REQUIRES(&cache->mu) {
  *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
  *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
  entry->newer = entry->older = NULL;
}

static void use_link(tn_cache *cache, tn_cache_entry *entry) TN_REQUIRES(&cache->mu) {
  entry->older = cache->newest;
  *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
  cache->newest = entry;
}

static size_t size_of(const tn_cache *cache, const void *value) {
  return cache->size ? cache->size(value) : 0;
}

// Takes a finished entry out; its value's reference goes to the caller.
static void *drop_done(tn_cache *cache, tn_cache_entry *entry) TN_REQUIRES(&cache->mu) {
  void *value = entry->value;
  entry->value = NULL;
  use_unlink(cache, entry);
  unmap_entry(cache, entry);
  cache->count--;
  cache->bytes -= size_of(cache, value);
  return value;
}

// Takes a finished entry out and puts it before the chain, which holds a use of each.
static tn_cache_entry *drop_to_chain(tn_cache *cache, tn_cache_entry *entry, tn_cache_entry *chain)
    TN_REQUIRES(&cache->mu) {
  entry->users++;
  entry->dropped_value = drop_done(cache, entry);
  entry->next_same_name = chain;
  return entry;
}

// Makes room; what must be released is the caller's to release, outside the lock.
static tn_cache_entry *evict(tn_cache *cache) TN_REQUIRES(&cache->mu) {
  tn_cache_entry *dropped = NULL;
  while (cache->oldest && (cache->count > cache->maximum ||
                           (cache->size && cache->bytes > cache->maximum_bytes))) {
    TRACE("%s: %zu entries are one too many, the least recently used one goes", cache->ops->what,
          cache->count);
    dropped = drop_to_chain(cache, cache->oldest, dropped);
    tn_cache_count(TN_CACHE_EVICTIONS);
  }
  return dropped;
}

// The value of a finished entry, retained, and the entry counts as used last.
static void *use_done(tn_cache *cache, tn_cache_entry *entry) TN_REQUIRES(&cache->mu) {
  use_unlink(cache, entry);
  use_link(cache, entry);
  cache->ops->retain(entry->value);
  return entry->value;
}

static void set_done(tn_cache *cache, tn_cache_entry *entry, void *value) TN_REQUIRES(&cache->mu) {
  entry->state = ENTRY_DONE;
  entry->value = value;
  use_link(cache, entry);
  cache->count++;
  cache->bytes += size_of(cache, value);
}

static void count_miss(const tn_cache *cache) {
  if (cache->ops->is_last) {
    tn_cache_count(TN_CACHE_MEMORY_MISSES);
  }
}

// SYCL_CACHE_IN_MEM=0: everybody builds for himself, and nothing is entered.
static bool is_off(void) { return !tn_config_get()->cache_in_memory; }

void *tn_cache_find(tn_cache *cache, const tn_cache_key *key) {
  void *value = NULL;
  if (is_off()) {
    return NULL;
  }
  tn_mutex_lock(&cache->mu);
  tn_cache_entry *entry = find(cache, key);
  if (entry && entry->state == ENTRY_DONE) {
    value = use_done(cache, entry);
    tn_cache_count(TN_CACHE_MEMORY_HITS);
  }
  tn_mutex_unlock(&cache->mu);
  return value;
}

// Gives up one use of an entry that may be out of the map already.
static void leave(tn_cache_entry *entry) {
  if (--entry->users == 0 && !entry->is_mapped) {
    entry_destroy(entry);
  }
}

static void release_chain(tn_cache *cache, tn_cache_entry *dropped) {
  while (dropped) {
    tn_cache_entry *next = dropped->next_same_name;
    cache->ops->release(dropped->dropped_value);
    tn_mutex_lock(&cache->mu);
    leave(dropped);
    tn_mutex_unlock(&cache->mu);
    dropped = next;
  }
}

// The waiter's path. The value may have been evicted between the signal and now: then *out stays
// NULL with TN_OK, and the caller looks again.
static tn_status wait_for(tn_cache *cache, tn_cache_entry *entry, void **out, tn_diag *diag)
    TN_REQUIRES(&cache->mu) {
  entry->users++;
  while (entry->state == ENTRY_BUILDING) {
    tn_cond_wait(&entry->changed, &cache->mu);
  }
  tn_status status = TN_OK;
  if (entry->state == ENTRY_FAILED) {
    status = (tn_status)entry->diag.code;
    if (diag) {
      *diag = entry->diag;
    }
  } else if (entry->value) {
    *out = use_done(cache, entry);
  }
  leave(entry);
  return status;
}

// From BUILDING to DONE, with a reference of the value for the caller, or to FAILED.
static void finish(tn_cache *cache, tn_cache_entry *entry, tn_status status, void *value,
                   tn_diag *reason) {
  tn_cache_entry *dropped = NULL;
  tn_mutex_lock(&cache->mu);
  if (status == TN_OK) {
    cache->ops->retain(value);
    set_done(cache, entry, value);
    dropped = entry->is_forgotten ? drop_to_chain(cache, entry, NULL) : evict(cache);
  } else {
    reason->code = (int32_t)status;
    entry->diag = *reason;
    entry->state = ENTRY_FAILED;
    unmap_entry(cache, entry);
  }
  tn_cond_broadcast(&entry->changed);
  leave(entry);
  tn_mutex_unlock(&cache->mu);
  release_chain(cache, dropped);
}

// Finds, waits or makes the entry to build (*out_entry), in one hold of the lock.
static tn_status find_or_begin(tn_cache *cache, const tn_cache_key *key, uint64_t owner,
                               tn_cache_entry **out_entry, void **out, tn_diag *diag) {
  tn_status status = TN_OK;
  tn_mutex_lock(&cache->mu);
  tn_cache_entry *entry = find(cache, key);
  if (entry && entry->state == ENTRY_DONE) {
    *out = use_done(cache, entry);
  } else if (entry) {
    status = wait_for(cache, entry, out, diag);
  } else {
    entry = entry_create(key, owner, ENTRY_BUILDING);
    if (entry && map_entry(cache, entry)) {
      entry->users = 1;
      *out_entry = entry;
    } else {
      status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to enter it into the cache");
      if (entry) {
        entry_destroy(entry);
      }
    }
  }
  tn_mutex_unlock(&cache->mu);
  return status;
}

tn_status tn_cache_get(tn_cache *cache, const tn_cache_key *key, uint64_t owner,
                       tn_cache_build_fn build, void *user, void **out, tn_diag *diag) {
  *out = NULL;
  if (is_off()) {
    count_miss(cache);
    return build(user, out, diag);
  }
  tn_status status = TN_OK;
  while (status == TN_OK && !*out) {
    tn_cache_entry *entry = NULL;
    status = find_or_begin(cache, key, owner, &entry, out, diag);
    if (entry) {
      tn_diag reason = {0};
      count_miss(cache);
      TRACE("%s %.*s: miss in memory", cache->ops->what, TN_STR_ARG(entry_name(entry)));
      status = build(user, out, &reason);
      finish(cache, entry, status, *out, &reason);
      if (status != TN_OK && diag) {
        *diag = reason;
      }
      return status;
    }
  }
  if (status == TN_OK) {
    tn_cache_count(TN_CACHE_MEMORY_HITS);
    TRACE("%s %.*s: found", cache->ops->what, TN_STR_ARG(key->name));
  }
  return status;
}

void tn_cache_put(tn_cache *cache, const tn_cache_key *key, uint64_t owner, void *value) {
  tn_cache_entry *dropped = NULL;
  if (is_off()) {
    return;
  }
  tn_mutex_lock(&cache->mu);
  if (!find(cache, key)) {
    tn_cache_entry *entry = entry_create(key, owner, ENTRY_DONE);
    if (entry && map_entry(cache, entry)) {
      cache->ops->retain(value);
      set_done(cache, entry, value);
      dropped = evict(cache);
    } else if (entry) {
      entry_destroy(entry);
    }
  }
  tn_mutex_unlock(&cache->mu);
  release_chain(cache, dropped);
}

// Takes all finished entries of the owner out, as a chain that holds a use of each.
static tn_cache_entry *drop_owned(tn_cache *cache, uint64_t owner) TN_REQUIRES(&cache->mu) {
  tn_cache_entry *dropped = NULL;
  tn_cache_entry *entry = cache->newest;
  while (entry) {
    tn_cache_entry *older = entry->older;
    if (entry->owner == owner) {
      dropped = drop_to_chain(cache, entry, dropped);
    }
    entry = older;
  }
  return dropped;
}

static void forget_building(tn_cache *cache, uint64_t owner) TN_REQUIRES(&cache->mu) {
  size_t cursor = 0;
  const tn_map_entry *name = tn_map_next(&cache->names, &cursor);
  for (; name; name = tn_map_next(&cache->names, &cursor)) {
    for (tn_cache_entry *entry = name->value; entry; entry = entry->next_same_name) {
      entry->is_forgotten = entry->is_forgotten || entry->owner == owner;
    }
  }
}

void tn_cache_forget(tn_cache *cache, uint64_t owner) {
  tn_mutex_lock(&cache->mu);
  tn_cache_entry *dropped = drop_owned(cache, owner);
  forget_building(cache, owner);
  tn_mutex_unlock(&cache->mu);
  release_chain(cache, dropped);
}

// Nobody builds for the device any more.
void tn_cache_forget_device(tn_cache *cache, const void *device) {
  tn_cache_entry *dropped = NULL;
  tn_mutex_lock(&cache->mu);
  for (tn_cache_entry *entry = cache->newest; entry;) {
    tn_cache_entry *older = entry->older;
    if (entry->device == device) {
      dropped = drop_to_chain(cache, entry, dropped);
    }
    entry = older;
  }
  tn_mutex_unlock(&cache->mu);
  release_chain(cache, dropped);
}

size_t tn_cache_size(tn_cache *cache) {
  tn_mutex_lock(&cache->mu);
  const size_t count = cache->count;
  tn_mutex_unlock(&cache->mu);
  return count;
}
