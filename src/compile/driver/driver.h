// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler driver: a command line like clang++'s → a plan of jobs → the files asked for.
#ifndef TN_COMPILE_DRIVER_DRIVER_H
#define TN_COMPILE_DRIVER_DRIVER_H

#include <stdio.h>

#include "base/base.h"

// Runs one command and yields the exit status of the process. Without -fsycl the process becomes
// clang++. Messages go to `err`, what is asked for (--help, --version) to `out`; clang and the
// linker write to standard output and error themselves. Once a process: it takes signals meanwhile.
TN_API int tn_driver_run(int argc, char **argv, FILE *out, FILE *err);

#endif
