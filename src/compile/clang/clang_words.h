// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang: words that are not Clang's front end's.
#ifndef TN_COMPILE_CLANG_CLANG_WORDS_H
#define TN_COMPILE_CLANG_CLANG_WORDS_H

#include "base/base.h"

// Words upon which Clang's driver prints to the process's streams at once.
bool tn_clang_is_question(const char *word);

#endif
