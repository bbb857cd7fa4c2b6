// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of nd_ranges that do nothing with their work-groups. Programs that come from CUDA launch
// all kernels in groups, and compute group * size + local where SYCL has a global id.
#include "compile/lower/cpu_groupless.h"

#include "compile/lower/cpu_ids.h"

// `value` as it is, or cut to fewer bits, is the id of `dimension`.
static bool is_id(LLVMValueRef value, tn_cpu_id id, uint64_t dimension) {
  uint64_t other = 0;
  LLVMValueRef whole = LLVMIsATruncInst(value) ? LLVMGetOperand(value, 0) : value;
  return tn_cpu_id_of(whole, &other) == id && other == dimension;
}

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool is_product(LLVMValueRef value, tn_cpu_id id, tn_cpu_id other, uint64_t dimension) {
  if (!is_operation(value, LLVMMul)) {
    return false;
  }
  LLVMValueRef a = LLVMGetOperand(value, 0);
  LLVMValueRef b = LLVMGetOperand(value, 1);
  return (is_id(a, id, dimension) && is_id(b, other, dimension)) ||
         (is_id(b, id, dimension) && is_id(a, other, dimension));
}

// Of the work-group's first work-item.
static bool is_begin(LLVMValueRef value, uint64_t dimension) {
  return is_product(value, TN_CPU_ID_GROUP, TN_CPU_ID_GROUP_SIZE, dimension);
}

static bool is_place(LLVMValueRef value, uint64_t dimension) {
  if (!is_operation(value, LLVMAdd)) {
    return false;
  }
  LLVMValueRef a = LLVMGetOperand(value, 0);
  LLVMValueRef b = LLVMGetOperand(value, 1);
  return (is_begin(a, dimension) && is_id(b, TN_CPU_ID_LOCAL, dimension)) ||
         (is_begin(b, dimension) && is_id(a, TN_CPU_ID_LOCAL, dimension));
}

// All that is made of an id in groups is a work-item's place.
static bool makes_places(LLVMValueRef value, uint64_t dimension) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!is_place(user, dimension) &&
        !((LLVMIsATruncInst(user) || is_begin(user, dimension)) && makes_places(user, dimension))) {
      return false;
    }
  }
  return true;
}

static bool is_unused(LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
    if (!LLVMIsATruncInst(LLVMGetUser(use)) || !is_unused(LLVMGetUser(use))) {
      return false;
    }
  }
  return true;
}

static bool suits_any_group(LLVMValueRef call) {
  uint64_t dimension = 0;
  switch (tn_cpu_id_of(call, &dimension)) {
    case TN_CPU_ID_GLOBAL:
    case TN_CPU_ID_GLOBAL_SIZE:
    case TN_CPU_ID_GLOBAL_OFFSET:
      return true;
    case TN_CPU_ID_LOCAL:
    case TN_CPU_ID_GROUP:
    case TN_CPU_ID_GROUP_SIZE:
      return makes_places(call, dimension);
    case TN_CPU_ID_GROUP_COUNT:
      return is_unused(call);
    default:
      return tn_cpu_is_launch_memory(LLVMGetCalledValue(call));
  }
}

static void use_global_size(LLVMValueRef product, LLVMValueRef item, uint64_t dimension) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(product)));
  LLVMPositionBuilderBefore(builder, product);
  LLVMValueRef size = tn_cpu_id_load_global_size(builder, item, dimension);
  LLVMReplaceAllUsesWith(product, LLVMBuildIntCast2(builder, size, LLVMTypeOf(product), 0, ""));
  LLVMDisposeBuilder(builder);
}

void tn_cpu_join_sizes(LLVMValueRef item) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(item); b; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef next = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
      next = LLVMGetNextInstruction(i);
      for (uint64_t d = 0; d < 3 && is_operation(i, LLVMMul); d++) {
        if (is_product(i, TN_CPU_ID_GROUP_COUNT, TN_CPU_ID_GROUP_SIZE, d)) {
          use_global_size(i, item, d);
          LLVMInstructionEraseFromParent(i);
          break;
        }
      }
    }
  }
}

bool tn_cpu_is_groupless(LLVMModuleRef module, LLVMValueRef item) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMUseRef use = tn_cpu_knows_items(f) ? LLVMGetFirstUse(f) : NULL; use;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef call = LLVMGetUser(use);
      if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f &&
          LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == item &&
          !suits_any_group(call)) {
        return false;
      }
    }
  }
  return true;
}
