// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/detail/macros.hpp>
#include <sycl/version.hpp>
