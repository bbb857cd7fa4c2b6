// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of running work-groups: local memory and what group functions work with. A free list,
// not a block a thread: any thread of the program may run kernels, and some come and go.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"

enum { LEAST_CAPACITY = 4096 };

void tn_cpu_workspaces_init(tn_cpu_workspaces *list) { tn_mutex_init(&list->mu, TN_RANK_LEAF); }

static void free_workspace(tn_cpu_workspace *workspace) {
  tn_free_aligned(workspace->local_memory);
  tn_free_aligned(workspace->scratch);
  tn_free_aligned(workspace->slots);
  tn_free(workspace);
}

void tn_cpu_workspaces_deinit(tn_cpu_workspaces *list) TN_NO_ANALYSIS {
  while (list->first != NULL) {
    tn_cpu_workspace *workspace = list->first;
    list->first = workspace->next;
    free_workspace(workspace);
  }
  tn_mutex_deinit(&list->mu);
}

// Old contents are no group's any more, so they are not kept.
static bool grow(void **memory, size_t *capacity, uint64_t size, size_t alignment) {
  if (size <= *capacity) {
    return true;
  }
  tn_free_aligned(*memory);
  *capacity = 0;
  size_t wanted = LEAST_CAPACITY;
  while (wanted < size && wanted <= SIZE_MAX / 2) {
    wanted *= 2;
  }
  *memory = wanted >= size ? tn_alloc_aligned(wanted, alignment) : NULL;
  *capacity = *memory != NULL ? wanted : 0;
  return *memory != NULL;
}

static uint64_t scratch_size(const tn_adapter_launch *launch) {
  return launch->local[0] * launch->local[1] * launch->local[2] * TN_CPU_SCRATCH_SIZE +
         launch->kernel->needs.group_memory;
}

// UINT64_MAX when it is more than a number holds.
static uint64_t slots_size(const tn_adapter_launch *launch) {
  const tn_cpu_needs *needs = &launch->kernel->needs;
  if (needs->slot_bytes == 0 || needs->slot_width == 0) {
    return 0;
  }
  const uint64_t width = needs->slot_width;
  const uint64_t row = (launch->local[0] + width - 1) / width * width;
  uint64_t size = 0;
  return __builtin_mul_overflow(row * launch->local[1] * launch->local[2], needs->slot_bytes, &size)
             ? UINT64_MAX
             : size;
}

tn_status tn_cpu_workspace_fail(const tn_adapter_command *command, tn_diag *diag) {
  const tn_adapter_launch *launch = &command->launch;
  return TN_FAIL(diag, OUT_OF_MEMORY,
                 "kernel %s did not run: a thread of the CPU got no memory for a work-group (%llu "
                 "bytes of local memory, %llu bytes for group functions, %llu bytes that its "
                 "work-items keep across barriers)",
                 tn_cpu_kernel_shown(launch->kernel), (unsigned long long)launch->local_memory_size,
                 (unsigned long long)scratch_size(launch), (unsigned long long)slots_size(launch));
}

tn_status tn_cpu_workspace_borrow(tn_cpu_workspaces *list, const tn_adapter_command *command,
                                  tn_cpu_workspace **out, tn_diag *diag) {
  *out = NULL;
  const tn_adapter_launch *launch = &command->launch;
  if (command->kind != TN_ADAPTER_KERNEL || !tn_cpu_needs_workspace(launch)) {
    return TN_OK;
  }
  tn_mutex_lock(&list->mu);
  tn_cpu_workspace *workspace = list->first;
  if (workspace != NULL) {
    list->first = workspace->next;
  }
  tn_mutex_unlock(&list->mu);
  if (workspace == NULL) {
    workspace = tn_alloc(sizeof(*workspace));
  }
  if (workspace == NULL ||
      !grow(&workspace->local_memory, &workspace->local_capacity, launch->local_memory_size,
            TN_LOCAL_MEM_ALIGNMENT) ||
      !grow(&workspace->scratch, &workspace->scratch_capacity, scratch_size(launch),
            TN_CPU_GROUP_MEMORY_ALIGNMENT) ||
      !grow(&workspace->slots, &workspace->slots_capacity, slots_size(launch), 64)) {
    tn_cpu_workspace_return(list, workspace);
    return tn_cpu_workspace_fail(command, diag);
  }
  *out = workspace;
  return TN_OK;
}

void tn_cpu_workspace_return(tn_cpu_workspaces *list, tn_cpu_workspace *workspace) {
  if (workspace != NULL) {
    tn_mutex_lock(&list->mu);
    workspace->next = list->first;
    list->first = workspace;
    tn_mutex_unlock(&list->mu);
  }
}
