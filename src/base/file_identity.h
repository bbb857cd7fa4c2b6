// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tells one build of a library from another, wherever it lies.
#ifndef TN_BASE_FILE_IDENTITY_H
#define TN_BASE_FILE_IDENTITY_H

#include "base/base.h"

enum { TN_FILE_IDENTITY_SIZE = 32 };
// Of a file's contents: its GNU build-id where it is an ELF file that has one, all bytes otherwise.
// False when it cannot be read.
bool tn_file_identify(const char *path, uint8_t out[TN_FILE_IDENTITY_SIZE]);
// Whether what is loaded at the address is the file, as far as their build-ids tell.
bool tn_file_is_loaded_at(const char *path, const void *address);

#endif
