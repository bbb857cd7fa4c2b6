// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and directories: whole-file reads, atomic writes, temporary folders that clean up.
#ifndef TN_BASE_FILE_H
#define TN_BASE_FILE_H

#include "base/buf.h"

// The whole file as owned bytes (free with tn_free; one NUL behind the end). Refuses directories
// and files over `maximum` bytes. Errors name the path and the system's reason.
TN_MUST_USE tn_status tn_file_read(const char *path, size_t maximum, char **out_data,
                                   size_t *out_size, tn_diag *diag);
// The same of a regular file alone: a pipe or a device fails at once, where reading it could wait.
TN_MUST_USE tn_status tn_file_read_regular(const char *path, size_t maximum, char **out_data,
                                           size_t *out_size, tn_diag *diag);
// At most the first capacity - 1 bytes, with a NUL behind; how many there are, 0 when the file
// cannot be read.
size_t tn_file_read_head(const char *path, char *out, size_t capacity);
// Written to a temporary file beside it, then renamed: never a partial file. What is there and no
// regular file, such as a pipe or a device, stays what it is and is written into.
TN_MUST_USE tn_status tn_file_write(const char *path, tn_bytes bytes, tn_diag *diag);
// Those under way end, which is waited for so long at most; no further one begins until they are
// released. For a thread that replaces the process; in a signal handler, too.
void tn_file_hold_writes(uint32_t milliseconds);
void tn_file_release_writes(void);
// Creates an empty file beside `path`, to be renamed to it, opened for writing; its name is put
// into `name`, its descriptor is the caller's.
TN_MUST_USE tn_status tn_file_create_beside(const char *path, tn_buf *name, int *out_fd,
                                            tn_diag *diag);
bool tn_file_exists(const char *path);
bool tn_file_is_directory(const char *path);
// Anything there that is no directory: what #include would find.
bool tn_file_is_file(const char *path);
bool tn_file_is_executable(const char *path);
void tn_file_remove(const char *path);
// Absolute, symbolic links resolved; owned string, or NULL.
char *tn_path_real(const char *path);
// Owned string "a/b" (no doubled slash).
char *tn_path_join(tn_str a, tn_str b);

// A private folder under TMPDIR (or /tmp), removed with all it holds.
TN_MUST_USE tn_status tn_temp_dir_create(const char *prefix, char **out_path, tn_diag *diag);
void tn_temp_dir_remove(char *path);  // takes the string too; NULL-safe

// Only a regular file that may be written to; a link to one, a pipe or a device stays.
void tn_file_remove_regular(const char *path);

// Where this library or program lies on disk, found by an address inside it: owned string or NULL.
char *tn_path_of_address(const void *address);

#endif
