// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to device: what tells one compiler from another.
#ifndef TN_RUN_DEVICE_COMPILER_IDENTITY_H
#define TN_RUN_DEVICE_COMPILER_IDENTITY_H

#include "base/buf.h"

// Of the library that is loaded, or of what it was linked with; NULL when there is none.
void *tn_compiler_library_find(const char *symbol);

enum { TN_FILE_IDENTITY_SIZE = 32 };
// Of a file's contents: its GNU build-id where it is an ELF file that has one, all bytes otherwise.
// False when it cannot be read.
bool tn_file_identify(const char *path, uint8_t out[TN_FILE_IDENTITY_SIZE]);
// Whether what is loaded at the address is the file, as far as their build-ids tell.
bool tn_file_is_loaded_at(const char *path, const void *address);

#endif
