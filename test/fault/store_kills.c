// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writers of a store are killed at random points; afterwards every entry is whole or missed.
// Usage: store_kills [<times> [<folder for the store>]]: so often in the middle of a write.
// With slow_writes preloaded most of them are.
#include "fault/fault_world.h"

enum { KEYS = 40, BOUND = 1 << 20 };  // about half of what all values take

// Reads and writes until it is killed; ends by itself only when something is wrong.
static void write_for_ever(uint64_t seed) {
  fault_seed += seed * 0x9e3779b97f4a7c15u;
  tn_store *store = tn_store_open(fault_root, "killed", BOUND, seed % 2 == 0 ? TN_STORE_SYNC : 0);
  while (store) {
    const uint32_t number = fault_random(KEYS);
    if (fault_random(4) == 0 && fault_get(store, number) == FAULT_WRONG) {
      _exit(3);
    }
    fault_put(store, number);
  }
  _exit(4);
}

static size_t count_hits(tn_store *store) {
  size_t hits = 0;
  for (uint32_t i = 0; i < KEYS; i++) {
    const fault_answer answer = fault_get(store, i);
    CHECK(answer != FAULT_WRONG, "entry %u has other bytes than were put", i);
    hits += answer == FAULT_HIT;
  }
  return hits;
}

int main(int argc, char **argv) {
  const uint32_t times = fault_number(argc, argv, 1, 100);
  fault_open_root_in(argc > 2 ? argv[2] : NULL);
  const double start = fault_seconds();
  tn_store *store = tn_store_open(fault_root, "killed", BOUND, 0);
  NEED(store);
  size_t hits = 0;
  size_t cut = 0;
  size_t temps = 0;
  uint32_t kills = 0;
  for (; cut < times && kills < 100 * times && fault_failures == 0; kills++) {
    const pid_t child = fork();
    NEED(child >= 0);
    if (child == 0) {
      write_for_ever(kills + 1);
    }
    fault_sleep_us(fault_random(getenv("LD_PRELOAD") ? 60000 : 6000));
    (void)kill(child, SIGKILL);
    const int ended = fault_wait(child);
    CHECK(ended == 128 + SIGKILL, "a writer ended with %d", ended);
    const size_t now = fault_count("killed").temps;
    cut += now > temps;
    temps = now;
    hits += count_hits(store);
  }
  CHECK(hits > 0, "no entry was ever found: nothing was tested");
  CHECK(cut == times, "only %zu writers were killed while they wrote", cut);
  // The next who looks after a day takes away what was left behind.
  fault_age("killed", 2 * 86400);
  tn_store_close(store);
  store = tn_store_open(fault_root, "killed", BOUND, 0);
  fault_put(store, 1);
  CHECK(fault_count("killed").temps == 0, "%zu leftovers stay", fault_found.temps);
  for (uint32_t i = 0; i < 8; i++) {
    fault_put(store, i + 1);
    CHECK(fault_get(store, i + 1) == FAULT_HIT, "entry %u cannot be kept afterwards", i + 1);
  }
  tn_store_close(store);
  printf(
      "%u writers killed, %zu of them while an entry was being written; %zu entries read "
      "afterwards, %zu leftovers swept; %.1f s\n",
      kills, cut, hits, temps, fault_seconds() - start);
  return fault_close_root();
}
