// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon++, also under the names clang++ and, for C, tenoncc: the compiler driver as a program.
#include <stdio.h>

#include "compile/driver/driver.h"

int main(int argc, char **argv) { return tn_driver_run(argc, argv, stdout, stderr); }
