// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: device symbols as people write them.
#ifndef TN_RUN_PROGRAM_SYMBOL_TEXT_H
#define TN_RUN_PROGRAM_SYMBOL_TEXT_H

#include "base/buf.h"

// A kernel's symbol is that of a type's name; people mean the type.
tn_str tn_symbol_text_strip(tn_str display_name);
// The symbol demangled, if the host program has a C++ library to do it, and the symbol otherwise.
void tn_symbol_text_add(tn_buf *buf, tn_str symbol);

#endif
