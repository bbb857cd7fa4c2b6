// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to emit: LLVM's back ends for devices.
#ifndef TN_COMPILE_EMIT_DEVICE_MACHINE_H
#define TN_COMPILE_EMIT_DEVICE_MACHINE_H

#include "compile/emit/emit.h"

// Owned: LLVMDisposeTargetMachine. UNSUPPORTED when the LLVM library has no such back end.
TN_MUST_USE tn_status tn_device_machine_create(const tn_target *target, uint32_t opt_level,
                                               LLVMTargetMachineRef *out, tn_diag *diag);
// Optimizes for the device.
TN_MUST_USE tn_status tn_device_optimize(tn_llvm_job *job, LLVMModuleRef module,
                                         const tn_target *target, LLVMTargetMachineRef machine,
                                         uint32_t opt_level, tn_diag *diag);
// For NVIDIA GPUs, last: divisions and roots of floats that need not be exact to the last bit
// become instructions that are not.
void tn_device_relax_floats(LLVMModuleRef module);
// For NVIDIA GPUs, last: a generic pointer that is null stays so where others are to local or
// private memory.
void tn_device_hide_nulls(LLVMModuleRef module);
// Optimized code that was inlined from Tenon's headers gets the line of the user's that called it.
void tn_device_move_lines(LLVMModuleRef module);
// Appends PTX, SPIR-V or an AMD object. Errors for which LLVM would end the process become
// BUILD_FAILED; what LLVM had allocated by then is lost.
TN_MUST_USE tn_status tn_device_emit(tn_llvm_job *job, LLVMModuleRef module,
                                     const tn_target *target, LLVMTargetMachineRef machine,
                                     uint32_t opt_level, bool is_text, tn_buf *out, tn_diag *diag);

#endif
