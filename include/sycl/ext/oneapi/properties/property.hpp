// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/ext/oneapi/experimental/property_types.hpp>
