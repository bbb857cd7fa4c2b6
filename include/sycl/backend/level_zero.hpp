// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/ext/oneapi/backend/level_zero.hpp>
