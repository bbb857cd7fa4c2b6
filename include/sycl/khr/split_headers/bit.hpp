// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/bit_cast.hpp>
#include <sycl/khr/split_headers/version.hpp>
