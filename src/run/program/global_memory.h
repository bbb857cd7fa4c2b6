// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: the device globals of a program that is about to be built, and their places.
#ifndef TN_RUN_PROGRAM_GLOBAL_MEMORY_H
#define TN_RUN_PROGRAM_GLOBAL_MEMORY_H

#include "run/program/link_set.h"
#include "run/program/program_object.h"

// Gives each device global of the set's images its memory on the device, made where there is none
// yet: set->globals. INVALID_ARGUMENT when two images have one of different sizes.
TN_MUST_USE tn_status tn_globals_resolve(tn_link_set *set, tn_device *device, tn_diag *diag);
// What the set's program is told apart by: where the globals lie.
void tn_globals_key(const tn_link_set *set, tn_buf *out);
// Before a kernel of the program is found: its code learns the addresses. UNSUPPORTED by devices
// that have no way for it.
TN_MUST_USE tn_status tn_globals_give(const tn_link_set *set, tn_program *program, tn_diag *diag);

// For machine code of a module, which is entered: behind the constants in program->spec_buffer,
// which is made larger for it.
TN_MUST_USE tn_status tn_globals_add_to_specs(tn_registered *registered, const tn_image *image,
                                              tn_program *program, tn_diag *diag);

// Gives up the memory of the device globals that went with the module.
void tn_globals_release_all(tn_registered *gone);
// The set's references to the memory of its globals.
void tn_globals_drop(const tn_link_set *set);
// The program's.
void tn_globals_release(tn_program *program);
// Frees the memory of scopes that nobody uses any more. Calls adapters: never from a destructor.
void tn_global_scopes_bury(void);

#endif
