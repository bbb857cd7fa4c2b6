// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks about memory accesses, calls, branches and loops, for users who need to see why a kernel
// is fast or slow on the CPU (docs/performance-cpu.md). Source locations are known while the code
// has debug locations.
#include "compile/widen/explain.h"

#include "compile/widen/lanes.h"

#include <inttypes.h>

#include <llvm-c/DebugInfo.h>

static LLVMContextRef context_of(LLVMValueRef value) {
  return LLVMGetTypeContext(LLVMTypeOf(value));
}

static tn_place place_of(LLVMValueRef instruction) {
  return tn_place_of_user(context_of(instruction), LLVMInstructionGetDebugLoc(instruction));
}

static const char *hardware(bool has_instructions) {
  return has_instructions ? "" : ", one by one";
}

static void explain_access(tn_remarks *remarks, const tn_shapes *shapes, unsigned vector_bytes,
                           LLVMValueRef access, const char *would) {
  const bool is_load = LLVMIsALoadInst(access) != NULL;
  LLVMValueRef pointer = LLVMGetOperand(access, is_load ? 0 : 1);
  LLVMTypeRef type = is_load ? LLVMTypeOf(access) : LLVMTypeOf(LLVMGetOperand(access, 0));
  const uint64_t size = LLVMABISizeOfType(shapes->layout, type);
  const tn_shape shape = tn_shape_of(shapes, pointer);
  const char *verb = is_load ? "load" : "store";
  const char *name = is_load ? "gather" : "scatter";
  const char *how = hardware(tn_has_gather_and_scatter(shapes, vector_bytes, type));
  if (shape.kind != TN_SHAPE_LINEAR) {
    tn_remarks_add(remarks, TN_REMARK_MISSED, verb, place_of(access),
                   "%s%s: work-items %s %" PRIu64
                   " bytes each %s addresses without a constant stride%s",
                   would, name, verb, size, is_load ? "from" : "to", how);
  } else if (shape.stride == 0) {
    tn_remarks_add(remarks, TN_REMARK_MISSED, verb, place_of(access),
                   "%s%s: all work-items %s %" PRIu64 " bytes at one address%s", would, name, verb,
                   size, how);
  } else {
    tn_remarks_add(remarks, TN_REMARK_MISSED, verb, place_of(access),
                   "%s%s: neighboring work-items %s %" PRIu64 " bytes each, %" PRId64
                   " bytes apart%s",
                   would, name, verb, size, shape.stride, how);
  }
}

void tn_explain_access(tn_remarks *remarks, const tn_shapes *shapes, unsigned vector_bytes,
                       LLVMValueRef access) {
  if (remarks) {
    explain_access(remarks, shapes, vector_bytes, access, "");
  }
}

static void explain_call(tn_remarks *remarks, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(called)) {
    tn_remarks_add(remarks, TN_REMARK_MISSED, "call", place_of(call),
                   "a call through a pointer runs work-item by work-item");
    return;
  }
  if (LLVMIsAMemIntrinsic(call)) {
    tn_remarks_add(remarks, TN_REMARK_MISSED, "memory", place_of(call),
                   "objects are copied or filled work-item by work-item");
    return;
  }
  const char *name = tn_demangle(remarks->arena, tn_value_name(called));
  tn_remarks_add(remarks, TN_REMARK_MISSED, "call", place_of(call),
                 "the call of '%s' runs work-item by work-item", name ? name : "?");
}

static void explain_type(tn_remarks *remarks, LLVMValueRef i) {
  const bool is_store = LLVMIsAStoreInst(i) != NULL;
  char *type = LLVMPrintTypeToString(LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i));
  tn_remarks_add(remarks, TN_REMARK_MISSED, "type", place_of(i),
                 "values of LLVM type '%s' have no vector form: computed work-item by work-item",
                 type);
  LLVMDisposeMessage(type);
}

void tn_explain_rounds(tn_remarks *remarks, LLVMValueRef load, unsigned rounds) {
  if (remarks) {
    tn_remarks_add(remarks, TN_REMARK_PASSED, "load", place_of(load),
                   "load: each work-item reads %u elements side by side, for as many iterations",
                   rounds);
  }
}

void tn_explain_apart(tn_remarks *remarks, LLVMValueRef i) {
  if (!remarks) {
    return;
  }
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  const bool is_access = opcode == LLVMLoad || opcode == LLVMStore;
  if (LLVMIsACallInst(i)) {
    explain_call(remarks, i);
  } else if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg ||
             (is_access && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)) {
    const bool is_of_group = !is_access && tn_widen_is_group_memory(LLVMGetOperand(i, 0));
    tn_remarks_add(remarks, TN_REMARK_MISSED, "atomic", place_of(i),
                   "the atomic operation runs work-item by work-item%s",
                   is_of_group ? ", as a plain one: the memory is the work-group's" : "");
  } else if (is_access && LLVMGetVolatile(i)) {
    tn_remarks_add(remarks, TN_REMARK_MISSED, "volatile", place_of(i),
                   "the volatile access runs work-item by work-item");
  } else if (tn_is_integer_division(opcode)) {
    tn_remarks_add(remarks, TN_REMARK_MISSED, "division", place_of(i),
                   "the integer division runs work-item by work-item: vectors have none");
  } else if (opcode != LLVMExtractValue && opcode != LLVMInsertValue) {
    explain_type(remarks, i);
  }
}

void tn_explain_branch(tn_remarks *remarks, const tn_flow *flow, int block, bool is_of_ids) {
  if (!remarks) {
    return;
  }
  tn_remarks_add(remarks, TN_REMARK_ANALYSIS, "branch", place_of(flow->blocks[block].end),
                 is_of_ids ? "branch on ids: without masks where all work-items of a vector take "
                             "the same side"
                           : "branch on data of each work-item: its sides run under masks");
}

// The location that Clang writes beside a loop: that of its statement, not of its condition.
static tn_place place_of_loop(const tn_flow *flow, const tn_flow_loop *loop) {
  LLVMValueRef end = flow->blocks[loop->latch].end;
  LLVMContextRef context = context_of(end);
  LLVMValueRef node = LLVMGetMetadata(end, LLVMGetMDKindIDInContext(context, "llvm.loop", 9));
  const unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
  enum { MOST = 16 };
  LLVMValueRef fields[MOST];
  if (count > 1 && count <= MOST) {
    LLVMGetMDNodeOperands(node, fields);
    LLVMMetadataRef first = fields[1] ? LLVMValueAsMetadata(fields[1]) : NULL;
    if (first && LLVMGetMetadataKind(first) == LLVMDILocationMetadataKind) {
      return tn_place_of_user(context, first);
    }
  }
  for (int k = 0; k < loop->exiting.count; k++) {
    const tn_place place = place_of(flow->blocks[loop->exiting.items[k]].end);
    if (place.line != 0) {
      return place;
    }
  }
  return place_of(LLVMGetFirstInstruction(flow->blocks[loop->header].block));
}

void tn_explain_loop(tn_remarks *remarks, const tn_flow *flow, int loop, bool is_divergent) {
  if (!remarks) {
    return;
  }
  tn_remarks_add(remarks, TN_REMARK_PASSED, "loop", place_of_loop(flow, &flow->loops[loop]),
                 is_divergent ? "loop: side by side, under masks until the last work-item of a "
                                "vector leaves"
                              : "loop: side by side, the same number of iterations for all "
                                "work-items");
}

static void explain_instruction(tn_remarks *remarks, const tn_shapes *shapes,
                                unsigned vector_bytes, LLVMValueRef i) {
  const bool is_load = LLVMIsALoadInst(i) != NULL;
  if (is_load || LLVMIsAStoreInst(i)) {
    LLVMValueRef pointer = LLVMGetOperand(i, is_load ? 0 : 1);
    LLVMTypeRef type = is_load ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, 0));
    if (!tn_shape_value_is_uniform(shapes, pointer) &&
        tn_shape_side_by_side(shapes, type, pointer) == 0) {
      explain_access(remarks, shapes, vector_bytes, i, "would be a ");
    }
  } else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
             (tn_is_integer_division(LLVMGetInstructionOpcode(i)) &&
              tn_shape_of(shapes, i).kind == TN_SHAPE_VARYING)) {
    tn_explain_apart(remarks, i);
  }
}

void tn_explain_costs(tn_remarks *remarks, const tn_shapes *shapes, unsigned vector_bytes) {
  const tn_flow *flow = shapes->flow;
  for (int b = 0; b < flow->count && remarks; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      explain_instruction(remarks, shapes, vector_bytes, i);
    }
    if (flow->blocks[b].succ_count == 2 && shapes->is_divergent[b]) {
      tn_remarks_add(remarks, TN_REMARK_ANALYSIS, "branch", place_of(flow->blocks[b].end),
                     "branch on data of each work-item: vectors would run its sides under masks");
    }
  }
}
