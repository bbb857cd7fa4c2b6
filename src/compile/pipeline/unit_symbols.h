// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: what a unit defines and needs, as text beside its bitcode, so that a link is
// resolved without parsing any (docs/formats/fat-object.md).
#ifndef TN_COMPILE_PIPELINE_UNIT_SYMBOLS_H
#define TN_COMPILE_PIPELINE_UNIT_SYMBOLS_H

#include "compile/module/module.h"
#include "compile/pipeline/pipeline.h"
#include "image/image.h"

typedef tn_unit_list tn_unit_symbols;

// The list of a unit's module as it is now.
TN_MUST_USE tn_status tn_unit_symbols_write(LLVMModuleRef module, bool is_simplified,
                                            tn_arena *arena, tn_buf *out, tn_diag *diag);
// Behind it: what other units may define as well, of tn_lower_list_definitions.
void tn_unit_symbols_add_definitions(const tn_list *definitions, tn_buf *out);
// Texts are views of the input's or of `arena`. Inputs without a list, or with one of another
// version, are parsed for it.
TN_MUST_USE tn_status tn_unit_symbols_read(const tn_link_input *input, tn_arena *arena,
                                           tn_unit_symbols *out, tn_diag *diag);

#endif
