// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to preamble: a precompiled header that a pass asks for, and how it is made.
#ifndef TN_COMPILE_PREAMBLE_PREAMBLE_MAKE_H
#define TN_COMPILE_PREAMBLE_PREAMBLE_MAKE_H

#include "compile/preamble/preamble.h"

typedef struct tn_preamble_wanted tn_preamble_wanted;
struct tn_preamble_wanted {
  const char *source;  // whose it is, for the log
  tn_preamble_part part;
  const char *name;  // of the part as a file
  tn_list words;     // of const char *: arguments of clang -cc1 without the source
  const tn_preamble_wanted *base;  // what it is made on top of; NULL = nothing
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_buf *bytes;  // holds `file`, if the store has it
  tn_bytes file;  // as it was written
  const char *origin;  // for people: where it comes from
  const char *why;     // for people: why there is none
  bool is_again;       // it was asked for before: with other words, too, while these are found out
  tn_preamble_parts found;
};

// Precompiles it into `bytes`; `root` as in tn_preambles. False: there is nothing to keep.
bool tn_preamble_make(tn_preamble_wanted *wanted, const char *root);

// The base of a source that begins with `umbrella`, from the store, or made when `may_make`. False:
// there is none that fits; `base->part` and `base->name` are set all the same.
bool tn_preamble_base_get(tn_preamble_use *use, const tn_clang_preamble_query *query,
                          bool may_make, tn_preamble_wanted *base);
// Reads `file`, whose bytes are known to be what was written; what it names by
// TN_CLANG_INSTALLATION is where the installation is. False: it is another's, or there is no
// memory.
bool tn_preamble_read_file(tn_preamble_use *use, tn_preamble_wanted *wanted);
// The other way round: a word of a command without the path of `root`.
const char *tn_preamble_without_root(const char *word, const char *root, tn_arena *arena);
// From the installation. What an earlier call gave is gone.
bool tn_preamble_installed_get(tn_preamble_use *use, tn_preamble_wanted *wanted);
bool tn_preamble_installed_family(tn_preamble_use *use, const uint8_t family[TN_STORE_KEY_SIZE],
                                  tn_buf *out);
bool tn_preamble_installed_print(tn_preamble_use *use, tn_buf *out);  // of `print_key`
void tn_preamble_install_print(tn_preamble_use *use, uint64_t print);
// Writes a base and its family's identifiers where tn_preambles.written says.
void tn_preamble_install(tn_preamble_use *use, const tn_preamble_wanted *base,
                         const uint8_t family[TN_STORE_KEY_SIZE]);
// From the store, or made and kept there when it was asked for before; current in any case.
bool tn_preamble_get_or_make(tn_preamble_use *use, tn_preamble_wanted *wanted);
// From the store alone, and current.
bool tn_preamble_get_kept(tn_preamble_use *use, tn_preamble_wanted *wanted);

// For people: why nothing is kept.
const char *tn_preambles_why_off(const tn_preambles *preambles);
void tn_preamble_hash_text(tn_blake3 *hash, const char *text);  // with its NUL
// The folder of the process if one of the words is a path from there.
void tn_preamble_hash_folder(tn_blake3 *hash, const tn_list *words, bool is_local);

#define TN_PREAMBLE_KEY_HEAD "tenon preamble 3"
enum { TN_PREAMBLE_MAXIMUM = 1 << 29 };

#endif
