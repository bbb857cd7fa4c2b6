// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: whose code a GPU runs, and how well.
#ifndef TN_RUN_PROGRAM_GPU_PROCESSOR_H
#define TN_RUN_PROGRAM_GPU_PROCESSOR_H

#include "image/image.h"
#include "run/device/device.h"

// How well an image's code is for the device's processor: 0 when it does not run there, and for all
// that is not NVIDIA's, or does not say for which processor it is, 1.
uint32_t tn_gpu_processor_fit(const tn_image *image, const tn_device *device);
// The same by names, "sm_90a"; `is_machine`: machine code, not PTX.
uint32_t tn_gpu_processor_fit_named(tn_str image, bool is_machine, tn_str device);
// The processor that an image's code is for; empty when it does not say.
tn_str tn_gpu_processor_of(const tn_image *image);
// The device's; empty for devices without.
tn_str tn_gpu_processor_of_device(const tn_device *device);

#endif
