// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindless images: descriptors, objects and queries; arguments that are errors; memory and
// semaphores of other APIs, which no device imports.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/ext/oneapi/bindless_images.hpp>

#include <algorithm>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;
using sycl::image_channel_type;
using syclexp::image_descriptor;
using syclexp::image_memory_handle_type;
using syclexp::image_type;
using syclexp::sampled_image_handle;
using syclexp::unsampled_image_handle;

static_assert(std::is_trivially_copyable_v<unsampled_image_handle> &&
              sizeof(unsampled_image_handle) == 8 && sizeof(sampled_image_handle) == 8);
static_assert(sycl::is_device_copyable_v<sampled_image_handle>);

void check_descriptors() {
  const image_descriptor none;
  EXPECT(none.width == 0 && none.num_channels == 4 && none.type == image_type::standard);
  const image_descriptor flat({8, 4}, 2, image_channel_type::fp16);
  EXPECT(flat.width == 8 && flat.height == 4 && flat.depth == 0 && flat.array_size == 1);
  const auto make = [](image_type type, unsigned levels, unsigned layers, unsigned channels = 1,
                       std::size_t height = 4, std::size_t depth = 0) {
    (void)image_descriptor(sycl::range<3>(4, height, depth), channels, image_channel_type::fp32,
                           type, levels, layers);
  };
  EXPECT_ERRC(invalid, make(image_type::standard, 1, 1, 0));
  EXPECT_ERRC(invalid, make(image_type::standard, 1, 1, 5));
  EXPECT_ERRC(invalid, make(image_type::standard, 2, 1));
  EXPECT_ERRC(invalid, make(image_type::standard, 1, 2));
  EXPECT_ERRC(invalid, make(image_type::mipmap, 1, 1));
  EXPECT_ERRC(invalid, make(image_type::mipmap, 2, 2));
  EXPECT_ERRC(invalid, make(image_type::array, 1, 1));
  EXPECT_ERRC(invalid, make(image_type::array, 1, 2, 1, 4, 4));
  EXPECT_ERRC(invalid, make(image_type::cubemap, 1, 5));
  EXPECT_ERRC(invalid, make(image_type::cubemap, 1, 6, 1, 5));
  EXPECT_ERRC(invalid, make(image_type::gather, 1, 1, 1, 0));
  EXPECT_ERRC(invalid, (void)flat.get_mip_level_desc(0));
}

void check_objects(sycl::queue &q) {
  const image_descriptor desc({8, 4, 2}, 2, image_channel_type::unsigned_int16);
  syclexp::image_mem memory(desc, q.get_device(), q.get_context());
  syclexp::image_mem same = memory, other(desc, q), none;
  EXPECT(same == memory && other != memory && none != memory);
  EXPECT(std::hash<syclexp::image_mem>()(same) == std::hash<syclexp::image_mem>()(memory));
  EXPECT(memory.get_range() == sycl::range<3>(8, 4, 2));
  EXPECT(memory.get_channel_type() == image_channel_type::unsigned_int16);
  EXPECT(memory.get_channel_order() == sycl::image_channel_order::rg);
  EXPECT(memory.get_num_channels() == 2 && memory.get_type() == image_type::standard);
  EXPECT(memory.get_device() == q.get_device() && memory.get_context() == q.get_context());
  EXPECT(syclexp::get_image_range(memory.get_handle(), q) == memory.get_range());
  EXPECT(syclexp::get_image_channel_type(memory.get_handle(), q) == memory.get_channel_type());
  EXPECT(syclexp::get_image_num_channels(memory.get_handle(), q) == 2);
  std::unordered_set<syclexp::image_mem> all = {memory, same, other};
  EXPECT(all.size() == 2);
  auto handle = syclexp::alloc_image_mem(desc, q);
  EXPECT_ERRC(memory_allocation, syclexp::free_image_mem(handle, image_type::mipmap, q));
  syclexp::free_image_mem(handle, image_type::standard, q);
  EXPECT_ERRC(memory_allocation, syclexp::free_image_mem({0}, image_type::standard, q));
}

void check_support(sycl::queue &q) {
  const sycl::device device = q.get_device();
  const std::vector<sycl::aspect> aspects = device.get_info<sycl::info::device::aspects>();
  for (const auto each :
       {sycl::aspect::ext_oneapi_bindless_images, sycl::aspect::ext_oneapi_mipmap,
        sycl::aspect::ext_oneapi_mipmap_anisotropy, sycl::aspect::ext_oneapi_cubemap,
        sycl::aspect::ext_oneapi_cubemap_seamless_filtering, sycl::aspect::ext_oneapi_image_array,
        sycl::aspect::ext_oneapi_bindless_images_sample_1d_usm}) {
    EXPECT(device.has(each) == (std::find(aspects.begin(), aspects.end(), each) != aspects.end()));
  }
  EXPECT(device.get_info<syclexp::info::device::max_image_linear_width>() > 0);
  EXPECT(device.get_info<syclexp::info::device::max_image_linear_height>() > 0);
  EXPECT(device.get_info<syclexp::info::device::max_image_linear_row_pitch>() > 0);
  EXPECT(device.get_info<syclexp::info::device::mipmap_max_anisotropy>() >= 1);
  const image_descriptor flat({8, 4}, 1, image_channel_type::fp32);
  const image_descriptor mipmap({8, 4}, 1, image_channel_type::fp32, image_type::mipmap, 2);
  const auto kinds = syclexp::get_image_memory_support(flat, q);
  EXPECT(std::count(kinds.begin(), kinds.end(), image_memory_handle_type::opaque_handle) == 1);
  EXPECT((std::count(kinds.begin(), kinds.end(), image_memory_handle_type::usm_pointer) == 1) ==
         device.has(sycl::aspect::ext_oneapi_bindless_images_2d_usm));
  EXPECT(syclexp::is_image_handle_supported<unsampled_image_handle>(
      flat, image_memory_handle_type::opaque_handle, q));
  EXPECT(!syclexp::is_image_handle_supported<unsampled_image_handle>(
      mipmap, image_memory_handle_type::opaque_handle, q));
  EXPECT(!syclexp::is_image_handle_supported<sampled_image_handle>(
      mipmap, image_memory_handle_type::usm_pointer, q));
}

void check_errors(sycl::queue &q) {
  const image_descriptor desc({8, 4}, 1, image_channel_type::fp32);
  const image_descriptor larger({8, 8}, 1, image_channel_type::fp32);
  const image_descriptor packed({8, 4}, 1, image_channel_type::unorm_int_101010);
  const syclexp::bindless_image_sampler sampler(sycl::addressing_mode::ext_oneapi_clamp_to_border,
                                                sycl::coordinate_normalization_mode::unnormalized,
                                                sycl::filtering_mode::nearest);
  syclexp::image_mem memory(desc, q);
  EXPECT_ERRC(runtime, (void)syclexp::create_image(memory, larger, q));
  EXPECT_ERRC(runtime, (void)syclexp::create_image(memory, sampler, larger, q));
  EXPECT_ERRC(runtime, (void)syclexp::create_image(nullptr, 0, sampler, desc, q));
  EXPECT_ERRC(runtime, (void)syclexp::create_image(syclexp::image_mem_handle{0}, desc, q));
  EXPECT_ERRC(feature_not_supported, (void)syclexp::alloc_image_mem(packed, q));
  EXPECT_ERRC(invalid, (void)memory.get_mip_level_mem_handle(0));
  if (q.get_device().has(sycl::aspect::ext_oneapi_mipmap)) {
    const image_descriptor levels({8, 4}, 1, image_channel_type::fp32, image_type::mipmap, 3);
    syclexp::image_mem mipmap(levels, q);
    EXPECT_ERRC(runtime, (void)syclexp::create_image(mipmap, levels, q));
    EXPECT_ERRC(invalid, (void)mipmap.get_mip_level_mem_handle(3));
    std::vector<float> out(32);
    EXPECT_ERRC(invalid, q.ext_oneapi_copy(mipmap.get_handle(), out.data(), levels));
  }
  unsampled_image_handle handle = syclexp::create_image(memory, desc, q);
  syclexp::destroy_image_handle(handle, q);
  // NVIDIA's driver takes any number.
  if (q.get_backend() != sycl::backend::ext_oneapi_cuda) {
    EXPECT_ERRC(invalid, syclexp::destroy_image_handle(handle, q));
  }

  std::vector<float> host(64);
  const sycl::range<3> none(0, 0, 0), all(8, 4, 1), high(0, 5, 1);
  EXPECT_ERRC(invalid, q.ext_oneapi_copy(host.data(), memory.get_handle(), larger));
  EXPECT_ERRC(invalid, q.ext_oneapi_copy(memory.get_handle(), host.data(), larger));
  EXPECT_ERRC(invalid, q.ext_oneapi_copy(nullptr, memory.get_handle(), desc));
  EXPECT_ERRC(invalid, q.ext_oneapi_copy(host.data(), syclexp::image_mem_handle{0}, desc));
  EXPECT_ERRC(invalid,
              q.ext_oneapi_copy(host.data(), none, all, memory.get_handle(), high, desc, all));
  EXPECT_ERRC(invalid, q.ext_oneapi_copy(memory.get_handle(), sycl::range<3>(1, 0, 0), desc,
                                         memory.get_handle(), none, desc, all));
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    cgh.ext_oneapi_copy(host.data(), memory.get_handle(), larger);
  }));
  float *rows = sycl::malloc_device<float>(32, q);
  EXPECT_ERRC(invalid, q.ext_oneapi_copy(host.data(), rows, desc, 16));
  EXPECT_ERRC(invalid, q.ext_oneapi_copy(host.data(), rows, desc, 64));
  sycl::free(rows, q);
}

void check_imports(sycl::queue &q) {
  const sycl::device device = q.get_device();
  const image_descriptor desc({8, 4}, 1, image_channel_type::fp32);
  EXPECT(!device.has(sycl::aspect::ext_oneapi_external_memory_import));
  EXPECT(!device.has(sycl::aspect::ext_oneapi_external_semaphore_import));
  EXPECT(!syclexp::supports_importing_handle_type(syclexp::external_mem_handle_type::opaque_fd,
                                                  device));
  const syclexp::external_mem_descriptor<syclexp::resource_fd> memory = {
      {3}, syclexp::external_mem_handle_type::opaque_fd, 64};
  const syclexp::external_semaphore_descriptor<syclexp::resource_fd> semaphore = {
      {3}, syclexp::external_semaphore_handle_type::opaque_fd};
  EXPECT_ERRC(feature_not_supported, (void)syclexp::import_external_memory(memory, q));
  EXPECT_ERRC(feature_not_supported, (void)syclexp::import_external_semaphore(semaphore, q));
  EXPECT_ERRC(feature_not_supported, (void)syclexp::map_external_image_memory({}, desc, q));
  EXPECT_ERRC(feature_not_supported, (void)syclexp::map_external_linear_memory({}, 0, 64, q));
  EXPECT_ERRC(feature_not_supported, q.ext_oneapi_wait_external_semaphore({}));
  EXPECT_ERRC(feature_not_supported, q.ext_oneapi_signal_external_semaphore({}, 1));
}

int main() {
  check_descriptors();
  sycl::queue q;
  check_imports(q);
  if (!q.get_device().has(sycl::aspect::ext_oneapi_bindless_images)) {
    const image_descriptor desc({8, 4}, 1, image_channel_type::fp32);
    EXPECT_ERRC(feature_not_supported, (void)syclexp::image_mem(desc, q));
    return failures != 0;
  }
  check_objects(q);
  check_support(q);
  check_errors(q);
  return failures != 0;
}
