// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another definition of the library's function, to be preloaded.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int LibDeviceFunc(int i) { return i * 3; }
