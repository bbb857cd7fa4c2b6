// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader of our output that goes away: noticed, so that the run can clean up. Private to the
// driver.
#ifndef TN_COMPILE_DRIVER_PIPE_WATCH_H
#define TN_COMPILE_DRIVER_PIPE_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct tn_pipe_watch {
  struct sigaction before;
} tn_pipe_watch;

// While open, a write to nobody fails instead of ending the process. Changes nothing where SIGPIPE
// is ignored.
void tn_pipe_watch_open(tn_pipe_watch *watch);
// Ends the process by SIGPIPE when one of the streams has lost its reader.
void tn_pipe_watch_close(const tn_pipe_watch *watch, FILE *out, FILE *err);
// Whether a write to the stream has failed because nobody reads it, and a watch is open.
bool tn_pipe_is_broken(FILE *stream);

#endif
