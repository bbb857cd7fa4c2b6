// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sorted table of USM allocations. One table serves all contexts: addresses are unique in a
// process, so a pointer of a foreign context is found and named instead of being unknown.
#include "run/memory/usm_table.h"

#include "base/alloc.h"

static tn_mutex table_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static tn_usm_entry *heads[TN_USM_LEVELS] TN_GUARDED_BY(&table_mu);
static _Atomic uint64_t level_seed = 0x9e3779b97f4a7c15u;

// One level more with a chance of one in four.
static uint32_t draw_level_count(void) {
  uint64_t x = atomic_fetch_add_explicit(&level_seed, 0x9e3779b97f4a7c15u, memory_order_relaxed);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  uint32_t count = 1;
  while (count < TN_USM_LEVELS && (x & 3) == 0) {
    count++;
    x >>= 2;
  }
  return count;
}

tn_usm_entry *tn_usm_entry_create(void) {
  const uint32_t count = draw_level_count();
  tn_usm_entry *entry = tn_alloc(sizeof(tn_usm_entry) + count * sizeof(tn_usm_entry *));
  if (entry != NULL) {
    entry->level_count = count;
  }
  return entry;
}

// For each level, the link behind which an entry of `base` belongs.
static void find_links(uintptr_t base, tn_usm_entry **links[TN_USM_LEVELS]) TN_REQUIRES(&table_mu) {
  tn_usm_entry *before = NULL;
  for (size_t i = TN_USM_LEVELS; i > 0; i--) {
    tn_usm_entry **link = before != NULL ? &before->next[i - 1] : &heads[i - 1];
    while (*link != NULL && (*link)->base < base) {
      before = *link;
      link = &before->next[i - 1];
    }
    links[i - 1] = link;
  }
}

static void insert(tn_usm_entry *entry, tn_usm_entry **links[TN_USM_LEVELS])
    TN_REQUIRES(&table_mu) {
  for (size_t i = 0; i < entry->level_count; i++) {
    entry->next[i] = *links[i];
    *links[i] = entry;
  }
}

void tn_usm_table_add(tn_usm_entry *take_entry) {
  tn_usm_entry **links[TN_USM_LEVELS];
  tn_mutex_lock(&table_mu);
  find_links(take_entry->base, links);
  insert(take_entry, links);
  tn_mutex_unlock(&table_mu);
}

// The last entry that begins at `address` or before.
static const tn_usm_entry *find_before(uintptr_t address) TN_REQUIRES(&table_mu) {
  const tn_usm_entry *best = NULL;
  for (size_t i = TN_USM_LEVELS; i > 0; i--) {
    const tn_usm_entry *entry = best != NULL ? best->next[i - 1] : heads[i - 1];
    while (entry != NULL && entry->base <= address) {
      best = entry;
      entry = entry->next[i - 1];
    }
  }
  return best;
}

bool tn_usm_table_add_apart(tn_usm_entry *take_entry) {
  tn_usm_entry **links[TN_USM_LEVELS];
  const uintptr_t base = take_entry->base;
  tn_mutex_lock(&table_mu);
  const tn_usm_entry *last = find_before(base + (take_entry->size - 1));
  const bool is_apart = last == NULL || (last->base < base && base - last->base >= last->size);
  if (is_apart) {
    find_links(base, links);
    insert(take_entry, links);
  }
  tn_mutex_unlock(&table_mu);
  return is_apart;
}

bool tn_usm_table_find(uintptr_t address, tn_usm_entry *out) {
  tn_mutex_lock(&table_mu);
  const tn_usm_entry *best = find_before(address);
  const bool found = best != NULL && address - best->base < best->size;
  if (found) {
    *out = *best;  // without the links behind it
  }
  tn_mutex_unlock(&table_mu);
  return found;
}

tn_usm_entry *tn_usm_table_remove(tn_context *context, uintptr_t base, tn_usm_origin origin) {
  tn_usm_entry **links[TN_USM_LEVELS];
  tn_mutex_lock(&table_mu);
  find_links(base, links);
  tn_usm_entry *entry = *links[0];
  if (entry != NULL && entry->base == base && entry->context == context &&
      entry->origin == origin) {
    for (size_t i = 0; i < entry->level_count; i++) {
      *links[i] = entry->next[i];
    }
  } else {
    entry = NULL;
  }
  tn_mutex_unlock(&table_mu);
  return entry;
}
