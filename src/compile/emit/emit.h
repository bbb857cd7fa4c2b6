// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules to machine code for this machine's CPU.
#ifndef TN_COMPILE_EMIT_EMIT_H
#define TN_COMPILE_EMIT_EMIT_H

#include <llvm-c/TargetMachine.h>

#include "compile/module/module.h"

// Sets LLVM's back end for this machine up, once a process; any thread. UNSUPPORTED when LLVM was
// built without it.
TN_MUST_USE tn_status tn_emit_init(tn_diag *diag);

// The machine this process runs on, with all its instructions. Owned: LLVMDisposeTargetMachine.
TN_MUST_USE tn_status tn_emit_machine_create(uint32_t opt_level, LLVMTargetMachineRef *out,
                                             tn_diag *diag);
// Bytes of the machine's vectors: 16, 32 or 64.
uint32_t tn_emit_vector_bytes(LLVMTargetMachineRef machine);
// Optimizes the whole module for the machine. All functions get its processor's name and features.
TN_MUST_USE tn_status tn_emit_optimize(tn_llvm_job *job, LLVMModuleRef module,
                                       LLVMTargetMachineRef machine, uint32_t opt_level,
                                       tn_diag *diag);
// Appends a relocatable object to `out`.
TN_MUST_USE tn_status tn_emit_object(tn_llvm_job *job, LLVMModuleRef module,
                                     LLVMTargetMachineRef machine, tn_buf *out, tn_diag *diag);

#endif
