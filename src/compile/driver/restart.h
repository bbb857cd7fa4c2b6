// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang has crashed in this process: whatever locks and memory it had in hand are lost. The process
// becomes the driver anew, with the same command, and runs Clang's programs instead.
#ifndef TN_COMPILE_DRIVER_RESTART_H
#define TN_COMPILE_DRIVER_RESTART_H

#include "base/arena.h"

// Remembers the command and how the process was started; what is remembered is the arena's. Takes
// what a driver that restarted has put into the command out of it, and removes what that one left.
void tn_restart_prepare(int *argc, char **argv, tn_arena *arena);
// From here on it can be restarted, which removes the folder. False: it can not, or it has been.
bool tn_restart_allow(const char *temp_dir, tn_arena *arena);
void tn_restart_forbid(void);
// Comes back only when it is not allowed, or the system does not let it. Asks for no memory and
// for no lock; any thread.
void tn_restart(void);

#endif
