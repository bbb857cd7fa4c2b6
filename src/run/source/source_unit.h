// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to source: what the compiler made of a source for one target, in memory and as bytes for
// the disk (docs/formats/disk-cache.md).
#ifndef TN_RUN_SOURCE_SOURCE_UNIT_H
#define TN_RUN_SOURCE_SOURCE_UNIT_H

#include "run/source/source_object.h"

// Storage is the caller's; one thread. All texts and arrays are the arena's, or borrowed from the
// bytes that were read.
typedef struct tn_source_unit {
  tn_arena arena;
  tn_bytes fatbin;
  tn_str log;
  tn_source_name *names;
  size_t name_count;
  tn_source_input *inputs;  // files that were read
  size_t input_count;
  const char **misses;  // files and folders that were looked for and not there
  size_t miss_count;
  const char *folder;  // the process's, when the result depends on it; else ""
  bool has_print;      // tn_source_result.print
  uint8_t print[TN_BLAKE3_SIZE];
} tn_source_unit;

void tn_source_unit_init(tn_source_unit *unit);
void tn_source_unit_deinit(tn_source_unit *unit);

// By the compiler, or, for SPIR-V, from what the module says of itself. The log is there also when
// it fails. No lock may be held.
TN_MUST_USE tn_status tn_source_unit_compile(const tn_source_job *job, tn_source_unit *unit,
                                             tn_diag *diag);
// Without compiling: the inputs, misses and print. False when it has no print, or who knows why
// not. No lock may be held.
TN_MUST_USE bool tn_source_unit_identify(const tn_source_job *job, tn_source_unit *unit);
// All of it, or, of a unit with a print, what is known without names, messages and images.
void tn_source_unit_write(const tn_source_unit *unit, tn_buf *out);
void tn_source_unit_write_images(const tn_source_unit *unit, tn_buf *out);  // the rest
// Views of `bytes`. False for what is no such record: any doubt is a miss.
TN_MUST_USE bool tn_source_unit_read(tn_bytes bytes, tn_source_unit *unit);
TN_MUST_USE bool tn_source_unit_read_images(tn_bytes bytes, tn_source_unit *unit);

// The files that the unit was made of, and those that are not there, are as they were then.
bool tn_source_inputs_are_current(const tn_source_unit *unit);
// Of a unit that was just compiled: fills the folder, and leaves of the misses as few as say the
// same. False when it cannot be kept: no memory, so many files that looking at them would take
// longer than they are worth, or files that have just come.
TN_MUST_USE bool tn_source_inputs_finish(tn_source_unit *unit);
// The current folder, owned; NULL when there is none.
char *tn_source_inputs_folder(void);
// Whether some option names a file or folder from where the process stands.
bool tn_source_options_are_relative(const char *const *options, size_t count);

#endif
