// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/accessor.hpp>
#include <sycl/host_accessor.hpp>
#include <sycl/khr/split_headers/version.hpp>
#include <sycl/local_accessor.hpp>
