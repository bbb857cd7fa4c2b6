// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang lets pass at a TN_KERNEL function, and what ends the process when it is read whole.
#include "compile/lower/lower.h"

#include <llvm-c/BitReader.h>

static bool is_kernel_convention(unsigned convention) {
  return convention == LLVMSPIRKERNELCallConv || convention == LLVMPTXKernelCallConv ||
         convention == LLVMAMDGPUKERNELCallConv;
}

static tn_status fail_kernel(LLVMValueRef kernel, const char *what, tn_diag *diag) {
  tn_buf place;
  tn_buf_init(&place, 4096);
  const tn_place at = tn_place_of_function(kernel);
  if (at.line > 0) {
    tn_place_write(&place, at, "");
  }
  const tn_status status = TN_FAIL(diag, BUILD_FAILED, "%skernel '%.*s': %s", tn_buf_text(&place),
                                   TN_STR_ARG(tn_value_name(kernel)), what);
  tn_buf_deinit(&place);
  return status;
}

// Clang takes the mark's calling convention from a function that has the name of one of its own.
static tn_status check_marks(LLVMModuleRef module, tn_diag *diag) {
  LLVMValueRef all = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef entries = all ? LLVMGetInitializer(all) : NULL;
  const unsigned count = entries ? (unsigned)LLVMGetNumOperands(entries) : 0;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetOperand(entries, i);
    if (LLVMGetNumOperands(entry) < 2 ||
        !tn_str_equals(tn_constant_text(LLVMGetOperand(entry, 1)), TN_STR_LIT("tenon-c-kernel"))) {
      continue;
    }
    LLVMValueRef kernel = tn_function_of_constant(LLVMGetOperand(entry, 0));
    if (kernel && !is_kernel_convention(LLVMGetFunctionCallConv(kernel))) {
      return fail_kernel(kernel, "it has the name of a function of the C library: choose another",
                         diag);
    }
  }
  return TN_OK;
}

tn_status tn_lower_check_c_module(LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    if (is_kernel_convention(LLVMGetFunctionCallConv(f)) &&
        (LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind ||
         LLVMIsFunctionVarArg(type))) {
      return fail_kernel(f, "a TN_KERNEL function returns void and has no variable arguments",
                         diag);
    }
  }
  return check_marks(module, diag);
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
  const tn_status status = tn_lower_check_c_module(module, diag);
  LLVMDisposeModule(module);
  return status;
}
