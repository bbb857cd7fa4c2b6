// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler: events, the dependency graph and queues. What it offers is tenon/queue.h,
// tenon/capture.h and the waiting half of tenon/memory.h; nothing in the run wing stands above it.
#ifndef TN_RUN_SCHED_SCHED_H
#define TN_RUN_SCHED_SCHED_H

#include "run/memory/memory.h"
#include "run/program/program.h"
#include "tenon/capture.h"
#include "tenon/queue.h"

#endif
