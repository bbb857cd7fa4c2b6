// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to lower: which words of its block of arguments a kernel does not read.
#ifndef TN_COMPILE_LOWER_ARGUMENT_MASK_H
#define TN_COMPILE_LOWER_ARGUMENT_MASK_H

#include "compile/module/module.h"

enum { TN_ARGUMENT_WORD = 8 };

// A bit for each word of `size` bytes, the first one lowest: 1 when the kernel never reads it. In
// `arena`; false when it has no memory.
TN_MUST_USE bool tn_argument_mask_make(LLVMModuleRef module, LLVMValueRef kernel, uint64_t size,
                                       tn_arena *arena, tn_bytes *out);

#endif
