// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values on the ways between blocks: which of them a phi takes for which work-items, and phis of
// the wide function for each part of a value.
#include "compile/widen/edges.h"

int tn_phi_count(const tn_widener *w, int block) {
  int count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(w->flow.blocks[block].block);
       i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    count++;
  }
  return count;
}

static LLVMValueRef incoming_from(const tn_widener *w, LLVMValueRef phi, int from) {
  LLVMValueRef value = tn_flow_incoming(&w->flow, phi, from);
  return value ? value : LLVMGetPoison(LLVMTypeOf(phi));
}

static tn_lanes as_linear_phi(tn_widener *w, LLVMValueRef phi, LLVMValueRef value) {
  const tn_shape shape = tn_shape_of(&w->shapes, phi);
  tn_lanes lanes = tn_lanes_from_scalar(tn_lanes_scalar(w, value), shape.stride);
  LLVMTypeRef type = LLVMTypeOf(phi);
  const bool is_narrow = LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                         LLVMGetIntTypeWidth(type) < 64 && shape.stride != 0;
  for (unsigned k = 0; k < 2 && is_narrow; k++) {
    const tn_exact exact = k == 0 ? TN_EXACT_SIGNED : TN_EXACT_UNSIGNED;
    lanes.extended[k] = shape.exact & exact ? tn_lanes_extended(w, value, exact) : NULL;
  }
  return lanes;
}

tn_lanes tn_as_phi(tn_widener *w, LLVMValueRef phi, LLVMValueRef value) {
  const tn_shape shape = tn_shape_of(&w->shapes, phi);
  if (shape.kind == TN_SHAPE_LINEAR) {
    return as_linear_phi(w, phi, value);
  }
  if (tn_lanes_has_vector(LLVMTypeOf(phi))) {
    return tn_lanes_from_vector(tn_lanes_vector(w, value));
  }
  tn_lanes lanes = {.lanes = tn_widen_alloc(w, w->width, sizeof(LLVMValueRef))};
  for (unsigned l = 0; l < w->width && lanes.lanes; l++) {
    lanes.lanes[l] = tn_lanes_at(w, value, l);
  }
  return lanes;
}

void tn_edge_push(tn_widener *w, int to, tn_edge edge) {
  tn_edge *kept = tn_widen_alloc(w, 1, sizeof(*kept));
  if (kept) {
    *kept = edge;
    kept->next = w->edges[to];
    w->edges[to] = kept;
  }
}

tn_lanes *tn_phis_incoming(tn_widener *w, int from, int to) {
  tn_lanes *values = tn_widen_alloc(w, (size_t)tn_phi_count(w, to), sizeof(*values));
  int n = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(w->flow.blocks[to].block);
       values && i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    values[n++] = tn_as_phi(w, i, incoming_from(w, i, from));
  }
  return values;
}

void tn_edge_add(tn_widener *w, int from, int to, LLVMValueRef mask, bool is_taken) {
  tn_edge_push(
      w, to,
      (tn_edge){.mask = mask, .is_taken = is_taken, .values = tn_phis_incoming(w, from, to)});
}

tn_lanes tn_lanes_select(tn_widener *w, LLVMValueRef mask, const tn_lanes *yes,
                         const tn_lanes *no) {
  if (yes->vector && no->vector) {
    return tn_lanes_from_vector(
        mask ? LLVMBuildSelect(w->builder, mask, yes->vector, no->vector, "") : yes->vector);
  }
  if (!yes->lanes || !no->lanes) {
    tn_widen_fail(w, "work-items meet with values of two kinds");
    return *yes;
  }
  tn_lanes result = {.lanes = tn_widen_alloc(w, w->width, sizeof(LLVMValueRef))};
  for (unsigned l = 0; l < w->width && result.lanes; l++) {
    LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(w->context), l, 0);
    result.lanes[l] =
        mask ? LLVMBuildSelect(w->builder, LLVMBuildExtractElement(w->builder, mask, at, ""),
                               yes->lanes[l], no->lanes[l], "")
             : yes->lanes[l];
  }
  return result;
}

tn_lanes *tn_edges_blend(tn_widener *w, int block, const tn_edge *edges) {
  const int count = tn_phi_count(w, block);
  tn_lanes *values = tn_widen_alloc(w, (size_t)count, sizeof(*values));
  for (int n = 0; n < count && values && edges && edges->values; n++) {
    values[n] = edges->values[n];
    for (const tn_edge *e = edges->next; e && e->values; e = e->next) {
      values[n] = tn_lanes_select(w, e->mask, &e->values[n], &values[n]);
    }
  }
  return values;
}

void tn_phis_set(tn_widener *w, int block, const tn_lanes *values) {
  int n = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(w->flow.blocks[block].block);
       values && i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
    tn_lanes_set(w, i, values[n++]);
  }
}

tn_lanes tn_phi_build(tn_widener *w, const tn_lanes *like) {
  tn_lanes phi = *like;
  if (like->scalar) {
    phi.scalar = LLVMBuildPhi(w->builder, LLVMTypeOf(like->scalar), "");
  }
  for (unsigned k = 0; k < 2; k++) {
    phi.extended[k] =
        like->extended[k] ? LLVMBuildPhi(w->builder, LLVMTypeOf(like->extended[k]), "") : NULL;
  }
  if (like->vector) {
    phi.vector = LLVMBuildPhi(w->builder, LLVMTypeOf(like->vector), "");
  }
  if (like->wrapped) {
    phi.wrapped = LLVMBuildPhi(w->builder, LLVMTypeOf(like->wrapped), "");
    phi.fits = LLVMBuildPhi(w->builder, LLVMTypeOf(like->fits), "");
  }
  if (like->lanes) {
    phi.lanes = tn_widen_alloc(w, w->width, sizeof(LLVMValueRef));
    for (unsigned l = 0; l < w->width && phi.lanes; l++) {
      phi.lanes[l] = LLVMBuildPhi(w->builder, LLVMTypeOf(like->lanes[l]), "");
    }
  }
  return phi;
}

static LLVMValueRef or_poison(LLVMValueRef value, LLVMValueRef phi) {
  return value ? value : LLVMGetPoison(LLVMTypeOf(phi));
}

void tn_phi_add_incoming(tn_widener *w, const tn_lanes *phi, const tn_lanes *value,
                         LLVMBasicBlockRef from) {
  const tn_lanes none = {0};
  value = value ? value : &none;
  if (phi->scalar) {
    LLVMValueRef in = or_poison(value->scalar, phi->scalar);
    LLVMAddIncoming(phi->scalar, &in, &from, 1);
  }
  for (unsigned k = 0; k < 2 && phi->scalar; k++) {
    if (phi->extended[k]) {
      LLVMValueRef in = or_poison(value->extended[k], phi->extended[k]);
      LLVMAddIncoming(phi->extended[k], &in, &from, 1);
    }
  }
  if (phi->vector) {
    LLVMValueRef in = or_poison(value->vector, phi->vector);
    LLVMAddIncoming(phi->vector, &in, &from, 1);
  }
  if (phi->wrapped) {
    LLVMValueRef in = or_poison(value->wrapped, phi->wrapped);
    LLVMAddIncoming(phi->wrapped, &in, &from, 1);
    in = or_poison(value->fits, phi->fits);
    LLVMAddIncoming(phi->fits, &in, &from, 1);
  }
  for (unsigned l = 0; phi->lanes && l < w->width; l++) {
    LLVMValueRef in = value->lanes ? value->lanes[l] : LLVMGetPoison(LLVMTypeOf(phi->lanes[l]));
    LLVMAddIncoming(phi->lanes[l], &in, &from, 1);
  }
}

tn_lanes *tn_phis_build(tn_widener *w, int block, const tn_lanes *like) {
  const int count = tn_phi_count(w, block);
  tn_lanes *phis = tn_widen_alloc(w, (size_t)count, sizeof(*phis));
  for (int n = 0; n < count && phis; n++) {
    phis[n] = tn_phi_build(w, &like[n]);
  }
  return phis;
}

void tn_phis_add_incoming(tn_widener *w, int block, const tn_lanes *phis, const tn_lanes *values,
                          LLVMBasicBlockRef from) {
  const int count = tn_phi_count(w, block);
  for (int n = 0; n < count && phis && values; n++) {
    tn_phi_add_incoming(w, &phis[n], &values[n], from);
  }
}
