// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: what a device's linker is to see of the images of a program. Images are made
// without knowing each other, so two of them may define one symbol, or have kernels of one name.
#ifndef TN_RUN_PROGRAM_SYMBOL_ROLE_H
#define TN_RUN_PROGRAM_SYMBOL_ROLE_H

#include "run/program/link_set.h"

// What a symbol of an image is to the program.
typedef enum tn_symbol_role {
  TN_ROLE_NONE,     // nothing that the program is asked for
  TN_ROLE_GIVEN,    // the program's definition is this image's
  TN_ROLE_OTHERS,   // an export whose definition the program has from another image
  TN_ROLE_OWN,      // an export that no image imports
  TN_ROLE_WANTED,   // an import that another image gives
  TN_ROLE_MISSING,  // a weak import that nobody gives
} tn_symbol_role;
tn_symbol_role tn_symbol_role_of(const tn_link_set *set, const tn_link_member *member, tn_str name);

// The code of a member with the symbols' roles written into it, in `out`; empty when there is
// nothing to change. Only the first member keeps its kernels, where that can be said.
TN_MUST_USE tn_status tn_ptx_write_roles(const tn_link_set *set, const tn_link_member *member,
                                         tn_bytes code, tn_buf *out, tn_diag *diag);
TN_MUST_USE tn_status tn_cubin_write_roles(const tn_link_set *set, const tn_link_member *member,
                                           tn_bytes code, tn_buf *out, tn_diag *diag);
// Machine code that has to be linked before it can be loaded.
bool tn_cubin_is_relocatable(tn_bytes code);

#endif
