// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel objects are launched with what <sycl/kernel_bundle.hpp> brings; an array is an argument by
// value; <sycl/detail/core.hpp> has the light standard headers.
// RUN: %tenonxx -fsycl %s -o %t && %t
// RUN: %tenonxx -fsycl -DWITH_CORE %s -o %t.core && %t.core
#ifdef WITH_CORE
#include <sycl/detail/core.hpp>
#endif
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/usm.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

struct four {
  int a, b, c, d;
};

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void add(four values, int *out) {
  out[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] =
      values.a + values.b * values.c - values.d;
}

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(4, q);
  const auto bundle =
      syclex::get_kernel_bundle<add, sycl::bundle_state::executable>(q.get_context());
  const sycl::kernel kernel = bundle.ext_oneapi_get_kernel<add>();
  const int values[4] = {2, 3, 5, 7};
  q.submit([&](sycl::handler &h) {
     h.set_args(values, out);
     h.parallel_for(sycl::nd_range<1>(4, 2), kernel);
   }).wait();
  const bool is_right = out[0] == 10 && out[3] == 10;
  sycl::free(out, q);
#ifdef WITH_CORE
  const std::array<char, 3> text = {'o', 'k', 0};
  assert(std::strlen(text.data()) == 2);
#endif
  return is_right ? 0 : 1;
}
