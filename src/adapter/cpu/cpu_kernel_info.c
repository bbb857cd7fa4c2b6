// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU knows of a kernel besides what its image says.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"
#include "base/info.h"

// Kernels that use no sub-groups are as wide as vectors, others as their sub-groups. Code that runs
// one work-item at a time says nothing of either.
static tn_status write_width(const tn_adapter_kernel *kernel, void *out, size_t size,
                             size_t *out_size, tn_diag *diag) {
  const uint32_t width = (uint32_t)tn_cpu_kernel_best_needs(kernel)->slot_width;
  if (width < TN_CPU_SUB_GROUP_LEAST) {
    return TN_FAIL(diag, UNSUPPORTED, "the kernel is not vectorized");
  }
  return tn_info_write(&width, sizeof(width), out, size, out_size, diag);
}

// Work-items keep in slots what lives across barriers; all else is on the stack of the thread that
// runs many of them, and counts for none.
tn_status tn_cpu_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag) {
  switch (what) {
    case TN_KERNEL_INFO_PRIVATE_MEM_SIZE:
      return tn_info_write(&kernel->needs.slot_bytes, sizeof(uint64_t), out, size, out_size, diag);
    case TN_KERNEL_INFO_LOCAL_MEM_SIZE:
      return tn_info_write(&kernel->needs.group_memory, sizeof(uint64_t), out, size, out_size,
                           diag);
    case TN_KERNEL_INFO_MAX_SUB_GROUP_SIZE:
      return write_width(kernel, out, size, out_size, diag);
    default:
      return TN_FAIL(diag, UNSUPPORTED, "the CPU leaves kernel info %d to the runtime", (int)what);
  }
}

bool tn_cpu_kernel_suits(const tn_adapter_kernel *kernel, uint32_t group_shape) {
  const tn_cpu_forms *forms = &kernel->needs.forms;
  return forms->form == TN_CPU_FORM_ANY ||
         (group_shape != 0 &&
          tn_cpu_form_of(forms, kernel->needs.slot_width, group_shape) == forms->form);
}

void tn_cpu_kernel_noalias(const tn_adapter_kernel *kernel, uint64_t *out_pointers,
                           uint64_t *out_written) {
  const tn_cpu_needs *needs = tn_cpu_kernel_best_needs(kernel);
  *out_pointers = needs->noalias_pointers;
  *out_written = needs->noalias_written;
}

// Launches that report a failure may read the name at any time: the first one stays.
void tn_cpu_kernel_show_as(tn_adapter_kernel *kernel, const char *name) {
  char *none = NULL;
  char *copy = tn_str_copy(tn_str_from(name));
  if (copy == NULL || !atomic_compare_exchange_strong_explicit(&kernel->shown, &none, copy,
                                                              memory_order_acq_rel,
                                                              memory_order_acquire)) {
    tn_free(copy);
  }
}

const char *tn_cpu_kernel_shown(const tn_adapter_kernel *kernel) {
  const char *shown = atomic_load_explicit(&kernel->shown, memory_order_acquire);
  shown = shown != NULL ? shown : kernel->name;
  return shown != NULL ? shown : "(unknown)";
}
