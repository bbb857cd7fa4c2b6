// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tenon-image found in a file, and the two forms in which it is told.
#ifndef TN_TOOLS_IMAGE_REPORT_H
#define TN_TOOLS_IMAGE_REPORT_H

#include "image/image.h"

typedef struct tn_report_unit {
  tn_offload_entry entry;  // borrowed from the file's bytes
  tn_unit_list list;       // empty when there is none, or one of another version
} tn_report_unit;

// One host file or archive member that carries device code.
typedef struct tn_report_file {
  tn_str name;       // "a.out", "lib.a(x.o)"; owned by the arena
  const char *kind;  // static
  tn_list fatbins;   // of tn_fatbin, owned by the arena
  tn_list units;     // of tn_report_unit
} tn_report_file;

typedef struct tn_report {
  tn_arena *arena;
  tn_list files;  // of tn_report_file
} tn_report;

// Finds all device code in the bytes of `path`; views are borrowed from them. BAD_IMAGE,
// UNSUPPORTED or INVALID_ARGUMENT with a sentence when there is none or it is damaged.
TN_MUST_USE tn_status tn_report_collect(tn_report *report, const char *path, tn_bytes bytes,
                                        tn_diag *diag);
uint32_t tn_report_image_count(const tn_report_file *file);
// The file's images are numbered through its fat binaries.
tn_image tn_report_image_at(const tn_report_file *file, uint32_t index);

void tn_report_print_text(tn_buf *out, const tn_report *report);
// One object a file, separated by commas; *is_first says whether none came before.
void tn_report_print_json(tn_buf *out, const tn_report *report, bool *is_first);

#endif
