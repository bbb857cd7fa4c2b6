// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code for GPUs and SPIR-V: kernels' form, what they call, what their devices lack
// (docs/decisions/gpu-lowering.md). Works on modules in place.
#ifndef TN_COMPILE_GPU_GPU_H
#define TN_COMPILE_GPU_GPU_H

#include "compile/lower/lower.h"

// In a unit: kernels that clang gave the calling convention or the argument form of one device get
// those of the others, which everything after it knows: spir_kernel, with one block by value or,
// where the device's kernels take it so, by reference.
TN_MUST_USE tn_status tn_gpu_kernels_unify(LLVMModuleRef module, tn_diag *diag);

// For SPIR-V, before tn_gpu_lower, of code that reads the buffer of `specs` with the addresses of
// so many device globals behind: what it reads become SPIR-V's own constants, whose SpecId says
// their place in the buffer and their size (docs/decisions/gpu-lowering.md). UNSUPPORTED where the
// address of a constant is used otherwise than for reading.
TN_MUST_USE tn_status tn_gpu_specs_for_spirv(tn_llvm_job *job, LLVMModuleRef module,
                                             const tn_lower_specs *specs, size_t global_count,
                                             tn_diag *diag);
// For a GPU: what its headers ask of the device becomes what its back end has, and kernels get the
// device's calling convention and a second block with the launch (docs/decisions/gpu-lowering.md).
// Needs: all code in one linked, internalized module. Keeps: kernels' and exports' names. Breaks:
// nothing else may be linked in that has kernels. BUILD_FAILED or UNSUPPORTED naming the kernel,
// the function and the place for what the target cannot do.
TN_MUST_USE tn_status tn_gpu_lower(tn_llvm_job *job, LLVMModuleRef module, const tn_target *target,
                                   tn_diag *diag);

// Of a module that was lowered: its variable with the address of the buffer of specialization
// constants and addresses of device globals, for functions that are not part of their kernels; it
// begins with TN_GPU_SPEC_VARIABLE. Empty: it needs none. Borrowed from the module.
#define TN_GPU_SPEC_VARIABLE "__tenon_specs_"
enum { TN_GPU_SPEC_VARIABLE_SIZE = 32 };
tn_str tn_gpu_spec_variable(LLVMModuleRef module);

#endif
