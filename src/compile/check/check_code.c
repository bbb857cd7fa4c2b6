// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that device code may not have: calls through pointers, types and memory that devices
// lack, jumps out of functions, coroutines.
// needs: a prepared unit, nothing simplified yet.  keeps: everything.  breaks: nothing.
#include "compile/check/check_code.h"

#include "compile/lower/lower.h"
#include "compile/reach/reach.h"

#include <ctype.h>

enum { TN_TYPE_DEPTH = 8, TN_WIDEST_INTEGER = 128 };

static bool is_vtable_tag(LLVMValueRef tag) {
  if (!tag || !LLVMIsAMDNode(tag) || LLVMGetMDNodeNumOperands(tag) != 3) {
    return false;
  }
  LLVMValueRef operands[3] = {NULL, NULL, NULL};
  LLVMGetMDNodeOperands(tag, operands);
  LLVMValueRef type = operands[0];
  if (!type || !LLVMIsAMDNode(type) || LLVMGetMDNodeNumOperands(type) == 0 ||
      LLVMGetMDNodeNumOperands(type) > 8) {
    return false;
  }
  LLVMValueRef parts[8] = {NULL};
  LLVMGetMDNodeOperands(type, parts);
  unsigned size = 0;
  const char *text = parts[0] ? LLVMGetMDString(parts[0], &size) : NULL;
  return text && tn_str_equals((tn_str){text, size}, TN_STR_LIT("vtable pointer"));
}

// Clang names the loaded pointer to the virtual table "vtable", at every optimization level.
bool tn_check_is_vtable_load(const tn_rules *rules, LLVMValueRef value) {
  if (!LLVMIsALoadInst(value)) {
    return false;
  }
  const tn_str name = tn_value_name(value);
  const tn_str prefix = TN_STR_LIT("vtable");
  const bool named = tn_str_has_prefix(name, prefix) &&
                     (name.size == prefix.size || isdigit((unsigned char)name.data[prefix.size]));
  return named || is_vtable_tag(LLVMGetMetadata(value, rules->tbaa_kind));
}

static bool is_virtual_call(const tn_rules *rules, LLVMValueRef callee) {
  if (!LLVMIsALoadInst(callee)) {
    return false;
  }
  LLVMValueRef slot = LLVMGetOperand(callee, 0);
  if (LLVMIsAGetElementPtrInst(slot)) {
    slot = LLVMGetOperand(slot, 0);
  }
  return tn_check_is_vtable_load(rules, slot);
}

static void check_callee(tn_rules *rules, const tn_reach_node *node, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!callee || LLVMIsAInlineAsm(callee) || tn_reach_function_of(callee)) {
    return;
  }
  if (is_virtual_call(rules, callee)) {
    tn_report_add(&rules->report, node, call,
                  "calls a virtual function; device code cannot make virtual calls");
    return;
  }
  tn_callees known;
  tn_callees_find(callee, &known);
  if (known.is_complete) {
    return;
  }
  if (rules->is_for_cpu || rules->is_for_nvidia) {
    tn_report_warn(&rules->report, node, call,
                   "calls a function through a pointer; SYCL forbids it, and only the CPU and "
                   "NVIDIA's GPUs can");
  } else {
    tn_report_add(&rules->report, node, call,
                  "calls a function through a pointer that is not known at compile time; device "
                  "code cannot");
  }
}

// What devices lack, in words; NULL for types that they have.
static const char *lacking_type(LLVMTypeRef type, int depth) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMX86_FP80TypeKind:
    case LLVMPPC_FP128TypeKind:
      return "long double";
    case LLVMFP128TypeKind:
      return "floating-point numbers of 128 bits";
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(type) >= TN_WIDEST_INTEGER ? "integers of 128 bits or more" : NULL;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
      return depth > 0 ? lacking_type(LLVMGetElementType(type), depth - 1) : NULL;
    case LLVMStructTypeKind:
      for (unsigned i = 0; depth > 0 && i < LLVMCountStructElementTypes(type); ++i) {
        const char *what = lacking_type(LLVMStructGetTypeAtIndex(type, i), depth - 1);
        if (what) {
          return what;
        }
      }
      return NULL;
    default:
      return NULL;
  }
}

static void check_types(tn_rules *rules, const tn_reach_node *node, LLVMValueRef instruction) {
  const char *what = lacking_type(LLVMTypeOf(instruction), 1);
  const int count = LLVMGetNumOperands(instruction);
  for (int i = 0; !what && i < count; ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    what = operand && !LLVMIsABasicBlock(operand) ? lacking_type(LLVMTypeOf(operand), 1) : NULL;
  }
  // Once a function, where it begins to.
  const struct {
    const void *function;
    const char *what;
  } key = {node->function, what};
  const tn_str key_text = {(const char *)&key, sizeof(key)};
  if (what && !tn_map_find(&rules->report.seen, key_text)) {
    const bool is_kept = tn_map_set(&rules->report.seen, key_text, rules);
    (void)is_kept;
    tn_report_add(&rules->report, node, instruction, "uses %s; devices have none", what);
  }
}

static void check_variable(tn_rules *rules, const tn_reach_node *node, LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!LLVMIsAConstantInt(count)) {
    tn_report_add(&rules->report, node, alloca,
                  "has memory whose size is not known at compile time; device code cannot");
  } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMGetArrayLength2(type) == 0) {
    tn_report_add(&rules->report, node, alloca, "has an array of no elements; device code cannot");
  } else if (tn_group_static_is_within(type)) {
    // The front end made variables static.
    tn_report_add(&rules->report, node, alloca,
                  "has a work_group_static as part of another object, as a parameter or without a "
                  "name; only variables and static data members can be in a work-group's memory");
  }
}

static void check_intrinsic(tn_rules *rules, const tn_reach_node *node, LLVMValueRef call,
                            tn_str name) {
  if (tn_str_has_prefix(name, TN_STR_LIT("llvm.eh.sjlj."))) {
    tn_report_add(&rules->report, node, call,
                  "uses setjmp or longjmp; device code cannot jump out of functions");
  } else if (tn_str_equals(name, TN_STR_LIT("llvm.coro.begin"))) {
    tn_report_add(&rules->report, node, call, "is a coroutine; device code has none");
  } else if (tn_str_has_prefix(name, TN_STR_LIT("llvm.va_start")) && !node->parent) {
    tn_report_add(&rules->report, node, call,
                  "takes a variable number of arguments; device code cannot");
  }
}

static unsigned space_of(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

// Global memory is 1, a work-group's local memory is 3, and 0 is any.
enum { TN_SPACE_GLOBAL = 1, TN_SPACE_LOCAL = 3 };

// The memory that an address is of, as far as the function tells; 0 for any.
static unsigned known_space(LLVMValueRef address) {
  for (int i = 0; i < 64; ++i) {
    address = tn_value_through_slot(address);
    if (LLVMGetTypeKind(LLVMTypeOf(address)) != LLVMPointerTypeKind) {
      return 0;
    }
    const unsigned space = space_of(address);
    const bool goes_on = LLVMIsAAddrSpaceCastInst(address) || LLVMIsAGetElementPtrInst(address);
    if (space == TN_SPACE_GLOBAL || space == TN_SPACE_LOCAL || !goes_on) {
      return space;
    }
    address = LLVMGetOperand(address, 0);
  }
  return 0;
}

static void check_space(tn_rules *rules, const tn_reach_node *node, LLVMValueRef cast) {
  const unsigned to = space_of(cast);
  const unsigned from = known_space(LLVMGetOperand(cast, 0));
  if ((from == TN_SPACE_LOCAL && to == TN_SPACE_GLOBAL) ||
      (from == TN_SPACE_GLOBAL && to == TN_SPACE_LOCAL)) {
    tn_report_add(&rules->report, node, cast,
                  "takes a pointer to %s memory for one to %s memory; they are different memories",
                  from == TN_SPACE_LOCAL ? "local" : "global",
                  to == TN_SPACE_LOCAL ? "local" : "global");
  }
}

static void check_kept(tn_rules *rules, const tn_reach_node *node, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
      known_space(value) == TN_SPACE_LOCAL &&
      known_space(LLVMGetOperand(store, 1)) == TN_SPACE_GLOBAL) {
    tn_report_warn(&rules->report, node, store,
                   "keeps a pointer to local memory in global memory, where it outlives the "
                   "work-group");
  }
}

void tn_check_instruction(tn_rules *rules, const tn_reach_node *node, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMCall: {
      LLVMValueRef callee = tn_reach_function_of(LLVMGetCalledValue(instruction));
      if (callee && tn_function_is_intrinsic(callee)) {
        check_intrinsic(rules, node, instruction, tn_value_name(callee));
      }
      check_callee(rules, node, instruction);
      break;
    }
    case LLVMAlloca:
      check_variable(rules, node, instruction);
      return;  // what is done with it will tell of its type
    case LLVMLoad:
      tn_check_held(rules, node, instruction);
      break;
    case LLVMStore:
      check_kept(rules, node, instruction);
      break;
    case LLVMAddrSpaceCast:
      check_space(rules, node, instruction);
      break;
    case LLVMIndirectBr:
      if (!rules->is_for_cpu) {
        tn_report_add(&rules->report, node, instruction,
                      "has a goto to a computed label; device code cannot");
      }
      break;
    default:
      break;
  }
  check_types(rules, node, instruction);
}
