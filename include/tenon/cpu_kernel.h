// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line between compile/lower and adapter/cpu: how a kernel for the CPU is called.
//
// For a kernel K the native object defines `K` + TN_CPU_KERNEL_SUFFIX of type tn_cpu_kernel_fn. One
// call runs the work-items [0, local_size) of one group; for a plain range the adapter cuts groups
// as it likes. Arrays are in SPIR-V order: [0] varies fastest. A work-item with local id l has
// global id base + l (base includes the offset).
#ifndef TENON_CPU_KERNEL_H
#define TENON_CPU_KERNEL_H

#include <stdint.h>

enum { TN_CPU_KERNEL_VERSION = 1 };
enum { TN_CPU_SCRATCH_SIZE = 64 };
#define TN_CPU_KERNEL_SUFFIX ".tn_group"

typedef struct tn_cpu_group {
  uint64_t local_size[3];  // work-items to run in this call
  uint64_t base[3];        // global id of the group's first work-item
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t group_id[3];
  uint64_t group_count[3];
  uint64_t enqueued_local_size[3];  // work-group size as asked for
  void *local_memory;               // dynamic local memory of the group; NULL when there is none
  // For group functions: TN_CPU_SCRATCH_SIZE bytes for each work-item, aligned to 64. NULL for plain
  // ranges.
  void *scratch;
} tn_cpu_group;

// `args` is the argument block, never written.
typedef void (*tn_cpu_kernel_fn)(const void *args, const tn_cpu_group *group);

#endif
