// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of one unit, for those who tell another compiler of them.
#include "compile/pipeline/unit_symbols.h"

tn_status tn_pipeline_kernels(const tn_link_input *input, tn_arena *arena, tn_list *out,
                              tn_diag *diag) {
  tn_unit_symbols symbols;
  TN_TRY(tn_unit_symbols_read(input, arena, &symbols, diag));
  for (size_t i = 0; i < symbols.kernel_count; i++) {
    if (!tn_list_add(out, arena, &symbols.kernels[i])) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the kernels of %s", input->name);
    }
  }
  return TN_OK;
}
