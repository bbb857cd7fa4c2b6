// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of a program that the stand-in driver runs for each kernel, on the thread of the
// kernel's stream; a program without one has kernels that do nothing.
#ifndef TENON_FAKE_KERNEL_H
#define TENON_FAKE_KERNEL_H

__attribute__((visibility("default"))) void fake_cuda_kernel(const char *name, const unsigned *grid,
                                                             const unsigned *threads,
                                                             void *const *params);

#endif
