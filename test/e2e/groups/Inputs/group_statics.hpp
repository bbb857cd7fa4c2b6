// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

namespace ex = sycl::ext::oneapi::experimental;

inline ex::work_group_static<int[16]> shared_numbers;
extern ex::work_group_static<int> named_number;
SYCL_EXTERNAL int mirrored(sycl::nd_item<1> i);
SYCL_EXTERNAL int own_number(sycl::nd_item<1> i);
