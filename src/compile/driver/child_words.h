// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first argument of a child of tenon++ that is clang++ (tn_clang_program).
#ifndef TN_COMPILE_DRIVER_CHILD_WORDS_H
#define TN_COMPILE_DRIVER_CHILD_WORDS_H

#define TN_CHILD_IS_CLANG "--tenon-clang-program"

#endif
