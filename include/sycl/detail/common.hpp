// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/context.hpp>
#include <sycl/detail/ur.hpp>
