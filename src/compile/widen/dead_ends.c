// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where code never returns, as behind an assertion that fails, each block ends by itself: whoever
// comes there has left the others, and no block is passed on the way to another's end.
// needs: nothing.  keeps: what code does.  breaks: tn_dead_ends_open: one return in a function.
#include "compile/widen/dead_ends.h"

#include "base/map.h"

typedef struct ways {
  LLVMBasicBlockRef *blocks;
  uint8_t *returns;  // by block: a return is reached from there
  size_t count;
  tn_map index;  // block → index + 1
} ways;

static size_t index_of(const ways *w, LLVMBasicBlockRef block) {
  return (size_t)(intptr_t)tn_map_find(&w->index, TN_POINTER_KEY(block)) - 1;
}

static bool is_way_to_return(const ways *w, LLVMValueRef end) {
  bool is_way = LLVMIsAReturnInst(end) != NULL;
  for (unsigned k = 0; k < LLVMGetNumSuccessors(end) && !is_way; k++) {
    is_way = w->returns[index_of(w, LLVMGetSuccessor(end, k))] != 0;
  }
  return is_way;
}

static bool find_ways(ways *w, LLVMValueRef function, tn_arena *arena) {
  w->count = LLVMCountBasicBlocks(function);
  w->blocks = tn_arena_alloc_array(arena, w->count, sizeof(*w->blocks));
  w->returns = tn_arena_alloc_array(arena, w->count, 1);
  if (!w->blocks || !w->returns) {
    return false;
  }
  LLVMGetBasicBlocks(function, w->blocks);
  for (size_t i = 0; i < w->count; i++) {
    if (!tn_map_set(&w->index, TN_POINTER_KEY(w->blocks[i]), (void *)(intptr_t)(i + 1))) {
      return false;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = w->count; i-- > 0;) {
      if (!w->returns[i] && is_way_to_return(w, LLVMGetBasicBlockTerminator(w->blocks[i]))) {
        w->returns[i] = 1;
        changed = true;
      }
    }
  }
  return true;
}

// Do they come from where nothing returns any more, or is the whole function such?
static bool is_behind_another(const ways *w, LLVMBasicBlockRef block) {
  if (block == w->blocks[0]) {
    return true;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef end = LLVMGetUser(use);
    if (LLVMIsATerminatorInst(end) && !w->returns[index_of(w, LLVMGetInstructionParent(end))]) {
      return true;
    }
  }
  return false;
}

// Behind a branch its second successor is written first: they come to their end before the others
// go on, say into a barrier.
static void put_second(LLVMBuilderRef builder, const ways *w, LLVMValueRef end) {
  if (!LLVMIsABranchInst(end) || LLVMGetNumSuccessors(end) != 2) {
    return;
  }
  LLVMBasicBlockRef first = LLVMGetSuccessor(end, 0);
  LLVMBasicBlockRef second = LLVMGetSuccessor(end, 1);
  if (!w->returns[index_of(w, first)] && w->returns[index_of(w, second)]) {
    LLVMPositionBuilderBefore(builder, end);
    LLVMSetCondition(end, LLVMBuildNot(builder, LLVMGetCondition(end), ""));
    LLVMSetSuccessor(end, 0, second);
    LLVMSetSuccessor(end, 1, first);
    LLVMSetMetadata(end, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(end)), "prof", 4),
                    NULL);  // how likely either was
  }
}

static void return_instead(LLVMBuilderRef builder, LLVMValueRef function,
                           LLVMValueRef unreachable) {
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMPositionBuilderBefore(builder, unreachable);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(builder);
  } else {
    LLVMBuildRet(builder, LLVMConstNull(type));
  }
  LLVMInstructionEraseFromParent(unreachable);
}

static bool open_function(LLVMBuilderRef builder, LLVMValueRef function) {
  tn_arena arena;
  tn_arena_init(&arena);
  ways w = {0};
  tn_map_init(&w.index);
  const bool ok = find_ways(&w, function, &arena);
  for (size_t i = 0; i < w.count && ok; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(w.blocks[i]);
    put_second(builder, &w, end);
    if (LLVMIsAUnreachableInst(end) && is_behind_another(&w, w.blocks[i])) {
      return_instead(builder, function, end);
    }
  }
  tn_map_deinit(&w.index);
  tn_arena_deinit(&arena);
  return ok;
}

tn_status tn_dead_ends_open(LLVMModuleRef module, tn_diag *diag) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool ok = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && ok; f = LLVMGetNextFunction(f)) {
    ok = !tn_function_is_defined(f) || open_function(builder, f);
  }
  LLVMDisposeBuilder(builder);
  return ok ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels");
}

static void part_block(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (LLVMGetNumSuccessors(end) == 1 &&
      LLVMIsAUnreachableInst(LLVMGetFirstInstruction(LLVMGetSuccessor(end, 0)))) {
    LLVMPositionBuilderBefore(builder, end);
    LLVMBuildUnreachable(builder);
    LLVMInstructionEraseFromParent(end);
  }
}

void tn_dead_ends_part(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      part_block(builder, b);
    }
  }
  LLVMDisposeBuilder(builder);
}
