// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels compiled at run time get handles of bindless images as arguments.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// GPU-SUITE: needs rtc
#include "../headers/Inputs/expect.hpp"
#include <sycl/ext/oneapi/bindless_images.hpp>

#include <string>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;

static const char source[] = R"(
#include <sycl/sycl.hpp>
#include <sycl/ext/oneapi/bindless_images.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
namespace here = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void blur(syclexp::sampled_image_handle from, syclexp::unsampled_image_handle to) {
  const auto x = static_cast<int>(here::get_nd_item<1>().get_global_id(0));
  syclexp::write_image(to, x, syclexp::sample_image<float>(from, static_cast<float>(x) + 1.0f));
}
)";

int main() {
  sycl::queue q;
  const sycl::device device = q.get_device();
  if (!device.has(sycl::aspect::ext_oneapi_bindless_images) ||
      !device.ext_oneapi_can_build(syclexp::source_language::sycl)) {
    return 0;
  }
  auto bundle = syclexp::build(syclexp::create_kernel_bundle_from_source(
      q.get_context(), syclexp::source_language::sycl, std::string(source)));
  constexpr int count = 32;
  const syclexp::image_descriptor desc({count}, 1, sycl::image_channel_type::fp32);
  const syclexp::bindless_image_sampler sampler(sycl::addressing_mode::clamp_to_edge,
                                                sycl::coordinate_normalization_mode::unnormalized,
                                                sycl::filtering_mode::linear);
  std::vector<float> in(count), out(count);
  for (int i = 0; i < count; ++i) {
    in[static_cast<std::size_t>(i)] = static_cast<float>(2 * i);
  }
  syclexp::image_mem first(desc, q), second(desc, q);
  auto from = syclexp::create_image(first, sampler, desc, q);
  auto to = syclexp::create_image(second, desc, q);
  q.ext_oneapi_copy(in.data(), first.get_handle(), desc).wait();
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(from, to);
     cgh.parallel_for(sycl::nd_range<1>(count, 8), bundle.ext_oneapi_get_kernel("blur"));
   }).wait();
  q.ext_oneapi_copy(second.get_handle(), out.data(), desc).wait();
  EXPECT(out[0] == 1 && out[7] == 15 && out[count - 1] == 2 * count - 2);
  syclexp::destroy_image_handle(from, q);
  syclexp::destroy_image_handle(to, q);
  return failures != 0;
}
