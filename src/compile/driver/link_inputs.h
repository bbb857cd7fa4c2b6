// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a link, as far as they hold device code: objects at once, archives on demand.
#ifndef TN_COMPILE_DRIVER_LINK_INPUTS_H
#define TN_COMPILE_DRIVER_LINK_INPUTS_H

#include "compile/driver/command.h"

typedef struct tn_link_code {
  const char *name;  // object, or archive(member)
  tn_str target;     // views into the mapped file
  tn_bytes bitcode;
} tn_link_code;

// An archive some of whose members hold device code.
typedef struct tn_link_archive {
  const char *path;  // real path
  tn_bytes bytes;    // mapped
} tn_link_archive;

typedef struct tn_link_inputs {
  tn_arena *arena;   // borrowed
  tn_list files;     // mapped until deinit
  tn_list code;      // tn_link_code of objects, and of the members taken so far
  tn_list archives;  // tn_link_archive
  tn_args taken;     // "archive(member)" already in `code`
  tn_args warnings;  // sentences
} tn_link_inputs;

void tn_link_inputs_init(tn_link_inputs *inputs, tn_arena *arena);
void tn_link_inputs_deinit(tn_link_inputs *inputs);
// Looks at every input of the command that is not compiled.
TN_MUST_USE tn_status tn_link_inputs_scan(tn_link_inputs *inputs, const tn_command *command,
                                          tn_diag *diag);
// Takes the device code of a member the linker has named; *out_new when it holds any and was not
// taken before. `arena`: for the names.
TN_MUST_USE tn_status tn_link_inputs_take(tn_link_inputs *inputs, tn_arena *arena, tn_str archive,
                                          tn_str member, const tn_command *command, bool *out_new,
                                          tn_diag *diag);

#endif
