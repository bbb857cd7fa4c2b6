// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: values on the ways between blocks.
#ifndef TN_COMPILE_WIDEN_EDGES_H
#define TN_COMPILE_WIDEN_EDGES_H

#include "compile/widen/lanes.h"

int tn_phi_count(const tn_widener *w, int block);
// `value` in the form that `phi` has.
tn_lanes tn_as_phi(tn_widener *w, LLVMValueRef phi, LLVMValueRef value);

void tn_edge_push(tn_widener *w, int to, tn_edge edge);
// With the values that the phis of `to` take from `from`.
void tn_edge_add(tn_widener *w, int from, int to, LLVMValueRef mask, bool is_taken);
// The phis' values where several edges meet.
tn_lanes *tn_edges_blend(tn_widener *w, int block, const tn_edge *edges);
tn_lanes tn_lanes_select(tn_widener *w, LLVMValueRef mask, const tn_lanes *yes,
                         const tn_lanes *no);
void tn_phis_set(tn_widener *w, int block, const tn_lanes *values);
// The values that the phis of `to` take from `from`.
tn_lanes *tn_phis_incoming(tn_widener *w, int from, int to);
// Phis for those of `block`, in the form of `like`; and a value for each.
tn_lanes *tn_phis_build(tn_widener *w, int block, const tn_lanes *like);
void tn_phis_add_incoming(tn_widener *w, int block, const tn_lanes *phis, const tn_lanes *values,
                          LLVMBasicBlockRef from);

// A new phi at the builder's block for each part of a value.
tn_lanes tn_phi_build(tn_widener *w, const tn_lanes *like);
// `value` may be NULL: poison.
void tn_phi_add_incoming(tn_widener *w, const tn_lanes *phi, const tn_lanes *value,
                         LLVMBasicBlockRef from);

#endif
