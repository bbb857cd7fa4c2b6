// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line between compile/lower and adapter/cpu: how a kernel for the CPU is called.
//
// For a kernel K the native object defines `K` + TN_CPU_KERNEL_SUFFIX of type tn_cpu_kernel_fn. One
// call runs the work-items [0, local_size) of one group; for a plain range the adapter cuts groups
// as it likes. Arrays are in SPIR-V order: [0] varies fastest. A work-item with local id l has
// global id base + l (base includes the offset).
#ifndef TENON_CPU_KERNEL_H
#define TENON_CPU_KERNEL_H

#include <stdint.h>

enum { TN_CPU_KERNEL_VERSION = 5 };
// Of kernels that ask for no other (docs/decisions/sub-group-size.md).
enum { TN_CPU_SUB_GROUP_SIZE = 32 };
enum { TN_CPU_SCRATCH_SIZE = 64, TN_CPU_SPEC_ALIGNMENT = 128 };
// The most group_local_memory that a kernel may have.
enum { TN_CPU_GROUP_MEMORY_SIZE = 262144, TN_CPU_GROUP_MEMORY_ALIGNMENT = 128 };
#define TN_CPU_KERNEL_SUFFIX ".tn_group"

typedef struct tn_cpu_check tn_cpu_check;
typedef struct tn_cpu_memory tn_cpu_memory;  // base/host_function.h
typedef struct tn_cpu_group {
  uint64_t local_size[3];  // work-items to run in this call
  uint64_t base[3];        // global id of the group's first work-item
  uint64_t global_size[3];
  uint64_t global_offset[3];
  uint64_t group_id[3];
  uint64_t group_count[3];
  uint64_t enqueued_local_size[3];  // work-group size as asked for
  void *local_memory;               // dynamic local memory of the group; NULL when there is none
  // For group functions: TN_CPU_SCRATCH_SIZE bytes for each work-item; none for plain ranges.
  // The kernel's group_local_memory and work_group_static, tn_cpu_needs.group_memory bytes, precede
  // them. NULL for plain ranges of kernels without such memory.
  void *scratch;
  const tn_cpu_check *check;  // of kernels that are built with checks, else not looked at
  // What work-items keep across barriers: as many bytes as tn_cpu_needs says, aligned to 64.
  void *slots;
  // Values of specialization constants, placed as the image says; aligned to
  // TN_CPU_SPEC_ALIGNMENT. Only machine code made ahead of time reads it.
  const void *spec_constants;
  // What tn_cpu_is_in_space gets; no other code reads it.
  const tn_cpu_memory *memory;
  // Where the groups of a launch wait for each other; NULL when they do not (adapter.h).
  uint32_t *root;
  // Not 0: no pointer of tn_cpu_needs.noalias_written aliases another one of noalias_pointers.
  uint64_t noalias;
} tn_cpu_group;

// A kernel with barriers has code for each form of work-groups, or for one of them alone.
typedef enum tn_cpu_form {
  TN_CPU_FORM_ANY,     // code for all
  TN_CPU_FORM_WIDE,    // rows are multiples of `wide_width`
  TN_CPU_FORM_FULL,    // of the kernel's width
  TN_CPU_FORM_FOLDED,  // there are several rows, which are not
  TN_CPU_FORM_PART,
} tn_cpu_form;
typedef struct tn_cpu_forms {
  uint32_t form;        // tn_cpu_form: what there is code for
  uint32_t wide_width;  // 0: there is no such form
  uint32_t can_fold;
  uint32_t row_count;  // work-items along y that code runs at once where there are as many; or 0
} tn_cpu_forms;

// What a work-group of a kernel K needs of memory: the constant `K` + TN_CPU_NEEDS_SUFFIX. A kernel
// without the constant needs nothing.
#define TN_CPU_NEEDS_SUFFIX ".tn_needs"
typedef struct tn_cpu_needs {
  // Of the stack of the thread that runs it: the frames of the largest chain of calls.
  uint64_t stack_size;
  // Slots: bytes for each work-item of the group's rows, which count as multiples of slot_width.
  uint64_t slot_bytes;
  uint64_t slot_width;
  uint64_t group_memory;  // bytes of variables of work-groups, a multiple of its alignment
  tn_cpu_forms forms;
  // 1: the kernel computes the same in groups of any size, the last ones smaller too, as of a
  // plain range.
  uint64_t is_groupless;
  // Pointers in the argument block, bit i the pointer at byte 8 * i: there is faster code for
  // launches in which those that are written through alias none of the others
  // (tn_cpu_group.noalias).
  uint64_t noalias_pointers;
  uint64_t noalias_written;
} tn_cpu_needs;

// What decides the form of a group: the largest power of two, up to 2 to the TN_CPU_ROW_MOST, that
// divides `row`, its work-items along x, and whether it has other rows. Never 0, which stands for
// any group.
enum { TN_CPU_ROW_MOST = 6 };
static inline uint32_t tn_cpu_group_shape(uint64_t row, uint64_t rows) {
  const uint32_t power = (uint32_t)__builtin_ctzll(row | UINT64_C(1) << TN_CPU_ROW_MOST);
  return 1 + 2 * power + (power < TN_CPU_ROW_MOST && rows > 1 ? 1u : 0u);
}
static inline tn_cpu_form tn_cpu_form_of(const tn_cpu_forms *forms, uint64_t width,
                                         uint32_t shape) {
  const uint64_t row = UINT64_C(1) << (shape - 1) / 2;
  if (forms->wide_width != 0 && row >= forms->wide_width) {
    return TN_CPU_FORM_WIDE;
  }
  return row >= width                             ? TN_CPU_FORM_FULL
         : forms->can_fold != 0 && shape % 2 == 0 ? TN_CPU_FORM_FOLDED
                                                  : TN_CPU_FORM_PART;
}

// A place in the source, and the kernel that it is of.
typedef struct tn_cpu_place {
  const char *kernel;  // for people
  const char *file;    // "" when unknown
  uint32_t line;       // 0 when unknown
  uint32_t reserved;
} tn_cpu_place;

// What kernels call that are built with checks.
enum { TN_CPU_CHECK_LOCAL = 4 };  // in `dimension`: the accessor is a local one
struct tn_cpu_check {
  // The index is not below the bound. `x`, `y`, `z` is the work-item's id in the group. Does not
  // return.
  void (*index_failed)(const tn_cpu_group *group, uint64_t x, uint64_t y, uint64_t z,
                       uint64_t index, uint64_t bound, int32_t dimension,
                       const tn_cpu_place *place);
  // All work-items went on until a barrier or their end: reached[i] is which one, i counts them
  // with x fastest. places[r] is that of barrier r; `end` stands for the end. Returns if all are
  // the same.
  void (*barrier)(const tn_cpu_group *group, const uint32_t *reached, const tn_cpu_place *places,
                  uint32_t end);
};

// `args` is the argument block, never written.
typedef void (*tn_cpu_kernel_fn)(const void *args, const tn_cpu_group *group);

// Work-group functions that were made at compile time and lie in the program itself: what an image
// of format TN_IMAGE_FORMAT_HOST has in place of code. Sorted by name, as strcmp orders.
typedef struct tn_native_kernel {
  const char *name;  // device symbol of the kernel
  tn_cpu_kernel_fn function;
  const tn_cpu_needs *needs;  // NULL: it needs nothing
} tn_native_kernel;
typedef struct tn_native_table {
  uint32_t version;  // TN_CPU_KERNEL_VERSION
  uint32_t kernel_count;
  const tn_native_kernel *kernels;
} tn_native_table;

#endif
