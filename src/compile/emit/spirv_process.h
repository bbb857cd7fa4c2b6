// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to emit: LLVM's back end for SPIR-V in processes of its own.
#ifndef TN_COMPILE_EMIT_SPIRV_PROCESS_H
#define TN_COMPILE_EMIT_SPIRV_PROCESS_H

#include "compile/emit/emit.h"

// Appends the SPIR-V of an optimized module, which another process makes. *out_is_done is false,
// and nothing else happens, where the program for it is not beside this library or does not start.
TN_MUST_USE tn_status tn_spirv_process_run(LLVMModuleRef module, uint32_t opt_level,
                                           bool *out_is_done, tn_buf *out, tn_diag *diag);

#endif
