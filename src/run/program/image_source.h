// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: the device images of a file, whatever kind of file it is.
#ifndef TN_RUN_PROGRAM_IMAGE_SOURCE_H
#define TN_RUN_PROGRAM_IMAGE_SOURCE_H

#include "base/buf.h"

// The most that is read of a file, and made of it.
enum { TN_IMAGE_SOURCE_MAXIMUM = 1 << 30 };

// `contents` as one fat binary in `out`: fat binaries, ELF files that carry some, LLVM bitcode (by
// the compiler), SPIR-V. `name` is for the compiler's messages. BAD_IMAGE, UNSUPPORTED when no
// device of this process could take it.
TN_MUST_USE tn_status tn_image_source_read(tn_bytes contents, const char *name, tn_buf *out,
                                           tn_diag *diag);

#endif
