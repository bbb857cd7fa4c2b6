// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/emit: calls of functions that the back end for SPIR-V translates by name.
#ifndef TN_COMPILE_EMIT_SPIRV_FUNCTION_H
#define TN_COMPILE_EMIT_SPIRV_FUNCTION_H

#include "compile/module/module.h"

enum { TN_SPIRV_ARGUMENTS_MAX = 6 };

// Inserted where the builder is. `name` is mangled; the types are those of the arguments.
LLVMValueRef tn_spirv_call(LLVMBuilderRef builder, const char *name, LLVMTypeRef result,
                           LLVMValueRef *arguments, unsigned count);

#endif
