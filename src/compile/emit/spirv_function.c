// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares and calls functions that the back end for SPIR-V translates by name.
#include "compile/emit/spirv_function.h"

static LLVMValueRef declare(LLVMModuleRef module, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) {
    function = LLVMAddFunction(module, name, type);
    LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    tn_function_add_enum(function, "nounwind");
  }
  return function;
}

LLVMValueRef tn_spirv_call(LLVMBuilderRef builder, const char *name, LLVMTypeRef result,
                           LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[TN_SPIRV_ARGUMENTS_MAX];
  for (unsigned i = 0; i < count; ++i) {
    types[i] = LLVMTypeOf(arguments[i]);
  }
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder)));
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef call =
      LLVMBuildCall2(builder, type, declare(module, name, type), arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  return call;
}
