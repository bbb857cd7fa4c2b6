// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of the tn_cpu_group that item, strip and work-group functions get as their second
// parameter.
#include "compile/widen/widen.h"

LLVMValueRef tn_group_field(LLVMBuilderRef builder, LLVMValueRef function, LLVMTypeRef type,
                            size_t offset, const char *name) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(context), offset, 0);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context),
                                               LLVMGetParam(function, TN_ITEM_GROUP), &at, 1, "");
  LLVMValueRef load = LLVMBuildLoad2(builder, type, address, name);
  LLVMSetAlignment(load, sizeof(uint64_t));
  return load;
}
