// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that nobody vouches for, on its way to a terminal or into JSON: what is not printable is
// escaped in both.
#ifndef TN_TOOLS_PRINTED_TEXT_H
#define TN_TOOLS_PRINTED_TEXT_H

#include "base/buf.h"

bool tn_text_is_printable(tn_str s);  // and not empty
void tn_print_text(tn_buf *out, tn_str s);
void tn_print_json(tn_buf *out, tn_str s);  // with its quotes

#endif
