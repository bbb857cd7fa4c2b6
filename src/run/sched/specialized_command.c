// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands with values of specialization constants: their kernel is built for the values.
#include "run/sched/queue_state.h"

tn_status tn_queue_submit_specialized(tn_queue *queue, const tn_command *command,
                                      tn_event **out_event, tn_diag *diag) {
  if (command->kind != TN_COMMAND_KERNEL || command->kernel != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "specialization constants are set for a command that launches no kernel by its "
                   "slot; a kernel object has the values it was made with");
  }
  tn_kernel *kernel = NULL;
  TN_TRY(tn_kernel_specialize(command->slot, queue->code_device, command->specs,
                              command->spec_count, &kernel, diag));
  tn_command specialized = *command;
  specialized.kernel = kernel;
  specialized.spec_count = 0;
  const tn_status status = tn_queue_submit_now(queue, &specialized, out_event, diag);
  tn_kernel_release(kernel);
  return status;
}
