// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: whether a device has what an image asks for: aspects, sizes
// of work-groups and sub-groups.
#ifndef TN_RUN_PROGRAM_DEVICE_NEEDS_H
#define TN_RUN_PROGRAM_DEVICE_NEEDS_H

#include "image/image.h"
#include "run/device/device.h"

bool tn_device_meets(const tn_device *device, const tn_image *image);
// KERNEL_NOT_FOUND with the kernel, the device and what it lacks.
TN_MUST_USE tn_status tn_device_check_needs(const tn_device *device, const tn_image *image,
                                            const tn_kernel_info *kernel, tn_diag *diag);
// The same for TENON_SUB_GROUP_SIZE, which counts for kernels that require no size (`flags`).
TN_MUST_USE tn_status tn_device_check_default_sub_group(const tn_device *device, uint32_t flags,
                                                        tn_str kernel, tn_diag *diag);

#endif
