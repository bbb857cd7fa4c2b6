// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A link without -fsycl of objects that hold device code. Private to the driver.
#ifndef TN_COMPILE_DRIVER_FORGOTTEN_H
#define TN_COMPILE_DRIVER_FORGOTTEN_H

#include <stdio.h>

#include "compile/command/command.h"

// Warns of the first object on a plain link's command line that needs -fsycl. With -fno-sycl among
// the words it is meant so.
void tn_forgotten_warn(const tn_command *command, FILE *err);

#endif
