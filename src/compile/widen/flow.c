// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
#include "compile/widen/flow.h"

#include <stdlib.h>

int tn_flow_index(const tn_flow *flow, LLVMBasicBlockRef block) {
  return (int)(intptr_t)tn_map_find(&flow->index, TN_POINTER_KEY(block)) - 1;
}

static bool set_index(tn_flow *flow, LLVMBasicBlockRef block, int index) {
  const bool is_set =
      tn_map_set(&flow->index, TN_POINTER_KEY(block), (void *)(intptr_t)(index + 1));
  flow->arena->failed = !is_set || flow->arena->failed;
  return is_set;
}

// Depth first without recursion: `state` is the next successor to look at.
static bool number_blocks(tn_flow *flow, LLVMValueRef function) {
  const int total = (int)LLVMCountBasicBlocks(function);
  if (total > TN_FLOW_BLOCKS_MAX) {
    return false;
  }
  LLVMBasicBlockRef *stack = tn_arena_alloc_array(flow->arena, (size_t)total + 1, sizeof(*stack));
  unsigned *next = tn_arena_alloc_array(flow->arena, (size_t)total + 1, sizeof(*next));
  LLVMBasicBlockRef *post = tn_arena_alloc_array(flow->arena, (size_t)total + 1, sizeof(*post));
  flow->blocks = tn_arena_alloc_array(flow->arena, (size_t)total + 1, sizeof(*flow->blocks));
  if (!stack || !next || !post || !flow->blocks) {
    return false;
  }
  int depth = 0;
  stack[depth] = LLVMGetEntryBasicBlock(function);
  next[depth++] = 0;
  bool ok = set_index(flow, stack[0], 0);
  while (depth > 0 && ok) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(stack[depth - 1]);
    if (next[depth - 1] == LLVMGetNumSuccessors(end)) {
      post[flow->count++] = stack[--depth];
      continue;
    }
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, next[depth - 1]++);
    if (tn_flow_index(flow, to) < 0) {
      ok = set_index(flow, to, 0);
      stack[depth] = to;
      next[depth++] = 0;
    }
  }
  for (int i = 0; i < flow->count && ok; i++) {
    flow->blocks[i].block = post[flow->count - 1 - i];
    ok = set_index(flow, flow->blocks[i].block, i);
  }
  return ok;
}

static bool find_edges(tn_flow *flow) {
  for (int i = 0; i < flow->count; i++) {
    tn_flow_block *b = &flow->blocks[i];
    b->end = LLVMGetBasicBlockTerminator(b->block);
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(b->end);
    const unsigned count = LLVMGetNumSuccessors(b->end);
    if ((opcode != LLVMBr && opcode != LLVMRet && opcode != LLVMUnreachable) || count > 2) {
      return false;
    }
    b->succ_count = (int)count;
    if (count == 2 && LLVMGetSuccessor(b->end, 0) == LLVMGetSuccessor(b->end, 1)) {
      b->succ_count = 1;
    }
    for (unsigned s = 0; s < (unsigned)b->succ_count; s++) {
      b->succ[s] = tn_flow_index(flow, LLVMGetSuccessor(b->end, s));
      flow->blocks[b->succ[s]].pred_count++;
    }
  }
  for (int i = 0; i < flow->count; i++) {
    tn_flow_block *b = &flow->blocks[i];
    b->pred = tn_arena_alloc_array(flow->arena, (size_t)b->pred_count + 1, sizeof(*b->pred));
    if (!b->pred) {
      return false;
    }
    b->pred_count = 0;
  }
  for (int i = 0; i < flow->count; i++) {
    for (int s = 0; s < flow->blocks[i].succ_count; s++) {
      tn_flow_block *to = &flow->blocks[flow->blocks[i].succ[s]];
      to->pred[to->pred_count++] = i;
    }
  }
  return true;
}

static int common_dominator(const tn_flow *flow, int a, int b) {
  while (a != b) {
    while (a > b) {
      a = flow->blocks[a].idom;
    }
    while (b > a) {
      b = flow->blocks[b].idom;
    }
  }
  return a;
}

static void find_dominators(tn_flow *flow) {
  for (int i = 0; i < flow->count; i++) {
    flow->blocks[i].idom = i == 0 ? 0 : TN_FLOW_NONE;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 1; i < flow->count; i++) {
      int idom = TN_FLOW_NONE;
      for (int p = 0; p < flow->blocks[i].pred_count; p++) {
        const int pred = flow->blocks[i].pred[p];
        if (flow->blocks[pred].idom != TN_FLOW_NONE) {
          idom = idom == TN_FLOW_NONE ? pred : common_dominator(flow, pred, idom);
        }
      }
      changed = changed || idom != flow->blocks[i].idom;
      flow->blocks[i].idom = idom;
    }
  }
  flow->blocks[0].idom = TN_FLOW_NONE;
}

bool tn_flow_dominates(const tn_flow *flow, int a, int b) {
  while (b != TN_FLOW_NONE && b > a) {
    b = flow->blocks[b].idom;
  }
  return a == b;
}

// Where the edge leads in one round of a loop: a round that goes back to the header ends like one
// that leaves. With the header as the successor, a block that only a later round passes through
// would count as the place where work-items of this round meet.
static int successor_in_round(const tn_flow *flow, int from, int to) {
  // In reverse post-order only a latch's edge leads back, and a header has one loop of its own.
  return to <= from ? flow->loops[flow->blocks[to].loop].exit : to;
}

// The same edges backwards.
static bool find_predecessors_in_round(const tn_flow *flow, tn_block_list *preds) {
  for (int i = 0; i < flow->count; i++) {
    for (int s = 0; s < flow->blocks[i].succ_count; s++) {
      preds[successor_in_round(flow, i, flow->blocks[i].succ[s])].count++;
    }
  }
  for (int i = 0; i < flow->count; i++) {
    preds[i].items = tn_arena_alloc_array(flow->arena, (size_t)preds[i].count + 1, sizeof(int));
    if (!preds[i].items) {
      return false;
    }
    preds[i].count = 0;
  }
  for (int i = 0; i < flow->count; i++) {
    for (int s = 0; s < flow->blocks[i].succ_count; s++) {
      tn_block_list *list = &preds[successor_in_round(flow, i, flow->blocks[i].succ[s])];
      list->items[list->count++] = i;
    }
  }
  return true;
}

// Post-dominators over the blocks' numbers in a reverse post-order of the reversed graph, whose
// first is the one block that returns.
typedef struct post_order {
  int *order;   // blocks, the return first
  int *number;  // by block: its place in `order`, TN_FLOW_NONE when the return is not reached
  int *ipdom;   // by place
  int count;
} post_order;

static bool order_backwards(const tn_flow *flow, post_order *post, int last) {
  const size_t total = (size_t)flow->count + 1;
  int *stack = tn_arena_alloc_array(flow->arena, total, sizeof(int));
  int *next = tn_arena_alloc_array(flow->arena, total, sizeof(int));
  int *done = tn_arena_alloc_array(flow->arena, total, sizeof(int));
  uint8_t *seen = tn_arena_alloc_array(flow->arena, total, 1);
  tn_block_list *preds = tn_arena_alloc_array(flow->arena, total, sizeof(*preds));
  post->order = tn_arena_alloc_array(flow->arena, total, sizeof(int));
  post->number = tn_arena_alloc_array(flow->arena, total, sizeof(int));
  post->ipdom = tn_arena_alloc_array(flow->arena, total, sizeof(int));
  if (!stack || !next || !done || !seen || !preds || !post->order || !post->number ||
      !post->ipdom || !find_predecessors_in_round(flow, preds)) {
    return false;
  }
  int depth = 0;
  int count = 0;
  stack[depth] = last;
  next[depth++] = 0;
  seen[last] = 1;
  while (depth > 0) {
    const tn_block_list *from = &preds[stack[depth - 1]];
    if (next[depth - 1] == from->count) {
      done[count++] = stack[--depth];
      continue;
    }
    const int to = from->items[next[depth - 1]++];
    if (!seen[to]) {
      seen[to] = 1;
      stack[depth] = to;
      next[depth++] = 0;
    }
  }
  for (int i = 0; i < flow->count; i++) {
    post->number[i] = TN_FLOW_NONE;
  }
  for (int i = 0; i < count; i++) {
    post->order[i] = done[count - 1 - i];
    post->number[post->order[i]] = i;
  }
  post->count = count;
  return true;
}

static int common_post_dominator(const post_order *post, int a, int b) {
  while (a != b) {
    while (a > b) {
      a = post->ipdom[a];
    }
    while (b > a) {
      b = post->ipdom[b];
    }
  }
  return a;
}

static bool find_post_dominators(tn_flow *flow) {
  int last = TN_FLOW_NONE;
  for (int i = 0; i < flow->count; i++) {
    flow->blocks[i].ipdom = TN_FLOW_NONE;
    if (LLVMIsAReturnInst(flow->blocks[i].end)) {
      if (last != TN_FLOW_NONE) {
        return false;
      }
      last = i;
    }
  }
  post_order post;
  if (last == TN_FLOW_NONE || !order_backwards(flow, &post, last)) {
    return false;
  }
  for (int i = 0; i < post.count; i++) {
    post.ipdom[i] = i == 0 ? 0 : TN_FLOW_NONE;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 1; i < post.count; i++) {
      const tn_flow_block *b = &flow->blocks[post.order[i]];
      int found = TN_FLOW_NONE;
      for (int s = 0; s < b->succ_count; s++) {
        const int n = post.number[successor_in_round(flow, post.order[i], b->succ[s])];
        if (n != TN_FLOW_NONE && post.ipdom[n] != TN_FLOW_NONE) {
          found = found == TN_FLOW_NONE ? n : common_post_dominator(&post, n, found);
        }
      }
      changed = changed || found != post.ipdom[i];
      post.ipdom[i] = found;
    }
  }
  for (int i = 1; i < post.count; i++) {
    flow->blocks[post.order[i]].ipdom = post.order[post.ipdom[i]];
  }
  // Where the return is not reached, only code that must not be reached may stand.
  for (int i = 0; i < flow->count; i++) {
    if (post.number[i] == TN_FLOW_NONE && !LLVMIsAUnreachableInst(flow->blocks[i].end)) {
      return false;
    }
  }
  return true;
}

static int compare_numbers(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

bool tn_block_list_sort(tn_arena *arena, const int *numbers, int count, tn_block_list *out) {
  *out = (tn_block_list){.items = tn_arena_alloc_array(arena, (size_t)count + 1, sizeof(int))};
  if (!out->items) {
    return false;
  }
  if (count > 0) {
    memcpy(out->items, numbers, (size_t)count * sizeof(int));
    qsort(out->items, (size_t)count, sizeof(int), compare_numbers);
  }
  out->count = count;
  return true;
}

// The header, and the blocks from which the latch is reached without passing it; `seen` marks them.
static bool collect_loop(tn_flow *flow, tn_flow_loop *loop, int *work, uint8_t *seen) {
  int count = 0;
  work[count++] = loop->header;
  seen[loop->header] = 1;
  if (!seen[loop->latch]) {
    seen[loop->latch] = 1;
    work[count++] = loop->latch;
  }
  for (int at = 1; at < count; at++) {
    const tn_flow_block *b = &flow->blocks[work[at]];
    for (int p = 0; p < b->pred_count; p++) {
      if (!seen[b->pred[p]]) {
        seen[b->pred[p]] = 1;
        work[count++] = b->pred[p];
      }
    }
  }
  loop->exiting.items = tn_arena_alloc_array(flow->arena, (size_t)count, sizeof(int));
  return loop->exiting.items && tn_block_list_sort(flow->arena, work, count, &loop->blocks);
}

static bool find_exit(const tn_flow *flow, tn_flow_loop *loop, const uint8_t *seen) {
  loop->exit = TN_FLOW_NONE;
  for (int i = 0; i < loop->blocks.count; i++) {
    const tn_flow_block *b = &flow->blocks[loop->blocks.items[i]];
    bool exits = false;
    for (int s = 0; s < b->succ_count; s++) {
      const int to = b->succ[s];
      if (seen[to]) {
        continue;
      }
      if (LLVMIsAUnreachableInst(flow->blocks[to].end) ||
          (loop->exit != TN_FLOW_NONE && loop->exit != to)) {
        return false;
      }
      loop->exit = to;
      exits = true;
    }
    if (exits) {
      loop->exiting.items[loop->exiting.count++] = loop->blocks.items[i];
    }
  }
  return loop->exit != TN_FLOW_NONE;
}

// The latch of a loop that begins at the block; NONE for no loop. False for other cycles.
static bool find_latch(const tn_flow *flow, int block, int *out) {
  *out = TN_FLOW_NONE;
  for (int p = 0; p < flow->blocks[block].pred_count; p++) {
    const int pred = flow->blocks[block].pred[p];
    if (pred < block) {
      continue;
    }
    if (!tn_flow_dominates(flow, block, pred) || (*out != TN_FLOW_NONE && *out != pred)) {
      return false;
    }
    *out = pred;
  }
  return true;
}

static bool find_loops(tn_flow *flow) {
  const size_t total = (size_t)flow->count + 1;
  int *work = tn_arena_alloc_array(flow->arena, total, sizeof(int));
  uint8_t *seen = tn_arena_alloc_array(flow->arena, total, 1);
  flow->loops = tn_arena_alloc_array(flow->arena, total, sizeof(*flow->loops));
  if (!flow->loops || !work || !seen) {
    return false;
  }
  for (int i = 0; i < flow->count; i++) {
    flow->blocks[i].loop = TN_FLOW_NONE;
  }
  for (int i = 0; i < flow->count; i++) {
    int latch = TN_FLOW_NONE;
    if (!find_latch(flow, i, &latch)) {
      return false;
    }
    if (latch == TN_FLOW_NONE) {
      continue;
    }
    // Outer loops come first: what a block is noted for last is its innermost loop.
    const int number = flow->loop_count++;
    tn_flow_loop *loop = &flow->loops[number];
    *loop = (tn_flow_loop){.header = i, .latch = latch, .parent = flow->blocks[i].loop};
    if (!collect_loop(flow, loop, work, seen) || !find_exit(flow, loop, seen)) {
      return false;
    }
    for (int k = 0; k < loop->blocks.count; k++) {
      flow->blocks[loop->blocks.items[k]].loop = number;
      seen[loop->blocks.items[k]] = 0;
    }
    if (loop->parent != TN_FLOW_NONE) {
      flow->loops[loop->parent].has_inner = true;
    }
  }
  for (int l = 0; l < flow->loop_count; l++) {
    if (flow->blocks[flow->loops[l].exit].loop != flow->loops[l].parent) {
      return false;
    }
  }
  return true;
}

bool tn_flow_init_blocks(tn_flow *flow, LLVMValueRef function, tn_arena *arena) {
  *flow = (tn_flow){.arena = arena};
  tn_map_init(&flow->index);
  return number_blocks(flow, function) && find_edges(flow);
}

bool tn_flow_init(tn_flow *flow, LLVMValueRef function, tn_arena *arena) {
  if (!tn_flow_init_blocks(flow, function, arena)) {
    return false;
  }
  find_dominators(flow);
  return find_loops(flow) && find_post_dominators(flow);
}

void tn_flow_deinit(tn_flow *flow) { tn_map_deinit(&flow->index); }

bool tn_flow_has_value(const tn_flow *flow, int loop, LLVMValueRef value) {
  return LLVMIsAInstruction(value) &&
         tn_flow_in_loop(flow, loop, tn_flow_index(flow, LLVMGetInstructionParent(value)));
}

unsigned tn_flow_iteration_bits(const tn_flow *flow, int block) {
  enum { BITS = 3, DEPTH_MAX = 6 };
  unsigned depth = 0;
  for (int loop = flow->blocks[block].loop; loop != TN_FLOW_NONE; loop = flow->loops[loop].parent) {
    depth++;
  }
  return BITS * (depth < DEPTH_MAX ? depth : DEPTH_MAX);
}

bool tn_flow_in_loop(const tn_flow *flow, int loop, int block) {
  int at = loop == TN_FLOW_NONE ? loop : flow->blocks[block].loop;
  while (at != loop && at != TN_FLOW_NONE) {
    at = flow->loops[at].parent;
  }
  return at == loop;
}

LLVMValueRef tn_flow_incoming(const tn_flow *flow, LLVMValueRef phi, int from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
    if (LLVMGetIncomingBlock(phi, k) == flow->blocks[from].block) {
      return LLVMGetIncomingValue(phi, k);
    }
  }
  return NULL;
}
