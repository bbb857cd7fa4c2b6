// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU knows of a kernel besides what its image says.
#include "adapter/cpu/cpu.h"
#include "base/info.h"

// Work-items keep in slots what lives across barriers; all else is on the stack of the thread that
// runs many of them, and counts for none.
tn_status tn_cpu_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag) {
  if (what != TN_KERNEL_INFO_PRIVATE_MEM_SIZE) {
    return TN_FAIL(diag, UNSUPPORTED, "the CPU leaves kernel info %d to the runtime", (int)what);
  }
  return tn_info_write(&kernel->needs.slot_bytes, sizeof(uint64_t), out, size, out_size, diag);
}
