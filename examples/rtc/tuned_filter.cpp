// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What run-time compilation is for: a filter whose weights and radius are known only now become
// constants of its code. A template, a header from memory, options, and what the compiler says.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;

static const char filter_source[] = R"""(
  #include "weights.h"
  #include <sycl/sycl.hpp>

  namespace filters {
  template <class T>
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
  void smooth(const T *in, T *out, int count) {
    const int i = static_cast<int>(
        sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id());
    T sum = 0;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
      const int at = i + k < 0 ? 0 : i + k >= count ? count - 1 : i + k;
      sum += in[at] * static_cast<T>(weights[k + RADIUS]);
    }
    out[i] = sum;
  }
  }  // namespace filters
)""";

static std::string weights_header(const std::vector<int> &weights) {
  std::string text = "constexpr int weights[] = {";
  for (const int weight : weights) {
    text += std::to_string(weight) + ", ";
  }
  return text + "};\n";
}

template <class T>
static bool is_right(sycl::queue q, const sycl::kernel &smooth, const std::vector<int> &weights) {
  constexpr int count = 256;
  const int radius = static_cast<int>(weights.size() / 2);
  T *in = sycl::malloc_shared<T>(count, q);
  T *out = sycl::malloc_shared<T>(count, q);
  for (int i = 0; i < count; ++i) {
    in[i] = static_cast<T>(i % 16);
  }
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(in, out, count);
     cgh.parallel_for(sycl::nd_range<1>{count, 32}, smooth);
   }).wait();
  bool right = true;
  for (int i = 0; i < count; ++i) {
    T sum = 0;
    for (int k = -radius; k <= radius; ++k) {
      const int at = i + k < 0 ? 0 : i + k >= count ? count - 1 : i + k;
      sum += in[at] * static_cast<T>(weights[static_cast<std::size_t>(k + radius)]);
    }
    right = right && out[i] == sum;
  }
  sycl::free(in, q);
  sycl::free(out, q);
  return right;
}

static int run() {
  sycl::queue q;
  const std::vector<int> weights{1, 4, 6, 4, 1};

  auto source = syclexp::create_kernel_bundle_from_source(
      q.get_context(), syclexp::source_language::sycl, filter_source,
      syclexp::properties{syclexp::include_files{"weights.h", weights_header(weights)}});

  std::string log;
  syclexp::build_options options{"-O3"};
  options.add("-DRADIUS=" + std::to_string(weights.size() / 2));
  auto bundle = syclexp::build(
      source, syclexp::properties{
                  options, syclexp::save_log{&log},
                  syclexp::registered_names{{"filters::smooth<float>", "filters::smooth<int>"}}});
  std::printf("%s", log.c_str());

  const bool right =
      is_right<float>(q, bundle.ext_oneapi_get_kernel("filters::smooth<float>"), weights) &&
      is_right<int>(q, bundle.ext_oneapi_get_kernel("filters::smooth<int>"), weights);
  std::printf("filter: %s\n", right ? "correct" : "WRONG");
  return right ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
