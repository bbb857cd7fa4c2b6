// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: files of bitcode as device images.
#ifndef TN_RUN_PROGRAM_BITCODE_IMPORT_H
#define TN_RUN_PROGRAM_BITCODE_IMPORT_H

#include "base/buf.h"

// Appends a fat binary with the images that the bitcode makes. LLVM reads it in a process of its
// own: damaged bytes are BAD_IMAGE, whatever LLVM does with them. `name` is for messages.
TN_MUST_USE tn_status tn_bitcode_import(tn_bytes bitcode, const char *name, tn_buf *out,
                                        tn_diag *diag);

#endif
