// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/ext/oneapi/device_global/device_global_properties.hpp>
