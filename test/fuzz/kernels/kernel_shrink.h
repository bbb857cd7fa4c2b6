// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failing kernel, made smaller while it fails in the same way.
#ifndef TN_TEST_FUZZ_KERNELS_KERNEL_SHRINK_H
#define TN_TEST_FUZZ_KERNELS_KERNEL_SHRINK_H

#include "fuzz/kernels/kernel_run.h"

// Changes the kernel; `found` becomes the outcome of what is left. At most `tries` runs.
void kernel_shrink(const run_options *options, tn_arena *arena, kernel_case *it, outcome *found,
                   uint32_t tries);

// A program that runs the kernel, says whether its buffers are what the reference made of them, and
// can be run by this program as well.
void kernel_print_program(const run_options *options, const kernel_case *it, const outcome *found,
                          tn_buf *out);

#endif
