// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of an item function for launches whose pointers do not alias, which the runtime knows
// (tn_cpu_needs). There a sum that a loop adds to in memory stays in a register.
#include "compile/widen/copies.h"
#include "compile/widen/flow.h"
#include "compile/widen/shape.h"

#include <llvm-c/Transforms/PassBuilder.h>

#include <stdio.h>

enum {
  SLOT_COUNT = 64,
  SLOT_NONE = -1,
  SLOTS_MOST = 16,  // pointers: a launch compares each with each
  DEPTH_MOST = 32,
  PHIS_MOST = 8
};

typedef struct pointers {
  LLVMValueRef item;
  LLVMTargetDataRef layout;
  tn_widen_pointers found;
} pointers;

typedef struct search {
  const pointers *in;
  LLVMValueRef phis[PHIS_MOST];  // being looked at
  int count;
} search;

// The slot that a load of the argument block reads.
static int slot_of_load(const pointers *p, LLVMValueRef load) {
  LLVMValueRef from = LLVMGetOperand(load, 0);
  uint64_t offset = 0;
  for (int depth = 0; LLVMIsAGetElementPtrInst(from) && depth < DEPTH_MOST; depth++) {
    if (!tn_gep_add_offset(p->layout, from, &offset)) {
      return SLOT_NONE;
    }
    from = LLVMGetOperand(from, 0);
  }
  const bool is_slot = from == LLVMGetParam(p->item, TN_ITEM_ARGS) && !LLVMGetVolatile(load) &&
                       offset % sizeof(uint64_t) == 0 && offset / sizeof(uint64_t) < SLOT_COUNT;
  return is_slot ? (int)(offset / sizeof(uint64_t)) : SLOT_NONE;
}

// The slot of the pointer that `pointer` is computed from. Of a phi: the one slot of all its values
// but those that are made of the phi.
static int slot_of(search *s, LLVMValueRef pointer, bool *is_phi_again) {
  *is_phi_again = false;
  for (int depth = 0; depth < DEPTH_MOST; depth++) {
    if (!LLVMIsAGetElementPtrInst(pointer) && !LLVMIsAFreezeInst(pointer)) {
      break;
    }
    pointer = LLVMGetOperand(pointer, 0);
  }
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) {
    return SLOT_NONE;
  }
  if (LLVMIsALoadInst(pointer)) {
    return slot_of_load(s->in, pointer);
  }
  if (!LLVMIsAPHINode(pointer)) {
    return SLOT_NONE;
  }
  for (int k = 0; k < s->count; k++) {
    if (s->phis[k] == pointer) {
      *is_phi_again = true;
      return SLOT_NONE;
    }
  }
  if (s->count == PHIS_MOST) {
    return SLOT_NONE;
  }
  s->phis[s->count++] = pointer;
  int slot = SLOT_NONE;
  for (unsigned k = 0; k < LLVMCountIncoming(pointer); k++) {
    bool is_again = false;
    const int one = slot_of(s, LLVMGetIncomingValue(pointer, k), &is_again);
    if (is_again) {
      continue;
    }
    if (one == SLOT_NONE || (slot != SLOT_NONE && slot != one)) {
      return SLOT_NONE;
    }
    slot = one;
  }
  *is_phi_again = slot == SLOT_NONE;
  return slot;
}

// Of a load or store that is known to be through one of the pointers; else SLOT_NONE.
static int slot_of_access(const pointers *p, LLVMValueRef i) {
  const bool is_load = LLVMIsALoadInst(i) != NULL;
  if ((!is_load && !LLVMIsAStoreInst(i)) || LLVMGetVolatile(i) ||
      LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) {
    return SLOT_NONE;
  }
  bool is_again = false;
  search s = {.in = p};
  return slot_of(&s, LLVMGetOperand(i, is_load ? 0 : 1), &is_again);
}

// Whether it is the same in all rounds: made outside of the loop, or of what is.
static bool is_same_in_loop(const tn_flow *flow, int loop, LLVMValueRef value, int depth) {
  enum { PARTS_DEPTH = 8 };
  if (!tn_flow_has_value(flow, loop, value)) {
    return true;
  }
  bool are_all = depth < PARTS_DEPTH && (LLVMIsAGetElementPtrInst(value) ||
                                         LLVMIsABinaryOperator(value) || LLVMIsACastInst(value));
  for (int k = 0; are_all && k < LLVMGetNumOperands(value); k++) {
    are_all = is_same_in_loop(flow, loop, LLVMGetOperand(value, (unsigned)k), depth + 1);
  }
  return are_all;
}

// Whether the loop stores with `i`, through one of the pointers, to one place again and again.
static bool is_sum(const pointers *p, const tn_flow *flow, int loop, LLVMValueRef i) {
  return LLVMIsAStoreInst(i) && slot_of_access(p, i) != SLOT_NONE &&
         is_same_in_loop(flow, loop, LLVMGetOperand(i, 1), 0);
}

// The pointers of sums in the loop, and those that it reads or writes through.
static void note_loop(pointers *p, const tn_flow *flow, int loop) {
  uint64_t sums = 0;
  uint64_t all = 0;
  for (int k = 0; k < flow->loops[loop].blocks.count; k++) {
    LLVMBasicBlockRef block = flow->blocks[flow->loops[loop].blocks.items[k]].block;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      const int slot = slot_of_access(p, i);
      if (slot != SLOT_NONE) {
        all |= UINT64_C(1) << slot;
        sums |= is_sum(p, flow, loop, i) ? UINT64_C(1) << slot : 0;
      }
    }
  }
  if (sums != 0) {
    p->found.all |= all;
    p->found.written |= sums;
  }
}

// Stores through the pointers, weighed by the loops around them.
static uint64_t weigh_stores(const pointers *p, const tn_flow *flow) {
  uint64_t sum = 0;
  for (int b = 0; b < flow->count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      if (LLVMIsAStoreInst(i) && slot_of_access(p, i) != SLOT_NONE) {
        sum += UINT64_C(1) << tn_flow_iteration_bits(flow, b);
      }
    }
  }
  return sum;
}

// ---- What LLVM is told

typedef struct scopes {
  LLVMContextRef context;
  LLVMMetadataRef each[SLOT_COUNT];
  uint64_t all;
} scopes;

static LLVMMetadataRef make_text(LLVMContextRef context, const char *text) {
  return LLVMMDStringInContext2(context, text, strlen(text));
}

// Scopes are the same when their names are: those of two kernels never meet in a function.
static void make_scopes(scopes *s) {
  LLVMMetadataRef text = make_text(s->context, "tenon.pointers");
  LLVMMetadataRef domain = LLVMMDNodeInContext2(s->context, &text, 1);
  for (int slot = 0; slot < SLOT_COUNT; slot++) {
    char of[32];
    (void)snprintf(of, sizeof(of), "pointer %d", slot);
    LLVMMetadataRef parts[2] = {make_text(s->context, of), domain};
    s->each[slot] = (s->all >> slot & 1) != 0 ? LLVMMDNodeInContext2(s->context, parts, 2) : NULL;
  }
}

// Beside those of inlined functions.
static void add_scopes(const scopes *s, LLVMValueRef i, const char *kind, uint64_t slots) {
  enum { INLINED_MOST = 64 };
  LLVMMetadataRef listed[SLOT_COUNT + INLINED_MOST];
  size_t count = 0;
  const unsigned id = LLVMGetMDKindIDInContext(s->context, kind, (unsigned)strlen(kind));
  LLVMValueRef before = LLVMGetMetadata(i, id);
  if (before && LLVMGetMDNodeNumOperands(before) <= INLINED_MOST) {
    LLVMValueRef operands[INLINED_MOST];
    LLVMGetMDNodeOperands(before, operands);
    for (unsigned k = 0; k < LLVMGetMDNodeNumOperands(before); k++) {
      listed[count++] = LLVMValueAsMetadata(operands[k]);
    }
  }
  for (int slot = 0; slot < SLOT_COUNT; slot++) {
    if ((slots >> slot & 1) != 0) {
      listed[count++] = s->each[slot];
    }
  }
  LLVMMetadataRef list = LLVMMDNodeInContext2(s->context, listed, count);
  LLVMSetMetadata(i, id, LLVMMetadataAsValue(s->context, list));
}

static void mark_accesses(const pointers *p) {
  scopes s = {.context = LLVMGetTypeContext(LLVMTypeOf(p->item)), .all = p->found.all};
  make_scopes(&s);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->item); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      const int slot = slot_of_access(p, i);
      if (slot != SLOT_NONE && (p->found.all >> slot & 1) != 0) {
        const uint64_t own = UINT64_C(1) << slot;
        add_scopes(&s, i, "alias.scope", own);
        // Two pointers that are only read may alias.
        add_scopes(&s, i, "noalias",
                   (own & p->found.written) != 0 ? p->found.all & ~own : p->found.written & ~own);
      }
    }
  }
}

static LLVMValueRef copy_item(LLVMModuleRef module, LLVMValueRef item, tn_arena *arena) {
  LLVMValueRef copy = LLVMAddFunction(module, "tn_item_noalias", LLVMGlobalGetValueType(item));
  LLVMSetLinkage(copy, LLVMInternalLinkage);
  tn_copies copies;
  const bool is_copied = tn_copies_init(&copies, item, 1, arena) && tn_copies_write(&copies, copy);
  tn_copies_deinit(&copies);
  if (!is_copied) {
    LLVMDeleteFunction(copy);
    return NULL;
  }
  return copy;
}

static tn_status keep_in_registers(LLVMValueRef function, tn_diag *diag) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  const tn_status status = tn_llvm_error_status(
      LLVMRunPassesOnFunction(function, "loop-mssa(licm),loop-simplify,lcssa", NULL, options), diag,
      "LLVM's passes");
  LLVMDisposePassBuilderOptions(options);
  return status;
}

// 0 when the function's control flow is not what widening takes. `finds`: and the pointers of sums.
static uint64_t weigh(pointers *p, tn_arena *arena, bool finds) {
  tn_flow flow;
  uint64_t weight = 0;
  if (tn_flow_init(&flow, p->item, arena)) {
    weight = weigh_stores(p, &flow);
    for (int l = 0; finds && l < flow.loop_count; l++) {
      note_loop(p, &flow, l);
    }
  }
  tn_flow_deinit(&flow);
  return weight;
}

static tn_status make(LLVMModuleRef module, const pointers *p, uint64_t before, tn_arena *arena,
                      LLVMValueRef *out, tn_diag *diag) {
  LLVMValueRef copy = copy_item(module, p->item, arena);
  if (!copy) {
    return TN_OK;
  }
  pointers of_copy = *p;
  of_copy.item = copy;
  mark_accesses(&of_copy);
  const tn_status status = keep_in_registers(copy, diag);
  const uint64_t after = status == TN_OK ? weigh(&of_copy, arena, false) : 0;
  if (after == 0 || after >= before) {
    LLVMDeleteFunction(copy);
    return status;
  }
  *out = copy;
  return TN_OK;
}

tn_status tn_widen_noalias(LLVMModuleRef module, LLVMValueRef item, LLVMValueRef *out,
                           tn_widen_pointers *out_pointers, tn_diag *diag) {
  *out = NULL;
  pointers p = {.item = item, .layout = LLVMGetModuleDataLayout(module)};
  tn_arena arena;
  tn_arena_init(&arena);
  const uint64_t before = weigh(&p, &arena, true);
  *out_pointers = p.found;
  const int count = __builtin_popcountll(p.found.all);
  tn_status status = TN_OK;
  if (p.found.written != 0 && count >= 2 && count <= SLOTS_MOST) {
    status = make(module, &p, before, &arena, out, diag);
  }
  if (status == TN_OK && arena.failed) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels for the CPU");
  }
  tn_arena_deinit(&arena);
  return status;
}
