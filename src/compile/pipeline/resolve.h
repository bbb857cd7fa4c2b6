// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: who defines what in a link, told from symbol lists, and which units make one
// image.
#ifndef TN_COMPILE_PIPELINE_RESOLVE_H
#define TN_COMPILE_PIPELINE_RESOLVE_H

#include "base/map.h"
#include "compile/pipeline/unit_symbols.h"

typedef struct tn_resolve_unit {
  const tn_link_input *input;
  tn_unit_symbols symbols;
} tn_resolve_unit;

// Units that are linked into one module. What the first `own_count` define and own stays visible,
// the others only lend their functions.
typedef struct tn_resolve_group {
  size_t *units;  // indices
  size_t unit_count;
  size_t own_count;
  tn_str *kept;  // kernels and exports that are this group's, sorted
  size_t kept_count;
} tn_resolve_group;

typedef struct tn_resolve {
  tn_arena *arena;  // borrowed
  tn_resolve_unit *units;
  size_t unit_count;
  tn_map definitions;  // symbol → its definition
  tn_resolve_group *groups;
  size_t group_count;
} tn_resolve;

void tn_resolve_deinit(tn_resolve *resolve);
// Reads the lists and looks for what is defined twice, which is reported in clang's form:
// BUILD_FAILED. `resolve` is to be deinitialized also after a failure.
TN_MUST_USE tn_status tn_resolve_init(tn_resolve *resolve, tn_arena *arena,
                                      const tn_link_input *inputs, size_t count, tn_buf *messages,
                                      tn_diag *diag);
TN_MUST_USE tn_status tn_resolve_make_groups(tn_resolve *resolve, tn_split_mode split,
                                             tn_diag *diag);
// The imports of all units that no unit defines, each once; weak ones only when all are.
TN_MUST_USE tn_status tn_resolve_missing(const tn_resolve *resolve, tn_list *out, tn_diag *diag);
// Whether an imported symbol is a function of the C library: it has such a name, and no unit of the
// link defines it. Any thread.
bool tn_resolve_is_library(const tn_resolve *resolve, tn_str symbol);
// Whether the symbol is of those that stay visible.
bool tn_resolve_is_kept(const tn_resolve_group *group, tn_str symbol);

#endif
