// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: branches that are the same for all work-items stay branches; where they part, both
// sides run, each under the mask of the work-items that are there.
//
// Blocks are written in reverse post-order. A block's mask is made of its edges' masks; a phi picks
// by them. A loop that work-items leave at different times runs until none is left, and keeps for
// each the values it left with.
#include "compile/widen/rounds.h"

enum { TN_GUARD_LEAST = 24 };

static void emit_list(tn_widener *w, const tn_block_list *list, int loop);

static LLVMBasicBlockRef here(const tn_widener *w) { return LLVMGetInsertBlock(w->builder); }

static void go_on_in(tn_widener *w, LLVMBasicBlockRef block) {
  LLVMPositionBuilderAtEnd(w->builder, block);
}

// The mask of a block that is no loop's header.
static void find_mask(tn_widener *w, int block) {
  const tn_flow_block *b = &w->flow.blocks[block];
  const tn_edge *edges = w->edges[block];
  const int dominator = b->idom;
  if (dominator != TN_FLOW_NONE && w->flow.blocks[dominator].ipdom == block &&
      w->flow.blocks[dominator].loop == b->loop) {
    w->mask[block] = w->mask[dominator];
    w->is_taken[block] = w->is_taken[dominator];
    return;
  }
  if (!edges) {
    return;
  }
  w->mask[block] = edges->mask;
  w->is_taken[block] = edges->is_taken;
  for (const tn_edge *e = edges->next; e; e = e->next) {
    w->is_taken[block] = w->is_taken[block] || e->is_taken;
    w->mask[block] =
        w->mask[block] && e->mask ? LLVMBuildOr(w->builder, w->mask[block], e->mask, "") : NULL;
  }
}

static bool is_kept_branch(const tn_widener *w, int block, int loop) {
  const tn_flow_block *b = &w->flow.blocks[block];
  return b->succ_count == 2 && !w->shapes.is_divergent[block] &&
         tn_flow_in_loop(&w->flow, loop, b->succ[0]) && tn_flow_in_loop(&w->flow, loop, b->succ[1]);
}

static bool needs_guard(tn_widener *w, int block, int loop) {
  if (!w->mask[block] || w->is_taken[block]) {
    return false;
  }
  if (is_kept_branch(w, block, loop)) {
    return true;
  }
  int count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(w->flow.blocks[block].block); i;
       i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i) && !tn_widen_is_harmless(w, i)) {
      return true;
    }
    count++;
  }
  return count >= TN_GUARD_LEAST;
}

// They may be written a second time.
static void forget_blocks(tn_widener *w, const tn_block_list *blocks) {
  for (int k = 0; k < blocks->count; k++) {
    w->is_done[blocks->items[k]] = 0;
    w->edges[blocks->items[k]] = NULL;
  }
}

typedef struct guard {
  LLVMBasicBlockRef head;
  LLVMBasicBlockRef end;  // NULL: there is none
} guard;

static guard open_guard(tn_widener *w, LLVMValueRef mask) {
  guard g = {.head = here(w), .end = tn_widen_block(w, "met")};
  LLVMBasicBlockRef body = tn_widen_block(w, "some");
  LLVMBuildCondBr(w->builder, tn_mask_any(w, mask), body, g.end);
  go_on_in(w, body);
  return g;
}

static bool is_used_elsewhere(LLVMValueRef value, LLVMBasicBlockRef block) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetInstructionParent(user) != block || LLVMIsAPHINode(user) ||
        LLVMIsATerminatorInst(user)) {
      return true;
    }
  }
  return false;
}

static tn_lanes merge_guarded(tn_widener *w, const guard *g, const tn_lanes *value,
                              LLVMBasicBlockRef body_end) {
  const tn_lanes phi = tn_phi_build(w, value);
  tn_phi_add_incoming(w, &phi, value, body_end);
  tn_phi_add_incoming(w, &phi, NULL, g->head);
  return phi;
}

static void close_block_guard(tn_widener *w, const guard *g, int block) {
  LLVMBasicBlockRef body_end = here(w);
  LLVMBasicBlockRef original = w->flow.blocks[block].block;
  LLVMBuildBr(w->builder, g->end);
  go_on_in(w, g->end);
  for (LLVMValueRef i = LLVMGetFirstInstruction(original); i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsAPHINode(i) || !is_used_elsewhere(i, original) ||
        !tn_map_find(&w->values, TN_POINTER_KEY(i))) {
      continue;  // phis were blended before the guard
    }
    const tn_lanes value = tn_lanes_get(w, i);
    tn_lanes_set(w, i, merge_guarded(w, g, &value, body_end));
  }
}

// Work-items that part by `value`: each way gets the mask of those that take it.
static void emit_parting(tn_widener *w, int block, LLVMValueRef value) {
  const tn_flow_block *b = &w->flow.blocks[block];
  LLVMValueRef condition = tn_lanes_vector(w, value);
  LLVMValueRef yes = tn_mask_and(w, w->mask[block], condition);
  LLVMValueRef no = tn_mask_and(w, w->mask[block], tn_mask_not(w, condition));
  tn_edge_add(w, block, b->succ[0], yes, false);
  tn_edge_add(w, block, b->succ[1], no, false);
}

// One of two ways on from a block, to where they meet again.
typedef struct way {
  int succ;  // that all take; TN_FLOW_NONE: some take one, some the other
  const tn_block_list *blocks;
} way;

// The phis' values where the ways meet.
static tn_lanes *emit_ways(tn_widener *w, int block, int loop, LLVMValueRef condition,
                           const way ways[2]) {
  const int meet = w->flow.blocks[block].ipdom;
  const int phis = tn_phi_count(w, meet);
  LLVMBasicBlockRef ends[2];
  tn_lanes *values[2] = {NULL, NULL};
  tn_edge *before = w->edges[meet];
  LLVMBasicBlockRef starts[2] = {tn_widen_block(w, "yes"), tn_widen_block(w, "no")};
  LLVMBuildCondBr(w->builder, condition, starts[0], starts[1]);
  for (int s = 0; s < 2 && !w->failed; s++) {
    go_on_in(w, starts[s]);
    w->edges[meet] = NULL;
    forget_blocks(w, ways[s].blocks);
    if (ways[s].succ == TN_FLOW_NONE) {
      emit_parting(w, block, LLVMGetCondition(w->flow.blocks[block].end));
    } else {
      tn_edge_add(w, block, ways[s].succ, w->mask[block], true);
    }
    emit_list(w, ways[s].blocks, loop);
    values[s] = tn_edges_blend(w, meet, w->edges[meet]);
    ends[s] = here(w);
  }
  w->edges[meet] = before;
  if (w->failed) {
    return NULL;
  }
  LLVMBasicBlockRef join = tn_widen_block(w, "join");
  for (int s = 0; s < 2; s++) {
    go_on_in(w, ends[s]);
    LLVMBuildBr(w->builder, join);
  }
  go_on_in(w, join);
  tn_lanes *joined = tn_widen_alloc(w, (size_t)phis, sizeof(*joined));
  for (int n = 0; n < phis && joined; n++) {
    // A side that never arrives has no value.
    const bool has_first = values[0][n].scalar || values[0][n].vector || values[0][n].lanes;
    joined[n] = tn_phi_build(w, has_first ? &values[0][n] : &values[1][n]);
    tn_phi_add_incoming(w, &joined[n], &values[0][n], ends[0]);
    tn_phi_add_incoming(w, &joined[n], &values[1][n], ends[1]);
  }
  return joined;
}

// Both sides of a branch that all work-items take alike.
static tn_lanes *emit_sides(tn_widener *w, int block, int loop) {
  const tn_flow_block *b = &w->flow.blocks[block];
  tn_block_list sides[2];
  if (!tn_shape_sides(&w->shapes, block, sides)) {
    tn_widen_fail(w, "the sides of a branch are not apart");
    return NULL;
  }
  const way ways[2] = {{.succ = b->succ[0], .blocks = &sides[0]},
                       {.succ = b->succ[1], .blocks = &sides[1]}};
  return emit_ways(w, block, loop, tn_lanes_scalar(w, LLVMGetCondition(b->end)), ways);
}

// Few enough instructions to be written twice, none of which work-items do together.
static bool may_repeat(const tn_widener *w, const tn_block_list *blocks) {
  enum { MOST = 256 };
  int count = 0;
  for (int k = 0; k < blocks->count; k++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(w->flow.blocks[blocks->items[k]].block); i;
         i = LLVMGetNextInstruction(i)) {
      if (++count > MOST || tn_group_op_of(i) != TN_GROUP_OP_NONE) {
        return false;
      }
    }
  }
  return true;
}

// `if (id < count)`: most often all work-items are inside, and need no masks. NULL for branches of
// other kinds.
static tn_lanes *emit_guarded(tn_widener *w, int block, int loop) {
  const tn_flow_block *b = &w->flow.blocks[block];
  tn_block_list sides[2];
  if (b->succ_count != 2 || !w->shapes.is_divergent[block] || w->mask[block] ||
      !tn_flow_in_loop(&w->flow, loop, b->succ[0]) ||
      !tn_flow_in_loop(&w->flow, loop, b->succ[1]) ||
      !tn_shape_is_of_ids(&w->shapes, LLVMGetCondition(b->end)) ||
      !tn_shape_sides(&w->shapes, block, sides)) {
    return NULL;
  }
  const int inside = sides[0].count != 0 ? 0 : 1;
  if (sides[1 - inside].count != 0 || !may_repeat(w, &sides[inside])) {
    return NULL;
  }
  tn_explain_branch(w->remarks, &w->flow, block, true);
  LLVMValueRef mask = tn_lanes_vector(w, LLVMGetCondition(b->end));
  const way ways[2] = {{.succ = b->succ[inside], .blocks = &sides[inside]},
                       {.succ = TN_FLOW_NONE, .blocks = &sides[inside]}};
  LLVMValueRef are_all = tn_mask_every(w, inside == 0 ? mask : tn_mask_not(w, mask));
  return emit_ways(w, block, loop, are_all, ways);
}

void tn_widen_block_body(tn_widener *w, int block) {
  w->known_row_count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(w->flow.blocks[block].block); i && !w->failed;
       i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i)) {
      tn_widen_instruction(w, i, block);
    }
  }
}

// Where all that are still in a loop leave it together: a landing of its own for the values.
typedef struct landing {
  LLVMBasicBlockRef block;
  tn_lanes *values;
} landing;

typedef struct loop_writer {
  int loop;
  bool is_divergent;
  LLVMBasicBlockRef header;
  tn_lanes *phis;     // of the header
  LLVMValueRef live;  // divergent: the phi of the mask
  tn_lanes *kept;     // divergent: phis of the exit's values
  landing *landings;
  int landing_count;
  struct loop_writer *outer;
} loop_writer;

// The exit's values of those that have left, in this round or before.
static tn_lanes *values_of_left(tn_widener *w, const loop_writer *writer) {
  const int exit = w->flow.loops[writer->loop].exit;
  if (!writer->live) {
    return tn_edges_blend(w, exit, w->edges[exit]);
  }
  const int phis = tn_phi_count(w, exit);
  tn_lanes *values = tn_widen_alloc(w, (size_t)phis, sizeof(*values));
  for (int n = 0; n < phis && values; n++) {
    values[n] = writer->kept[n];
    for (const tn_edge *e = w->edges[exit]; e; e = e->next) {
      values[n] = tn_lanes_select(w, e->mask, &e->values[n], &values[n]);
    }
  }
  return values;
}

// All that are at `block`, nobody else is in the loop, leave it or stay.
static void emit_common_exit(tn_widener *w, loop_writer *writer, int block, LLVMValueRef stays) {
  const int exit = w->flow.loops[writer->loop].exit;
  LLVMBasicBlockRef out = tn_widen_block(w, "leave");
  LLVMBasicBlockRef stay = tn_widen_block(w, "stay");
  LLVMBuildCondBr(w->builder, stays, stay, out);
  go_on_in(w, out);
  tn_edge *before = w->edges[exit];
  tn_edge_add(w, block, exit, w->mask[block], w->is_taken[block]);
  writer->landings[writer->landing_count++] =
      (landing){.block = here(w), .values = values_of_left(w, writer)};
  w->edges[exit] = before;
  go_on_in(w, stay);
}

// Whether work-items that have not left the loop in this round are all at `block`.
static bool all_are_at(const tn_widener *w, int block, int loop) {
  const tn_block_list *blocks = &w->flow.loops[loop].blocks;
  bool are_all = w->flow.blocks[block].loop == loop;
  for (int k = 0; k < blocks->count && are_all; k++) {
    const int other = blocks->items[k];
    are_all = w->is_done[other] || tn_flow_dominates(&w->flow, block, other);
  }
  return are_all;
}

// Whether work-items stay in a loop, as far as all decide alike; `*rest` is left to each, NULL:
// nothing. NULL: all is.
static LLVMValueRef common_part(tn_widener *w, bool stays_on_true, LLVMValueRef *rest) {
  LLVMValueRef common = NULL;
  while (*rest) {
    LLVMValueRef parts[2] = {*rest, NULL};
    if (!tn_shape_value_is_uniform(&w->shapes, *rest) &&
        !tn_condition_parts(*rest, stays_on_true, parts)) {
      return common;
    }
    const int at = tn_shape_value_is_uniform(&w->shapes, parts[0]) ? 0 : 1;
    if (!tn_shape_value_is_uniform(&w->shapes, parts[at])) {
      return common;
    }
    LLVMValueRef one = tn_lanes_scalar(w, parts[at]);
    // Behind a first condition that is false, the second one may be poison.
    one = at == 1 ? LLVMBuildFreeze(w->builder, one, "") : one;
    one = stays_on_true ? one : LLVMBuildNot(w->builder, one, "");
    LLVMTypeRef bit = LLVMInt1TypeInContext(w->context);
    common = common ? LLVMBuildSelect(w->builder, common, one, LLVMConstNull(bit), "") : one;
    *rest = parts[1 - at];
  }
  return common;
}

// A loop is left at `block` by all alike, one by one, or first the one and then the other.
static void emit_exit(tn_widener *w, loop_writer *writer, int block) {
  const tn_flow_block *b = &w->flow.blocks[block];
  const bool stays_on_true = b->succ[1] == w->flow.loops[writer->loop].exit;
  LLVMValueRef rest = LLVMGetCondition(b->end);
  if (!writer->is_divergent || all_are_at(w, block, writer->loop)) {
    LLVMValueRef common = common_part(w, stays_on_true, &rest);
    if (common) {
      // Where no work-item is, nothing may be known.
      const bool is_known = !writer->is_divergent || !w->mask[block] || w->is_taken[block];
      common = is_known ? common : LLVMBuildFreeze(w->builder, common, "");
      emit_common_exit(w, writer, block, common);
    }
  }
  if (rest) {
    emit_parting(w, block, rest);
  } else {
    tn_edge_add(w, block, b->succ[stays_on_true ? 0 : 1], w->mask[block], w->is_taken[block]);
  }
}

static loop_writer *current_writer(tn_widener *w, int loop);

static void emit_end(tn_widener *w, int block, int loop, const tn_lanes *met) {
  const tn_flow_block *b = &w->flow.blocks[block];
  if (met || is_kept_branch(w, block, loop)) {
    tn_edge edge = {
        .mask = w->mask[block], .is_taken = w->is_taken[block], .values = (tn_lanes *)met};
    tn_edge_push(w, b->ipdom, edge);
  } else if (b->succ_count == 1) {
    tn_edge_add(w, block, b->succ[0], w->mask[block], w->is_taken[block]);
  } else if (b->succ_count == 2) {
    loop_writer *writer = loop == TN_FLOW_NONE ? NULL : current_writer(w, loop);
    const bool exits = writer && (!tn_flow_in_loop(&w->flow, loop, b->succ[0]) ||
                                  !tn_flow_in_loop(&w->flow, loop, b->succ[1]));
    if (exits) {
      emit_exit(w, writer, block);
    } else {
      tn_explain_branch(w->remarks, &w->flow, block, false);
      emit_parting(w, block, LLVMGetCondition(b->end));
    }
  }
}

static void emit_block(tn_widener *w, int block, int loop) {
  const bool is_header = loop != TN_FLOW_NONE && w->flow.loops[loop].header == block;
  w->is_done[block] = 1;
  if (!is_header) {
    if (block != 0) {
      find_mask(w, block);
    }
    tn_phis_set(w, block, tn_edges_blend(w, block, w->edges[block]));
  }
  const bool guarded = needs_guard(w, block, loop);
  guard g = {0};
  if (guarded) {
    g = open_guard(w, w->mask[block]);
  }
  tn_widen_block_body(w, block);
  tn_lanes *met = NULL;
  if (is_kept_branch(w, block, loop) && !w->failed) {
    if (guarded) {
      w->is_taken[block] = 1;
    }
    met = emit_sides(w, block, loop);
    if (guarded) {
      w->is_taken[block] = 0;
    }
  } else if (!w->failed) {
    met = emit_guarded(w, block, loop);
  }
  if (guarded && !w->failed) {
    if (met) {
      const int phis = tn_phi_count(w, w->flow.blocks[block].ipdom);
      LLVMBasicBlockRef body_end = here(w);
      close_block_guard(w, &g, block);
      for (int n = 0; n < phis; n++) {
        met[n] = merge_guarded(w, &g, &met[n], body_end);
      }
    } else {
      close_block_guard(w, &g, block);
    }
  }
  if (!w->failed) {
    emit_end(w, block, loop, met);
  }
}

// Loops.

static loop_writer *current_writer(tn_widener *w, int loop) {
  for (loop_writer *writer = w->writers; writer; writer = writer->outer) {
    if (writer->loop == loop) {
      return writer;
    }
  }
  return NULL;
}

// A way into a loop: where from, the header's values, and, when work-items leave one by one, who is
// still there and what the others left with.
typedef struct loop_entry {
  LLVMBasicBlockRef from;
  const tn_lanes *phis;
  LLVMValueRef live;
  const tn_lanes *kept;  // NULL: nobody has left
} loop_entry;

static void add_entry(tn_widener *w, const loop_writer *writer, const loop_entry *entry) {
  const tn_flow_loop *l = &w->flow.loops[writer->loop];
  tn_phis_add_incoming(w, l->header, writer->phis, entry->phis, entry->from);
  if (writer->live) {
    LLVMBasicBlockRef from = entry->from;
    LLVMValueRef live = entry->live;
    LLVMAddIncoming(writer->live, &live, &from, 1);
    const int kept = tn_phi_count(w, l->exit);
    for (int n = 0; n < kept && writer->kept; n++) {
      tn_phi_add_incoming(w, &writer->kept[n], entry->kept ? &entry->kept[n] : NULL, entry->from);
    }
  }
}

// Begins writer->header, which the builder goes on in. `like` has the header's values in their
// form. With `mask_of_all` NULL and no live phi all work-items are there.
static void open_loop(tn_widener *w, loop_writer *writer, const tn_lanes *like,
                      LLVMValueRef mask_of_all, bool has_live) {
  const tn_flow_loop *l = &w->flow.loops[writer->loop];
  forget_blocks(w, &l->blocks);
  w->edges[l->exit] = NULL;
  go_on_in(w, writer->header);
  writer->phis = tn_phis_build(w, l->header, like);
  w->mask[l->header] = mask_of_all;
  w->is_taken[l->header] = 1;
  writer->live = NULL;
  if (has_live) {
    writer->live = LLVMBuildPhi(w->builder, tn_lanes_mask_type(w), "live");
    w->mask[l->header] = writer->live;
    const int kept = tn_phi_count(w, l->exit);
    writer->kept = tn_widen_alloc(w, (size_t)kept, sizeof(tn_lanes));
    int n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(w->flow.blocks[l->exit].block);
         writer->kept && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
      const tn_lanes none = tn_as_phi(w, i, LLVMGetPoison(LLVMTypeOf(i)));
      writer->kept[n++] = tn_phi_build(w, &none);
    }
  }
  tn_phis_set(w, l->header, writer->phis);
}

static void emit_body(tn_widener *w, loop_writer *writer) {
  w->writers = writer;
  if (!w->failed) {
    emit_list(w, &w->flow.loops[writer->loop].blocks, writer->loop);
  }
  w->writers = writer->outer;
}

static void go_back(tn_widener *w, loop_writer *writer, const tn_lanes *next) {
  tn_phis_add_incoming(w, w->flow.loops[writer->loop].header, writer->phis, next, here(w));
}

static landing *alloc_landings(tn_widener *w, int loop) {
  return tn_widen_alloc(w, (size_t)w->flow.loops[loop].exiting.count, sizeof(landing));
}

// From the landings to `left`, where `phis` are for the exit's values.
static void join_landings(tn_widener *w, const loop_writer *writer, LLVMBasicBlockRef left,
                          const tn_lanes *phis) {
  const int count = tn_phi_count(w, w->flow.loops[writer->loop].exit);
  LLVMBasicBlockRef back = here(w);
  for (int k = 0; k < writer->landing_count; k++) {
    const landing *from = &writer->landings[k];
    go_on_in(w, from->block);
    LLVMBuildBr(w->builder, left);
    for (int n = 0; n < count && phis; n++) {
      tn_phi_add_incoming(w, &phis[n], &from->values[n], from->block);
    }
  }
  go_on_in(w, back);
}

// A loop that all leave together; the exit's values.
static tn_lanes *emit_uniform(tn_widener *w, loop_writer *writer, LLVMValueRef mask,
                              const tn_lanes *first) {
  const tn_flow_loop *l = &w->flow.loops[writer->loop];
  first = mask ? first : tn_rounds_write(w, writer->loop, first);
  const loop_entry entry = {.from = here(w), .phis = first};
  writer->header = tn_widen_block(w, "loop");
  LLVMBuildBr(w->builder, writer->header);
  open_loop(w, writer, first, mask, false);
  add_entry(w, writer, &entry);
  emit_body(w, writer);
  if (w->failed) {
    return NULL;
  }
  go_back(w, writer, tn_edges_blend(w, l->header, w->edges[l->header]));
  LLVMBuildBr(w->builder, writer->header);
  LLVMBasicBlockRef left = tn_widen_block(w, "left");
  go_on_in(w, left);
  tn_lanes *values =
      writer->landing_count > 0 ? tn_phis_build(w, l->exit, writer->landings[0].values) : NULL;
  join_landings(w, writer, left, values);
  return values;
}

// What one round of a loop comes to where work-items leave one by one.
typedef struct loop_round {
  LLVMValueRef live;  // who goes on
  const tn_lanes *next;
  tn_lanes *kept;
} loop_round;

static loop_round end_round(tn_widener *w, const loop_writer *writer) {
  const tn_flow_loop *l = &w->flow.loops[writer->loop];
  loop_round round = {.kept = values_of_left(w, writer)};
  for (const tn_edge *e = w->edges[l->header]; e; e = e->next) {
    round.live = round.live ? LLVMBuildOr(w->builder, round.live, e->mask, "") : e->mask;
  }
  if (!round.live) {
    tn_widen_fail(w, "a loop has no way back");
    return round;
  }
  round.next = tn_edges_blend(w, l->header, w->edges[l->header]);
  return round;
}

// Rounds with all work-items, while there are: they need no mask. Ends in `slow` or `done`.
static void emit_together(tn_widener *w, loop_writer *fast, const loop_writer *slow,
                          LLVMBasicBlockRef done, const loop_entry *entry, loop_entry *out) {
  LLVMBasicBlockRef parting = tn_widen_block(w, "parting");
  open_loop(w, fast, entry->phis, NULL, false);
  add_entry(w, fast, entry);
  emit_body(w, fast);
  const loop_round round = w->failed ? (loop_round){0} : end_round(w, fast);
  if (w->failed) {
    return;
  }
  go_back(w, fast, round.next);
  LLVMBuildCondBr(w->builder, tn_mask_every(w, round.live), fast->header, parting);
  go_on_in(w, parting);
  LLVMBuildCondBr(w->builder, tn_mask_any(w, round.live), slow->header, done);
  *out = (loop_entry){.from = parting, .phis = round.next, .live = round.live, .kept = round.kept};
}

// A loop that work-items leave one by one; the exit's values.
static tn_lanes *emit_divergent(tn_widener *w, loop_writer *writer, LLVMValueRef mask,
                                const tn_lanes *first) {
  const tn_flow_loop *l = &w->flow.loops[writer->loop];
  const int phis = tn_phi_count(w, l->exit);
  LLVMBasicBlockRef before = here(w);
  LLVMBasicBlockRef done = tn_widen_block(w, "left");
  const loop_entry entry = {.from = before, .phis = first, .live = tn_mask_or_all(w, mask)};
  const bool has_fast = w->is_full && !l->has_inner;
  loop_writer fast = {.loop = writer->loop, .is_divergent = true, .outer = writer->outer};
  loop_entry parted = {0};
  writer->header = tn_widen_block(w, "loop");
  if (has_fast) {
    fast.header = tn_widen_block(w, "together");
    fast.landings = alloc_landings(w, writer->loop);
    LLVMBuildCondBr(w->builder, tn_mask_every(w, mask), fast.header, writer->header);
    emit_together(w, &fast, writer, done, &entry, &parted);
    if (w->failed) {
      return NULL;
    }
  } else {
    LLVMBuildBr(w->builder, writer->header);
  }
  open_loop(w, writer, first, NULL, true);
  add_entry(w, writer, &entry);
  if (has_fast) {
    add_entry(w, writer, &parted);
  }
  emit_body(w, writer);
  const loop_round round = w->failed ? (loop_round){0} : end_round(w, writer);
  if (w->failed) {
    return NULL;
  }
  LLVMBasicBlockRef end = here(w);
  LLVMValueRef any = tn_mask_any(w, round.live);
  go_back(w, writer, round.next);
  LLVMAddIncoming(writer->live, (LLVMValueRef[]){round.live}, &end, 1);
  for (int n = 0; n < phis; n++) {
    tn_phi_add_incoming(w, &writer->kept[n], &round.kept[n], end);
  }
  LLVMBuildCondBr(w->builder, any, writer->header, done);
  go_on_in(w, done);
  tn_lanes *values = tn_phis_build(w, l->exit, round.kept);
  for (int n = 0; n < phis && values; n++) {
    tn_phi_add_incoming(w, &values[n], &round.kept[n], end);
    if (has_fast) {
      tn_phi_add_incoming(w, &values[n], &parted.kept[n], parted.from);
    }
  }
  join_landings(w, &fast, done, values);
  join_landings(w, writer, done, values);
  return values;
}

static void emit_loop(tn_widener *w, int loop) {
  const tn_flow_loop *l = &w->flow.loops[loop];
  find_mask(w, l->header);
  LLVMValueRef mask = w->mask[l->header];
  const bool is_taken = !mask || w->is_taken[l->header];
  loop_writer writer = {
      .loop = loop, .is_divergent = w->shapes.is_loop_divergent[loop] != 0, .outer = w->writers};
  writer.landings = alloc_landings(w, loop);
  tn_explain_loop(w->remarks, &w->flow, loop, writer.is_divergent);
  // The phis' values are chosen before the guard, and read behind it.
  const tn_lanes *first = tn_edges_blend(w, l->header, w->edges[l->header]);
  guard g = {0};
  if (!is_taken) {
    g = open_guard(w, mask);
  }
  tn_lanes *values = writer.is_divergent ? emit_divergent(w, &writer, mask, first)
                                         : emit_uniform(w, &writer, mask, first);
  if (w->failed) {
    return;
  }
  if (g.end) {
    LLVMBasicBlockRef body_end = here(w);
    LLVMBuildBr(w->builder, g.end);
    go_on_in(w, g.end);
    for (int n = 0; n < tn_phi_count(w, l->exit); n++) {
      values[n] = merge_guarded(w, &g, &values[n], body_end);
    }
  }
  w->edges[l->exit] = NULL;
  tn_edge_push(w, l->exit, (tn_edge){.mask = mask, .is_taken = is_taken, .values = values});
}

// Blocks in order: a loop is written as a whole with its header.
static void emit_list(tn_widener *w, const tn_block_list *list, int loop) {
  for (int k = 0; k < list->count && !w->failed; k++) {
    const int i = list->items[k];
    if (w->is_done[i]) {
      continue;
    }
    const int inner = w->flow.blocks[i].loop;
    if (inner != loop && inner != TN_FLOW_NONE && w->flow.loops[inner].header == i) {
      emit_loop(w, inner);
    } else {
      emit_block(w, i, loop);
    }
  }
}

void tn_widen_blocks(tn_widener *w) {
  tn_block_list all = {.items = tn_widen_alloc(w, (size_t)w->flow.count, sizeof(int))};
  for (; all.items && all.count < w->flow.count; all.count++) {
    all.items[all.count] = all.count;
  }
  emit_list(w, &all, TN_FLOW_NONE);
}
