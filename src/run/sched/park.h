// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread waits for an event or a queue. Private to run/sched.
#ifndef TN_RUN_SCHED_PARK_H
#define TN_RUN_SCHED_PARK_H

#include "run/sched/sched.h"

// Helps `device`, then spins briefly, then sleeps until `is_done(what)`, which is woken by
// tn_park_wake(what). `is_done` and the store it watches must be sequentially consistent.
void tn_park_wait(tn_device *device, const void *what, bool (*is_done)(const void *what));
void tn_park_wake(const void *what);
bool tn_park_has_sleepers(void);
// Polls the device for completions, or runs a piece of its work. Waiters do this first.
bool tn_park_help(tn_device *device);

#endif
