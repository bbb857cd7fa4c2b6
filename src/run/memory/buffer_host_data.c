// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of a buffer's bytes for host tasks, which run in their turn and need not wait for it.
#include "run/memory/memory.h"

tn_status tn_buffer_get_host_data(tn_buffer *buffer, void **out, tn_diag *diag) {
  return tn_buffer_get_memory(buffer, out, diag);
}
