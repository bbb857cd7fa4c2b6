// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the pointers in a kernel's arguments alias. Private to run/sched.
#ifndef TN_RUN_SCHED_LAUNCH_ALIASES_H
#define TN_RUN_SCHED_LAUNCH_ALIASES_H

#include "run/sched/sched.h"

// For tn_adapter_launch.noalias; `args` is the argument block with the buffers' addresses in place.
// Pointers to buffers of the command and to USM are compared; with others the result is 0.
uint64_t tn_launch_noalias(const tn_kernel *kernel, const tn_command *command, const void *args);

#endif
