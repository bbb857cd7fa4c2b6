// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: what launch slots hold.
#ifndef TN_RUN_PROGRAM_KERNEL_SLOT_H
#define TN_RUN_PROGRAM_KERNEL_SLOT_H

#include "run/program/program.h"
#include "run/registry/registry.h"

// Frees the nodes of a module that is gone and releases their kernels.
void tn_kernel_slot_free_all(tn_attachment *attachments);
// Forgets its kernels with values.
void tn_kernel_slot_forget(uint64_t module);
// Releases the kernels of a device that nothing is launched on any more.
void tn_kernel_slot_forget_device(const tn_device *device);

#endif
