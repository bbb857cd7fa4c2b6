// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chained hashing over the descriptors' addresses.
#include "run/registry/module_index.h"

#include "base/alloc.h"

static tn_module_entry *const *buckets_of(const tn_module_index *index, size_t *out_capacity) {
  *out_capacity = index->many ? index->capacity : TN_MODULE_INDEX_FIRST;
  return index->many ? index->many : index->few;
}

static size_t place_of(const tn_module *module, size_t capacity) {
  const uint64_t mixed = ((uint64_t)(uintptr_t)module >> 3) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(mixed >> 32) & (capacity - 1);
}

static void insert(tn_module_entry **buckets, size_t capacity, tn_module_entry *entry) {
  tn_module_entry **bucket = &buckets[place_of(entry->module, capacity)];
  entry->chain = *bucket;
  *bucket = entry;
}

static void grow(tn_module_index *index) {
  size_t capacity = 0;
  tn_module_entry *const *old = buckets_of(index, &capacity);
  tn_module_entry **wider = tn_alloc_array(4 * capacity, sizeof(tn_module_entry *));
  if (!wider) {
    return;
  }
  for (size_t i = 0; i < capacity; i++) {
    for (tn_module_entry *entry = old[i]; entry;) {
      tn_module_entry *next = entry->chain;
      insert(wider, 4 * capacity, entry);
      entry = next;
    }
  }
  tn_free(index->many);
  index->many = wider;
  index->capacity = 4 * capacity;
}

void tn_module_index_add(tn_module_index *index, tn_module_entry *entry) {
  size_t capacity = 0;
  (void)buckets_of(index, &capacity);
  if (index->count >= capacity) {
    grow(index);
  }
  if (index->many) {
    insert(index->many, index->capacity, entry);
  } else {
    insert(index->few, TN_MODULE_INDEX_FIRST, entry);
  }
  index->count++;
}

void tn_module_index_remove(tn_module_index *index, tn_module_entry *entry) {
  tn_module_entry **at = index->many ? &index->many[place_of(entry->module, index->capacity)]
                                     : &index->few[place_of(entry->module, TN_MODULE_INDEX_FIRST)];
  while (*at && *at != entry) {
    at = &(*at)->chain;
  }
  if (!*at) {
    return;
  }
  *at = entry->chain;
  if (--index->count == 0) {
    tn_free(index->many);
    *index = (tn_module_index){0};
  }
}

tn_module_entry *tn_module_index_find(const tn_module_index *index, const tn_module *module) {
  size_t capacity = 0;
  tn_module_entry *const *buckets = buckets_of(index, &capacity);
  tn_module_entry *entry = buckets[place_of(module, capacity)];
  while (entry && entry->module != module) {
    entry = entry->chain;
  }
  return entry;
}
