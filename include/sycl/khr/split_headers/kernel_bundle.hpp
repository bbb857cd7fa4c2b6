// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/kernel_bundle.hpp>
#include <sycl/khr/split_headers/version.hpp>
#include <sycl/specialization_id.hpp>
