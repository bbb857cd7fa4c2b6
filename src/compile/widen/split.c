// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers: a strip function's code is cut into segments at them; the segments that are reached
// from one barrier without another make a region, and each region is a loop over all strips. What a
// strip computes before a barrier and needs after it lives in a slot of its own.
#include "base/map.h"
#include "compile/widen/lanes.h"
#include "compile/widen/regions.h"
#include "tenon/cpu_kernel.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

enum { TN_SLOT_ALIGN = 64, TN_STACK_PER_STRIP = 1024, TN_REMAKE_MOST = 64 };

typedef struct value_home {
  bool crosses;       // lives in a slot
  bool is_remade;     // computed again in each region
  bool is_shared;     // one slot for all strips
  LLVMValueRef slot;  // memory for all strips
  LLVMTypeRef type;   // of one strip's part of it
} value_home;

// A variable of the source, for debuggers: where the one of the strip that runs is.
typedef struct shown_variable {
  LLVMValueRef memory;  // the strip's alloca
  LLVMValueRef where;   // memory: its address in the slot
  struct shown_variable *next;
} shown_variable;

typedef struct splitter {
  tn_arena *arena;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  const tn_strips *strips;
  LLVMValueRef strip;
  tn_regions cut;
  int *followed_by;         // region → the last that it was found to follow, + 1
  tn_map homes;             // instruction → value_home
  LLVMBasicBlockRef entry;  // where slots are made
  LLVMValueRef strip_count;
  LLVMValueRef slots;    // the group's memory for them; NULL until it is asked for
  uint64_t group_bytes;  // of that, for each strip
  uint64_t stack_bytes;
  LLVMValueRef row_strips;
  LLVMValueRef next;     // memory: the region that follows
  LLVMValueRef reached;  // memory, with checks: for each strip, the region that follows
  LLVMBasicBlockRef *starts;
  LLVMBasicBlockRef finish;
  // Of the region that is being written.
  tn_map now;                 // value → what it is in this region
  LLVMBasicBlockRef *copies;  // segment → its copy
  LLVMBasicBlockRef *ends;    // segment → the block its copy ends in
  LLVMValueRef index;         // of the strip
  LLVMBasicBlockRef region_end;
  shown_variable *shown;  // empty without debug information
  bool failed;
} splitter;

bool tn_has_group_barrier(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (tn_group_op_is_group_barrier(i)) {
        return true;
      }
    }
  }
  return false;
}

static void *get_memory(splitter *s, size_t count, size_t size) {
  void *memory = tn_arena_alloc_array(s->arena, count + 1, size);
  s->failed = s->failed || !memory;
  return memory;
}

static void keep(splitter *s, tn_map *map, LLVMValueRef key, void *value) {
  s->failed = !tn_map_set(map, TN_POINTER_KEY(key), value) || s->failed;
}

// Whether a value comes out the same whenever it is computed, and cheaply: by `left` instructions.
// What is shared counts each time, as it is written each time.
static bool can_remake(LLVMValueRef value, int *left) {
  if (!LLVMIsAInstruction(value)) {
    return true;
  }
  const bool is_cheap = LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) ||
                        LLVMIsAGetElementPtrInst(value) || LLVMIsAICmpInst(value) ||
                        LLVMIsAInsertElementInst(value) || LLVMIsAShuffleVectorInst(value) ||
                        LLVMIsASelectInst(value) ||
                        (LLVMIsALoadInst(value) && !LLVMGetVolatile(value) &&
                         tn_is_constant_memory(LLVMGetOperand(value, 0)));
  if (!is_cheap || --*left < 0) {
    return false;
  }
  const int count = LLVMGetNumOperands(value);
  for (int k = 0; k < count; k++) {
    if (!can_remake(LLVMGetOperand(value, (unsigned)k), left)) {
      return false;
    }
  }
  return true;
}

// A phi uses a value where it comes from.
static int use_segment_of(const splitter *s, LLVMValueRef user, unsigned operand) {
  return LLVMIsAPHINode(user)
             ? tn_regions_last_segment_of(&s->cut, LLVMGetIncomingBlock(user, operand))
             : tn_regions_segment_of(&s->cut, user);
}

static bool value_crosses(const splitter *s, LLVMValueRef value, int def_segment) {
  LLVMValueRef last = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const unsigned count = user == last ? 0 : LLVMIsAPHINode(user) ? LLVMCountIncoming(user) : 1;
    for (unsigned k = 0; k < count; k++) {
      if (LLVMIsAPHINode(user) && LLVMGetIncomingValue(user, k) != value) {
        continue;
      }
      if (tn_regions_cross(&s->cut, def_segment, use_segment_of(s, user, k))) {
        return true;
      }
    }
    last = user;
  }
  return false;
}

static LLVMValueRef group_slots(splitter *s) {
  return tn_group_field(s->builder, s->strips->function, LLVMPointerTypeInContext(s->context, 0),
                        offsetof(tn_cpu_group, slots), "slots");
}

// Single values are on the stack, as far as they are few: LLVM knows that nobody else sees them
// there. Arrays, and what is too much for a stack times the strips of a group, get the group's
// memory.
static LLVMValueRef make_slot(splitter *s, LLVMTypeRef type, bool is_array) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(s->strips->function));
  const uint64_t size = tn_size_align((size_t)LLVMABISizeOfType(layout, type), TN_SLOT_ALIGN);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->builder);
  LLVMPositionBuilderAtEnd(s->builder, s->entry);
  LLVMValueRef slot = NULL;
  if (is_array || s->stack_bytes + size > TN_STACK_PER_STRIP) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(s->context);
    LLVMValueRef offset =
        LLVMBuildMul(s->builder, s->strip_count, LLVMConstInt(i64, s->group_bytes, 0), "");
    s->slots = s->slots ? s->slots : group_slots(s);
    slot = LLVMBuildInBoundsGEP2(s->builder, LLVMInt8TypeInContext(s->context), s->slots, &offset,
                                 1, "slot");
    s->group_bytes += size;
  } else {
    slot = LLVMBuildArrayAlloca(s->builder, type, s->strip_count, "slot");
    LLVMSetAlignment(slot, TN_SLOT_ALIGN);
    s->stack_bytes += size;
  }
  LLVMPositionBuilderAtEnd(s->builder, here);
  return slot;
}

static bool is_scratch(splitter *s, LLVMValueRef memory) {
  return LLVMGetMetadata(memory, LLVMGetMDKindIDInContext(s->context, TN_SCRATCH_MARK,
                                                          strlen(TN_SCRATCH_MARK))) != NULL;
}

static LLVMValueRef clone_scratch(splitter *s, LLVMValueRef memory) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->builder);
  LLVMPositionBuilderAtEnd(s->builder, s->entry);
  LLVMValueRef clone = LLVMInstructionClone(memory);
  LLVMInsertIntoBuilder(s->builder, clone);
  LLVMPositionBuilderAtEnd(s->builder, here);
  return clone;
}

static void find_homes(splitter *s) {
  for (int at = 0; at < s->cut.segment_count && !s->failed; at++) {
    for (LLVMValueRef i = s->cut.segments[at].first; i && !s->failed;
         i = LLVMGetNextInstruction(i)) {
      value_home home = {.type = LLVMTypeOf(i)};
      const bool has_value = LLVMGetTypeKind(home.type) != LLVMVoidTypeKind;
      if (LLVMIsAAllocaInst(i)) {
        home.is_remade = true;
        home.type = LLVMGetAllocatedType(i);
        home.is_shared = is_scratch(s, i);
        home.slot = home.is_shared ? clone_scratch(s, i) : make_slot(s, home.type, true);
      } else if (has_value && value_crosses(s, i, at)) {
        int left = TN_REMAKE_MOST;
        home.is_remade = can_remake(i, &left);
        home.crosses = !home.is_remade;
        home.slot = home.crosses ? make_slot(s, home.type, false) : NULL;
      }
      if (home.is_remade || home.crosses) {
        value_home *kept = get_memory(s, 1, sizeof(*kept));
        if (kept) {
          *kept = home;
          keep(s, &s->homes, i, kept);
        }
      }
      if (i == s->cut.segments[at].end) {
        break;
      }
    }
  }
}

// What debuggers see of the function: its lines come along with the instructions, its variables are
// declared anew, as memory that each region sets to the place in the slot.

static void show_variable(splitter *s, LLVMDIBuilderRef builder, LLVMDbgRecordRef record) {
  enum { DW_OP_DEREF = 0x06 };
  uint64_t deref[1] = {DW_OP_DEREF};
  LLVMValueRef memory = LLVMDbgVariableRecordGetValue(record, 0);
  const bool is_plain =
      LLVMDbgVariableRecordGetExpression(record) == LLVMDIBuilderCreateExpression(builder, NULL, 0);
  shown_variable *variable = get_memory(s, 1, sizeof(*variable));
  if (!variable || !is_plain || !memory || !LLVMIsAAllocaInst(memory)) {
    return;
  }
  LLVMPositionBuilderAtEnd(s->builder, s->entry);
  variable->memory = memory;
  variable->where = LLVMBuildAlloca(s->builder, LLVMTypeOf(memory), "shown");
  variable->next = s->shown;
  s->shown = variable;
  LLVMDIBuilderInsertDeclareRecordAtEnd(
      builder, variable->where, LLVMDbgVariableRecordGetVariable(record),
      LLVMDIBuilderCreateExpression(builder, deref, 1), LLVMDbgRecordGetDebugLoc(record), s->entry);
}

static void show_variables(splitter *s) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(s->strip);
  if (!subprogram || s->strips->width > 1) {
    return;
  }
  LLVMSetSubprogram(s->strips->function, subprogram);
  LLVMDIBuilderRef builder = LLVMCreateDIBuilderDisallowUnresolved(LLVMGetGlobalParent(s->strip));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->strip); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(i); r; r = LLVMGetNextDbgRecord(r)) {
        if (LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare) {
          show_variable(s, builder, r);
        }
      }
    }
  }
  LLVMDisposeDIBuilder(builder);
}

// Writing a region.

// Long vectors would be given more than slots have.
static void limit_alignment(LLVMValueRef access) {
  if (LLVMGetAlignment(access) > TN_SLOT_ALIGN) {
    LLVMSetAlignment(access, TN_SLOT_ALIGN);
  }
}

static LLVMValueRef address_of_slot(splitter *s, const value_home *home) {
  if (home->is_shared) {
    return home->slot;
  }
  return LLVMBuildInBoundsGEP2(s->builder, home->type, home->slot, &s->index, 1, "");
}

static LLVMValueRef value_in_region(splitter *s, LLVMValueRef value);

static LLVMValueRef remake(splitter *s, LLVMValueRef value) {
  LLVMValueRef made = NULL;
  if (LLVMIsAAllocaInst(value)) {
    made = address_of_slot(s, tn_map_find(&s->homes, TN_POINTER_KEY(value)));
  } else {
    LLVMValueRef operands[8];
    const int count = LLVMGetNumOperands(value);
    for (int k = 0; k < count && k < 8; k++) {
      LLVMValueRef operand = LLVMGetOperand(value, (unsigned)k);
      operands[k] = LLVMIsAInstruction(operand) ? remake(s, operand) : value_in_region(s, operand);
    }
    made = LLVMInstructionClone(value);
    for (int k = 0; k < count && k < 8; k++) {
      LLVMSetOperand(made, (unsigned)k, operands[k]);
    }
    LLVMInsertIntoBuilder(s->builder, made);
  }
  return made;
}

static LLVMValueRef value_in_region(splitter *s, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value)) {
    return value;
  }
  const value_home *home = tn_map_find(&s->homes, TN_POINTER_KEY(value));
  if (home && home->crosses) {
    LLVMValueRef load = LLVMBuildLoad2(s->builder, home->type, address_of_slot(s, home), "");
    limit_alignment(load);
    return load;
  }
  if (home && home->is_remade) {
    return remake(s, value);
  }
  LLVMValueRef now = tn_map_find(&s->now, TN_POINTER_KEY(value));
  return now ? now : LLVMGetPoison(LLVMTypeOf(value));
}

static void store_home(splitter *s, LLVMValueRef value, LLVMValueRef copy) {
  const value_home *home = tn_map_find(&s->homes, TN_POINTER_KEY(value));
  if (home && home->crosses) {
    limit_alignment(LLVMBuildStore(s->builder, copy, address_of_slot(s, home)));
  }
}

static void place_variables(splitter *s) {
  for (const shown_variable *v = s->shown; v; v = v->next) {
    LLVMBuildStore(s->builder, remake(s, v->memory), v->where);
  }
}

// LLVM takes marks of an alloca's lifetime only on the alloca itself, and slots live all along.
static bool is_lifetime_mark(LLVMValueRef i) {
  LLVMValueRef called = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
  return called && tn_str_has_prefix(tn_value_name(called), TN_STR_LIT("llvm.lifetime."));
}

static void copy_instruction(splitter *s, LLVMValueRef i) {
  const value_home *home = tn_map_find(&s->homes, TN_POINTER_KEY(i));
  if ((home && home->is_remade) || is_lifetime_mark(i)) {
    return;
  }
  LLVMValueRef operands[64];
  const int count = LLVMGetNumOperands(i);
  if (count > 64) {
    s->failed = true;
    return;
  }
  for (int k = 0; k < count; k++) {
    operands[k] = value_in_region(s, LLVMGetOperand(i, (unsigned)k));
  }
  LLVMValueRef copy = LLVMInstructionClone(i);
  for (int k = 0; k < count; k++) {
    if (operands[k] != LLVMGetOperand(i, (unsigned)k)) {
      LLVMSetOperand(copy, (unsigned)k, operands[k]);
    }
  }
  LLVMInsertIntoBuilder(s->builder, copy);
  keep(s, &s->now, i, copy);
  store_home(s, i, copy);
}

static void leave_region(splitter *s, int next_region) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);
  LLVMBuildStore(s->builder, LLVMConstInt(i32, (unsigned)next_region, 0), s->next);
  if (s->reached) {
    LLVMBuildStore(s->builder, LLVMConstInt(i32, (unsigned)next_region, 0),
                   LLVMBuildInBoundsGEP2(s->builder, i32, s->reached, &s->index, 1, ""));
  }
  LLVMBuildBr(s->builder, s->region_end);
}

// What a loop's last branch says of the loop.
static void copy_loop(LLVMValueRef from, LLVMValueRef to) {
  const unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(to)), "llvm.loop",
                                                 strlen("llvm.loop"));
  LLVMValueRef facts = LLVMGetMetadata(from, kind);
  if (facts) {
    LLVMSetMetadata(to, kind, facts);
  }
}

static void copy_end(splitter *s, int at) {
  const tn_segment *seg = &s->cut.segments[at];
  if (!LLVMIsATerminatorInst(seg->end)) {
    leave_region(s, s->cut.segments[at + 1].region);
  } else if (LLVMIsAReturnInst(seg->end)) {
    leave_region(s, s->cut.region_count);
  } else if (LLVMIsAUnreachableInst(seg->end)) {
    LLVMBuildUnreachable(s->builder);
  } else if (seg->next_count == 1) {
    copy_loop(seg->end, LLVMBuildBr(s->builder, s->copies[seg->next[0]]));
  } else {
    copy_loop(seg->end, LLVMBuildCondBr(s->builder, value_in_region(s, LLVMGetCondition(seg->end)),
                                        s->copies[seg->next[0]], s->copies[seg->next[1]]));
  }
}

static void copy_phis(splitter *s, int at) {
  for (LLVMValueRef i = s->cut.segments[at].first; i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    keep(s, &s->now, i, LLVMBuildPhi(s->builder, LLVMTypeOf(i), ""));
  }
  for (LLVMValueRef i = s->cut.segments[at].first; i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    store_home(s, i, tn_map_find(&s->now, TN_POINTER_KEY(i)));
  }
}

static void copy_segment(splitter *s, int at) {
  const tn_segment *seg = &s->cut.segments[at];
  LLVMPositionBuilderAtEnd(s->builder, s->copies[at]);
  copy_phis(s, at);
  for (LLVMValueRef i = seg->first; i != seg->end && !s->failed; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAPHINode(i)) {
      copy_instruction(s, i);
    }
  }
  // The end is written last, when the phis behind it have asked for their values.
  s->ends[at] = LLVMGetInsertBlock(s->builder);
}

static void fill_phis(splitter *s, int at) {
  for (LLVMValueRef i = s->cut.segments[at].first; i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef phi = tn_map_find(&s->now, TN_POINTER_KEY(i));
    for (unsigned k = 0; phi && k < LLVMCountIncoming(i); k++) {
      const int from = tn_regions_last_segment_of(&s->cut, LLVMGetIncomingBlock(i, k));
      if (s->cut.place[from] < 0) {
        continue;
      }
      LLVMPositionBuilderAtEnd(s->builder, s->ends[from]);
      LLVMValueRef value = value_in_region(s, LLVMGetIncomingValue(i, k));
      LLVMAddIncoming(phi, &value, &s->ends[from], 1);
    }
  }
}

static void set_parameters(splitter *s, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z) {
  LLVMValueRef function = s->strips->function;
  LLVMTypeRef i64 = LLVMInt64TypeInContext(s->context);
  LLVMValueRef left = LLVMBuildSub(s->builder, s->strips->size[0], x, "");
  LLVMValueRef width = LLVMConstInt(i64, s->strips->width, 0);
  LLVMValueRef count = LLVMBuildSelect(
      s->builder, LLVMBuildICmp(s->builder, LLVMIntULT, left, width, ""), left, width, "");
  LLVMValueRef values[TN_STRIP_PARAMS] = {
      LLVMGetParam(function, 0), LLVMGetParam(function, 1), x, y, z, count};
  for (unsigned p = 0; p < LLVMCountParams(s->strip); p++) {
    keep(s, &s->now, LLVMGetParam(s->strip, p), values[p]);
  }
}

static void write_body(splitter *s, int region) {
  const int *order = s->cut.regions[region].order;
  const int count = s->cut.regions[region].count;
  for (int k = 0; k < count; k++) {
    s->copies[order[k]] = LLVMAppendBasicBlockInContext(s->context, s->strips->function, "part");
    s->cut.place[order[k]] = k;
  }
  LLVMBuildBr(s->builder, s->copies[s->cut.entries[region]]);
  for (int k = 0; k < count && !s->failed; k++) {
    copy_segment(s, order[k]);
  }
  for (int k = 0; k < count && !s->failed; k++) {
    fill_phis(s, order[k]);
  }
  for (int k = 0; k < count && !s->failed; k++) {
    LLVMPositionBuilderAtEnd(s->builder, s->ends[order[k]]);
    copy_end(s, order[k]);
  }
  for (int k = 0; k < count; k++) {
    s->cut.place[order[k]] = -1;
  }
}

// Stops the group when its work-items do not go on from the same barrier.
static void check_barrier(splitter *s) {
  enum { ARGUMENTS = 4 };
  LLVMModuleRef module = LLVMGetGlobalParent(s->strips->function);
  LLVMValueRef *places = get_memory(s, (size_t)s->cut.region_count + 1, sizeof(LLVMValueRef));
  if (!places) {
    return;
  }
  for (int r = 0; r <= s->cut.region_count; r++) {
    const int entry = r < s->cut.region_count ? s->cut.entries[r] : 0;
    LLVMValueRef barrier = entry > 0 ? s->cut.segments[entry - 1].end : NULL;
    places[r] = tn_check_place_constant(module, barrier, s->strips->check);
  }
  LLVMTypeRef ptr = LLVMPointerTypeInContext(s->context, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);
  LLVMTypeRef types[ARGUMENTS] = {ptr, ptr, ptr, i32};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(s->context), types, ARGUMENTS, 0);
  LLVMValueRef group = LLVMGetParam(s->strips->function, TN_ITEM_GROUP);
  LLVMValueRef arguments[ARGUMENTS] = {
      group, s->reached, tn_check_places_global(module, places, (unsigned)s->cut.region_count + 1),
      LLVMConstInt(i32, (unsigned)s->cut.region_count, 0)};
  LLVMValueRef called = tn_check_function(s->builder, group, offsetof(tn_cpu_check, barrier));
  LLVMBuildCall2(s->builder, type, called, arguments, ARGUMENTS, "");
}

// Where the regions behind a region's ends begin; the last is the function's end.
static LLVMBasicBlockRef start_of(const splitter *s, int region) {
  return region == s->cut.region_count ? s->finish : s->starts[region];
}

static int region_behind(const splitter *s, int at) {
  const tn_segment *seg = &s->cut.segments[at];
  if (!LLVMIsATerminatorInst(seg->end)) {
    return s->cut.segments[at + 1].region;
  }
  return LLVMIsAReturnInst(seg->end) ? s->cut.region_count : -1;
}

static void go_to_next(splitter *s, int region) {
  const tn_region *r = &s->cut.regions[region];
  int *follows = get_memory(s, (size_t)r->count, sizeof(*follows));
  int count = 0;
  for (int p = 0; p < r->count && !s->failed; p++) {
    const int behind = region_behind(s, r->order[p]);
    if (behind >= 0 && s->followed_by[behind] != region + 1) {
      s->followed_by[behind] = region + 1;
      follows[count++] = behind;
    }
  }
  if (s->failed) {
    return;
  }
  const int any = count > 0 ? follows[0] : s->cut.region_count;
  if (count < 2) {
    LLVMBuildBr(s->builder, start_of(s, any));
    return;
  }
  LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);
  LLVMValueRef next = LLVMBuildLoad2(s->builder, i32, s->next, "");
  LLVMValueRef choice = LLVMBuildSwitch(s->builder, next, start_of(s, any), (unsigned)count);
  for (int k = 1; k < count; k++) {
    LLVMAddCase(choice, LLVMConstInt(i32, (unsigned)follows[k], 0), start_of(s, follows[k]));
  }
}

static void write_region(splitter *s, int region) {
  LLVMValueRef function = s->strips->function;
  LLVMTypeRef i64 = LLVMInt64TypeInContext(s->context);
  LLVMPositionBuilderAtEnd(s->builder, s->starts[region]);
  tn_map_init(&s->now);
  const tn_loop z = tn_loop_open(s->builder, function, s->strips->size[2], "z");
  const tn_loop y = tn_loop_open(s->builder, function, s->strips->size[1], "y");
  tn_loop x = tn_loop_open(s->builder, function, s->row_strips, "x");
  x.may_unroll = s->strips->width == 1;
  LLVMValueRef row = LLVMBuildMul(s->builder, z.counter, s->strips->size[1], "");
  row = LLVMBuildAdd(s->builder, row, y.counter, "");
  s->index = LLVMBuildAdd(s->builder, LLVMBuildMul(s->builder, row, s->row_strips, ""), x.counter,
                          "index");
  LLVMValueRef first =
      LLVMBuildMul(s->builder, x.counter, LLVMConstInt(i64, s->strips->width, 0), "");
  set_parameters(s, first, y.counter, z.counter);
  place_variables(s);
  s->region_end = LLVMAppendBasicBlockInContext(s->context, function, "met");
  write_body(s, region);
  LLVMPositionBuilderAtEnd(s->builder, s->region_end);
  tn_loop_close(s->builder, &x);
  tn_loop_close(s->builder, &y);
  tn_loop_close(s->builder, &z);
  if (s->reached) {
    check_barrier(s);
  }
  go_to_next(s, region);
  tn_map_deinit(&s->now);
}

static void count_strips(splitter *s) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(s->context);
  LLVMValueRef more =
      LLVMBuildAdd(s->builder, s->strips->size[0], LLVMConstInt(i64, s->strips->width - 1, 0), "");
  s->row_strips = LLVMBuildUDiv(s->builder, more, LLVMConstInt(i64, s->strips->width, 0), "");
  LLVMValueRef rows = LLVMBuildMul(s->builder, s->strips->size[1], s->strips->size[2], "");
  s->strip_count = LLVMBuildMul(s->builder, rows, s->row_strips, "");
  LLVMTypeRef i32 = LLVMInt32TypeInContext(s->context);
  s->next = LLVMBuildAlloca(s->builder, i32, "next");
  if (s->strips->check && s->strips->width == 1) {
    s->reached = LLVMBuildArrayAlloca(s->builder, i32, s->strip_count, "reached");
  }
}

static void split(splitter *s) {
  count_strips(s);
  s->entry = LLVMGetInsertBlock(s->builder);
  s->failed = !tn_regions_init(&s->cut, s->arena, s->strip) || s->failed;
  s->followed_by = get_memory(s, (size_t)s->cut.region_count + 1, sizeof(int));
  if (!s->failed) {
    find_homes(s);
    show_variables(s);
  }
  s->copies = get_memory(s, (size_t)s->cut.segment_count, sizeof(*s->copies));
  s->ends = get_memory(s, (size_t)s->cut.segment_count, sizeof(*s->ends));
  s->starts = get_memory(s, (size_t)s->cut.region_count, sizeof(*s->starts));
  if (s->failed) {
    return;
  }
  for (int r = 0; r < s->cut.region_count; r++) {
    s->starts[r] = LLVMAppendBasicBlockInContext(s->context, s->strips->function, "region");
  }
  s->finish = LLVMAppendBasicBlockInContext(s->context, s->strips->function, "finish");
  LLVMPositionBuilderAtEnd(s->builder, s->entry);
  LLVMBuildBr(s->builder, s->starts[0]);
  for (int r = 0; r < s->cut.region_count && !s->failed; r++) {
    write_region(s, r);
  }
  LLVMPositionBuilderAtEnd(s->builder, s->finish);
  LLVMBuildRetVoid(s->builder);
}

tn_status tn_split_at_barriers(LLVMBuilderRef builder, const tn_strips *strips, LLVMValueRef strip,
                               uint64_t *out_bytes, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  splitter s = {.arena = &arena,
                .builder = builder,
                .strips = strips,
                .strip = strip,
                .context = LLVMGetTypeContext(LLVMTypeOf(strip))};
  tn_map_init(&s.homes);
  split(&s);
  *out_bytes = s.group_bytes;
  tn_regions_deinit(&s.cut);
  tn_map_deinit(&s.homes);
  tn_arena_deinit(&arena);
  return s.failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory to take a kernel apart at its barriers")
                  : TN_OK;
}
