// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to emit: what LLVM wrote as SPIR-V, looked through and settled.
#ifndef TN_COMPILE_EMIT_SPIRV_CHECK_H
#define TN_COMPILE_EMIT_SPIRV_CHECK_H

#include "base/buf.h"

#define TN_SPIRV_PRINT_EXTENSION "SPV_EXT_relaxed_printf_string_address_space"

// Whether a module of this name may be linked in when the program runs.
typedef bool (*tn_spirv_import_fn)(void *user, tn_str name);
// INTERNAL when the instructions do not add up to the module. BUILD_FAILED for an import that
// `is_import` denies: LLVM makes one of every function that it does not know. Code of C becomes
// code of C++ for OpenCL, and TN_SPIRV_PRINT_EXTENSION is taken out: nothing needs it.
TN_MUST_USE tn_status tn_spirv_check(tn_buf *code, tn_spirv_import_fn is_import, void *user,
                                     tn_diag *diag);

#endif
