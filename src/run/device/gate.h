// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to device: work that one thread does while others wait for it, with no lock held in it,
// so that it may call adapters and the loader.
#ifndef TN_RUN_DEVICE_GATE_H
#define TN_RUN_DEVICE_GATE_H

#include "base/thread.h"

typedef struct tn_gate {
  tn_mutex mu;
  tn_cond changed;
  bool is_busy TN_GUARDED_BY(&mu);
} tn_gate;
#define TN_GATE_INIT {.mu = TN_MUTEX_INIT(TN_RANK_DEVICES), .changed = TN_COND_INIT}

// Between the two the calling thread is alone.
static inline void tn_gate_enter(tn_gate *gate) {
  tn_mutex_lock(&gate->mu);
  while (gate->is_busy) {
    tn_cond_wait(&gate->changed, &gate->mu);
  }
  gate->is_busy = true;
  tn_mutex_unlock(&gate->mu);
}
static inline void tn_gate_leave(tn_gate *gate) {
  tn_mutex_lock(&gate->mu);
  gate->is_busy = false;
  tn_cond_signal(&gate->changed);
  tn_mutex_unlock(&gate->mu);
}

#endif
