// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command without -fsycl whose objects or precompiled header were made with it. Private to the
// driver.
#ifndef TN_COMPILE_DRIVER_FORGOTTEN_H
#define TN_COMPILE_DRIVER_FORGOTTEN_H

#include <stdio.h>

#include "compile/command/command.h"

// Warns of a precompiled header, and of the first object on a plain link's command line, that need
// -fsycl. With -fno-sycl among the words such an object is meant so.
void tn_forgotten_warn(const tn_command *command, FILE *err);

#endif
