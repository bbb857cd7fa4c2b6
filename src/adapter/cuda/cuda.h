// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface header: NVIDIA GPUs through the driver that is found when a program starts to look
// for devices.
#ifndef TN_ADAPTER_CUDA_CUDA_H
#define TN_ADAPTER_CUDA_CUDA_H

#include "tenon/adapter.h"

// The target whose images the devices take, beside those for one processor.
#define TN_CUDA_TARGET "nvptx64-nvidia-cuda"

#endif
