// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups without barriers as loops over strips: rows of full ones, several rows at once where
// that is faster, what is left at the ends of rows, and rows folded into one.
#include "compile/lower/cpu_strips.h"

#include "tenon/cpu_kernel.h"

#include <stddef.h>

LLVMValueRef tn_strips_field(LLVMBuilderRef builder, const tn_strips *strips, size_t field) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(strips->function)));
  return tn_group_field(builder, strips->function, i64, field, "");
}

LLVMBasicBlockRef tn_strips_block(const tn_strips *strips, const char *name) {
  return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(strips->function)),
                                       strips->function, name);
}

static void call_strip(LLVMBuilderRef builder, const tn_strips *strips, LLVMValueRef strip,
                       LLVMValueRef x, LLVMValueRef y, LLVMValueRef z, LLVMValueRef count) {
  LLVMValueRef arguments[TN_STRIP_PARAMS] = {LLVMGetParam(strips->function, TN_GROUP_ARGS),
                                             LLVMGetParam(strips->function, TN_GROUP_GROUP),
                                             x,
                                             y,
                                             z,
                                             count};
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(strip), strip, arguments, LLVMCountParams(strip),
                 "");
}

static LLVMValueRef least(LLVMBuilderRef builder, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntULT, a, b, ""), a, b, "");
}

// How many work-items from `x` on have global ids on the same side of a multiple of 2^31.
static LLVMValueRef run_of_ids(LLVMBuilderRef builder, LLVMValueRef base, LLVMValueRef x) {
  LLVMTypeRef i64 = LLVMTypeOf(x);
  LLVMValueRef id = LLVMBuildAdd(builder, base, x, "");
  LLVMValueRef low = LLVMBuildAnd(builder, id, LLVMConstInt(i64, INT32_MAX, 0), "");
  return LLVMBuildSub(builder, LLVMConstInt(i64, (uint64_t)INT32_MAX + 1, 0), low, "");
}

// What is left of a row from `first` on, in strips that are not full.
static void build_rest(LLVMBuilderRef builder, const tn_strips *strips, const tn_strip_code *code,
                       LLVMValueRef base, LLVMValueRef first, const LLVMValueRef yz[2]) {
  LLVMValueRef size = strips->size[0];
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
  LLVMBasicBlockRef head = tn_strips_block(strips, "rest");
  LLVMBasicBlockRef body = tn_strips_block(strips, "part");
  LLVMBasicBlockRef done = tn_strips_block(strips, "row");
  LLVMBuildBr(builder, head);
  LLVMPositionBuilderAtEnd(builder, head);
  LLVMValueRef x = LLVMBuildPhi(builder, LLVMTypeOf(size), "x");
  LLVMAddIncoming(x, &first, &before, 1);
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, x, size, ""), body, done);
  LLVMPositionBuilderAtEnd(builder, body);
  LLVMValueRef count = least(builder, LLVMBuildSub(builder, size, x, ""),
                             LLVMConstInt(LLVMTypeOf(size), strips->width, 0));
  count = least(builder, count, run_of_ids(builder, base, x));
  call_strip(builder, strips, code->part, x, yz[0], yz[1], count);
  LLVMValueRef next = LLVMBuildAdd(builder, x, count, "");
  LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
  LLVMAddIncoming(x, &next, &end, 1);
  tn_loop_keep(LLVMBuildBr(builder, head));
  LLVMPositionBuilderAtEnd(builder, done);
}

tn_strips tn_strips_fold(LLVMBuilderRef builder, const tn_strips *strips) {
  LLVMValueRef one = LLVMConstInt(LLVMTypeOf(strips->size[0]), 1, 0);
  LLVMValueRef rows = LLVMBuildMul(builder, strips->size[1], strips->size[2], "rows");
  tn_strips folded = *strips;
  folded.size[0] = LLVMBuildMul(builder, strips->size[0], rows, "all");
  folded.size[1] = one;
  folded.size[2] = one;
  return folded;
}

LLVMBasicBlockRef tn_strips_have_rows(LLVMBuilderRef builder, const tn_strips *strips,
                                      const tn_strips *folded) {
  LLVMBasicBlockRef several = tn_strips_block(strips, "rows");
  LLVMBasicBlockRef other = tn_strips_block(strips, "row");
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntNE, folded->size[0], strips->size[0], ""),
                  several, other);
  LLVMPositionBuilderAtEnd(builder, several);
  return other;
}

void tn_strips_build_folded(LLVMBuilderRef builder, const tn_strips *strips,
                            const tn_strip_code *code) {
  LLVMTypeRef i64 = LLVMTypeOf(strips->size[0]);
  LLVMValueRef width = LLVMConstInt(i64, strips->width, 0);
  LLVMValueRef zero = LLVMConstInt(i64, 0, 0);
  LLVMValueRef left = LLVMBuildURem(builder, strips->size[0], width, "");
  LLVMBasicBlockRef odd = tn_strips_block(strips, "odd");
  LLVMBasicBlockRef fits = tn_strips_block(strips, "fits");
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, left, zero, ""), fits, odd);
  LLVMPositionBuilderAtEnd(builder, odd);
  const tn_strips folded = tn_strips_fold(builder, strips);
  LLVMBasicBlockRef row = tn_strips_have_rows(builder, strips, &folded);
  LLVMValueRef more =
      LLVMBuildAdd(builder, folded.size[0], LLVMConstInt(i64, strips->width - 1, 0), "");
  const tn_loop x =
      tn_loop_open(builder, strips->function, LLVMBuildUDiv(builder, more, width, ""), "x");
  LLVMValueRef first = LLVMBuildMul(builder, x.counter, width, "");
  LLVMValueRef count = least(builder, LLVMBuildSub(builder, folded.size[0], first, ""), width);
  call_strip(builder, strips, code->folded, first, zero, zero, count);
  tn_loop_close(builder, &x);
  LLVMBuildRetVoid(builder);
  LLVMPositionBuilderAtEnd(builder, row);
  LLVMBuildBr(builder, fits);
  LLVMPositionBuilderAtEnd(builder, fits);
}

// How a row is cut, in strips of the kernel's width.
typedef struct row_cut {
  LLVMValueRef base;   // global id of its first work-item
  LLVMValueRef full;   // strips that are full
  LLVMValueRef ahead;  // of them: those that are run for several rows at once,
  LLVMValueRef rows;   // for so many rows
} row_cut;

// Strips of several rows at once. The rows go by inside of the strips: what a strip's loops read of
// its columns is still in a cache for the next rows.
static void build_rows_at_once(LLVMBuilderRef builder, const tn_strips *strips,
                               const tn_strip_code *code, row_cut *cut, LLVMValueRef z) {
  LLVMTypeRef i64 = LLVMTypeOf(strips->size[0]);
  LLVMValueRef width = LLVMConstInt(i64, code->rows_width, 0);
  LLVMValueRef strips_each = LLVMConstInt(i64, code->rows_width / strips->width, 0);
  LLVMValueRef rows_each = LLVMConstInt(i64, code->row_count, 0);
  LLVMValueRef across = LLVMBuildUDiv(builder, cut->full, strips_each, "");
  LLVMValueRef down = LLVMBuildUDiv(builder, strips->size[1], rows_each, "");
  cut->ahead = LLVMBuildMul(builder, across, strips_each, "ahead");
  cut->rows = LLVMBuildMul(builder, down, rows_each, "rows");
  const tn_loop x = tn_loop_open(builder, strips->function, across, "x");
  const tn_loop y = tn_loop_open(builder, strips->function, down, "y");
  call_strip(builder, strips, code->rows, LLVMBuildMul(builder, x.counter, width, ""),
             LLVMBuildMul(builder, y.counter, rows_each, ""), z, width);
  tn_loop_close(builder, &y);
  tn_loop_close(builder, &x);
}

static void build_row(LLVMBuilderRef builder, const tn_strips *strips, const tn_strip_code *code,
                      const row_cut *cut, const LLVMValueRef yz[2]) {
  LLVMTypeRef i64 = LLVMTypeOf(strips->size[0]);
  LLVMValueRef width = LLVMConstInt(i64, strips->width, 0);
  LLVMValueRef zero = LLVMConstInt(i64, 0, 0);
  LLVMValueRef done = zero;
  if (code->rows) {
    LLVMValueRef is_ahead = LLVMBuildICmp(builder, LLVMIntULT, yz[0], cut->rows, "");
    done = LLVMBuildSelect(builder, is_ahead, cut->ahead, zero, "");
  }
  if (code->wide) {
    LLVMValueRef factor = LLVMConstInt(i64, code->wide_width / strips->width, 0);
    LLVMValueRef step = LLVMConstInt(i64, code->wide_width, 0);
    LLVMValueRef left = LLVMBuildSub(builder, cut->full, done, "");
    LLVMValueRef count = LLVMBuildUDiv(builder, left, factor, "wide");
    LLVMValueRef first = LLVMBuildMul(builder, done, width, "");
    const tn_loop x = tn_loop_open(builder, strips->function, count, "wide");
    call_strip(builder, strips, code->wide,
               LLVMBuildAdd(builder, first, LLVMBuildMul(builder, x.counter, step, ""), ""), yz[0],
               yz[1], step);
    tn_loop_close(builder, &x);
    done = LLVMBuildAdd(builder, done, LLVMBuildMul(builder, count, factor, ""), "");
  }
  tn_loop x =
      tn_loop_open(builder, strips->function, LLVMBuildSub(builder, cut->full, done, ""), "x");
  x.may_unroll = strips->width == 1;
  LLVMValueRef first = LLVMBuildMul(builder, LLVMBuildAdd(builder, done, x.counter, ""), width, "");
  call_strip(builder, strips, code->full ? code->full : code->item, first, yz[0], yz[1], width);
  tn_loop_close(builder, &x);
  if (code->part) {
    LLVMValueRef end = LLVMBuildMul(builder, cut->full, width, "");
    build_rest(builder, strips, code, cut->base, end, yz);
  }
}

// Rows of full strips, each with what is left at its end. A row whose ids pass a multiple of 2^31
// has no full ones: in a strip, ids as int are those of lane 0 counted up.
void tn_strips_build_rows(LLVMBuilderRef builder, const tn_strips *strips,
                          const tn_strip_code *code) {
  LLVMTypeRef i64 = LLVMTypeOf(strips->size[0]);
  LLVMValueRef width = LLVMConstInt(i64, strips->width, 0);
  LLVMValueRef zero = LLVMConstInt(i64, 0, 0);
  row_cut cut = {.full = LLVMBuildUDiv(builder, strips->size[0], width, "full")};
  cut.base = tn_strips_field(builder, strips, offsetof(tn_cpu_group, base));
  if (code->part) {
    LLVMValueRef is_one_run = LLVMBuildICmp(
        builder, LLVMIntUGE, run_of_ids(builder, cut.base, zero), strips->size[0], "");
    cut.full = LLVMBuildSelect(builder, is_one_run, cut.full, zero, "");
  }
  const tn_loop z = tn_loop_open(builder, strips->function, strips->size[2], "z");
  if (code->rows) {
    build_rows_at_once(builder, strips, code, &cut, z.counter);
  }
  const tn_loop y = tn_loop_open(builder, strips->function, strips->size[1], "y");
  build_row(builder, strips, code, &cut, (LLVMValueRef[]){y.counter, z.counter});
  tn_loop_close(builder, &y);
  tn_loop_close(builder, &z);
  LLVMBuildRetVoid(builder);
}
