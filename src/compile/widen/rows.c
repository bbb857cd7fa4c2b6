// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that number the elements of rows: `x = id % width, y = id / width`. Most strips lie
// within one row: there y is the same for all lanes, and x grows with them. A full strip's code is
// written for those, behind a check of lane 0's numbers; in the others work-items run one after the
// other. Where numbers are not known at the begin, as in a loop, or work-items do something
// together, there are two ways for the division and for each access instead.
#include "compile/widen/rows.h"

// Instructions that a number or a width may need at the begin of the function; one that is used
// twice counts twice, since it is written twice.
enum { EARLY_MAX = 32, BITS_LEAST = 3, BITS_MOST = 24 };

static bool is_early_opcode(const tn_shapes *shapes, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMGetElementPtr:
    case LLVMFreeze:
    case LLVMICmp:
    case LLVMSelect:
      return true;
    case LLVMLoad:
      return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
             tn_is_constant_memory(LLVMGetOperand(i, 0)) && tn_is_always_readable(shapes, i);
    default:
      return false;
  }
}

// Whether lane 0's value can be had before anything is done. Numbers that are made wider are not
// always what they seem to be (widen_linear.c): only ids, and those that all lanes share.
static bool is_early(const tn_shapes *shapes, LLVMValueRef value, int *left) {
  if (!LLVMIsAInstruction(value)) {
    return LLVMIsAArgument(value) || LLVMIsAConstantInt(value);
  }
  if (--*left < 0 || !is_early_opcode(shapes, value)) {
    return false;
  }
  if (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value)) {
    const tn_shape from = tn_shape_of(shapes, LLVMGetOperand(value, 0));
    if (!from.is_id && !tn_shape_is_uniform(from)) {
      return false;
    }
  }
  const int count = LLVMGetNumOperands(value);
  bool are_all = true;
  for (int k = 0; k < count && are_all; k++) {
    are_all = is_early(shapes, LLVMGetOperand(value, (unsigned)k), left);
  }
  return are_all;
}

static bool is_signed(LLVMOpcode opcode) { return opcode == LLVMSDiv || opcode == LLVMSRem; }

// A row of 2^bits elements; false when it is another operation.
static bool get_bits(LLVMValueRef i, LLVMOpcode opcode, unsigned *bits) {
  LLVMValueRef by = LLVMGetOperand(i, 1);
  int64_t distance = 0;
  if (opcode == LLVMAnd) {
    *bits = tn_low_bits(by);
  } else if ((opcode == LLVMLShr || opcode == LLVMAShr) && tn_get_constant(by, &distance)) {
    *bits = distance > 0 && distance <= BITS_MOST ? (unsigned)distance : 0;
  }
  return *bits >= BITS_LEAST && *bits <= BITS_MOST;
}

static bool get_row(const tn_shapes *shapes, LLVMValueRef i, unsigned width, tn_row *out) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (!LLVMIsABinaryOperator(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(i)) > 64 || LLVMGetIntTypeWidth(LLVMTypeOf(i)) < 32) {
    return false;
  }
  const tn_shape from = tn_shape_of(shapes, LLVMGetOperand(i, 0));
  if (from.kind != TN_SHAPE_LINEAR || from.stride <= 0 || from.stride > (1 << 16) ||
      tn_shape_of(shapes, i).kind != TN_SHAPE_VARYING) {
    return false;
  }
  *out = (tn_row){.number = LLVMGetOperand(i, 0),
                  .is_signed = is_signed(opcode),
                  .ahead = (uint64_t)from.stride * (width - 1)};
  unsigned bits = 0;
  int64_t constant = 0;
  if (tn_is_integer_division(opcode)) {
    out->width = LLVMGetOperand(i, 1);
    return tn_shape_value_is_uniform(shapes, out->width) &&
           !(tn_get_constant(out->width, &constant) && constant <= (int64_t)out->ahead);
  }
  if (!get_bits(i, opcode, &bits) || (uint64_t)1 << bits <= out->ahead) {
    return false;
  }
  out->width = LLVMConstInt(LLVMTypeOf(i), (uint64_t)1 << bits, 0);
  return true;
}

static bool is_early_row(const tn_shapes *shapes, const tn_row *row) {
  int left = EARLY_MAX;
  return is_early(shapes, row->width, &left) && is_early(shapes, row->number, &left);
}

static bool is_same(const tn_row *a, const tn_row *b) {
  return a->number == b->number && a->width == b->width && a->is_signed == b->is_signed;
}

static bool add_row(tn_shapes *shapes, LLVMValueRef i, const tn_row *row) {
  int at = 0;
  while (at < shapes->row_count && !is_same(&shapes->rows[at], row)) {
    at++;
  }
  if (at == TN_ROWS_MAX || !tn_map_set(&shapes->assumed, TN_POINTER_KEY(i), i)) {
    return false;
  }
  if (at == shapes->row_count) {
    shapes->rows[shapes->row_count++] = *row;
  }
  return true;
}

void tn_rows_assume(tn_shapes *shapes, unsigned width) {
  bool is_new = false;
  for (int b = 0; b < shapes->flow->count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(shapes->flow->blocks[b].block); i;
         i = LLVMGetNextInstruction(i)) {
      tn_row row;
      if (get_row(shapes, i, width, &row) && is_early_row(shapes, &row)) {
        is_new = add_row(shapes, i, &row) || is_new;
      }
    }
  }
  if (is_new) {
    tn_shapes_find(shapes);
  }
}

// Without the promises of flags and metadata, which hold for lanes that get as far as the
// instruction: as widen_linear.c computes lane 0's numbers.
static LLVMValueRef build_early(tn_widener *w, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) {
    return LLVMIsAArgument(value) ? tn_lanes_scalar(w, value) : value;
  }
  LLVMValueRef operands[3] = {NULL, NULL, NULL};
  const int count = LLVMGetNumOperands(value);
  for (int k = 0; k < count && k < 3; k++) {
    operands[k] = build_early(w, LLVMGetOperand(value, (unsigned)k));
  }
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (LLVMIsABinaryOperator(value)) {
    const bool is_sum = opcode == LLVMOr && LLVMGetIsDisjoint(value);
    return LLVMBuildBinOp(w->builder, is_sum ? LLVMAdd : opcode, operands[0], operands[1], "");
  }
  if (LLVMIsACastInst(value)) {
    return LLVMBuildCast(w->builder, opcode, operands[0], LLVMTypeOf(value), "");
  }
  LLVMValueRef clone = LLVMInstructionClone(value);
  for (int k = 0; k < count && k < 3; k++) {
    LLVMSetOperand(clone, (unsigned)k, operands[k]);
  }
  LLVMInsertIntoBuilder(w->builder, clone);
  tn_load_drop_promises(clone);
  return clone;
}

static LLVMValueRef compare(tn_widener *w, LLVMIntPredicate predicate, LLVMValueRef a,
                            LLVMValueRef b) {
  return LLVMBuildICmp(w->builder, predicate, a, b, "");
}

// Lane 0's, of rows that fit: the last lane's number is in the row of lane 0's, and numbers do not
// wrap between them.
static tn_known_row build_row(tn_widener *w, const tn_row *row, LLVMValueRef number,
                              LLVMValueRef width) {
  LLVMBuilderRef b = w->builder;
  number = LLVMBuildFreeze(b, number, "");
  width = LLVMBuildFreeze(b, width, "");
  LLVMTypeRef type = LLVMTypeOf(number);
  LLVMValueRef ahead = LLVMConstInt(type, row->ahead, 0);
  LLVMValueRef last = LLVMBuildAdd(b, number, ahead, "");
  LLVMValueRef fits = compare(w, row->is_signed ? LLVMIntSGT : LLVMIntUGT, width, ahead);
  fits = LLVMBuildAnd(b, fits, compare(w, LLVMIntUGE, last, number), "");
  if (row->is_signed) {
    fits = LLVMBuildAnd(b, fits, compare(w, LLVMIntSGE, number, LLVMConstNull(type)), "");
    fits = LLVMBuildAnd(b, fits, compare(w, LLVMIntSGE, last, LLVMConstNull(type)), "");
  }
  LLVMValueRef divisor = LLVMBuildSelect(b, fits, width, LLVMConstInt(type, 1, 0), "");
  tn_known_row found = {.row = *row,
                        .number = number,
                        .quotient = LLVMBuildUDiv(b, number, divisor, ""),
                        .rest = LLVMBuildURem(b, number, divisor, "")};
  LLVMValueRef most = LLVMBuildSub(b, width, ahead, "");
  found.fits = LLVMBuildAnd(b, fits, compare(w, LLVMIntULT, found.rest, most), "");
  return found;
}

void tn_rows_check(tn_widener *w) {
  LLVMValueRef fits = NULL;
  for (int r = 0; r < w->shapes.row_count; r++) {
    const tn_row *row = &w->shapes.rows[r];
    LLVMValueRef one =
        build_row(w, row, build_early(w, row->number), build_early(w, row->width)).fits;
    fits = fits ? LLVMBuildAnd(w->builder, fits, one, "") : one;
  }
  if (fits) {
    LLVMBasicBlockRef in_row = tn_widen_block(w, "row");
    LLVMBasicBlockRef apart = tn_widen_block(w, "rows");
    LLVMBuildCondBr(w->builder, fits, in_row, apart);
    LLVMPositionBuilderAtEnd(w->builder, apart);
    tn_call_each(w->builder, w->out, w->item, TN_ITEM_X, w->width, "lane");
    LLVMPositionBuilderAtEnd(w->builder, in_row);
  }
}

// Of the block that is being written, so that what is known comes before.
static const tn_known_row *know_row(tn_widener *w, const tn_row *row) {
  for (int r = 0; r < w->known_row_count; r++) {
    if (is_same(&w->known_rows[r].row, row)) {
      return &w->known_rows[r];
    }
  }
  tn_known_row *last = &w->known_rows[w->known_row_count % TN_KNOWN_ROWS];
  w->known_row_count += w->known_row_count < TN_KNOWN_ROWS;
  *last = build_row(w, row, tn_lanes_scalar(w, row->number), tn_lanes_scalar(w, row->width));
  return last;
}

bool tn_widen_in_row(tn_widener *w, LLVMValueRef i, tn_vector_builder *by_lanes) {
  tn_row row;
  if (!get_row(&w->shapes, i, w->width, &row)) {
    return false;
  }
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  const bool is_rest = tn_is_rest(opcode);
  const tn_known_row *known = know_row(w, &row);
  const int64_t stride = is_rest ? tn_shape_of(&w->shapes, row.number).stride : 0;
  // Rows below zero are those of a shift alone.
  LLVMValueRef scalar = is_rest ? known->rest
                        : opcode == LLVMAShr
                            ? LLVMBuildAShr(w->builder, known->number, LLVMGetOperand(i, 1), "")
                            : known->quotient;
  const tn_lanes lanes = tn_lanes_from_scalar(scalar, stride);
  LLVMValueRef values[2];
  LLVMBasicBlockRef ends[2];
  tn_fork fork = tn_fork_open(w, known->fits);
  values[0] = tn_lanes_to_vector(w, &lanes, LLVMTypeOf(i));
  ends[0] = tn_fork_turn(w, &fork);
  values[1] = by_lanes(w, i, NULL);
  ends[1] = tn_fork_close(w, &fork);
  tn_lanes_set(w, i,
               (tn_lanes){.vector = tn_fork_join(w, values, ends),
                          .wrapped = lanes.scalar,
                          .stride = stride,
                          .fits = known->fits,
                          .is_of_row = true});
  return true;
}
