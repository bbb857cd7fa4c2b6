// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a thread's stack can hold a kernel's frames, which the kernel's object says.
#include "adapter/cpu/cpu.h"

#include <stdio.h>

enum { STACK_STEP = 1 << 20 };

static uint64_t without_reserve(uint64_t size) {
  return size > TN_CPU_STACK_RESERVE ? size - TN_CPU_STACK_RESERVE : 0;
}

uint64_t tn_cpu_stack_available(void) { return without_reserve(tn_thread_stack_left()); }

tn_status tn_cpu_stack_check(const tn_adapter_kernel *kernel, uint64_t size, tn_diag *diag) {
  const uint64_t needed = kernel->needs.stack_size;
  const uint64_t available = without_reserve(size);
  if (needed <= TN_CPU_STACK_ANYWHERE || needed <= available) {
    return TN_OK;
  }
  char setting[64] = "";
  if (needed <= TN_CPU_STACK_MAXIMUM - TN_CPU_STACK_RESERVE - STACK_STEP) {
    (void)snprintf(setting, sizeof(setting), ", or set TENON_CPU_STACK_SIZE=%lluM",
                   (unsigned long long)((needed + TN_CPU_STACK_RESERVE) / STACK_STEP + 1));
  }
  return TN_FAIL(diag, OUT_OF_MEMORY,
                 "its private variables need %llu bytes of stack, and the CPU's threads have %llu: "
                 "make its arrays smaller, use USM or local memory%s",
                 (unsigned long long)needed, (unsigned long long)available, setting);
}
