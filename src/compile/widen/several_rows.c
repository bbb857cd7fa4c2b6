// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strips of several rows at once, as a blocked matrix product has them: what their loops read alike
// is read once for all of them.
#include "compile/widen/copies.h"
#include "compile/widen/shape.h"

enum { INSTRUCTIONS_MOST = 1024 };

static bool is_vector(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool reads_vector(LLVMValueRef i) {
  return is_vector(i) && (LLVMIsALoadInst(i) || (LLVMIsACallInst(i) && tn_is_masked_read(i)));
}

static unsigned count_vectors(LLVMValueRef strip, const tn_copies *copies, unsigned vector_bytes) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(strip));
  uint64_t carried = 0;
  unsigned total = 0;
  bool shares = false;
  for (int b = 0; b < copies->flow.count; b++) {
    const tn_copied_block *block = &copies->blocks[b];
    for (LLVMValueRef i = LLVMGetFirstInstruction(copies->flow.blocks[b].block);
         i && block->is_reached; i = LLVMGetNextInstruction(i)) {
      total++;
      if (!block->is_in_loop) {
        continue;
      }
      const bool differs = tn_copies_differ(copies, i);
      shares = shares || (!differs && reads_vector(i));
      if (differs && LLVMIsAPHINode(i) && is_vector(i)) {
        carried += (LLVMABISizeOfType(layout, LLVMTypeOf(i)) + vector_bytes - 1) / vector_bytes;
      }
    }
  }
  if (!shares || total > INSTRUCTIONS_MOST || carried > UINT8_MAX) {
    return 0;
  }
  return carried == 0 ? 1 : (unsigned)carried;
}

unsigned tn_widen_row_vectors(LLVMValueRef strip, unsigned vector_bytes) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_copies copies;
  const unsigned count = tn_copies_init(&copies, strip, 2, &arena) && vector_bytes != 0
                             ? count_vectors(strip, &copies, vector_bytes)
                             : 0;
  tn_copies_deinit(&copies);
  tn_arena_deinit(&arena);
  return count;
}

tn_status tn_widen_several_rows(LLVMModuleRef module, LLVMValueRef strip, unsigned rows,
                                LLVMValueRef *out, tn_diag *diag) {
  *out = LLVMAddFunction(module, "tn_strip_rows", LLVMGlobalGetValueType(strip));
  LLVMSetLinkage(*out, LLVMInternalLinkage);
  tn_function_add_enum(*out, "nounwind");
  tn_arena arena;
  tn_arena_init(&arena);
  tn_copies copies;
  const bool is_written =
      tn_copies_init(&copies, strip, rows, &arena) && tn_copies_write(&copies, *out);
  tn_copies_deinit(&copies);
  if (!is_written) {
    LLVMDeleteFunction(*out);
    *out = NULL;
  }
  const bool failed = arena.failed;
  tn_arena_deinit(&arena);
  return failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels for the CPU") : TN_OK;
}
