// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code may not do, what its symbols are, and how its kernels become functions for a
// device. Works on modules in place.
#ifndef TN_COMPILE_LOWER_LOWER_H
#define TN_COMPILE_LOWER_LOWER_H

#include "compile/module/module.h"
#include "compile/target/target.h"
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

// What each kernel and SYCL_EXTERNAL definition asks of a device, over all that it reaches, becomes
// TN_ATTR_ASPECTS. Needs: a unit, or a linked module before it is internalized and simplified.
TN_MUST_USE tn_status tn_lower_note_aspects(LLVMModuleRef module, tn_arena *arena, tn_diag *diag);

// Of a checked unit, before tn_lower_name_unit: its kernels whose names have linkage, and the
// user's inline functions that device code reaches (tn_unit_definition, of `arena`), with hashes of
// their code: a thousand at most, those that are nearest to kernels.
TN_MUST_USE tn_status tn_lower_list_definitions(LLVMModuleRef module, tn_arena *arena,
                                                tn_list *out, tn_diag *diag);

// Final names and linkage in a unit: kernels mergeable or named by the unit, everything that is
// neither kernel nor SYCL_EXTERNAL private to the unit or mergeable.
TN_MUST_USE tn_status tn_lower_name_unit(LLVMModuleRef module, uint64_t unit_id, tn_diag *diag);

// In a linked module, before its debug information goes: checks and barriers keep their places.
void tn_lower_keep_places(LLVMModuleRef module);

// In a unit or a linked module: kernels and SYCL_EXTERNAL functions stay visible if `is_kept` says
// so (NULL: all of them), all else becomes internal.
typedef bool (*tn_lower_keep_fn)(const void *user, tn_str symbol);
void tn_lower_internalize(LLVMModuleRef module, tn_lower_keep_fn is_kept, const void *user);

// What an image says about its code; texts are in `arena`.
typedef struct tn_lower_symbols {
  tn_kernel_info *kernels;
  size_t kernel_count;
  tn_symbol_info *imports;
  size_t import_count;
  tn_symbol_info *exports;
  size_t export_count;
  tn_prop *masks;  // a kernel each: the words of its arguments that it never reads
} tn_lower_symbols;
TN_MUST_USE tn_status tn_lower_list_symbols(LLVMModuleRef module, tn_arena *arena,
                                            tn_lower_symbols *out, tn_diag *diag);

// The specialization constants that the code of an image reads, sorted by name, each with its
// default and its place in the image's buffer; all in `arena`. UNSUPPORTED when a default holds an
// address.
typedef struct tn_lower_specs {
  tn_spec_info *items;
  size_t count;
  uint8_t *buffer;  // with all defaults
  size_t buffer_size;
} tn_lower_specs;
TN_MUST_USE tn_status tn_lower_list_specs(LLVMModuleRef module, tn_arena *arena,
                                          tn_lower_specs *out, tn_diag *diag);
// Values for a build: every specialization constant that is read becomes a true one, of these bytes
// or its default. Before any optimization, so that all follows from it. *out_any: there was one.
typedef struct tn_lower_spec {
  tn_str name;
  tn_bytes value;
} tn_lower_spec;
TN_MUST_USE tn_status tn_lower_specialize(LLVMModuleRef module, const tn_lower_spec *values,
                                          size_t count, bool *out_any, tn_diag *diag);
// For machine code, before tn_lower_cpu or tn_lower_gpu: they are read from the launch's buffer
// (tn_cpu_group.spec_constants), where `specs` has placed them.
TN_MUST_USE tn_status tn_lower_specs_from_buffer(LLVMModuleRef module, const tn_lower_specs *specs,
                                                 tn_diag *diag);
// For SPIR-V, before tn_lower_gpu: they become SPIR-V's own, single values whose SpecId is their
// place in `specs`' buffer. UNSUPPORTED for what is not read as single values.
TN_MUST_USE tn_status tn_lower_specs_for_spirv(tn_llvm_job *job, LLVMModuleRef module,
                                               const tn_lower_specs *specs, tn_diag *diag);

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

// For a GPU: what its headers ask of the device becomes what its back end has, and kernels get the
// device's calling convention and a second block with the launch (docs/decisions/gpu-lowering.md).
// Needs: all code in one linked, internalized module. Keeps: kernels' and exports' names. Breaks:
// nothing else may be linked in that has kernels. BUILD_FAILED or UNSUPPORTED naming the kernel,
// the function and the place for what the target cannot do.
TN_MUST_USE tn_status tn_lower_gpu(tn_llvm_job *job, LLVMModuleRef module, const tn_target *target,
                                   tn_diag *diag);

#endif
