// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: a function under construction, and values as lanes of vectors.
#ifndef TN_COMPILE_WIDEN_LANES_H
#define TN_COMPILE_WIDEN_LANES_H

#include "compile/widen/explain.h"

// One of: `scalar` (lane 0's, with a stride), `vector`, `lanes` (types that vectors do not have).
typedef struct tn_lanes {
  LLVMValueRef scalar;
  int64_t stride;
  // Of narrow integers whose lanes are exact: lane 0's number in 64 bits, signed and unsigned, as
  // if it had not wrapped. Else NULL.
  LLVMValueRef extended[2];
  LLVMValueRef vector;
  LLVMValueRef *lanes;
  // Of a vector whose lanes grow by `stride` where `fits` is true: lane 0's (widen_wrapped.c).
  // Where that has to do with rows, strips that do not fit may be many.
  LLVMValueRef wrapped;
  LLVMValueRef fits;
  bool is_of_row;
} tn_lanes;

// What is known of a mask without looking at its lanes: scalars, NULL when nothing is.
typedef struct tn_mask_facts {
  LLVMValueRef any;
  LLVMValueRef every;
} tn_mask_facts;

// Two ways on.
typedef struct tn_fork {
  LLVMBasicBlockRef other;
  LLVMBasicBlockRef join;
} tn_fork;

// Lane 0's row and its place there, and whether the strip lies within that row (rows.h).
typedef struct tn_known_row {
  tn_row row;
  LLVMValueRef number;
  LLVMValueRef quotient;
  LLVMValueRef rest;
  LLVMValueRef fits;
} tn_known_row;
enum { TN_KNOWN_ROWS = 4 };

// Work-items that come from one block to another.
typedef struct tn_edge {
  LLVMValueRef mask;  // NULL: all lanes
  bool is_taken;      // at least one lane is known to come
  tn_lanes *values;   // for each phi of the block it goes to
  struct tn_edge *next;
} tn_edge;

enum { TN_SCRATCH_SLOTS = 4, TN_SCRATCH_ALIGN = 64 };

typedef struct tn_widener {
  tn_flow flow;
  tn_shapes shapes;
  tn_arena *arena;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef item;
  LLVMValueRef out;
  LLVMBasicBlockRef entry;  // for allocas
  unsigned width;
  unsigned vector_bytes;  // of the processor
  bool is_full;
  bool is_folded;
  tn_map facts;                            // mask → tn_mask_facts
  tn_map values;                           // item's instruction or parameter → tn_lanes
  LLVMValueRef *mask;                      // by block; NULL: all lanes
  uint8_t *is_taken;                       // by block: the mask is never empty
  uint8_t *is_done;                        // by block
  tn_edge **edges;                         // by block: those that came so far
  struct loop_writer *writers;             // of the loops being written, the innermost first
  LLVMValueRef scratch[TN_SCRATCH_SLOTS];  // NULL until one is used
  tn_known_row known_rows[TN_KNOWN_ROWS];  // in the block that is being written
  int known_row_count;
  unsigned scatter_count;                  // stores of lanes apart, without an instruction for them
  bool may_reread;                         // the lane that is written is there
  struct tn_rounds_state *rounds;          // those that are being written at once; NULL: none
  const char *failed;                      // the first reason to give up
  tn_remarks *remarks;                     // of this form; NULL: none
} tn_widener;

void *tn_widen_alloc(tn_widener *w, size_t count, size_t size);
void tn_widen_fail(tn_widener *w, const char *why);

// Memory for a vector, whose contents are not needed any more when the instruction that is being
// widened is done: those below TN_SCRATCH_SLOTS are shared. Splitting leaves it as it is, where
// other memory is kept for each strip of a group.
LLVMValueRef tn_widen_scratch(tn_widener *w, unsigned slot);
#define TN_SCRATCH_MARK "tenon.scratch"

bool tn_lanes_has_vector(LLVMTypeRef type);
LLVMTypeRef tn_lanes_vector_type(const tn_widener *w, LLVMTypeRef type);
LLVMTypeRef tn_lanes_mask_type(const tn_widener *w);

void tn_lanes_set(tn_widener *w, LLVMValueRef value, tn_lanes lanes);
tn_lanes tn_lanes_from_vector(LLVMValueRef vector);
tn_lanes tn_lanes_from_scalar(LLVMValueRef scalar, int64_t stride);
tn_lanes tn_lanes_get(tn_widener *w, LLVMValueRef value);
// Lane 0's value.
LLVMValueRef tn_lanes_scalar(tn_widener *w, LLVMValueRef value);
LLVMValueRef tn_lanes_vector(tn_widener *w, LLVMValueRef value);
LLVMValueRef tn_lanes_at(tn_widener *w, LLVMValueRef value, unsigned lane);
// The same for what has no value in the item function.
LLVMValueRef tn_lanes_to_vector(tn_widener *w, const tn_lanes *lanes, LLVMTypeRef type);
LLVMValueRef tn_lanes_to_lane(tn_widener *w, const tn_lanes *lanes, unsigned lane);
// Lane 0's number in 64 bits, to which as many strides are added for each lane whose value is not
// poison. Needs: the value is LINEAR and `exact`.
LLVMValueRef tn_lanes_extended(tn_widener *w, LLVMValueRef value, tn_exact exact);
LLVMValueRef tn_lanes_splat(tn_widener *w, LLVMValueRef scalar);
LLVMValueRef tn_lanes_iota(const tn_widener *w, LLVMTypeRef integer, int64_t stride);

LLVMValueRef tn_mask_and(tn_widener *w, LLVMValueRef mask, LLVMValueRef condition);
// Notes what is known of a mask that an instruction was written as. Of a comparison of numbers that
// go up lane by lane, the first and the last lane decide; needs: all lanes are there, and a branch
// on the result in all of them means that none of it is poison. Of others it follows from their
// parts.
void tn_mask_note_compare(tn_widener *w, LLVMValueRef i, LLVMValueRef vector);
void tn_mask_note_combined(tn_widener *w, LLVMValueRef i, LLVMValueRef vector);
// The two values of which `value` is true (with `both`) or false when both are; false: it is none
// of this kind.
bool tn_condition_parts(LLVMValueRef value, bool both, LLVMValueRef parts[2]);
LLVMValueRef tn_mask_not(tn_widener *w, LLVMValueRef mask);
LLVMValueRef tn_mask_any(tn_widener *w, LLVMValueRef mask);
LLVMValueRef tn_mask_every(tn_widener *w, LLVMValueRef mask);
LLVMValueRef tn_mask_or_all(tn_widener *w, LLVMValueRef mask);  // never NULL
LLVMBasicBlockRef tn_widen_block(tn_widener *w, const char *name);
// Where the condition holds; then elsewhere; then behind both. The last two give the block that the
// way before ends in.
tn_fork tn_fork_open(tn_widener *w, LLVMValueRef condition);
LLVMBasicBlockRef tn_fork_turn(tn_widener *w, const tn_fork *fork);
LLVMBasicBlockRef tn_fork_close(tn_widener *w, const tn_fork *fork);
// A value of both ways, the first of which ended in the first block.
LLVMValueRef tn_fork_join(tn_widener *w, LLVMValueRef values[2], LLVMBasicBlockRef ends[2]);
LLVMValueRef tn_widen_intrinsic(tn_widener *w, const char *name, LLVMTypeRef *types, size_t count,
                                LLVMValueRef *arguments, unsigned argument_count);

// All blocks of the item function, from where the builder is; mask[0] is set.
void tn_widen_blocks(tn_widener *w);
// A block without its phis and its end.
void tn_widen_block_body(tn_widener *w, int block);
// An instruction that is neither phi nor terminator.
void tn_widen_instruction(tn_widener *w, LLVMValueRef i, int block);
// Whether work-items that are not there may run it all the same.
bool tn_widen_is_harmless(tn_widener *w, LLVMValueRef i);
// An instruction whose shape is LINEAR, and that only computes.
void tn_widen_linear(tn_widener *w, LLVMValueRef i);
// Of a vector that has just been set.
void tn_widen_note_wrapped(tn_widener *w, LLVMValueRef i);
void tn_widen_memory(tn_widener *w, LLVMValueRef i, LLVMValueRef mask);
// What is known of an access, for another one of the same memory.
void tn_copy_access_metadata(LLVMValueRef from, LLVMValueRef to);
void tn_widen_call(tn_widener *w, LLVMValueRef i, LLVMValueRef mask);
// Work-items of the group in one dimension, i64.
LLVMValueRef tn_widen_local_size(tn_widener *w, unsigned dimension);
// A mathematical function that there is for vectors.
bool tn_widen_math(tn_widener *w, LLVMValueRef call);
// Once for each lane, one after the other; those not in the mask are left out unless it is NULL.
void tn_widen_each_lane(tn_widener *w, LLVMValueRef i, LLVMValueRef mask);
LLVMValueRef tn_widen_clone(tn_widener *w, LLVMValueRef i);
// Whether a load is of memory that is there in every work-item, at a constant offset.
bool tn_is_always_readable(const tn_shapes *shapes, LLVMValueRef load);
// Whether the pointer is into memory of the work-group, which one thread runs.
bool tn_widen_is_group_memory(LLVMValueRef pointer);
LLVMValueRef tn_widen_plain_atomic(tn_widener *w, LLVMValueRef i, LLVMValueRef pointer,
                                   LLVMValueRef operand);

#endif
