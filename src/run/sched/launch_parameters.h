// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a kernel launch, from a command to the adapter, but for `noalias`
// (launch_aliases.h), which needs the addresses of buffers. Private to run/sched.
#ifndef TN_RUN_SCHED_LAUNCH_PARAMETERS_H
#define TN_RUN_SCHED_LAUNCH_PARAMETERS_H

#include "run/sched/queue_state.h"

// The dimensions of SYCL become the adapter's: [0] varies fastest.
static inline void tn_launch_parameters_fill(tn_adapter_launch *launch, const tn_command *command,
                                             const tn_checked *checked) {
  launch->kernel = checked->kernel->adapter_kernel;
  launch->args = command->args;
  launch->arg_size = command->arg_size;
  launch->dims = command->dims;
  launch->has_local = command->has_local == 0                        ? 0
                      : (command->flags & TN_COMMAND_ROOT_SYNC) != 0 ? TN_ADAPTER_ROOT_SYNC
                                                                     : 1;
  launch->local_memory_size = checked->local_memory_size;
  for (uint32_t i = 0; i < 3; i++) {
    const bool used = i < command->dims;
    const uint32_t from = used ? command->dims - 1 - i : 0;
    launch->global[i] = used ? command->global[from] : 1;
    launch->local[i] = used && command->has_local != 0 ? command->local[from] : 1;
    launch->offset[i] = used ? command->offset[from] : 0;
  }
}

#endif
