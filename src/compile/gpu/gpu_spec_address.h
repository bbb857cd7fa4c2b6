// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: the address of the buffer with an image's specialization constants.
#ifndef TN_COMPILE_GPU_GPU_SPEC_ADDRESS_H
#define TN_COMPILE_GPU_GPU_SPEC_ADDRESS_H

#include "compile/module/module.h"

// Calls of TN_GPU_SPECS become the launch's word in kernels and, where images are linked to others,
// the image's own variable in all other functions.
void tn_gpu_spec_address_settle(LLVMModuleRef module, bool is_linked_later);

#endif
