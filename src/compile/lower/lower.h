// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code may not do, what its symbols are, and how its kernels become functions for a
// device. Works on modules in place.
#ifndef TN_COMPILE_LOWER_LOWER_H
#define TN_COMPILE_LOWER_LOWER_H

#include "compile/module/module.h"
#include "image/image.h"

// Straight after parsing a translation unit: SYCL_EXTERNAL functions get TN_ATTR_MODULE_ID from
// clang's annotations, kernels the size of their argument and their place in the source;
// annotations, constructors and attributes of one processor are dropped, and virtual tables lose
// their functions.
TN_MUST_USE tn_status tn_lower_prepare_unit(LLVMModuleRef module, const char *module_id,
                                            tn_arena *arena, tn_diag *diag);

// Violations of the rules for device code, in clang's form, appended to `messages`. BUILD_FAILED
// with a summary when there is one; `source` stands where no place is known.
TN_MUST_USE tn_status tn_lower_check_unit(LLVMModuleRef module, const char *source,
                                          tn_arena *arena, tn_buf *messages, tn_diag *diag);
// The same for what only shows when units are linked: recursion through several of them.
TN_MUST_USE tn_status tn_lower_check_linked(LLVMModuleRef module, const char *output,
                                            tn_arena *arena, tn_buf *messages, tn_diag *diag);

// Final names and linkage in a unit: kernels mergeable or named by the unit, everything that is
// neither kernel nor SYCL_EXTERNAL private to the unit or mergeable.
TN_MUST_USE tn_status tn_lower_name_unit(LLVMModuleRef module, uint64_t unit_id, tn_diag *diag);

// In a linked module, before its debug information goes: checks and barriers keep their places.
void tn_lower_keep_places(LLVMModuleRef module);

// In a linked module: kernels and exports keep their names, all else becomes internal.
void tn_lower_internalize(LLVMModuleRef module);

// What an image says about its code; texts are in `arena`.
typedef struct tn_lower_symbols {
  tn_kernel_info *kernels;
  size_t kernel_count;
  tn_symbol_info *imports;
  size_t import_count;
  tn_symbol_info *exports;
  size_t export_count;
} tn_lower_symbols;
TN_MUST_USE tn_status tn_lower_list_symbols(LLVMModuleRef module, tn_arena *arena,
                                            tn_lower_symbols *out, tn_diag *diag);

// For the CPU: kernels become work-group functions (tenon/cpu_kernel.h). Needs: all code in one
// module. Keeps: nothing but the work-group functions visible. Breaks: kernels are gone.
// `opt_level` 0 widens only kernels that use sub-groups.
typedef struct tn_cpu_target {
  uint32_t vector_bytes;  // of the processor's vectors: 16, 32, 64
  // Kernels check their accessor indices and barriers (tn_cpu_check); only those that use
  // sub-groups are widened.
  bool check;
} tn_cpu_target;
TN_MUST_USE tn_status tn_lower_cpu(tn_llvm_job *job, LLVMModuleRef module,
                                   const tn_cpu_target *target, uint32_t opt_level, tn_diag *diag);

#endif
