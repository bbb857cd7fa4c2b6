// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/atomic.hpp>
#include <sycl/atomic_fence.hpp>
#include <sycl/atomic_ref.hpp>
#include <sycl/khr/split_headers/version.hpp>
