// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to emit: vendors' compilers and libraries.
#ifndef TN_COMPILE_EMIT_VENDOR_TOOL_H
#define TN_COMPILE_EMIT_VENDOR_TOOL_H

#include "compile/emit/emit.h"

// Where CUDA is: params->cuda_path, CUDA_PATH, its usual places; NULL when nowhere. Of the arena.
const char *tn_cuda_find(const tn_device_params *params, tn_arena *arena);

// Runs the target's tool over `code`: PTX → cubin, SPIR-V → a vendor's binary, an AMD object → a
// code object. `is_open`: the code is linked with that of other images later.
TN_MUST_USE tn_status tn_vendor_tool_run(const tn_device_params *params, tn_bytes code,
                                         bool is_open, tn_buf *out, tn_buf *messages,
                                         tn_diag *diag);

#endif
