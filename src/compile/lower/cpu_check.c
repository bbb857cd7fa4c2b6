// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of accessor indices: gone without a trace, or calls of what the adapter gives.
// needs: checks inlined into kernels.  keeps: all else.  breaks: nothing.
#include "compile/lower/cpu_check.h"

#include "compile/lower/cpu_item.h"
#include "compile/lower/lower.h"
#include "tenon/cpu_kernel.h"

enum { ARGUMENTS = 3 };  // index, bound, dimension
// Of the function that compares: the item function's parameters but the first, then the check's.
enum { P_GROUP, P_X, P_Y, P_Z, P_INDEX, P_BOUND, P_WHAT, P_PLACE, P_COUNT };

bool tn_cpu_is_check(LLVMValueRef function) {
  return !tn_function_is_defined(function) &&
         tn_str_find(tn_value_name(function), TN_STR_LIT("__tenon_check_index")) != SIZE_MAX;
}

void tn_cpu_check_mark(LLVMValueRef function) {
  static const char *const promises[] = {"nounwind", "willreturn", "nofree", "nosync",
                                         "nocallback"};
  enum { INACCESSIBLE_MEMORY = 3 << 2 };  // LLVM's MemoryEffects: two bits a kind, read and write
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  const unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
  for (size_t i = 0; i < TN_COUNT(promises); ++i) {
    tn_function_add_enum(function, promises[i]);
  }
  LLVMAddAttributeAtIndex(
      function, TN_ON_FUNCTION,
      LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("memory", 6),
                              INACCESSIBLE_MEMORY));
  tn_function_remove_enum(function, "convergent");
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    if (LLVMIsACallInst(LLVMGetUser(use))) {
      LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), TN_ON_FUNCTION, convergent);
    }
  }
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
  return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

void tn_cpu_check_drop(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMUseRef use = tn_cpu_is_check(f) ? LLVMGetFirstUse(f) : NULL; use;) {
      LLVMValueRef user = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      if (is_call_of(user, f)) {
        LLVMInstructionEraseFromParent(user);
      }
    }
  }
}

// if (index >= bound) group->check->index_failed(…);
static void write_comparison(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, function, "entry");
  LLVMBasicBlockRef outside = LLVMAppendBasicBlockInContext(context, function, "outside");
  LLVMBasicBlockRef inside = LLVMAppendBasicBlockInContext(context, function, "inside");
  LLVMValueRef arguments[P_COUNT];
  LLVMTypeRef types[P_COUNT];
  for (unsigned p = 0; p < P_COUNT; ++p) {
    arguments[p] = LLVMGetParam(function, p);
    types[p] = LLVMTypeOf(arguments[p]);
  }
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMBuildCondBr(builder,
                  LLVMBuildICmp(builder, LLVMIntUGE, arguments[P_INDEX], arguments[P_BOUND], ""),
                  outside, inside);
  LLVMPositionBuilderAtEnd(builder, outside);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, P_COUNT, 0);
  LLVMValueRef called =
      tn_check_function(builder, arguments[P_GROUP], offsetof(tn_cpu_check, index_failed));
  LLVMBuildCall2(builder, type, called, arguments, P_COUNT, "");
  LLVMBuildUnreachable(builder);
  LLVMPositionBuilderAtEnd(builder, inside);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

static LLVMValueRef comparison(LLVMModuleRef module) {
  static const char name[] = "tn_check_index";
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef params[P_COUNT] = {ptr, i64, i64, i64, i64, i64,
                                   LLVMInt32TypeInContext(context), ptr};
    function = LLVMAddFunction(
        module, name, LLVMFunctionType(LLVMVoidTypeInContext(context), params, P_COUNT, 0));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    tn_function_add_enum(function, "nounwind");
    tn_function_add_enum(function, "alwaysinline");
    write_comparison(function);
  }
  return function;
}

static void insert_one(LLVMModuleRef module, LLVMValueRef call, LLVMValueRef item,
                       const tn_check_kernel *kernel) {
  LLVMValueRef function = comparison(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMValueRef place = tn_check_place_constant(module, call, kernel);
  LLVMValueRef arguments[P_COUNT] = {LLVMGetParam(item, TN_ITEM_GROUP),
                                     LLVMGetParam(item, TN_ITEM_X),
                                     LLVMGetParam(item, TN_ITEM_Y),
                                     LLVMGetParam(item, TN_ITEM_Z),
                                     LLVMGetOperand(call, 0),
                                     LLVMGetOperand(call, 1),
                                     LLVMGetOperand(call, 2),
                                     tn_check_places_global(module, &place, 1)};
  LLVMPositionBuilderBefore(builder, call);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, P_COUNT, "");
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

void tn_cpu_check_insert(LLVMModuleRef module, LLVMValueRef item, const tn_check_kernel *kernel) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMUseRef use = tn_cpu_is_check(f) ? LLVMGetFirstUse(f) : NULL; use;) {
      LLVMValueRef user = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      if (is_call_of(user, f) && LLVMGetNumArgOperands(user) == ARGUMENTS &&
          LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == item) {
        insert_one(module, user, item, kernel);
      }
    }
  }
}
