// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to preamble: the directives at the beginning of a text, one after another.
#ifndef TN_COMPILE_PREAMBLE_PREAMBLE_TEXT_H
#define TN_COMPILE_PREAMBLE_PREAMBLE_TEXT_H

#include "base/str.h"

typedef struct tn_preamble_walk {
  tn_str text;
  size_t at;        // behind the directive's last line
  size_t begin;     // of the directive
  unsigned line;    // its number, from 1 on
  tn_str directive; // all of its lines; the last newline is part of it
  tn_str name;      // "include"
  bool is_at_end;   // nothing but comments is left; false where other text follows
  size_t counted;   // private: the offset that `next_line` is the number of
  unsigned next_line;
} tn_preamble_walk;

void tn_preamble_walk_begin(tn_preamble_walk *walk, tn_str text);
// The next directive. False where there is none, or where a line is hard to read.
bool tn_preamble_walk_next(tn_preamble_walk *walk);

// The header that an #include names; empty when a macro does, or for other directives.
tn_str tn_preamble_included(tn_str directive, bool *out_is_quoted);

#endif
