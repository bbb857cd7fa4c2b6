// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open addressing with linear probing; removal moves the followers back, so there are no graves.
#include "base/map.h"

enum { FIRST_CAPACITY = 16 };

void tn_map_init(tn_map *map) { *map = (tn_map){NULL, 0, 0}; }

void tn_map_deinit(tn_map *map) {
  for (size_t i = 0; i < map->capacity; i++) {
    tn_free(map->entries[i].key);
  }
  tn_free(map->entries);
  tn_map_init(map);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tn_hash_bytes is part of formats");

// Each step can be undone, so a difference in one word reaches the end.
static uint64_t mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  return h;
}

uint64_t tn_hash_bytes(const void *data, size_t size, uint64_t seed) {
  const unsigned char *bytes = data;
  uint64_t h = mix(seed + 0x2545f4914f6cdd1du + size);
  size_t left = size;
  while (left >= sizeof(uint64_t)) {
    uint64_t word = 0;
    memcpy(&word, bytes, sizeof(word));
    h = mix(h ^ word);
    bytes += sizeof(word);
    left -= sizeof(word);
  }
  if (left > 0) {
    uint64_t word = 0;
    memcpy(&word, bytes, left);
    h = mix(h ^ word);
  }
  return mix(h);
}

// The entry of the key, or the empty slot where it would go. There is always an empty slot.
static tn_map_entry *find_slot(tn_map_entry *entries, size_t capacity, tn_str key, uint64_t hash) {
  size_t i = hash & (capacity - 1);
  while (entries[i].key) {
    const tn_map_entry *entry = &entries[i];
    if (entry->hash == hash && tn_str_equals((tn_str){entry->key, entry->key_size}, key)) {
      break;
    }
    i = (i + 1) & (capacity - 1);
  }
  return &entries[i];
}

void *tn_map_find(const tn_map *map, tn_str key) {
  if (map->count == 0) {
    return NULL;
  }
  const uint64_t hash = tn_hash_bytes(key.data, key.size, 0);
  const tn_map_entry *entry = find_slot(map->entries, map->capacity, key, hash);
  return entry->key ? entry->value : NULL;
}

static bool grow(tn_map *map) {
  const size_t capacity = map->capacity == 0 ? FIRST_CAPACITY : map->capacity * 2;
  tn_map_entry *entries = tn_alloc_array(capacity, sizeof(*entries));
  if (!entries) {
    return false;
  }
  for (size_t i = 0; i < map->capacity; i++) {
    const tn_map_entry *old = &map->entries[i];
    if (old->key) {
      *find_slot(entries, capacity, (tn_str){old->key, old->key_size}, old->hash) = *old;
    }
  }
  tn_free(map->entries);
  map->entries = entries;
  map->capacity = capacity;
  return true;
}

bool tn_map_set(tn_map *map, tn_str key, void *value) {
  const uint64_t hash = tn_hash_bytes(key.data, key.size, 0);
  if (map->count > 0) {
    tn_map_entry *entry = find_slot(map->entries, map->capacity, key, hash);
    if (entry->key) {
      entry->value = value;
      return true;
    }
  }
  // At most three quarters full.
  if ((map->count + 1) * 4 > map->capacity * 3 && !grow(map)) {
    return false;
  }
  char *copy = tn_str_copy(key);
  if (!copy) {
    return false;
  }
  tn_map_entry *entry = find_slot(map->entries, map->capacity, key, hash);
  *entry = (tn_map_entry){.key = copy, .key_size = key.size, .hash = hash, .value = value};
  map->count++;
  return true;
}

void *tn_map_remove(tn_map *map, tn_str key) {
  if (map->count == 0) {
    return NULL;
  }
  const uint64_t hash = tn_hash_bytes(key.data, key.size, 0);
  tn_map_entry *entry = find_slot(map->entries, map->capacity, key, hash);
  if (!entry->key) {
    return NULL;
  }
  void *value = entry->value;
  tn_free(entry->key);
  const size_t mask = map->capacity - 1;
  size_t hole = (size_t)(entry - map->entries);
  for (size_t i = (hole + 1) & mask; map->entries[i].key; i = (i + 1) & mask) {
    // An entry may fill the hole when its home does not lie between the hole and itself.
    const size_t home = map->entries[i].hash & mask;
    if (((i - home) & mask) >= ((i - hole) & mask)) {
      map->entries[hole] = map->entries[i];
      hole = i;
    }
  }
  map->entries[hole] = (tn_map_entry){0};
  map->count--;
  return value;
}

const tn_map_entry *tn_map_next(const tn_map *map, size_t *cursor) {
  while (*cursor < map->capacity) {
    const tn_map_entry *entry = &map->entries[(*cursor)++];
    if (entry->key) {
      return entry;
    }
  }
  return NULL;
}
