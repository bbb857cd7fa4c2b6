// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded graphs of commands. What the component offers is tenon/graph.h and
// tenon/graph_dynamic.h; nothing in the runtime stands above it.
#ifndef TN_RUN_RECORDED_RECORDED_H
#define TN_RUN_RECORDED_RECORDED_H

#include "run/sched/sched.h"
#include "tenon/graph.h"

#endif
