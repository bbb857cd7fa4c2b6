// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/khr/split_headers/version.hpp>
#include <sycl/multi_ptr.hpp>
