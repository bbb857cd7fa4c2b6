// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library: device code for others to call.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int LibDeviceFunc(int i) { return i * 2; }
