// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which words of its block of arguments a kernel reads. Needs: simplified code. Keeps all of it.
#include "compile/lower/argument_mask.h"

#include <llvm-c/Target.h>

typedef struct reader {
  LLVMTargetDataRef layout;
  uint8_t *words;  // a byte for each word of the block: 1 when it is read
  uint64_t size;   // of the block, in bytes
  bool is_all;     // what is read cannot be told
} reader;

enum { READER_DEPTH = 16 };

static void note_range(reader *r, uint64_t offset, uint64_t size) {
  if (offset >= r->size || size > r->size - offset) {
    r->is_all = true;
    return;
  }
  for (uint64_t at = offset; at < offset + size; ++at) {
    r->words[at / TN_ARGUMENT_WORD] = 1;
  }
}

// A step of a constant number of bytes; false when it is another.
static bool step_of(const reader *r, LLVMValueRef gep, uint64_t *out) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  LLVMValueRef first = LLVMIsAConstantInt(LLVMGetOperand(gep, 1));
  const int count = LLVMGetNumOperands(gep);
  if (!first || count > 3) {
    return false;
  }
  *out = LLVMConstIntGetZExtValue(first) * LLVMABISizeOfType(r->layout, type);
  if (count == 2) {
    return true;
  }
  LLVMValueRef second = LLVMIsAConstantInt(LLVMGetOperand(gep, 2));
  if (!second || LLVMGetTypeKind(type) != LLVMStructTypeKind) {
    return false;
  }
  const unsigned element = (unsigned)LLVMConstIntGetZExtValue(second);
  *out += LLVMOffsetOfElement(r->layout, type, element);
  return true;
}

static void note_uses(reader *r, LLVMValueRef pointer, uint64_t offset, int depth);

// A copy out of the block; the length is the call's third argument.
static void note_call(reader *r, LLVMValueRef call, LLVMValueRef pointer, uint64_t offset) {
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
  const tn_str name = callee ? tn_value_name(callee) : (tn_str){NULL, 0};
  if (tn_str_has_prefix(name, TN_STR_LIT("llvm.lifetime")) ||
      tn_str_has_prefix(name, TN_STR_LIT("llvm.assume"))) {
    return;
  }
  LLVMValueRef length = tn_str_has_prefix(name, TN_STR_LIT("llvm.memcpy"))
                            ? LLVMIsAConstantInt(LLVMGetOperand(call, 2)) : NULL;
  if (!length || LLVMGetOperand(call, 1) != pointer || LLVMGetOperand(call, 0) == pointer) {
    r->is_all = true;
    return;
  }
  note_range(r, offset, LLVMConstIntGetZExtValue(length));
}

static void note_use(reader *r, LLVMValueRef user, LLVMValueRef pointer, uint64_t offset,
                     int depth) {
  uint64_t step = 0;
  if (LLVMIsALoadInst(user)) {
    note_range(r, offset, LLVMStoreSizeOfType(r->layout, LLVMTypeOf(user)));
  } else if (LLVMIsAGetElementPtrInst(user) && step_of(r, user, &step)) {
    note_uses(r, user, offset + step, depth + 1);
  } else if (LLVMIsACallInst(user)) {
    note_call(r, user, pointer, offset);
  } else {
    r->is_all = true;
  }
}

static void note_uses(reader *r, LLVMValueRef pointer, uint64_t offset, int depth) {
  if (depth == READER_DEPTH) {
    r->is_all = true;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && !r->is_all; use = LLVMGetNextUse(use)) {
    note_use(r, LLVMGetUser(use), pointer, offset, depth);
  }
}

bool tn_argument_mask_make(LLVMModuleRef module, LLVMValueRef kernel, uint64_t size,
                           tn_arena *arena, tn_bytes *out) {
  const uint64_t words = (size + TN_ARGUMENT_WORD - 1) / TN_ARGUMENT_WORD;
  const uint64_t bytes = (words + 7) / 8;
  reader r = {.layout = LLVMGetModuleDataLayout(module), .size = size};
  r.words = tn_arena_alloc(arena, words);
  uint8_t *mask = tn_arena_alloc(arena, bytes);
  if (!r.words || !mask) {
    return false;
  }
  r.is_all = LLVMCountParams(kernel) != 1;
  if (!r.is_all) {
    note_uses(&r, LLVMGetParam(kernel, 0), 0, 0);
  }
  for (uint64_t i = 0; i < words; ++i) {
    if (!r.is_all && r.words[i] == 0) {
      mask[i / 8] = (uint8_t)(mask[i / 8] | 1u << (i % 8));
    }
  }
  *out = (tn_bytes){mask, bytes};
  return true;
}
