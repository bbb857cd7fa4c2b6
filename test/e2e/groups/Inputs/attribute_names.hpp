// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with an attribute, in a header.
#ifndef TENON_TEST_ATTRIBUTE_NAMES_HPP
#define TENON_TEST_ATTRIBUTE_NAMES_HPP
#include <sycl/sycl.hpp>

struct from_header {
  [[sycl::reqd_work_group_size(8)]] void operator()(sycl::nd_item<1>) const {}
};
#endif
