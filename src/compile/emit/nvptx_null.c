// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null beside pointers to local or private memory, on NVIDIA GPUs: LLVM gives all of them the
// address space of the memory where no other is among them, and null is none of its addresses
// afterwards. What may be null stays generic: LLVM does not see what it is.
// needs: optimized code.  keeps: everything.  breaks: nothing.
#include "compile/emit/device_machine.h"

enum { GENERIC = 0, GLOBAL = 1, SOURCES_MAX = 64 };

// Where a pointer may come from.
typedef struct sources {
  LLVMValueRef items[SOURCES_MAX];
  unsigned count;
  bool has_more;
} sources;

static void add(sources *s, LLVMValueRef value) {
  for (unsigned i = 0; i < s->count; i++) {
    if (s->items[i] == value) {
      return;
    }
  }
  s->has_more = s->has_more || s->count == SOURCES_MAX;
  if (s->count < SOURCES_MAX) {
    s->items[s->count++] = value;
  }
}

static bool is_generic(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         LLVMGetPointerAddressSpace(type) == GENERIC;
}

static bool is_null(LLVMValueRef value) {
  return LLVMIsAConstantPointerNull(value) && is_generic(LLVMTypeOf(value));
}

static LLVMOpcode opcode_of(LLVMValueRef value) {
  return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value)
         : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value)
                                      : (LLVMOpcode)0;
}

static bool is_in_own_space(LLVMTypeRef type) {
  const unsigned space =
      LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMGetPointerAddressSpace(type) : GENERIC;
  return space != GENERIC && space != GLOBAL;
}

static bool is_by_value(LLVMValueRef value) {
  LLVMValueRef argument = LLVMIsAArgument(value);
  LLVMValueRef function = argument ? LLVMGetParamParent(argument) : NULL;
  for (unsigned i = 0; function && i < LLVMCountParams(function); i++) {
    if (LLVMGetParam(function, i) == argument) {
      return LLVMGetEnumAttributeAtIndex(function, i + 1,
                                         LLVMGetEnumAttributeKindForName("byval", 5)) != NULL;
    }
  }
  return false;
}

// Whether LLVM may find that the pointer is into local or private memory, or a parameter.
static bool may_leave_generic(LLVMValueRef pointer) {
  sources s = {.items = {pointer}, .count = 1};
  for (unsigned i = 0; i < s.count; i++) {
    LLVMValueRef value = s.items[i];
    switch (opcode_of(value)) {
      case LLVMAlloca:
        return true;
      case LLVMAddrSpaceCast:
        if (is_in_own_space(LLVMTypeOf(LLVMGetOperand(value, 0)))) {
          return true;
        }
        break;
      case LLVMGetElementPtr:
        add(&s, LLVMGetOperand(value, 0));
        break;
      case LLVMSelect:
        add(&s, LLVMGetOperand(value, 1));
        add(&s, LLVMGetOperand(value, 2));
        break;
      case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(value); k++) {
          add(&s, LLVMGetIncomingValue(value, k));
        }
        break;
      default:
        if (is_by_value(value)) {
          return true;
        }
    }
  }
  return s.has_more;
}

static bool may_hold_null(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMSelect:
    case LLVMPHI:
      return is_generic(LLVMTypeOf(instruction));
    case LLVMICmp:
      return is_generic(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
    default:
      return false;
  }
}

static bool has_null(LLVMValueRef instruction) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    if (is_null(LLVMGetOperand(instruction, (unsigned)i))) {
      return true;
    }
  }
  return false;
}

static bool is_concerned(LLVMValueRef instruction) {
  return LLVMGetInstructionOpcode(instruction) == LLVMICmp
             ? may_leave_generic(LLVMGetOperand(instruction, 0)) ||
                   may_leave_generic(LLVMGetOperand(instruction, 1))
             : may_leave_generic(instruction);
}

// At the function's beginning.
static LLVMValueRef make_null(LLVMValueRef function) {
  static const char text[] = "mov.b64 $0, 0;";
  static const char constraints[] = "=l";
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMTypeRef type = LLVMFunctionType(LLVMInt64TypeInContext(context), NULL, 0, 0);
  LLVMValueRef assembly =
      LLVMGetInlineAsm(type, text, sizeof(text) - 1, constraints, sizeof(constraints) - 1, 0, 0,
                       LLVMInlineAsmDialectATT, 0);
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (LLVMIsAAllocaInst(at)) {
    at = LLVMGetNextInstruction(at);
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, at);
  LLVMValueRef number = LLVMBuildCall2(builder, type, assembly, NULL, 0, "");
  LLVMValueRef null =
      LLVMBuildIntToPtr(builder, number, LLVMPointerTypeInContext(context, GENERIC), "null");
  LLVMDisposeBuilder(builder);
  return null;
}

static void hide(LLVMValueRef function, LLVMValueRef instruction, LLVMValueRef *null) {
  *null = *null ? *null : make_null(function);
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    if (is_null(LLVMGetOperand(instruction, (unsigned)i))) {
      LLVMSetOperand(instruction, (unsigned)i, *null);
    }
  }
}

void tn_device_hide_nulls(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMValueRef null = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if (may_hold_null(i) && has_null(i) && is_concerned(i)) {
          hide(f, i, &null);
        }
      }
    }
  }
}
