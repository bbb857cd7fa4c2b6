// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes: started side by side, waited for, their error output kept when asked.
#ifndef TN_BASE_PROCESS_H
#define TN_BASE_PROCESS_H

#include "base/buf.h"

typedef struct tn_process {
  int pid;        // 0: not started or already waited for
  int output_fd;  // -1 unless output is captured
  int error_fd;   // -1 unless error output is captured
} tn_process;

enum { TN_PROCESS_CAPTURE_ERROR = 1, TN_PROCESS_CAPTURE_OUTPUT = 2, TN_PROCESS_NULL_INPUT = 4 };

// argv ends in NULL; argv[0] is a path or is searched in PATH. Missing programs fail here, by name.
TN_MUST_USE tn_status tn_process_start(const char *const *argv, uint32_t flags, tn_process *out,
                                       tn_diag *diag);
// Waits; *out_exit is the exit status, or 128 + the signal. Captured text is appended to `output`
// and `error` (either may be NULL when not captured).
TN_MUST_USE tn_status tn_process_wait(tn_process *process, tn_buf *output, tn_buf *error,
                                      int *out_exit, tn_diag *diag);
// Runs a program on bytes: they are its standard input, a file in memory, and what it writes is
// appended to `output`. What it writes to standard error is dropped. *out_exit is as above, or -1
// when the host program has reaped the child itself.
TN_MUST_USE tn_status tn_process_filter(const char *const *argv, tn_bytes input, tn_buf *output,
                                        int *out_exit, tn_diag *diag);
void tn_process_kill(tn_process *process);  // and reaps; nothing when not running
// Full path of a program found in PATH: owned string or NULL.
char *tn_process_find(const char *name);

#endif
