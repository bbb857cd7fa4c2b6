// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every truncation of an entry, random flips of its bits, and other damage: a miss each time, and
// the entry goes.
// Usage: store_damage [<flips> [<seed>]]
#include "fault/fault_world.h"

enum { COUNT = 4 };
// 0 bytes of value, a few, some pages, some hundred pages.
static const uint32_t numbers[COUNT] = {0 + 1, 21 * 8 + 5, 3, 8};

typedef struct entry {
  uint32_t number;
  uint8_t key[TN_STORE_KEY_SIZE];
  char path[FAULT_PATH];
  char *bytes;
  size_t size;
} entry;

static tn_store *store;

static void take(entry *e, uint32_t number) {
  tn_diag diag = {0};
  e->number = number;
  fault_key(number, e->key);
  fault_put(store, number);
  (void)snprintf(e->path, sizeof(e->path), "%s", fault_entry_path("damaged", e->key));
  NEED(tn_file_read(e->path, FAULT_LARGE, &e->bytes, &e->size, &diag) == TN_OK);
  NEED(e->size > fault_size(number));
}

static void write_entry(const entry *e, const char *bytes, size_t size) {
  const int fd = open(e->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  NEED(fd >= 0);
  NEED(write(fd, bytes, size) == (ssize_t)size);
  NEED(close(fd) == 0);
}

// False when the damage was not noticed.
static bool is_missed(const entry *e, const char *what, size_t at) {
  const fault_answer answer = fault_get(store, e->number);
  // With another version it may be another Tenon's.
  const bool is_others = strcmp(what, "a bit flipped") == 0 && at >= 4 && at < 8;
  const bool is_gone = is_others || access(e->path, F_OK) != 0;
  CHECK(answer == FAULT_MISS, "%s at %zu of %zu: %s", what, at, e->size,
        answer == FAULT_HIT ? "a hit" : "a hit with wrong bytes");
  CHECK(is_gone, "%s at %zu of %zu: the entry stays", what, at, e->size);
  return answer == FAULT_MISS && is_gone;
}

static size_t truncate_all(const entry *e) {
  size_t missed = 0;
  // Of a large one all of the first pages, then one of each 997.
  for (size_t size = 0; size < e->size; size += size < 20000 ? 1 : 997) {
    write_entry(e, e->bytes, size);
    missed += is_missed(e, "cut off", size);
  }
  return missed;
}

static size_t flip(entry *e, uint32_t flips) {
  size_t missed = 0;
  for (uint32_t i = 0; i < flips && fault_failures < 20; i++) {
    // A third of them in the header.
    const size_t at = fault_random(i % 3 == 0 ? 64 : (uint32_t)e->size) % e->size;
    const char bit = (char)(1 << fault_random(8));
    e->bytes[at] ^= bit;
    write_entry(e, e->bytes, e->size);
    e->bytes[at] ^= bit;
    missed += is_missed(e, "a bit flipped", at);
  }
  return missed;
}

// What disks and copies do: pages of zeros or of another place, bytes behind the end, another's
// entry under the name.
static void damage_by_blocks(entry *e, const entry *other) {
  char *bytes = malloc(e->size + 4096);
  NEED(bytes);
  for (size_t at = 0; at < e->size; at += 512) {
    const size_t size = e->size - at < 512 ? e->size - at : 512;
    memcpy(bytes, e->bytes, e->size);
    memset(bytes + at, 0, size);
    if (memcmp(bytes, e->bytes, e->size) != 0) {
      write_entry(e, bytes, e->size);
      (void)is_missed(e, "zeros", at);
    }
    memcpy(bytes + at, e->bytes, size);
    if (memcmp(bytes, e->bytes, e->size) != 0) {
      write_entry(e, bytes, e->size);
      (void)is_missed(e, "the first block", at);
    }
  }
  memcpy(bytes, e->bytes, e->size);
  memset(bytes + e->size, 0, 4096);
  for (size_t more = 1; more <= 4096; more *= 2) {
    write_entry(e, bytes, e->size + more);
    (void)is_missed(e, "more bytes", more);
  }
  write_entry(e, other->bytes, other->size);
  (void)is_missed(e, "another's entry", 0);
  free(bytes);
}

int main(int argc, char **argv) {
  const uint32_t flips = fault_number(argc, argv, 1, 10000);
  fault_seed += fault_number(argc, argv, 2, 0) * 0x9e3779b97f4a7c15u;
  fault_open_root();
  const double start = fault_seconds();
  store = tn_store_open(fault_root, "damaged", FAULT_LARGE, 0);
  NEED(store);
  entry entries[COUNT];
  size_t cut = 0;
  size_t flipped = 0;
  for (size_t i = 0; i < COUNT; i++) {
    take(&entries[i], numbers[i]);
    CHECK(fault_get(store, numbers[i]) == FAULT_HIT, "an entry as it was put is a miss");
  }
  for (size_t i = 0; i < COUNT; i++) {
    cut += truncate_all(&entries[i]);
    flipped += flip(&entries[i], flips / COUNT);
    damage_by_blocks(&entries[i], &entries[(i + 1) % COUNT]);
    // The bytes as they were are a hit: it is the damage that was missed.
    write_entry(&entries[i], entries[i].bytes, entries[i].size);
    CHECK(fault_get(store, numbers[i]) == FAULT_HIT, "an entry that was put back is a miss");
  }
  for (size_t i = 0; i < COUNT; i++) {
    tn_free(entries[i].bytes);
  }
  tn_store_close(store);
  printf("%zu truncations and %zu flipped bits of %d entries, each a miss; %.1f s\n", cut, flipped,
         COUNT, fault_seconds() - start);
  return fault_close_root();
}
