// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/lower: aspects of devices as sets of bits, 1 << number of sycl::aspect.
#ifndef TN_COMPILE_LOWER_ASPECTS_H
#define TN_COMPILE_LOWER_ASPECTS_H

#include "compile/lower/reach.h"

// A function's own [[sycl::device_has(…)]]: the numbers as TN_ATTR_ASPECTS has them, "none" for an
// empty list, or "?" and the argument that is no enumerator of sycl::aspect.
#define TN_ATTR_DEVICE_HAS "tenon.device-has"
// What a function and all that it reaches declare; stays when they are inlined.
#define TN_ATTR_DECLARED "tenon.declared-aspects"

// Numbers with commas between them; other words count as nothing.
uint64_t tn_aspects_read(tn_str text);
// The text of a set that is not empty; NULL when there is no memory.
char *tn_aspects_text(tn_arena *arena, uint64_t set);

// What one instruction asks of a device. `types` caches answers and is the caller's.
uint64_t tn_aspects_of_instruction(tn_map *types, LLVMValueRef instruction);
// `needs` of every node from `uses` of all that it reaches, to which what is declared is added.
void tn_aspects_spread(tn_reach *reach);

#endif
