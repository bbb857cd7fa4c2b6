// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to emit: the vendors' libraries of mathematics, and Tenon's own.
#ifndef TN_COMPILE_EMIT_MATH_LIBRARY_H
#define TN_COMPILE_EMIT_MATH_LIBRARY_H

#include "compile/emit/emit.h"

// CUDA's functions by libclc's, as bitcode; empty when Tenon was built without libclc. Static.
tn_bytes tn_carried_math(void);
// Takes in what the module calls of its device's library, which is looked for; which one it was is
// said in `messages` when params->verbose. UNSUPPORTED naming the kernel and the function.
TN_MUST_USE tn_status tn_math_library_link(tn_llvm_job *job, LLVMModuleRef module,
                                           const tn_device_params *params, tn_arena *arena,
                                           tn_buf *messages, tn_diag *diag);

#endif
