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

typedef struct tn_shape {
  uint8_t kind;
  bool is_exact;   // LINEAR integers: does not wrap when it is made wider
  int64_t stride;  // of pointers in bytes
} tn_shape;

typedef struct tn_shapes {
  tn_flow *flow;
  LLVMTargetDataRef layout;
  tn_map values;  // instruction → its shape in `all`, + 1
  tn_shape *all;
  int count;
  uint8_t *is_divergent;       // by block: its branch parts the work-items
  uint8_t *joins;              // by block: work-items come here by ways of their own
  uint8_t *is_loop_divergent;  // by loop
} tn_shapes;

TN_MUST_USE bool tn_shapes_init(tn_shapes *shapes, tn_flow *flow, LLVMValueRef function);
void tn_shapes_deinit(tn_shapes *shapes);
tn_shape tn_shape_of(const tn_shapes *shapes, LLVMValueRef value);
static inline bool tn_shape_is_uniform(tn_shape shape) {
  return shape.kind == TN_SHAPE_LINEAR && shape.stride == 0;
}
bool tn_shape_value_is_uniform(const tn_shapes *shapes, LLVMValueRef value);
// The sides of a two-way branch that meet at its post-dominator, as sets of blocks. True when they
// are apart and entered only through the branch.
TN_MUST_USE bool tn_shape_sides(const tn_flow *flow, int branch, uint8_t *left, uint8_t *right);

// A call that only computes: the same result whoever calls it, and as often as one likes.
bool tn_call_is_pure(LLVMValueRef call);

#endif
