// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of C that a program in C++ builds and launches.
// GPU-SUITE: needs rtc
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror %s -o %t && %t
#include <sycl/sycl.hpp>

#include <cstdio>

namespace syclexp = sycl::ext::oneapi::experimental;

static const char text[] = R"(
#include <tenon/device_code.h>
#include <stdint.h>
TN_KERNEL void scale(float *data, float by, int32_t more) {
  data[tn_global_id(0)] = data[tn_global_id(0)] * by + (float)more;
}
TN_KERNEL void lasts(float *data, TN_LOCAL float *tile) {
  tile[tn_local_id(0)] = data[tn_global_id(0)];
  tn_barrier();
  data[tn_global_id(0)] = tile[tn_local_size(0) - 1];
}
)";

int main() {
  sycl::queue q;
  auto source =
      syclexp::create_kernel_bundle_from_source(q.get_context(), syclexp::source_language::c, text);
  auto bundle = syclexp::build(source);
  float *data = sycl::malloc_shared<float>(64, q);
  for (int i = 0; i < 64; ++i) {
    data[i] = static_cast<float>(i);
  }
  const sycl::kernel scale = bundle.ext_oneapi_get_kernel("scale");
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(data, 2.0f, 5);
     cgh.parallel_for(sycl::range<1>(64), scale);
   }).wait_and_throw();
  const sycl::kernel lasts = bundle.ext_oneapi_get_kernel("lasts");
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(data, sycl::local_accessor<float>(16, cgh));
     cgh.parallel_for(sycl::nd_range<1>(64, 16), lasts);
   }).wait_and_throw();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    wrong += data[i] != 2.0f * static_cast<float>(i / 16 * 16 + 15) + 5.0f;
  }
  try {
    q.submit([&](sycl::handler &cgh) {
      cgh.set_args(data, 2.0, 5);
      cgh.parallel_for(sycl::range<1>(64), scale);
    });
    wrong += 100;
  } catch (const sycl::exception &e) {
    wrong += e.code() != sycl::errc::kernel_argument && e.code() != sycl::errc::invalid;
  }
  sycl::free(data, q);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
