// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics for NVIDIA GPUs that comes with Tenon: bitcode, put here by the assembler.
#include "compile/emit/math_library.h"

__asm__(
    ".pushsection .rodata.tn_carried_math, \"a\", @progbits\n.balign 16\n"
    ".hidden tn_carried_math_begin\n.globl tn_carried_math_begin\ntn_carried_math_begin:\n"
    ".incbin \"" TN_MATH_FILE
    "\"\n"
    ".hidden tn_carried_math_end\n.globl tn_carried_math_end\ntn_carried_math_end:\n"
    ".byte 0\n.popsection\n");
extern const char tn_carried_math_begin[];
extern const char tn_carried_math_end[];

tn_bytes tn_carried_math(void) {
  return tn_bytes_from(tn_carried_math_begin,
                       (size_t)(tn_carried_math_end - tn_carried_math_begin));
}
