// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files and libraries of a link in their order, also those that -Wl and -Xlinker name. Private
// to inputs.
#ifndef TN_COMPILE_INPUTS_LINK_WORDS_H
#define TN_COMPILE_INPUTS_LINK_WORDS_H

#include "compile/command/command.h"

typedef struct tn_link_word {
  const char *file;     // as written, or
  const char *library;  // what follows -l
  bool is_static;       // -Bstatic is in force
  bool is_whole;        // --whole-archive is
} tn_link_word;
typedef tn_status (*tn_link_word_fn)(void *user, const tn_link_word *word, tn_diag *diag);
// Stops at the first failure of `fn`.
TN_MUST_USE tn_status tn_link_words_walk(const tn_command *command, tn_link_word_fn fn, void *user,
                                         tn_diag *diag);
// What the linker finds for -l in the folders of -L, of LIBRARY_PATH and in the usual ones: a
// string of `arena`; NULL when there is none.
const char *tn_link_library_find(const tn_command *command, const tn_link_word *word,
                                 tn_arena *arena);
// The files that a linker's script names with INPUT and GROUP, "-l…" among them, as it writes them;
// none when the bytes are no such script.
TN_MUST_USE tn_status tn_link_script_read(tn_bytes bytes, tn_arena *arena, tn_list *out,
                                          tn_diag *diag);

#endif
