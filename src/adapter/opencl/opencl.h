// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface header: devices of OpenCL drivers that take SPIR-V, found when a program first asks
// for devices.
#ifndef TN_ADAPTER_OPENCL_OPENCL_H
#define TN_ADAPTER_OPENCL_OPENCL_H

#include "tenon/adapter.h"

// The target whose images the devices take.
#define TN_OPENCL_TARGET "spirv64"

#endif
