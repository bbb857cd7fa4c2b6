// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of kernels that other compilers made, which are set one by one. Kernels of Tenon's have
// one block.
#include "adapter/opencl/opencl_code.h"
#include "tenon/kernel.h"

static tn_opencl_arguments *copy_arguments(const tn_kernel_info *kernel, tn_arena *arena) {
  const size_t count = tn_kernel_info_arg_count(kernel);
  tn_opencl_arguments *made = tn_arena_alloc(arena, sizeof(*made));
  tn_kernel_arg_info *all = tn_arena_alloc_array(arena, count, sizeof(*all));
  const char *name = tn_arena_str(arena, kernel->name);
  if (!made || !all || !name) {
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    all[i] = tn_kernel_info_arg_at(kernel, i);
  }
  *made = (tn_opencl_arguments){.kernel = name, .count = count, .all = all};
  return made;
}

// As Tenon's are: an object, or none, and perhaps local memory, which the block does not tell of.
static bool has_own_form(const tn_kernel_info *kernel, bool has_object) {
  const size_t count = tn_kernel_info_arg_count(kernel);
  const size_t objects = has_object ? 1 : 0;
  return count == objects ||
         (count == objects + 1 && tn_kernel_info_arg_at(kernel, count - 1).kind == TN_ARG_LOCAL);
}

tn_opencl_arguments *tn_opencl_arguments_read(tn_bytes module, tn_arena *arena) {
  tn_opencl_arguments *first = NULL;
  tn_spirv_module read;
  if (tn_spirv_read(module, arena, &read, NULL) != TN_OK) {
    return NULL;  // the driver says what is wrong
  }
  for (size_t i = 0; i < read.kernel_count; i++) {
    const tn_kernel_info *kernel = &read.kernels[i];
    if (!has_own_form(kernel, read.has_object[i])) {
      tn_opencl_arguments *made = copy_arguments(kernel, arena);
      if (made) {
        made->next = first;
        first = made;
      }
    }
  }
  return first;
}
