// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a part of an LLVM module, for LLVM's C API copies whole modules only.
#ifndef TN_COMPILE_MODULE_MODULE_PART_H
#define TN_COMPILE_MODULE_MODULE_PART_H

#include <llvm-c/Types.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// A copy, in the module's context, of the definitions that the roots are or lead to; what they do
// not lead to is declared in the copy. The caller owns the copy.
LLVMModuleRef tn_module_copy_part(LLVMModuleRef module, const LLVMValueRef *roots,
                                  size_t root_count);

#ifdef __cplusplus
}
#endif
#endif
