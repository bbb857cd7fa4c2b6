// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/builtins.hpp>
#include <sycl/khr/split_headers/version.hpp>
