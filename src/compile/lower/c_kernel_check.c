// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang lets pass at a TN_KERNEL function, and what ends the process when it is read whole.
#include "compile/lower/lower.h"

#include <llvm-c/BitReader.h>

static bool is_kernel_convention(unsigned convention) {
  return convention == LLVMSPIRKERNELCallConv || convention == LLVMPTXKernelCallConv ||
         convention == LLVMAMDGPUKERNELCallConv;
}

static tn_status check_kernels(LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    if (is_kernel_convention(LLVMGetFunctionCallConv(f)) &&
        (LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind ||
         LLVMIsFunctionVarArg(type))) {
      return TN_FAIL(diag, BUILD_FAILED,
                     "kernel '%.*s': a TN_KERNEL function returns void and has no variable "
                     "arguments",
                     TN_STR_ARG(tn_value_name(f)));
    }
  }
  return TN_OK;
}

tn_status tn_lower_check_c_kernels(tn_llvm_job *job, tn_bytes bitcode, tn_diag *diag) {
  LLVMModuleRef module = NULL;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange((const char *)bitcode.data, bitcode.size, "", 0);
  // Bodies are left unread; the module takes the buffer.
  if (LLVMGetBitcodeModuleInContext2(job->context, buffer, &module)) {
    LLVMDisposeMemoryBuffer(buffer);
    tn_buf_clear(&job->error);
    return TN_OK;  // who reads it whole says why
  }
  const tn_status status = check_kernels(module, diag);
  LLVMDisposeModule(module);
  return status;
}
