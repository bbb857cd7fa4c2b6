// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang passes every class by value as `byval` on NVIDIA GPUs, a copy of its bytes. One with a copy
// constructor or a destructor of its own is, for the Itanium C++ ABI that all other targets have,
// the caller's object: without it an object that knows its own address is broken in the function.
// Types stand for such classes, of which Clang makes one a class, so that declarations and calls by
// address go with the functions that have notes.
// needs: a module straight from clang's device pass.  keeps: kernels' own parameters.
#include "compile/lower/by_reference.h"

#include "compile/lower/attribute_annotations.h"

enum { PARAMETERS_MAXIMUM = 256 };

typedef struct class_list {
  tn_list types;   // LLVMTypeRef
  unsigned byval;  // the attribute's kind
} class_list;

static bool has_class(const class_list *classes, LLVMAttributeRef byval) {
  LLVMTypeRef type = byval ? LLVMGetTypeAttributeValue(byval) : NULL;
  for (size_t i = 0; type && i < classes->types.count; ++i) {
    if (classes->types.items[i] == (void *)type) {
      return true;
    }
  }
  return false;
}

// A function's n-th parameter from the last, unless it is known already.
static tn_status add_class(class_list *classes, LLVMValueRef function, uint64_t place,
                           tn_arena *arena, tn_diag *diag) {
  const unsigned count = LLVMCountParams(function);
  LLVMAttributeRef byval =
      place < count
          ? LLVMGetEnumAttributeAtIndex(function, count - (unsigned)place, classes->byval)
          : NULL;
  if (!byval || has_class(classes, byval)) {
    return TN_OK;
  }
  return tn_list_add(&classes->types, arena, LLVMGetTypeAttributeValue(byval))
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the classes of parameters");
}

static tn_status add_classes(class_list *classes, LLVMValueRef entry, tn_arena *arena,
                             tn_diag *diag) {
  uint64_t places[PARAMETERS_MAXIMUM];
  size_t count = 0;
  tn_str name = {0};
  LLVMValueRef function = tn_annotation_function(entry, &name);
  if (!function || !tn_str_equals(name, TN_STR_LIT("tenon.by_reference")) ||
      !tn_annotation_numbers(entry, places, PARAMETERS_MAXIMUM, &count)) {
    return TN_OK;
  }
  for (size_t i = 0; i < count; ++i) {
    TN_TRY(add_class(classes, function, places[i], arena, diag));
  }
  return TN_OK;
}

static void change_function(const class_list *classes, LLVMValueRef function) {
  for (unsigned i = 1; i <= LLVMCountParams(function); ++i) {
    if (has_class(classes, LLVMGetEnumAttributeAtIndex(function, i, classes->byval))) {
      LLVMRemoveEnumAttributeAtIndex(function, i, classes->byval);
    }
  }
}

static void change_calls(const class_list *classes, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      const unsigned count = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : 0;
      for (unsigned a = 1; a <= count; ++a) {
        if (has_class(classes, LLVMGetCallSiteEnumAttribute(i, a, classes->byval))) {
          LLVMRemoveCallSiteEnumAttribute(i, a, classes->byval);
        }
      }
    }
  }
}

tn_status tn_by_reference_apply(LLVMModuleRef module, LLVMValueRef annotations, tn_arena *arena,
                                tn_diag *diag) {
  class_list classes = {.byval = LLVMGetEnumAttributeKindForName("byval", 5)};
  const int count = LLVMGetNumOperands(annotations);
  for (int i = 0; i < count; ++i) {
    TN_TRY(add_classes(&classes, LLVMGetOperand(annotations, (unsigned)i), arena, diag));
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && classes.types.count > 0;
       f = LLVMGetNextFunction(f)) {
    if (LLVMGetFunctionCallConv(f) != LLVMPTXKernelCallConv) {
      change_function(&classes, f);
    }
    change_calls(&classes, f);
  }
  return TN_OK;
}
