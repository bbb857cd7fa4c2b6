// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generated kernel: its tree, and how it is launched. The launch is also written into the source
// as comments, so that a kept source can be run without the generator.
#ifndef TN_TEST_FUZZ_KERNELS_KERNEL_CASE_H
#define TN_TEST_FUZZ_KERNELS_KERNEL_CASE_H

#include "fuzz/kernels/kernel_random.h"
#include "fuzz/kernels/kernel_tree.h"

enum { KERNEL_BUFFERS = 8, KERNEL_SCALARS = 4, KERNEL_LOCALS = 3, KERNEL_FUNCTIONS = 4 };

// Elements are `low + random % (high - low + 1)`, of floating point types a quarter of that.
typedef struct kernel_buffer {
  kernel_type type;
  uint32_t count;
  int64_t low;
  int64_t high;
  uint64_t seed;
  bool is_written;
} kernel_buffer;

typedef struct kernel_scalar {
  kernel_type type;
  int64_t value;
} kernel_scalar;

typedef struct kernel_local {
  kernel_type type;
  uint32_t count;
} kernel_local;

typedef struct kernel_launch {
  uint32_t dims;
  bool is_nd;
  uint32_t global[3];  // SYCL order: [dims - 1] is the fastest
  uint32_t local[3];
  uint32_t sub_group;  // reqd_sub_group_size; 0: none
  kernel_buffer buffers[KERNEL_BUFFERS];
  uint32_t buffer_count;
  kernel_scalar scalars[KERNEL_SCALARS];
  uint32_t scalar_count;
  kernel_local locals[KERNEL_LOCALS];
  uint32_t local_count;
} kernel_launch;

typedef struct kernel_case {
  uint64_t seed;
  uint64_t index;
  kernel_launch launch;
  tree *functions;  // a block
  tree *body;       // a block
  uint32_t variable_count;
} kernel_case;

// The same arguments give the same kernel. Everything is the arena's. A portable kernel has no
// sub-groups, whose shape is the device's choice, and no calls through pointers, which SPIR-V
// lacks.
kernel_case *kernel_generate(tn_arena *arena, uint64_t seed, uint64_t index, bool is_portable);

// The kernel as a source of its own: namespace k<number>, kernel name k<number>::name.
void kernel_print(const kernel_case *it, uint32_t number, tn_buf *out);
// What all kernels of a source share, before the first.
void kernel_print_head(tn_buf *out);

// Reads the launch of the next kernel from a source's comments: false when there is no other.
bool kernel_launch_parse(const char **at, kernel_launch *out);

size_t kernel_buffer_size(const kernel_buffer *buffer);
void kernel_buffer_fill(const kernel_buffer *buffer, void *memory);

// The argument block: pointers to the buffers, scalars of 8 bytes each, local accessors.
enum { KERNEL_LOCAL_SIZE = 40 };
size_t kernel_block_size(const kernel_launch *launch);
// Fills all but the local accessors' addresses; *out_locals is where they begin.
size_t kernel_block_fill(const kernel_launch *launch, void *const *buffers, void *block);

#endif
