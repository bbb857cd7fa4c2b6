// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: constants as the bytes that they are in memory.
#ifndef TN_COMPILE_LOWER_CONSTANT_BYTES_H
#define TN_COMPILE_LOWER_CONSTANT_BYTES_H

#include "compile/module/module.h"
#include "image/image.h"

#include <llvm-c/Target.h>

// The bytes of a type's values that count, as pieces in ascending order; the others are padding.
typedef struct tn_constant_pieces {
  tn_spec_piece *items;  // of the arena
  uint32_t count;
  uint32_t capacity;
} tn_constant_pieces;

// Writes `constant` into `out`, as many zero bytes as its type has, and adds its pieces.
// UNSUPPORTED when it holds the address of something, which has no bytes yet; `what` begins the
// sentence.
TN_MUST_USE tn_status tn_constant_write(LLVMValueRef constant, LLVMTargetDataRef layout,
                                        const char *what, tn_arena *arena, uint8_t *out,
                                        tn_constant_pieces *pieces, tn_diag *diag);

#endif
