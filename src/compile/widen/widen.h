// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one work-item become functions of a sub-group: one vector lane a work-item. And
// functions with barriers become loops over all their callers, region by region.
#ifndef TN_COMPILE_WIDEN_WIDEN_H
#define TN_COMPILE_WIDEN_WIDEN_H

#include "compile/module/module.h"

// The shape of an item function's parameters:
// void(ptr args, ptr group, i64 x, i64 y, i64 z), and of what is made of it:
// void(ptr args, ptr group, i64 x, i64 y, i64 z, i64 count): `x` is that of lane 0; only lanes
// below `count` exist. Of a folded strip, `x` is lane 0's linear id in the work-group.
enum {
  TN_ITEM_ARGS,
  TN_ITEM_GROUP,
  TN_ITEM_X,
  TN_ITEM_Y,
  TN_ITEM_Z,
  TN_ITEM_PARAMS,
  TN_STRIP_COUNT = TN_ITEM_PARAMS,
  TN_STRIP_PARAMS
};

// What is asked of a sub-group, and barriers (sycl/detail/device_builtins.hpp).
typedef enum tn_group_op {
  TN_GROUP_OP_NONE,
  TN_GROUP_OP_BARRIER,
  TN_GROUP_OP_SHUFFLE,
  TN_GROUP_OP_BALLOT,
  TN_GROUP_OP_LANE,   // id of the work-item in its sub-group
  TN_GROUP_OP_COUNT,  // of its work-items
  TN_GROUP_OP_MAX_COUNT,
  TN_GROUP_OP_GROUPS,  // sub-groups of the work-group
  TN_GROUP_OP_ID,      // of the sub-group
} tn_group_op;
tn_group_op tn_group_op_of_name(tn_str function);
tn_group_op tn_group_op_of(LLVMValueRef call);
// The execution scope of a barrier is the work-group.
bool tn_group_op_is_group_barrier(LLVMValueRef call);

enum { TN_WIDTH_MAX = 64 };

// Prepares `item` for widening: structure of its control flow, no vectors. Runs passes over the
// module. Needs: `item` internal.
TN_MUST_USE tn_status tn_widen_prepare(tn_llvm_job *job, LLVMModuleRef module, uint32_t opt_level,
                                       tn_diag *diag);
// A new function of `width` lanes; `item` is left as it is. Full: all lanes exist. Folded: lanes
// follow each other by their linear ids, from the end of a row to the begin of the next one. `*out`
// is NULL when the control flow is not of the kind that can be widened.
typedef struct tn_widen_params {
  unsigned width;         // lanes, a power of two
  unsigned vector_bytes;  // of the processor's vectors
  bool is_full;
  bool is_folded;
  bool may_leave_rows;  // code is for strips within a row; others run `item` lane by lane. Needs:
                        // is_full, no barriers, and nothing that work-items do together
  tn_remarks *remarks;  // NULL: none are collected
} tn_widen_params;
TN_MUST_USE tn_status tn_widen_function(LLVMModuleRef module, LLVMValueRef item,
                                        const tn_widen_params *params, LLVMValueRef *out,
                                        tn_diag *diag);

// Functions `<n x T>(<n x T> vector, <n x i32> ids)`, vector[ids modulo n] lane by lane, that wide
// functions call and nobody defines (tn_lower_permutes).
bool tn_is_permute(LLVMValueRef function);
// The lanes that constant `ids` ask for, a number or poison each; false when they are not constant.
bool tn_permute_order(LLVMValueRef ids, LLVMValueRef *out_order);
// A vector of the same constant in all lanes, at most TN_WIDTH_MAX.
LLVMValueRef tn_constant_splat(LLVMValueRef constant, unsigned lanes);

// What is best for an item function that need not be widened. Needs: prepared.
typedef struct tn_widen_advice {
  bool is_worth;    // lanes are faster than work-items one after the other
  unsigned factor;  // vectors side by side that keep the processor busy where one would wait for
                    // its own results, or for memory: 1, 2, 4 or 8
  // Of `width` work-items, in halves of a simple instruction: one after the other, and in lanes.
  uint64_t cost_apart;
  uint64_t cost_together;
} tn_widen_advice;
tn_widen_advice tn_widen_advise(LLVMValueRef item, const tn_widen_params *params);

// Pointers in the argument block, each a bit, from that at its begin on: 8 bytes each.
typedef struct tn_widen_pointers {
  uint64_t all;      // of which none aliases another one that is written through
  uint64_t written;  // through which the function writes
} tn_widen_pointers;
// A function that does the same as `item` where those pointers do not alias: what its loops would
// read and write in each round stays in registers. `*out` is NULL where there is nothing to
// gain. Needs: prepared.
TN_MUST_USE tn_status tn_widen_noalias(LLVMModuleRef module, LLVMValueRef item, LLVMValueRef *out,
                                       tn_widen_pointers *out_pointers, tn_diag *diag);

// How many vectors the loops of a strip function keep for a row; 0: rows share nothing in them, or
// cannot run at once.
unsigned tn_widen_row_vectors(LLVMValueRef strip, unsigned vector_bytes);
// A function of the same type that runs a strip function for `rows` rows at once, from `y` on; it
// may call `strip`. `*out` is NULL when the code is not of the kind for that.
TN_MUST_USE tn_status tn_widen_several_rows(LLVMModuleRef module, LLVMValueRef strip, unsigned rows,
                                            LLVMValueRef *out, tn_diag *diag);

// A loop that counts from 0: `open` ends the builder's block and leaves it in the body, `close`
// ends the body and leaves the builder behind the loop.
typedef struct tn_loop {
  LLVMValueRef counter;  // i64
  LLVMBasicBlockRef head;
  LLVMBasicBlockRef done;
  bool may_unroll;  // false from the beginning
} tn_loop;
tn_loop tn_loop_open(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef count,
                     const char *name);
void tn_loop_close(LLVMBuilderRef builder, const tn_loop *loop);
// Calls an item or strip function with `caller`'s parameters, and `count` times with the next id in
// the parameter `id`, one after the other. Ends the caller.
void tn_call_each(LLVMBuilderRef builder, LLVMValueRef caller, LLVMValueRef function, unsigned id,
                  unsigned count, const char *name);
// LLVM shall not unroll the loop that this branch closes. Each turn is many work-items' worth of
// independent instructions: copies of it are no faster, and take several times as long to compile.
void tn_loop_keep(LLVMValueRef branch);

// Loads a field, of 64 bits, of the group that `function` runs for; `offset` is that in
// tn_cpu_group.
LLVMValueRef tn_group_field(LLVMBuilderRef builder, LLVMValueRef function, LLVMTypeRef type,
                            size_t offset, const char *name);

// Checks that a kernel is built with (tn_cpu_check in tenon/cpu_kernel.h).
typedef struct tn_check_kernel {
  tn_str name;     // for people
  tn_place place;  // its own, where a check has none
} tn_check_kernel;
// A tn_cpu_place as a constant: that of `call`, or the kernel's when it is NULL.
LLVMValueRef tn_check_place_constant(LLVMModuleRef module, LLVMValueRef call,
                                     const tn_check_kernel *kernel);
LLVMValueRef tn_check_places_global(LLVMModuleRef module, LLVMValueRef *places, unsigned count);
// The function in a slot of the group's tn_cpu_check.
LLVMValueRef tn_check_function(LLVMBuilderRef builder, LLVMValueRef group, size_t slot);

// What a work-group function runs over: the work-items along x in strips of `width`.
typedef struct tn_strips {
  LLVMValueRef function;  // void(ptr args, ptr group)
  LLVMValueRef size[3];   // work-items, i64
  unsigned width;
  const tn_check_kernel *check;  // NULL: barriers are not checked; else the width is 1
} tn_strips;

bool tn_has_group_barrier(LLVMValueRef function);
// The code of `strip`, an item or strip function with barriers of the work-group, for all strips of
// the group: taken apart at the barriers, each part run by all strips before the next. Begins at
// the builder and ends the function.
// `*out_bytes` is what each strip needs of the group's memory for slots (tn_cpu_needs).
TN_MUST_USE tn_status tn_split_at_barriers(LLVMBuilderRef builder, const tn_strips *strips,
                                           LLVMValueRef strip, uint64_t *out_bytes, tn_diag *diag);

#endif
