// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a work-group in OpenCL C: elements one behind the other, and with a stride.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>

#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
using language = syclexp::source_language;

static const char source[] = R"(
kernel void k(global int *out, global const float4 *wide, global float4 *wide_out) {
  local int l[8];
  local float4 w[8];
  l[get_local_id(0)] = 10 + (int)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e[3];
  e[0] = async_work_group_copy(out, l + 3, 4, 0);
  e[1] = async_work_group_strided_copy(out + 8, l, 4, 2, 0);
  e[2] = async_work_group_copy(w, wide, 8, 0);
  wait_group_events(3, e);
  wide_out[get_local_id(0)] = w[7 - get_local_id(0)];
}
)";

int main() {
  sycl::queue q;
  if (!q.get_device().ext_oneapi_can_build(language::opencl)) {
    return 0;
  }
  auto bundle = syclexp::build(syclexp::create_kernel_bundle_from_source(
      q.get_context(), language::opencl, std::string(source)));
  int *out = sycl::malloc_shared<int>(16, q);
  auto *wide = sycl::malloc_shared<sycl::float4>(16, q);
  for (int i = 0; i < 16; ++i) {
    out[i] = -1;
    wide[i] = sycl::float4(static_cast<float>(i));
  }
  q.submit([&](sycl::handler &h) {
     h.set_args(out, wide, wide + 8);
     h.parallel_for(sycl::nd_range<1>(8, 8), bundle.ext_oneapi_get_kernel("k"));
   }).wait();
  const int expected[16] = {13, 14, 15, 16, -1, -1, -1, -1, 10, -1, 11, -1, 12, -1, 13, -1};
  for (int i = 0; i < 16; ++i) {
    EXPECT(out[i] == expected[i]);
  }
  for (int i = 0; i < 8; ++i) {
    EXPECT(wide[8 + i][3] == static_cast<float>(7 - i));
  }
  sycl::free(wide, q);
  sycl::free(out, q);
  return failures;
}
