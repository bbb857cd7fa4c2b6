// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of checks as constants of the object, for the messages of kernels that are built with
// checks.
#include "compile/widen/widen.h"
#include "tenon/cpu_kernel.h"

static LLVMValueRef text_constant(LLVMModuleRef module, tn_str text) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef value = LLVMConstStringInContext2(context, text.data, text.size, 0);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), "tn_text");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

LLVMValueRef tn_check_place_constant(LLVMModuleRef module, LLVMValueRef call,
                                     const tn_check_kernel *kernel) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  tn_place place = call ? tn_kept_place(call) : (tn_place){{NULL, 0}, 0, 0};
  if (place.file.size == 0) {
    place = kernel->place;
  }
  LLVMValueRef fields[4] = {
      text_constant(module, kernel->name),
      text_constant(module, place.file.size != 0 ? place.file : TN_STR_LIT("")),
      LLVMConstInt(i32, place.line, 0), LLVMConstInt(i32, 0, 0)};
  return LLVMConstStructInContext(context, fields, 4, 0);
}

LLVMValueRef tn_check_places_global(LLVMModuleRef module, LLVMValueRef *places, unsigned count) {
  LLVMTypeRef type = LLVMTypeOf(places[0]);
  LLVMValueRef value = LLVMConstArray2(type, places, count);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), "tn_places");
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

LLVMValueRef tn_check_function(LLVMBuilderRef builder, LLVMValueRef group, size_t slot) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(group));
  LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0);
  LLVMValueRef at = LLVMConstInt(i64, offsetof(tn_cpu_group, check), 0);
  LLVMValueRef table =
      LLVMBuildLoad2(builder, ptr, LLVMBuildInBoundsGEP2(builder, i8, group, &at, 1, ""), "");
  at = LLVMConstInt(i64, slot, 0);
  return LLVMBuildLoad2(builder, ptr, LLVMBuildInBoundsGEP2(builder, i8, table, &at, 1, ""), "");
}
