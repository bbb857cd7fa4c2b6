// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts addresses that functions compute where they begin in the place of a variable's.
// needs: code in functions.  keeps: all else.  breaks: the variable is gone.
#include "compile/lower/variable_uses.h"

#include "base/map.h"

typedef struct rewriter {
  const tn_variable_address *how;
  LLVMBuilderRef builder;
  tn_map addresses;  // function → the variable's address there
  tn_diag *diag;
} rewriter;

static tn_status no_memory(const rewriter *r) {
  return TN_FAIL(r->diag, OUT_OF_MEMORY, "no memory to lower the %s", r->how->what);
}

// The variable, or an address that is made of it.
typedef struct place {
  LLVMValueRef value;
  const struct place *of;  // NULL for the variable
} place;

// An instruction that does what the expression does, with `to` in the place of `from`.
static LLVMValueRef derive(rewriter *r, LLVMValueRef expression, LLVMValueRef from,
                           LLVMValueRef to) {
  const LLVMOpcode opcode = LLVMGetConstOpcode(expression);
  enum { OPERANDS_MAXIMUM = 33 };
  LLVMValueRef operands[OPERANDS_MAXIMUM];
  const unsigned count = (unsigned)LLVMGetNumOperands(expression);
  for (unsigned i = 0; i < count && i < OPERANDS_MAXIMUM; ++i) {
    LLVMValueRef operand = LLVMGetOperand(expression, i);
    operands[i] = operand == from ? to : operand;
  }
  switch (opcode) {
    case LLVMGetElementPtr:
      return count <= OPERANDS_MAXIMUM
                 ? LLVMBuildGEP2(r->builder, LLVMGetGEPSourceElementType(expression), operands[0],
                                 operands + 1, count - 1, "")
                 : NULL;
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
      return LLVMBuildBinOp(r->builder, opcode, operands[0], operands[1], "");
    default:
      return LLVMBuildCast(r->builder, opcode, operands[0], LLVMTypeOf(expression), "");
  }
}

// Where the function begins, so that it is known everywhere in it. NULL: no memory.
static LLVMValueRef address_in(rewriter *r, const place *at, LLVMValueRef function) {
  if (at->of) {
    LLVMValueRef from = address_in(r, at->of, function);
    return from ? derive(r, at->value, at->of->value, from) : NULL;
  }
  LLVMValueRef address = tn_map_find(&r->addresses, TN_POINTER_KEY(function));
  if (!address) {
    LLVMPositionBuilderBefore(r->builder,
                              LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    address = r->how->begin(r->how->user, r->builder, function);
    if (!address || !tn_map_set(&r->addresses, TN_POINTER_KEY(function), address)) {
      return NULL;
    }
  }
  LLVMPositionBuilderBefore(r->builder, LLVMGetNextInstruction(address));
  return address;
}

static tn_status replace_in(rewriter *r, const place *at, LLVMValueRef instruction) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  LLVMValueRef address = address_in(r, at, function);
  if (!address) {
    return no_memory(r);
  }
  const int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; ++i) {
    if (LLVMGetOperand(instruction, (unsigned)i) == at->value) {
      LLVMSetOperand(instruction, (unsigned)i, address);
    }
  }
  if (LLVMIsALoadInst(instruction) && r->how->loaded) {
    r->how->loaded(instruction);
  }
  return TN_OK;
}

static bool is_derived(LLVMValueRef user, LLVMValueRef from) {
  switch (LLVMIsAConstantExpr(user) ? LLVMGetConstOpcode(user) : LLVMUnreachable) {
    case LLVMGetElementPtr:
      return LLVMGetOperand(user, 0) == from;
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMPtrToAddr:
    case LLVMIntToPtr:
      return true;
    default:
      return false;
  }
}

static tn_status replace_all(rewriter *r, const place *at) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_list users = {0};
  tn_status status = TN_OK;
  for (LLVMUseRef use = LLVMGetFirstUse(at->value); use; use = LLVMGetNextUse(use)) {
    if (!tn_list_add(&users, &arena, LLVMGetUser(use))) {
      status = no_memory(r);
    }
  }
  for (size_t i = 0; i < users.count && status == TN_OK; ++i) {
    LLVMValueRef user = users.items[i];
    if (LLVMIsAInstruction(user)) {
      status = replace_in(r, at, user);
    } else if (is_derived(user, at->value)) {
      const place derived = {.value = user, .of = at};
      status = replace_all(r, &derived);
    } else {
      status = TN_FAIL(r->diag, UNSUPPORTED,
                       "the address of the %s is used in a way that machine code cannot be made of",
                       r->how->what);
    }
  }
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_variable_replace(LLVMValueRef variable, const tn_variable_address *how,
                              tn_diag *diag) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(variable));
  rewriter r = {.how = how, .builder = LLVMCreateBuilderInContext(context), .diag = diag};
  tn_map_init(&r.addresses);
  const place whole = {.value = variable};
  const tn_status status = replace_all(&r, &whole);
  tn_map_deinit(&r.addresses);
  LLVMDisposeBuilder(r.builder);
  if (status == TN_OK) {
    LLVMReplaceAllUsesWith(variable, LLVMGetPoison(LLVMTypeOf(variable)));
    LLVMDeleteGlobal(variable);
  }
  return status;
}
