// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sources begin with, precompiled: which lines these are, what is kept of a precompiled
// header, and where tenon++ keeps them.
#ifndef TN_COMPILE_PREAMBLE_PREAMBLE_H
#define TN_COMPILE_PREAMBLE_PREAMBLE_H

#include "base/store.h"
#include "compile/clang/clang.h"

// The size of the lines at the text's beginning that are comments and directives, up to the last
// #include outside of all #if; 0 when there is none, or when they ask where they are.
size_t tn_preamble_size(tn_str text, size_t *out_include_count);

// Whether a source begins with SYCL's headers, and where it includes them: they are read before all
// else then (preamble_umbrella.c).
typedef struct tn_preamble_umbrella {
  const char *header;  // "sycl/sycl.hpp"; static
  const char *file;    // which includes it: the source, or a header of its own; of the arena
  unsigned line;
} tn_preamble_umbrella;
bool tn_preamble_umbrella_find(const tn_clang_preamble_query *query, tn_arena *arena,
                               tn_preamble_umbrella *out);

// The directives of a preamble: an empty line, then each line of theirs, without comments between
// them.
typedef struct tn_preamble_part {
  tn_str text;      // of the arena
  unsigned *lines;  // the source's number of each line, from the second on
  size_t line_count;
  bool is_local;  // what they include may depend on where the source is
} tn_preamble_part;
// False when there is no memory.
TN_MUST_USE bool tn_preamble_part_read(tn_str preamble, tn_arena *arena, tn_preamble_part *out);

// A precompiled header and what it was made of. Views of the bytes it was read from; reading is
// false for what is damaged or another's. `is_checked`: the bytes are known to be what was written.
typedef struct tn_preamble_parts {
  tn_bytes header;       // empty: Clang had something to say, and is to say it each time
  tn_list inputs;        // of tn_clang_input *
  tn_list misses;        // of char *
  tn_list dependencies;  // of tn_clang_dependency *
  tn_bytes imports;
  tn_bytes identifiers;  // of a base: tn_clang_result.identifiers in ascending order
  tn_list included;      // of a base: of char *
} tn_preamble_parts;
TN_MUST_USE bool tn_preamble_read(tn_bytes bytes, const uint8_t key[TN_BLAKE3_SIZE],
                                  bool is_checked, tn_arena *arena, tn_preamble_parts *out);
void tn_preamble_write(const tn_preamble_parts *parts, const uint8_t key[TN_BLAKE3_SIZE],
                       tn_buf *out);
// What tells one that was written from all others.
void tn_preamble_print(tn_bytes written, uint8_t out[TN_BLAKE3_SIZE]);
// Whether the files are what they were.
bool tn_preamble_is_current(const tn_preamble_parts *parts);

// tenon++'s: those of the installation, and those in the folder of the caches, which all processes
// of the user share. Any thread.
typedef struct tn_preambles {
  tn_store *store;        // NULL: nothing is kept
  const char *root;       // the folder that Tenon has for itself; borrowed; NULL: it has none
  const char *installed;  // folder; borrowed; NULL: there are none
  const char *written;    // folder: bases are made and written there; borrowed; NULL: no
  const char *why_off;    // for people, where they are not opened; static
  uint8_t toolchain[TN_STORE_KEY_SIZE];
} tn_preambles;
typedef struct tn_preamble_folders {
  const char *kept;       // NULL = among the caches
  const char *root;       // that Tenon is installed in, which may be moved
  const char *installed;  // of the installation
  const char *written;    // NULL: nothing is written for an installation
} tn_preamble_folders;
// `toolchain` tells builds of Tenon apart.
void tn_preambles_open(tn_preambles *preambles, const tn_preamble_folders *folders,
                       const uint8_t toolchain[TN_STORE_KEY_SIZE]);
void tn_preambles_close(tn_preambles *preambles);
bool tn_preambles_are_on(const tn_preambles *preambles);

// What a pass borrows.
typedef struct tn_preamble_use {
  const tn_preambles *preambles;
  tn_arena arena;
  tn_buf base;  // what the store has of the two
  tn_buf rest;
  tn_bytes installed;  // mapped
  tn_preamble_umbrella umbrella;
  // For people, as sentences: what a pass gets of SYCL's headers, and of what the source includes
  // besides, or why nothing; NULL: there is nothing to say.
  const char *base_note;
  const char *rest_note;
  bool has_print_key;  // the base is there
  bool has_print;      // and has been given, since its print is there, too
  uint8_t print_key[TN_STORE_KEY_SIZE];
  uint64_t print;
} tn_preamble_use;
void tn_preamble_use_init(tn_preamble_use *use, const tn_preambles *preambles);
void tn_preamble_use_deinit(tn_preamble_use *use);
// tn_clang_pass_run.preamble with a tn_preamble_use: from the store, or made and kept there.
void tn_preamble_find(void *use, const tn_clang_preamble_query *query, tn_clang_preamble *out);
// The same for a source's text: gives a base that is there, with a number that was kept for what
// the preprocessor makes of it.
void tn_preamble_find_print(void *use, const tn_clang_preamble_query *query,
                            tn_clang_preamble *out);
// Keeps that number, if the base is there.
void tn_preamble_keep_print(tn_preamble_use *use, uint64_t print);

#endif
