// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: how well an image suits a device, as the device's adapter says
// (tn_adapter_api.image_fit). Of images for the device's target only.
#ifndef TN_RUN_PROGRAM_IMAGE_FIT_H
#define TN_RUN_PROGRAM_IMAGE_FIT_H

#include "image/image.h"
#include "run/program/program.h"

// 0: its code does not run there; the larger, the better.
uint32_t tn_image_fit(const tn_image *image, const tn_device *device);
// Whether it is 0; `why`, which may be NULL, has what to do about it, or no text.
bool tn_image_is_unfit(const tn_image *image, const tn_device *device, tn_diag *why);
// The image as its adapter sees it; borrowed from the image.
tn_adapter_image tn_image_for_adapter(const tn_image *image);

// The processor that an image's code is for, "sm_90a"; empty when it does not say.
tn_str tn_image_processor(const tn_image *image);
// The one whose code the device runs; empty when its target alone says it.
tn_str tn_image_processor_of_device(const tn_device *device);

#endif
