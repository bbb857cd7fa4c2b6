// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Endless loops get an exit that is never taken: work-items leave loops side by side.
// needs: nothing.  keeps: what code does.  breaks: nothing.
#include "compile/widen/endless.h"

#include "base/map.h"

typedef struct open_state {
  tn_arena *arena;
  LLVMValueRef function;
  LLVMBasicBlockRef *blocks;
  uint8_t *ends;  // by block: a return, or an unreachable, is reached from there
  size_t count;
  tn_map index;            // block → index + 1
  LLVMBasicBlockRef exit;  // made when the first loop needs it
} open_state;

typedef struct back_edge {
  LLVMValueRef end;  // the terminator
  unsigned successor;
} back_edge;

static size_t index_of(const open_state *s, LLVMBasicBlockRef block) {
  return (size_t)(intptr_t)tn_map_find(&s->index, TN_POINTER_KEY(block)) - 1;
}

static bool list_blocks(open_state *s) {
  s->count = LLVMCountBasicBlocks(s->function);
  s->blocks = tn_arena_alloc_array(s->arena, s->count, sizeof(*s->blocks));
  s->ends = tn_arena_alloc_array(s->arena, s->count, 1);
  if (!s->blocks || !s->ends) {
    return false;
  }
  LLVMGetBasicBlocks(s->function, s->blocks);
  for (size_t i = 0; i < s->count; i++) {
    if (!tn_map_set(&s->index, TN_POINTER_KEY(s->blocks[i]), (void *)(intptr_t)(i + 1))) {
      return false;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = s->count; i-- > 0;) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[i]);
      const unsigned successors = LLVMGetNumSuccessors(end);
      bool does_end = successors == 0;
      for (unsigned k = 0; k < successors && !does_end; k++) {
        does_end = s->ends[index_of(s, LLVMGetSuccessor(end, k))] != 0;
      }
      changed = changed || (does_end && !s->ends[i]);
      s->ends[i] = s->ends[i] || does_end;
    }
  }
  return true;
}

// Of a cycle among blocks that never end: depth first from `from`.
static bool find_back_edge(const open_state *s, size_t from, back_edge *out) {
  enum { NEW, ON_PATH, DONE };
  size_t *path = tn_arena_alloc_array(s->arena, s->count, sizeof(*path));
  unsigned *next = tn_arena_alloc_array(s->arena, s->count, sizeof(*next));
  uint8_t *state = tn_arena_alloc_array(s->arena, s->count, 1);
  if (!path || !next || !state) {
    return false;
  }
  size_t depth = 0;
  path[depth++] = from;
  state[from] = ON_PATH;
  while (depth > 0) {
    const size_t block = path[depth - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->blocks[block]);
    if (next[block] == LLVMGetNumSuccessors(end)) {
      state[block] = DONE;
      depth--;
      continue;
    }
    const unsigned successor = next[block]++;
    const size_t to = index_of(s, LLVMGetSuccessor(end, successor));
    if (state[to] == ON_PATH) {
      *out = (back_edge){end, successor};
      return true;
    }
    if (state[to] == NEW) {
      state[to] = ON_PATH;
      path[depth++] = to;
    }
  }
  return false;
}

static LLVMBasicBlockRef exit_of(open_state *s, LLVMBuilderRef builder) {
  if (!s->exit) {
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(s->function));
    s->exit = LLVMAppendBasicBlockInContext(LLVMGetTypeContext(type), s->function, "never");
    LLVMPositionBuilderAtEnd(builder, s->exit);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
      LLVMBuildRetVoid(builder);
    } else {
      LLVMBuildRet(builder, LLVMConstNull(type));
    }
  }
  return s->exit;
}

// One edge of `from` to the block comes from `instead` now.
static void replace_incoming(LLVMBuilderRef builder, LLVMBasicBlockRef block,
                             LLVMBasicBlockRef from, LLVMBasicBlockRef instead) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi);) {
    LLVMValueRef following = LLVMGetNextInstruction(phi);
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    bool is_replaced = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMValueRef value = LLVMGetIncomingValue(phi, i);
      LLVMBasicBlockRef incoming = LLVMGetIncomingBlock(phi, i);
      if (incoming == from && !is_replaced) {
        incoming = instead;
        is_replaced = true;
      }
      value = value == phi ? made : value;
      LLVMAddIncoming(made, &value, &incoming, 1);
    }
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
    phi = following;
  }
}

static void open_edge(open_state *s, const back_edge *edge) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(s->function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef from = LLVMGetInstructionParent(edge->end);
  LLVMBasicBlockRef to = LLVMGetSuccessor(edge->end, edge->successor);
  LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(context, to, "again");
  LLVMSetSuccessor(edge->end, edge->successor, between);
  LLVMBasicBlockRef exit = exit_of(s, builder);
  LLVMPositionBuilderAtEnd(builder, between);
  LLVMBuildCondBr(builder, LLVMConstInt(LLVMInt1TypeInContext(context), 1, false), to, exit);
  replace_incoming(builder, to, from, between);
  LLVMDisposeBuilder(builder);
}

static bool open_function(open_state *s) {
  for (;;) {
    if (!list_blocks(s)) {
      return false;
    }
    size_t at = 0;
    while (at < s->count && s->ends[at]) {
      at++;
    }
    if (at == s->count) {
      return true;
    }
    back_edge edge;
    if (!find_back_edge(s, at, &edge)) {
      return false;
    }
    open_edge(s, &edge);
  }
}

tn_status tn_endless_loops_open(LLVMModuleRef module, tn_diag *diag) {
  bool ok = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && ok; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f)) {
      tn_arena arena;
      tn_arena_init(&arena);
      open_state state = {.arena = &arena, .function = f};
      tn_map_init(&state.index);
      ok = open_function(&state);
      tn_map_deinit(&state.index);
      tn_arena_deinit(&arena);
    }
  }
  return ok ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels");
}
