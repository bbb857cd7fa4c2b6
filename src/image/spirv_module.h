// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to image: SPIR-V modules of others.
#ifndef TN_IMAGE_SPIRV_MODULE_H
#define TN_IMAGE_SPIRV_MODULE_H

#include "image/image.h"

// Fills the kernels' argument blocks; functions[i] is the function of kernels[i]. The module's
// instructions have been looked at: their sizes are within it. BAD_IMAGE with the kernel.
TN_MUST_USE tn_status tn_spirv_read_arguments(const tn_spirv_module *module, uint32_t bound,
                                              const uint32_t *functions, tn_arena *arena,
                                              tn_diag *diag);

#endif
