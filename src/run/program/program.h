// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a kernel's slot or name to code on a device: select the image, resolve its imports as the
// host does, build once, share with all who wait.
#ifndef TN_RUN_PROGRAM_PROGRAM_H
#define TN_RUN_PROGRAM_PROGRAM_H

#include "base/thread.h"
#include "run/device/device.h"
#include "tenon/kernel.h"

typedef struct tn_program tn_program;  // counted: loaded code of one or more linked images

// Immutable after create but for the count and the cost estimate.
struct tn_kernel {
  tn_ref ref;
  uint32_t arg_size;
  uint32_t arg_align;
  uint32_t flags;                     // TN_KERNEL_USES_ND_RANGE …
  uint32_t group_size[3];             // required, SYCL's order with leading ones; 0: none is
  uint32_t sub_group_size;            // required; 0: none is
  tn_device *device;                  // static lifetime
  tn_adapter_kernel *adapter_kernel;  // borrowed from the program
  tn_program *program;                // retained
  struct tn_registered *home;         // the program's; NULL unless the code lies in a module
  char *name;                         // owned: device symbol
  char *display_name;                 // owned: as in the source
};

// Releasing calls no adapter: what nobody uses any more is unloaded by the next build or look-up,
// or by tn_program_reap, which also frees what was made of modules and files that are gone. Call
// it with no lock held and not from a module's destructor. Any thread.
void tn_program_release(tn_program *program);  // NULL-safe
void tn_program_reap(void);

// For as long as a command wants the kernel: with a reference, and with its code kept in memory.
// False when the module that the code lies in is unloaded. Ending takes NULL as well. Any thread;
// no lock is taken by the first, and none may be held at the second.
bool tn_kernel_begin_use(tn_kernel *kernel);
void tn_kernel_end_use(tn_kernel *kernel);

// What slot->cache points to: a list that only grows, one node a device. Nodes live as long as the
// slot's module is registered.
typedef struct tn_slot_node tn_slot_node;
struct tn_slot_node {
  tn_device *device;
  tn_kernel *kernel;   // retained by the node
  tn_slot_node *next;  // immutable
};

// The launch path's look-up: no lock, no call.
static inline tn_kernel *tn_kernel_slot_peek(tn_kernel_slot *slot, const tn_device *device) {
  const tn_slot_node *node =
      atomic_load_explicit((tn_slot_node * _Atomic *)(void *)&slot->cache, memory_order_acquire);
  while (node != NULL && node->device != device) {
    node = node->next;
  }
  return node != NULL ? node->kernel : NULL;
}

#endif
