// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread waits for an event or a queue: it helps, spins, then sleeps in a parking lot, one of
// a few slots that all objects share by their address. So events need no condition of their own.
//
// No wake-up is lost: the sleeper announces itself, then checks the object; the waker changes the
// object, then checks for sleepers. Both pairs are sequentially consistent, so one sees the other.
#include "run/sched/park.h"

#include "run/sched/graph.h"

enum { SLOT_COUNT = 16, SPIN_NS = 20000, SPIN_ROUND = 64 };

typedef struct park_slot {
  tn_mutex mu;
  tn_cond cond;
  _Atomic uint32_t sleepers;
} park_slot;

// In all slots.
static _Atomic uint32_t sleeper_count;

#define SLOT {TN_MUTEX_INIT(TN_RANK_LEAF), TN_COND_INIT, 0}
#define SLOT4 SLOT, SLOT, SLOT, SLOT
static park_slot slots[SLOT_COUNT] = {SLOT4, SLOT4, SLOT4, SLOT4};

static park_slot *slot_of(const void *what) {
  const uint64_t hash = (uint64_t)(uintptr_t)what * 0x9e3779b97f4a7c15u;
  return &slots[(hash >> 60) % SLOT_COUNT];
}

bool tn_park_help(tn_device *device) {
  return device != NULL && device->api->help(device->adapter_device);
}

// Devices may report completions late; not while a thread sleeps.
static void flush(tn_device *device) {
  if (device != NULL) {
    device->api->flush(device->adapter_device);
  }
}

static bool spin(tn_device *device, const void *what, bool (*is_done)(const void *what)) {
  uint64_t until = tn_time_ns() + SPIN_NS;
  do {
    for (int i = 0; i < SPIN_ROUND; i++) {
      if (is_done(what)) {
        return true;
      }
      tn_thread_pause();
    }
    if (tn_park_help(device)) {
      until = tn_time_ns() + SPIN_NS;
    }
  } while (tn_time_ns() < until);
  return is_done(what);
}

void tn_park_wait(tn_device *device, const void *what, bool (*is_done)(const void *what)) {
  if (is_done(what)) {
    return;
  }
  tn_graph_drain();
  if (spin(device, what, is_done)) {
    return;
  }
  park_slot *slot = slot_of(what);
  atomic_fetch_add_explicit(&sleeper_count, 1, memory_order_seq_cst);
  flush(device);
  tn_mutex_lock(&slot->mu);
  atomic_fetch_add_explicit(&slot->sleepers, 1, memory_order_seq_cst);
  while (!is_done(what)) {
    tn_cond_wait(&slot->cond, &slot->mu);
  }
  atomic_fetch_sub_explicit(&slot->sleepers, 1, memory_order_relaxed);
  tn_mutex_unlock(&slot->mu);
  atomic_fetch_sub_explicit(&sleeper_count, 1, memory_order_relaxed);
}

bool tn_park_has_sleepers(void) {
  return atomic_load_explicit(&sleeper_count, memory_order_seq_cst) != 0;
}

void tn_park_wake(const void *what) {
  park_slot *slot = slot_of(what);
  if (atomic_load_explicit(&slot->sleepers, memory_order_seq_cst) != 0) {
    tn_mutex_lock(&slot->mu);
    tn_cond_broadcast(&slot->cond);
    tn_mutex_unlock(&slot->mu);
  }
}
