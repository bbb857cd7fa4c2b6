// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks that live longer than a block, of processors without registers for masks. LLVM's selection
// of instructions sees a block at a time, and passes vectors of bits from one to the next as
// numbers of 8 or 16 bits: packed from what a comparison leaves, and unpacked for each choice. Here
// they are passed as numbers of the size that was compared.
#include "base/map.h"
#include "compile/lower/lower.h"

enum { LOOK_MAX = 32 };

typedef struct mask_keeper {
  LLVMBuilderRef builder;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  unsigned vector_bytes;
  tn_arena arena;
  tn_map wide;  // mask → its numbers, all ones or 0 each
  bool failed;  // there is no memory
} mask_keeper;

static bool is_mask(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 1;
}

// Of the numbers whose comparison `mask` is made of; 0: not known. Looks at `left` values at most.
static unsigned compared_bits(const mask_keeper *m, LLVMValueRef mask, int *left) {
  if (--*left < 0 || LLVMIsConstant(mask)) {
    return 0;
  }
  if (LLVMIsAICmpInst(mask) || LLVMIsAFCmpInst(mask)) {
    LLVMTypeRef compared = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(mask, 0)));
    return (unsigned)LLVMSizeOfTypeInBits(m->layout, compared);
  }
  unsigned most = 0;
  if (LLVMIsABinaryOperator(mask) || LLVMIsASelectInst(mask) || LLVMIsAPHINode(mask)) {
    for (int k = 0; k < LLVMGetNumOperands(mask); k++) {
      LLVMValueRef from = LLVMGetOperand(mask, (unsigned)k);
      const unsigned bits = is_mask(from) ? compared_bits(m, from, left) : 0;
      most = bits > most ? bits : most;
    }
  }
  return most;
}

static LLVMTypeRef wide_type(const mask_keeper *m, LLVMValueRef mask) {
  const unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(mask));
  int left = LOOK_MAX;
  const unsigned found = compared_bits(m, mask, &left);
  unsigned bits = found == 0 ? 32 : found < 8 ? 8 : found;
  // More than two registers for a mask are too many.
  while (bits > 8 && bits * lanes > 16 * m->vector_bytes) {
    bits /= 2;
  }
  return LLVMVectorType(LLVMIntTypeInContext(m->context, bits), lanes);
}

static LLVMBasicBlockRef block_of(LLVMValueRef instruction) {
  return LLVMGetInstructionParent(instruction);
}

static void place_behind_phis(const mask_keeper *m, LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i)) {
    i = LLVMGetNextInstruction(i);
  }
  LLVMPositionBuilderBefore(m->builder, i);
}

static void keep(mask_keeper *m, LLVMValueRef mask, LLVMValueRef wide) {
  m->failed = !tn_map_set(&m->wide, TN_POINTER_KEY(mask), wide) || m->failed;
}

// A use in another block, or on the way to one.
static bool is_passed_on(LLVMValueRef mask) {
  for (LLVMUseRef use = LLVMGetFirstUse(mask); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) || block_of(user) != block_of(mask)) {
      return true;
    }
  }
  return false;
}

static void add_wide(mask_keeper *m, LLVMValueRef mask) {
  if (LLVMIsAPHINode(mask)) {
    LLVMPositionBuilderBefore(m->builder, mask);
    keep(m, mask, LLVMBuildPhi(m->builder, wide_type(m, mask), ""));
  } else if (is_passed_on(mask)) {
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(mask));
    keep(m, mask, LLVMBuildSExt(m->builder, mask, wide_type(m, mask), ""));
  }
}

static void add_incoming(mask_keeper *m, LLVMValueRef phi) {
  LLVMValueRef wide = tn_map_find(&m->wide, TN_POINTER_KEY(phi));
  for (unsigned k = 0; wide && k < LLVMCountIncoming(phi); k++) {
    LLVMValueRef mask = LLVMGetIncomingValue(phi, k);
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    LLVMValueRef kept = tn_map_find(&m->wide, TN_POINTER_KEY(mask));
    LLVMPositionBuilderBefore(m->builder, LLVMGetBasicBlockTerminator(from));
    LLVMValueRef in = LLVMBuildIntCast2(m->builder, kept ? kept : mask, LLVMTypeOf(wide), true, "");
    LLVMAddIncoming(wide, &in, &from, 1);
  }
}

static void add_to(mask_keeper *m, tn_list *list, LLVMValueRef value) {
  m->failed = !tn_list_add(list, &m->arena, value) || m->failed;
}

// Other blocks compare what `mask` is kept as, each for itself.
static void replace_uses(mask_keeper *m, LLVMValueRef mask) {
  LLVMValueRef wide = tn_map_find(&m->wide, TN_POINTER_KEY(mask));
  if (!wide) {
    return;
  }
  tn_map by_block;
  tn_map_init(&by_block);
  tn_list users = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(mask); use; use = LLVMGetNextUse(use)) {
    add_to(m, &users, LLVMGetUser(use));
  }
  for (size_t i = 0; i < users.count; i++) {
    LLVMValueRef user = users.items[i];
    LLVMBasicBlockRef block = block_of(user);
    if (LLVMIsAPHINode(user) || (block == block_of(mask) && !LLVMIsAPHINode(mask))) {
      continue;
    }
    LLVMValueRef again = tn_map_find(&by_block, TN_POINTER_KEY(block));
    if (!again) {
      place_behind_phis(m, block);
      again = LLVMBuildICmp(m->builder, LLVMIntSLT, wide, LLVMConstNull(LLVMTypeOf(wide)), "");
      m->failed = !tn_map_set(&by_block, TN_POINTER_KEY(block), again) || m->failed;
    }
    for (int k = 0; k < LLVMGetNumOperands(user); k++) {
      if (LLVMGetOperand(user, (unsigned)k) == mask) {
        LLVMSetOperand(user, (unsigned)k, again);
      }
    }
  }
  tn_map_deinit(&by_block);
}

static void keep_masks(mask_keeper *m, LLVMValueRef function) {
  tn_list masks = {0};
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (is_mask(i)) {
        add_to(m, &masks, i);
      }
    }
  }
  for (size_t i = 0; i < masks.count; i++) {
    add_wide(m, masks.items[i]);
  }
  for (size_t i = 0; i < masks.count; i++) {
    if (LLVMIsAPHINode(masks.items[i])) {
      add_incoming(m, masks.items[i]);
    }
  }
  for (size_t i = 0; i < masks.count; i++) {
    replace_uses(m, masks.items[i]);
  }
  for (size_t i = 0; i < masks.count; i++) {
    if (LLVMIsAPHINode(masks.items[i])) {
      LLVMReplaceAllUsesWith(masks.items[i], LLVMGetPoison(LLVMTypeOf(masks.items[i])));
      LLVMInstructionEraseFromParent(masks.items[i]);
    }
  }
}

tn_status tn_lower_masks(LLVMModuleRef module, uint32_t vector_bytes, tn_diag *diag) {
  enum { WITH_MASK_REGISTERS = 64 };
  if (vector_bytes >= WITH_MASK_REGISTERS) {
    return TN_OK;
  }
  mask_keeper m = {.context = LLVMGetModuleContext(module),
                   .layout = LLVMGetModuleDataLayout(module),
                   .vector_bytes = vector_bytes};
  m.builder = LLVMCreateBuilderInContext(m.context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !m.failed; f = LLVMGetNextFunction(f)) {
    tn_arena_init(&m.arena);
    tn_map_init(&m.wide);
    keep_masks(&m, f);
    tn_map_deinit(&m.wide);
    tn_arena_deinit(&m.arena);
  }
  LLVMDisposeBuilder(m.builder);
  return m.failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the masks of kernels") : TN_OK;
}
