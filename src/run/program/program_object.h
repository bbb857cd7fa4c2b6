// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: loaded programs and the kernels in them.
#ifndef TN_RUN_PROGRAM_PROGRAM_OBJECT_H
#define TN_RUN_PROGRAM_PROGRAM_OBJECT_H

#include "base/arena.h"
#include "base/map.h"
#include "image/image.h"
#include "run/program/program.h"
#include "run/registry/registry.h"

// What is known of a kernel of the program; the image's bytes may be gone.
typedef struct tn_kernel_record {
  const char *name;  // all owned by the program's arena
  const char *display_name;
  uint32_t arg_size;
  uint32_t arg_align;
  uint32_t flags;
  uint32_t group_size[3];
  uint32_t sub_group_size;
  tn_bytes args;  // as in tn_kernel_info
  size_t member;  // of the link set the program was built from
} tn_kernel_record;

// Immutable after create but for the count.
struct tn_program {
  tn_ref ref;
  tn_device *device;                    // static lifetime
  // Owned: what its code reads as it runs, which are constants or the addresses of device globals;
  // may be NULL.
  void *spec_buffer;
  size_t spec_size;
  tn_global_scope **globals;            // of the arena, each retained: whose memory its code uses
  size_t global_count;
  tn_registered *home;                  // retained: its code lies there; NULL: it is the program's
  uint32_t home_image;                  // of the home's fat binary: the one with its kernels
  tn_adapter_program *adapter_program;  // owned
  tn_arena arena;
  tn_map records;        // name → tn_kernel_record
  uint32_t group_shape;   // that it was compiled for; 0: for any work-groups
  tn_program *next_dead;  // in the graveyard
};

// An empty program: records are added before it is shared. Takes `loaded` over on success.
TN_MUST_USE tn_status tn_program_create(tn_device *device, tn_adapter_program *loaded,
                                        tn_program **out, tn_diag *diag);
TN_MUST_USE bool tn_program_add_record(tn_program *program, const tn_kernel_info *info,
                                       size_t member);
const tn_kernel_record *tn_program_find_record(const tn_program *program, tn_str name);
void tn_program_retain(tn_program *program);

// A kernel of the program; the caller owns one reference.
TN_MUST_USE tn_status tn_kernel_load(tn_program *program, tn_str name, tn_kernel **out,
                                     tn_diag *diag);

// The same for a kernel without a record.
TN_MUST_USE tn_status tn_kernel_load_native(tn_program *program, const tn_kernel_info *info,
                                            tn_kernel **out, tn_diag *diag);

// Unloads the programs in the graveyard. Calls adapters: never from a destructor.
void tn_program_bury(void);

#endif
