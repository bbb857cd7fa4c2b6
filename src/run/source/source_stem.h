// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to source: whether it is worth while to preprocess a source in order to find its build.
#ifndef TN_RUN_SOURCE_SOURCE_STEM_H
#define TN_RUN_SOURCE_SOURCE_STEM_H

#include "base/blake3.h"
#include "run/source/source_object.h"

// What builds have in common that may be one: the source without comments, the target and the
// names, but not the options, and not what is included.
void tn_source_stem_make(const tn_source_job *job, uint8_t out[TN_BLAKE3_SIZE]);
// Whether there was such a build, in this process or another, and looking has been of use. A wrong
// answer costs time and nothing else. No lock may be held.
bool tn_source_stem_is_promising(const uint8_t stem[TN_BLAKE3_SIZE]);
void tn_source_stem_note_found(const uint8_t stem[TN_BLAKE3_SIZE], bool is_found);
// A build that has a print was made.
void tn_source_stem_note_made(const tn_source_job *job, const uint8_t stem[TN_BLAKE3_SIZE]);

#endif
