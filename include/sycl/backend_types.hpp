// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/detail/backend_types.hpp>
