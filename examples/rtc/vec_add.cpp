// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that is text while the program starts: compiled in memory, then launched like others.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <string>

namespace syclexp = sycl::ext::oneapi::experimental;

static const std::string sycl_source = R"""(
  #include <sycl/sycl.hpp>

  extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((
    sycl::ext::oneapi::experimental::nd_range_kernel<1>))
  void vec_add(float* in1, float* in2, float* out){
    size_t id = sycl::ext::oneapi::this_work_item::get_nd_item<1>()
                .get_global_linear_id();
    out[id] = in1[id] + in2[id];
  }
)""";

static int run() {
  constexpr std::size_t count = 1024;
  sycl::queue q;

  auto source_bundle = syclexp::create_kernel_bundle_from_source(
      q.get_context(), syclexp::source_language::sycl, sycl_source);
  auto exec_bundle = syclexp::build(source_bundle);
  sycl::kernel vec_add = exec_bundle.ext_oneapi_get_kernel("vec_add");

  float *in1 = sycl::malloc_shared<float>(count, q);
  float *in2 = sycl::malloc_shared<float>(count, q);
  float *out = sycl::malloc_shared<float>(count, q);
  for (std::size_t i = 0; i < count; ++i) {
    in1[i] = static_cast<float>(i);
    in2[i] = static_cast<float>(2 * i);
  }

  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(in1, in2, out);
     cgh.parallel_for(sycl::nd_range<1>{count, 64}, vec_add);
   }).wait();

  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    right += out[i] == static_cast<float>(3 * i);
  }
  std::printf("vec_add: %zu of %zu are right\n", right, count);
  sycl::free(in1, q);
  sycl::free(in2, q);
  sycl::free(out, q);
  return right == count ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
