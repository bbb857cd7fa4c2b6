// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/h_item.hpp>
#include <sycl/khr/split_headers/version.hpp>
#include <sycl/private_memory.hpp>
