// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's precompiled header as a file: Clang's precompiled header of each pass, and who made it.
// Format: docs/formats/precompiled-header.md.
#ifndef TN_COMPILE_DRIVER_HEADER_FILE_H
#define TN_COMPILE_DRIVER_HEADER_FILE_H

#include "base/buf.h"

enum { TN_HEADER_TOOLCHAIN_SIZE = 32, TN_HEADER_PARTS = 32 };

typedef struct tn_header_part {
  tn_str target;  // as -fsycl-targets= names it; empty = the host
  tn_str triple;
  tn_bytes header;
} tn_header_part;

typedef struct tn_header_file {
  uint64_t unit_id;  // of the header's text, for the ids of units that begin with it; 0 = none
  uint8_t toolchain[TN_HEADER_TOOLCHAIN_SIZE];  // tells builds of Tenon apart
  bool is_no_rdc;    // made with -fno-sycl-rdc, which decides what the host's code registers
  tn_header_part parts[TN_HEADER_PARTS];
  size_t part_count;
} tn_header_file;

TN_MUST_USE tn_status tn_header_file_write(const tn_header_file *file, tn_buf *out, tn_diag *diag);
// Views of `bytes`. Failures name the file, which is at `path`. BAD_IMAGE: it is none, or it is
// damaged, or not made by this build of Tenon.
TN_MUST_USE tn_status tn_header_file_read(tn_bytes bytes, const char *path,
                                          const uint8_t toolchain[TN_HEADER_TOOLCHAIN_SIZE],
                                          tn_header_file *out, tn_diag *diag);
// Whether a file begins as one of any version does.
bool tn_header_file_is(tn_bytes head);

#endif
