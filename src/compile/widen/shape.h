// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: how a value differs between the work-items of a sub-group, and which
// branches part them.
#ifndef TN_COMPILE_WIDEN_SHAPE_H
#define TN_COMPILE_WIDEN_SHAPE_H

#include "compile/widen/flow.h"
#include "compile/widen/widen.h"

typedef enum tn_shape_kind {
  TN_SHAPE_UNKNOWN,  // not computed yet
  TN_SHAPE_LINEAR,   // lane 0's value plus `stride` for each lane; stride 0: the same in all
  TN_SHAPE_VARYING,
} tn_shape_kind;

// LINEAR integers: lanes do not wrap as signed, or as unsigned, numbers. Like the flags (nsw, nuw,
// nneg) that it follows from, this holds only between lanes whose value is not poison. A lane that
// is masked off, or that only a later branch leaves out, may be any of them: lane 0 too.
typedef enum tn_exact {
  TN_EXACT_SIGNED = 1,
  TN_EXACT_UNSIGNED = 2,
  TN_EXACT_BOTH = 3
} tn_exact;

typedef struct tn_shape {
  uint8_t kind;
  uint8_t exact;   // TN_EXACT_…; 64 bits: how lanes compare
  bool is_id;      // of work-items: in all lanes on one side of each multiple of 2^31
  bool is_small;   // made of ids and counts: not negative, and far from what 64 bits hold
  int64_t stride;  // of pointers in bytes
} tn_shape;

// Whether the sides of a branch have no block in common and are entered through it alone.
typedef enum tn_sides { TN_SIDES_UNKNOWN, TN_SIDES_APART, TN_SIDES_MEET } tn_sides;

// Rows of elements that work-items number (rows.h).
typedef struct tn_row {
  LLVMValueRef number;  // that is divided by the width of a row
  LLVMValueRef width;
  bool is_signed;
  uint64_t ahead;  // the last lane's number less lane 0's
} tn_row;
enum { TN_ROWS_MAX = 4 };

typedef struct tn_shapes {
  tn_flow *flow;
  bool is_folded;  // as in tn_widen_params: ids have no stride
  LLVMTargetDataRef layout;
  tn_map values;  // instruction → its shape in `all`, + 1
  tn_shape *all;
  int count;
  uint8_t *is_divergent;       // by block: its branch parts the work-items
  uint8_t *joins;              // by block: work-items come here by ways of their own
  uint8_t *is_loop_divergent;  // by loop
  uint8_t *are_apart;          // by block: tn_sides, of its branch
  // Taken for granted: quotients by a row's width are the same for all lanes, rests grow with them.
  tn_map assumed;  // instruction → itself
  tn_row rows[TN_ROWS_MAX];
  int row_count;
  // While one branch is looked at: the sides that come to a block, by block, and blocks.
  uint8_t *sides;
  int *reached;
  int *work;
  int reached_count;
  int work_count;
} tn_shapes;

TN_MUST_USE bool tn_shapes_init(tn_shapes *shapes, tn_flow *flow, LLVMValueRef function,
                                bool is_folded);
void tn_shapes_deinit(tn_shapes *shapes);
// All over again, after something was assumed.
void tn_shapes_find(tn_shapes *shapes);
static inline bool tn_shape_is_assumed(const tn_shapes *shapes, LLVMValueRef value) {
  return tn_map_find(&shapes->assumed, TN_POINTER_KEY(value)) != NULL;
}
tn_shape tn_shape_of(const tn_shapes *shapes, LLVMValueRef value);
static inline bool tn_shape_is_uniform(tn_shape shape) {
  return shape.kind == TN_SHAPE_LINEAR && shape.stride == 0;
}
bool tn_shape_value_is_uniform(const tn_shapes *shapes, LLVMValueRef value);
// The id that `shift`, of `id << 32`, makes narrow; or NULL.
LLVMValueRef tn_shape_narrowed_id(const tn_shapes *shapes, LLVMValueRef shift);
// The sides, succ[0]'s first, of a branch that leaves no loop, up to its post-dominator. False when
// they are not apart, or there is no memory.
TN_MUST_USE bool tn_shape_sides(tn_shapes *shapes, int branch, tn_block_list sides[2]);

// A condition that is made of ids and numbers that are the same for all: true for work-items side
// by side.
bool tn_shape_is_of_ids(const tn_shapes *shapes, LLVMValueRef condition);

// The number, with its sign, of a constant of at most 64 bits; else false.
bool tn_get_constant(LLVMValueRef value, int64_t *out);
// How many low bits a constant keeps as the mask of an `and`; 0 when it is not such a mask.
unsigned tn_low_bits(LLVMValueRef mask);
// The pointer is into the argument block or the group's description, which are only read.
bool tn_is_constant_memory(LLVMValueRef pointer);
// How far lanes are apart in elements when their addresses are side by side, 1 or -1; else 0.
int tn_shape_side_by_side(const tn_shapes *shapes, LLVMTypeRef type, LLVMValueRef pointer);
// Whether a processor with vectors of so many bytes has gathers and scatters with a mask. LLVM
// replaces them by a branch for each lane in the mask, which is slow to compile, and to run where
// lanes diverge.
bool tn_has_gather_and_scatter(const tn_shapes *shapes, unsigned vector_bytes, LLVMTypeRef type);
static inline bool tn_is_integer_division(LLVMOpcode opcode) {
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}
// Of a row (tn_row): its place in the row, where other operations give the row's number.
static inline bool tn_is_rest(LLVMOpcode opcode) {
  return opcode == LLVMURem || opcode == LLVMSRem || opcode == LLVMAnd;
}

// A call that only computes: the same result whoever calls it, and as often as one likes.
bool tn_call_is_pure(LLVMValueRef call);
// And whose arguments may be anything: LLVM's own functions. Others may divide, or read a promise
// (noundef) in their parameters.
bool tn_call_is_speculatable(LLVMValueRef call);

#endif
