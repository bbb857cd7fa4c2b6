// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses at constant offsets, and what loads promise of their values.
#include "compile/module/module.h"

static unsigned kind_id(LLVMValueRef load, const char *kind) {
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(load)), kind,
                                  (unsigned)strlen(kind));
}

bool tn_gep_add_offset(LLVMTargetDataRef layout, LLVMValueRef gep, uint64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  const unsigned count = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned k = 1; k < count; k++) {
    LLVMValueRef index = LLVMGetOperand(gep, k);
    if (!LLVMIsAConstantInt(index) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64) {
      return false;
    }
    const uint64_t at = (uint64_t)LLVMConstIntGetSExtValue(index);
    if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      *offset += LLVMOffsetOfElement(layout, type, (unsigned)at);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)at);
    } else {
      type = k > 1 ? LLVMGetElementType(type) : type;
      *offset += at * LLVMABISizeOfType(layout, type);
    }
  }
  return true;
}

void tn_load_drop_promises(LLVMValueRef load) {
  static const char *const kinds[] = {"noundef", "nonnull",         "range",
                                      "align",   "dereferenceable", "dereferenceable_or_null"};
  for (size_t k = 0; k < TN_COUNT(kinds); k++) {
    LLVMSetMetadata(load, kind_id(load, kinds[k]), NULL);
  }
}

void tn_load_mark_invariant(LLVMValueRef load) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
  LLVMSetMetadata(load, kind_id(load, "invariant.load"),
                  LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}
