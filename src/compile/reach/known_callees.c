// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows function pointers back to where they come from, in code that nobody has simplified yet.
#include "compile/reach/reach.h"


enum { TN_CALLEES_DEPTH = 24, TN_CALLEES_STEPS = 400 };

typedef struct search {
  tn_callees *out;
  size_t steps;  // bounds what branches
} search;

static bool find(search *s, LLVMValueRef value, int depth);
static bool find_in_memory(search *s, LLVMValueRef memory, int depth);

static bool add(tn_callees *out, LLVMValueRef function) {
  for (size_t i = 0; i < out->count; ++i) {
    if (out->functions[i] == function) {
      return true;
    }
  }
  if (out->count == TN_CALLEES_MAX) {
    return false;
  }
  out->functions[out->count++] = function;
  return true;
}

// All functions in an initializer; a table may also have empty places and numbers.
static bool find_in_constant(search *s, LLVMValueRef constant, int depth) {
  LLVMValueRef function = tn_reach_function_of(constant);
  if (function) {
    return add(s->out, function);
  }
  if (depth == 0 || ++s->steps > TN_CALLEES_STEPS || LLVMIsAGlobalVariable(constant)) {
    return false;
  }
  const int count = LLVMGetNumOperands(constant);
  for (int i = 0; i < count; ++i) {
    if (!find_in_constant(s, LLVMGetOperand(constant, (unsigned)i), depth - 1)) {
      return false;
    }
  }
  return true;
}

// What the callers of a function give for a parameter; `find_one` looks at each.
static bool find_in_callers(search *s, LLVMValueRef argument, int depth,
                            bool (*find_one)(search *, LLVMValueRef, int)) {
  LLVMValueRef function = LLVMGetParamParent(argument);
  if (tn_function_is_kernel(function) || tn_function_is_external(function)) {
    return false;
  }
  unsigned index = 0;
  while (LLVMGetParam(function, index) != argument) {
    ++index;
  }
  bool has_caller = false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function ||
        index >= LLVMGetNumArgOperands(call) ||
        !find_one(s, LLVMGetOperand(call, index), depth - 1)) {
      return false;
    }
    has_caller = true;
  }
  return has_caller;
}

// One use of a variable's address: stores say what it holds, and nobody else may get hold of it.
static bool find_in_use(search *s, LLVMValueRef address, LLVMValueRef user, int depth) {
  if (LLVMIsALoadInst(user)) {
    return true;
  }
  if (LLVMIsAStoreInst(user)) {
    return LLVMGetOperand(user, 1) == address && find(s, LLVMGetOperand(user, 0), depth - 1);
  }
  if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user)) {
    for (LLVMUseRef use = LLVMGetFirstUse(user); use; use = LLVMGetNextUse(use)) {
      if (depth == 0 || !find_in_use(s, user, LLVMGetUser(use), depth - 1)) {
        return false;
      }
    }
    return true;
  }
  LLVMValueRef callee =
      LLVMIsACallInst(user) ? tn_reach_function_of(LLVMGetCalledValue(user)) : NULL;
  const tn_str name = callee ? tn_value_name(callee) : (tn_str){NULL, 0};
  if (tn_str_has_prefix(name, TN_STR_LIT("llvm.memcpy")) && LLVMGetOperand(user, 0) == address) {
    return find_in_memory(s, LLVMGetOperand(user, 1), depth - 1);
  }
  // A member function is given its object's address, and does not change a const one's.
  return tn_str_has_prefix(name, TN_STR_LIT("llvm.lifetime.")) ||
         tn_str_has_prefix(name, TN_STR_LIT("llvm.memcpy")) ||
         tn_str_has_prefix(name, TN_STR_LIT("_ZNK")) ||
         (tn_str_has_prefix(name, TN_STR_LIT("_ZZ")) &&
          tn_str_find(name, TN_STR_LIT("ENK")) != SIZE_MAX);
}

// What may be read there: constant tables and variables of the function.
static bool find_in_memory(search *s, LLVMValueRef memory, int depth) {
  if (depth <= 0 || ++s->steps > TN_CALLEES_STEPS) {
    return false;
  }
  LLVMValueRef variable = LLVMIsAGlobalVariable(memory);
  if (variable) {
    LLVMValueRef value = LLVMIsGlobalConstant(variable) ? LLVMGetInitializer(variable) : NULL;
    return value && find_in_constant(s, value, TN_CALLEES_DEPTH);
  }
  const LLVMOpcode opcode = LLVMIsAConstantExpr(memory) ? LLVMGetConstOpcode(memory) : LLVMRet;
  if (LLVMIsAGetElementPtrInst(memory) || LLVMIsAAddrSpaceCastInst(memory) ||
      opcode == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast) {
    return find_in_memory(s, LLVMGetOperand(memory, 0), depth - 1);
  }
  if (LLVMIsAArgument(memory)) {
    return find_in_callers(s, memory, depth, find_in_memory);
  }
  if (LLVMIsALoadInst(memory)) {
    LLVMValueRef held = tn_value_through_slot(memory);
    return held != memory && find_in_memory(s, held, depth - 1);
  }
  if (!LLVMIsAAllocaInst(memory)) {
    return false;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(memory); use; use = LLVMGetNextUse(use)) {
    if (!find_in_use(s, memory, LLVMGetUser(use), depth)) {
      return false;
    }
  }
  return true;
}

static bool find_in_phi(search *s, LLVMValueRef phi, int depth) {
  const unsigned count = LLVMCountIncoming(phi);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    // Of a call through a pointer to member; whether it is taken, the other value says.
    const bool is_virtual =
        count == 2 && tn_str_has_prefix(tn_value_name(value), TN_STR_LIT("memptr.virtualfn"));
    if (!is_virtual && !find(s, value, depth - 1)) {
      return false;
    }
  }
  return true;
}

// What a function returns, such as a lambda's conversion to a pointer.
static bool find_in_result(search *s, LLVMValueRef function, int depth) {
  bool returns = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsAReturnInst(end)) {
      returns = LLVMGetNumOperands(end) == 1 && find(s, LLVMGetOperand(end, 0), depth - 1);
      if (!returns) {
        return false;
      }
    }
  }
  return returns;
}

static bool find(search *s, LLVMValueRef value, int depth) {
  LLVMValueRef function = tn_reach_function_of(value);
  if (function) {
    return add(s->out, function);
  }
  if (depth <= 0 || ++s->steps > TN_CALLEES_STEPS) {
    return false;
  }
  if (LLVMIsAArgument(value)) {
    return find_in_callers(s, value, depth, find);
  }
  if (LLVMIsALoadInst(value)) {
    return find_in_memory(s, LLVMGetOperand(value, 0), depth - 1);
  }
  if (LLVMIsACallInst(value)) {
    LLVMValueRef callee = tn_reach_function_of(LLVMGetCalledValue(value));
    return callee && tn_function_is_defined(callee) && find_in_result(s, callee, depth);
  }
  if (LLVMIsAPHINode(value)) {
    return find_in_phi(s, value, depth);
  }
  if (LLVMIsASelectInst(value)) {
    return find(s, LLVMGetOperand(value, 1), depth - 1) &&
           find(s, LLVMGetOperand(value, 2), depth - 1);
  }
  if (LLVMIsACastInst(value) || LLVMIsAFreezeInst(value) || LLVMIsAExtractValueInst(value)) {
    return find(s, LLVMGetOperand(value, 0), depth - 1);
  }
  return LLVMIsAConstant(value) && !LLVMIsAConstantInt(value) &&
         find_in_constant(s, value, TN_CALLEES_DEPTH);
}

void tn_callees_find(LLVMValueRef callee, tn_callees *out) {
  *out = (tn_callees){.count = 0};
  search s = {.out = out};
  out->is_complete = find(&s, callee, TN_CALLEES_DEPTH) && out->count > 0;
}

// Where variables have an address space of their own, they are used by a cast of their address.
static LLVMValueRef slot_of(LLVMValueRef load) {
  LLVMValueRef slot = LLVMGetOperand(load, 0);
  LLVMValueRef variable = LLVMIsAAddrSpaceCastInst(slot) ? LLVMGetOperand(slot, 0) : slot;
  if (!LLVMIsAAllocaInst(variable)) {
    return NULL;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use && variable != slot;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMIsAFunction(LLVMGetCalledValue(user)) : NULL;
    if (user != slot && !(callee && tn_function_is_intrinsic(callee))) {
      return NULL;
    }
  }
  return slot;
}

LLVMValueRef tn_value_through_slot(LLVMValueRef value) {
  LLVMValueRef slot = LLVMIsALoadInst(value) ? slot_of(value) : NULL;
  LLVMValueRef held = NULL;
  for (LLVMUseRef use = slot ? LLVMGetFirstUse(slot) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMIsAFunction(LLVMGetCalledValue(user)) : NULL;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot && !held) {
      held = LLVMGetOperand(user, 0);
    } else if (!LLVMIsALoadInst(user) && !(callee && tn_function_is_intrinsic(callee))) {
      return value;
    }
  }
  return held ? held : value;
}
