// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers of one launch, each between pages without access.
#ifndef TN_TEST_FUZZ_KERNELS_KERNEL_MEMORY_H
#define TN_TEST_FUZZ_KERNELS_KERNEL_MEMORY_H

#include "fuzz/kernels/kernel_case.h"

typedef struct kernel_memory {
  void *buffers[KERNEL_BUFFERS];
  uint8_t *maps[KERNEL_BUFFERS];
} kernel_memory;

// Filled. Placement 0 begins behind a page without access, 1 ends before one.
bool memory_open(kernel_memory *out, const kernel_launch *launch, uint32_t placement);
void memory_close(kernel_memory *memory, const kernel_launch *launch);
// Whether the bytes beside the buffer, in its pages, are what they were.
bool memory_is_whole(const kernel_memory *memory, const kernel_launch *launch, uint32_t buffer);
uint64_t memory_digest(const void *bytes, size_t size);

#endif
