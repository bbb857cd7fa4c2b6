// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "group_statics.hpp"

ex::work_group_static<int> named_number;
static ex::work_group_static<int> own;

SYCL_EXTERNAL int mirrored(sycl::nd_item<1> i) {
  return static_cast<int *>(shared_numbers)[15 - i.get_local_id(0)] + named_number;
}
SYCL_EXTERNAL int own_number(sycl::nd_item<1> i) {
  if (i.get_local_id(0) == 0) {
    own = 7;
  }
  sycl::group_barrier(i.get_group());
  return own;
}
