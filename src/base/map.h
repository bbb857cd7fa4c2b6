// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash map from byte strings to pointers. Keys are copied. Guarded by its owner.
#ifndef TN_BASE_MAP_H
#define TN_BASE_MAP_H

#include "base/alloc.h"
#include "base/str.h"

typedef struct tn_map_entry {
  char *key;  // owned, NUL-terminated; NULL marks an empty slot
  size_t key_size;
  uint64_t hash;
  void *value;  // borrowed from the user
} tn_map_entry;

typedef struct tn_map {
  tn_map_entry *entries;  // owned
  size_t capacity;        // 0 or a power of two
  size_t count;
} tn_map;

void tn_map_init(tn_map *map);
void tn_map_deinit(tn_map *map);  // frees keys, not values
void *tn_map_find(const tn_map *map, tn_str key);  // NULL when absent
// Adds or replaces; false when there is no memory (the map is unchanged).
TN_MUST_USE bool tn_map_set(tn_map *map, tn_str key, void *value);
void *tn_map_remove(tn_map *map, tn_str key);  // the value that was there, or NULL
// Walks: start with *cursor = 0; NULL at the end. No changes while walking.
const tn_map_entry *tn_map_next(const tn_map *map, size_t *cursor);

// Fast, not for security. Inputs of one size that differ in one 64-bit word only have
// different values. File formats carry it (docs/formats/fat-binary.md): it must not change.
uint64_t tn_hash_bytes(const void *data, size_t size, uint64_t seed);

#endif
