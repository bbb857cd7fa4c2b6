// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wide function around its blocks, and what comes before it.
#include "compile/widen/dead_ends.h"
#include "compile/widen/endless.h"
#include "compile/widen/rows.h"

static LLVMValueRef create_function(tn_widener *w) {
  LLVMTypeRef ptr = LLVMPointerTypeInContext(w->context, 0);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(w->context);
  LLVMTypeRef params[TN_STRIP_PARAMS] = {ptr, ptr, i64, i64, i64, i64};
  LLVMValueRef function = LLVMAddFunction(
      w->module,
      w->is_folded ? "tn_strip_folded"
      : w->is_full ? "tn_strip"
                   : "tn_strip_part",
      LLVMFunctionType(LLVMVoidTypeInContext(w->context), params, TN_STRIP_PARAMS, 0));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  tn_function_add_enum(function, "nounwind");
  return function;
}

static void set_entry_mask(tn_widener *w) {
  if (w->is_full) {
    return;
  }
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context);
  LLVMValueRef count =
      LLVMBuildTrunc(w->builder, LLVMGetParam(w->out, TN_STRIP_COUNT), i32, "count");
  w->mask[0] = LLVMBuildICmp(w->builder, LLVMIntULT, tn_lanes_iota(w, i32, 1),
                             tn_lanes_splat(w, count), "there");
}

// How often `size` fits into each of `ids`: by a product with its reciprocal, since vectors of
// integers have no division. With the half, that of numbers below 2^50 is rounded past no whole
// number.
static LLVMValueRef divide_ids(tn_widener *w, LLVMValueRef ids, LLVMValueRef size) {
  LLVMTypeRef f64 = LLVMDoubleTypeInContext(w->context);
  LLVMValueRef reciprocal = LLVMBuildFDiv(w->builder, LLVMConstReal(f64, 1.0),
                                          LLVMBuildUIToFP(w->builder, size, f64, ""), "");
  LLVMValueRef middle =
      LLVMBuildFAdd(w->builder, LLVMBuildUIToFP(w->builder, ids, tn_lanes_vector_type(w, f64), ""),
                    tn_lanes_splat(w, LLVMConstReal(f64, 0.5)), "");
  LLVMValueRef quotient = LLVMBuildFMul(w->builder, middle, tn_lanes_splat(w, reciprocal), "");
  return LLVMBuildFPToUI(w->builder, quotient, LLVMTypeOf(ids), "");
}

static LLVMValueRef rest_of_ids(tn_widener *w, LLVMValueRef ids, LLVMValueRef quotient,
                                LLVMValueRef size) {
  return LLVMBuildSub(w->builder, ids,
                      LLVMBuildMul(w->builder, quotient, tn_lanes_splat(w, size), ""), "");
}

static void set_folded_ids(tn_widener *w) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(w->context);
  LLVMValueRef first = tn_lanes_splat(w, LLVMGetParam(w->out, TN_ITEM_X));
  LLVMValueRef ids = LLVMBuildAdd(w->builder, first, tn_lanes_iota(w, i64, 1), "");
  LLVMValueRef sizes[2] = {tn_widen_local_size(w, 0), tn_widen_local_size(w, 1)};
  LLVMValueRef rows = divide_ids(w, ids, sizes[0]);
  LLVMValueRef planes = divide_ids(w, rows, sizes[1]);
  LLVMValueRef xyz[3] = {rest_of_ids(w, ids, rows, sizes[0]),
                         rest_of_ids(w, rows, planes, sizes[1]), planes};
  for (unsigned d = 0; d < 3; d++) {
    tn_lanes_set(w, LLVMGetParam(w->item, TN_ITEM_X + d), tn_lanes_from_vector(xyz[d]));
  }
}

static void emit_function(tn_widener *w) {
  w->entry = tn_widen_block(w, "entry");
  LLVMBasicBlockRef start = tn_widen_block(w, "start");
  LLVMPositionBuilderAtEnd(w->builder, start);
  for (unsigned p = 0; p < TN_ITEM_PARAMS; p++) {
    tn_lanes_set(w, LLVMGetParam(w->item, p),
                 tn_lanes_from_scalar(LLVMGetParam(w->out, p), p == TN_ITEM_X ? 1 : 0));
  }
  if (w->is_folded) {
    set_folded_ids(w);
  }
  tn_rows_check(w);
  set_entry_mask(w);
  w->is_taken[0] = 1;
  tn_widen_blocks(w);
  LLVMBuildRetVoid(w->builder);
  LLVMPositionBuilderAtEnd(w->builder, w->entry);
  LLVMBuildBr(w->builder, start);
}

static bool alloc_tables(tn_widener *w) {
  const size_t count = (size_t)w->flow.count;
  w->mask = tn_widen_alloc(w, count, sizeof(*w->mask));
  w->is_taken = tn_widen_alloc(w, count, 1);
  w->is_done = tn_widen_alloc(w, count, 1);
  w->edges = tn_widen_alloc(w, count, sizeof(*w->edges));
  return !w->failed;
}

tn_status tn_widen_function(LLVMModuleRef module, LLVMValueRef item, const tn_widen_params *params,
                            LLVMValueRef *out, tn_diag *diag) {
  *out = NULL;
  tn_arena arena;
  tn_arena_init(&arena);
  tn_widener w = {.arena = &arena,
                  .module = module,
                  .context = LLVMGetModuleContext(module),
                  .item = item,
                  .width = params->width,
                  .is_full = params->is_full,
                  .is_folded = params->is_folded,
                  .vector_bytes = params->vector_bytes,
                  .remarks = params->remarks};
  tn_map_init(&w.values);
  tn_map_init(&w.facts);
  const bool has_flow = tn_flow_init(&w.flow, item, &arena);
  const bool has_shapes = has_flow && tn_shapes_init(&w.shapes, &w.flow, item, w.is_folded);
  if (has_shapes && params->may_leave_rows) {
    tn_rows_assume(&w.shapes, w.width);
  }
  if (has_shapes && alloc_tables(&w)) {
    w.builder = LLVMCreateBuilderInContext(w.context);
    w.out = create_function(&w);
    emit_function(&w);
    LLVMDisposeBuilder(w.builder);
  }
  tn_status status = TN_OK;
  if (arena.failed) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to widen a kernel");
  } else if (w.failed) {
    status = TN_FAIL(diag, INTERNAL, "a kernel cannot be widened: %s", w.failed);
  }
  if (status == TN_OK) {
    *out = w.out;
  } else if (w.out) {
    LLVMDeleteFunction(w.out);
  }
  if (has_flow) {
    tn_shapes_deinit(&w.shapes);
  }
  tn_flow_deinit(&w.flow);
  tn_map_deinit(&w.values);
  tn_map_deinit(&w.facts);
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_widen_prepare(tn_llvm_job *job, LLVMModuleRef module, uint32_t opt_level,
                           tn_diag *diag) {
  if (opt_level > 0) {
    TN_TRY(tn_module_run_passes(job, module,
                                "function(early-cse,instcombine<no-verify-fixpoint>,"
                                "loop(loop-unroll-full),sroa<modify-cfg>,early-cse,"
                                "instcombine<no-verify-fixpoint>,simplifycfg,"
                                "scalarizer<load-store>,instcombine<no-verify-fixpoint>,adce)",
                                NULL, diag));
  }
  TN_TRY(tn_endless_loops_open(module, diag));
  TN_TRY(tn_module_run_passes(
      job, module, "function(lower-switch,fix-irreducible,unify-loop-exits)", NULL, diag));
  TN_TRY(tn_dead_ends_open(module, diag));
  TN_TRY(
      tn_module_run_passes(job, module, "function(mergereturn,loop-simplify,lcssa)", NULL, diag));
  tn_dead_ends_part(module);
  return TN_OK;
}
