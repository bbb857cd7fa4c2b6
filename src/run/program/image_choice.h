// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: which image of a module holds a kernel for a device.
#ifndef TN_RUN_PROGRAM_IMAGE_CHOICE_H
#define TN_RUN_PROGRAM_IMAGE_CHOICE_H

#include "run/device/device.h"
#include "run/program/link_set.h"

typedef struct tn_image_choice {
  uint32_t image_index;
  tn_kernel_info kernel;  // borrowed from the owner's pin
} tn_image_choice;

// Whether the image must go through the compiler for the device.
bool tn_image_choice_needs_compiler(const tn_image *image, const tn_device *device);

// Whether the device puts machine code of several images together.
bool tn_image_choice_can_link(const tn_device *device);
// Whether the images may be parts of one program. NULL as the device: on some device that links
// images of one format only.
bool tn_image_choice_links(const tn_image *a, const tn_image *b, const tn_device *device);
// What to do about a kernel that is in no image of use to the device. `unfit`: what the adapter
// says of an image with it; no text: there is none.
void tn_image_choice_add_advice(const tn_device *device, bool has_target, const tn_diag *unfit,
                                tn_buf *text);

// Whether the image has all kernels of the other.
bool tn_image_choice_covers(const tn_image *image, const tn_image *other);

// The image that holds `local_name`, or else `name` (either may be empty). Machine code that needs
// nothing comes before bitcode. KERNEL_NOT_FOUND with what there is.
TN_MUST_USE tn_status tn_image_choice_by_symbol(const tn_link_owner *owner, const tn_device *device,
                                                tn_str local_name, tn_str name,
                                                tn_image_choice *out, tn_diag *diag);
// In place of an image that its driver cannot compile, one with the kernel that it can, if the
// module has one.
void tn_image_choice_make_portable(const tn_link_owner *owner, const tn_device *device,
                                   tn_image_choice *choice);
// The same by device symbol or by the name in the source, which must mean one kernel only.
TN_MUST_USE tn_status tn_image_choice_by_text(const tn_link_owner *owner, const tn_device *device,
                                              tn_str text, tn_image_choice *out, tn_diag *diag);

#endif
