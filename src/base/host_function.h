// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C and math functions that device code on the CPU may call: names and addresses. A name means
// this library's own C library, whatever the process has loaded.
#ifndef TN_BASE_HOST_FUNCTION_H
#define TN_BASE_HOST_FUNCTION_H

#include "base/str.h"

// Any thread. 0 when device code may not call it. `_ZGV…` names are of the C library's mathematics
// on vectors, which is loaded at the first question and kept.
uint64_t tn_host_function_address(tn_str name);
bool tn_is_host_function(tn_str name);

// What an assert of a kernel calls on the CPU in place of the C library's (compile/lower): the
// message has the work-item's ids, fastest dimension first. Exported for machine code that is made
// ahead of time. It does not return.
TN_API void tn_cpu_assert_fail(const char *assertion, const char *file, uint32_t line,
                               const char *function, uint64_t global_x, uint64_t global_y,
                               uint64_t global_z, uint64_t local_x, uint64_t local_y,
                               uint64_t local_z);

// Memory of a running work-group, but for what its kernels reach by pointers of the program's.
typedef struct tn_cpu_memory {
  const char *local;  // borrowed, as are the others; NULL with size 0
  uint64_t local_size;
  const char *group_local;  // group_local_memory
  uint64_t group_local_size;
  const char *slots;  // private memory that work-items keep across barriers
  uint64_t slots_size;
  const char *stack_end;  // above the frames of the kernel on the calling thread's stack
} tn_cpu_memory;
enum { TN_CPU_SPACE_LOCAL = 4, TN_CPU_SPACE_GLOBAL = 5, TN_CPU_SPACE_PRIVATE = 7 };
// What a kernel calls on the CPU to learn whether a pointer points into an address space
// (compile/lower): 1 or 0. Memory that is neither local nor private is global. Exported for machine
// code that is made ahead of time.
TN_API int32_t tn_cpu_is_in_space(const tn_cpu_memory *memory, const void *pointer, int32_t space);

#endif
