// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 1.2.1's images: channel orders and types, packed channels, sRGB, samplers, arrays of images,
// access on the host.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

using sycl::access_mode;
using sycl::float4;
using sycl::image_channel_order;
using sycl::image_channel_type;
using sycl::int4;
using sycl::uint4;

static bool near(const float4 &a, const float4 &b) {
  bool is_near = true;
  for (int c = 0; c < 4; ++c) {
    is_near = is_near && std::fabs(a[c] - b[c]) < 1e-5f;
  }
  return is_near;
}

// Writes the color in a kernel and reads it again in another: what is kept depends on the order.
static float4 there_and_back(sycl::queue &q, image_channel_order order, image_channel_type type,
                             const float4 &color, std::size_t expected_size) {
  sycl::image<2> image(order, type, sycl::range<2>(5, 3));
  EXPECT(image.get_size() == 15 * expected_size && image.get_count() == 15);
  q.submit([&](sycl::handler &cgh) {
    auto pixels = image.get_access<float4, access_mode::discard_write>(cgh);
    cgh.parallel_for(sycl::range<2>(5, 3),
                     [=](sycl::id<2> id) { pixels.write(sycl::int2(id[0], id[1]), color); });
  });
  sycl::buffer<float4> result{sycl::range<1>(1)};
  q.submit([&](sycl::handler &cgh) {
    auto pixels = image.get_access<float4, access_mode::read>(cgh);
    sycl::accessor out(result, cgh, sycl::write_only);
    cgh.single_task([=] { out[0] = pixels.read(sycl::int2(4, 2)); });
  });
  return sycl::host_accessor(result)[0];
}

static void orders(sycl::queue &q) {
  using o = image_channel_order;
  const float4 c(0.25f, 0.5f, 0.75f, -1.0f);
  const auto fp32 = image_channel_type::fp32;
  EXPECT(near(there_and_back(q, o::a, fp32, c, 4), float4(0, 0, 0, -1)));
  EXPECT(near(there_and_back(q, o::r, fp32, c, 4), float4(0.25f, 0, 0, 1)));
  EXPECT(near(there_and_back(q, o::rx, fp32, c, 4), float4(0.25f, 0, 0, 1)));
  EXPECT(near(there_and_back(q, o::rg, fp32, c, 8), float4(0.25f, 0.5f, 0, 1)));
  EXPECT(near(there_and_back(q, o::rgx, fp32, c, 8), float4(0.25f, 0.5f, 0, 1)));
  EXPECT(near(there_and_back(q, o::ra, fp32, c, 8), float4(0.25f, 0, 0, -1)));
  EXPECT(near(there_and_back(q, o::rgb, fp32, c, 12), float4(0.25f, 0.5f, 0.75f, 1)));
  EXPECT(near(there_and_back(q, o::rgbx, fp32, c, 12), float4(0.25f, 0.5f, 0.75f, 1)));
  EXPECT(near(there_and_back(q, o::rgba, fp32, c, 16), c));
  EXPECT(near(there_and_back(q, o::argb, fp32, c, 16), c));
  EXPECT(near(there_and_back(q, o::bgra, fp32, c, 16), c));
  EXPECT(near(there_and_back(q, o::abgr, fp32, c, 16), c));
  EXPECT(near(there_and_back(q, o::intensity, fp32, c, 4), float4(0.25f)));
  EXPECT(near(there_and_back(q, o::luminance, fp32, c, 4), float4(0.25f, 0.25f, 0.25f, 1)));
}

static void types(sycl::queue &q) {
  using t = image_channel_type;
  const auto rgba = image_channel_order::rgba;
  const float4 c(1, 0.2f, 7, -1);
  EXPECT(near(there_and_back(q, rgba, t::unorm_int8, c, 4), float4(1, 0.2f, 1, 0)));
  EXPECT(near(there_and_back(q, rgba, t::unorm_int16, c, 8), float4(1, 0.2f, 1, 0)));
  EXPECT(near(there_and_back(q, rgba, t::snorm_int8, c, 4), float4(1, 25 / 127.0f, 1, -1)));
  EXPECT(near(there_and_back(q, rgba, t::snorm_int16, c, 8), float4(1, 6553 / 32767.0f, 1, -1)));
  EXPECT(near(there_and_back(q, rgba, t::signed_int8, c, 4), float4(1, 0, 7, -1)));
  EXPECT(near(there_and_back(q, rgba, t::signed_int16, c, 8), float4(1, 0, 7, -1)));
  EXPECT(near(there_and_back(q, rgba, t::signed_int32, c, 16), float4(1, 0, 7, -1)));
  EXPECT(near(there_and_back(q, rgba, t::unsigned_int8, c, 4), float4(1, 0, 7, 0)));
  EXPECT(near(there_and_back(q, rgba, t::unsigned_int16, c, 8), float4(1, 0, 7, 0)));
  EXPECT(near(there_and_back(q, rgba, t::unsigned_int32, c, 16), float4(1, 0, 7, 0)));
  EXPECT(near(there_and_back(q, rgba, t::fp16, float4(0.5f, 2, -3, 8), 8), float4(0.5f, 2, -3, 8)));
}

// One number per pixel, red in its highest bits.
static void packed(sycl::queue &q) {
  using t = image_channel_type;
  const auto rgb = image_channel_order::rgb;
  const auto rgbx = image_channel_order::rgbx;
  const float4 c(0.2f, 0.5f, 7, -1);
  const float4 in_5_bits(6 / 31.0f, 16 / 31.0f, 1, 1);
  EXPECT(
      near(there_and_back(q, rgb, t::unorm_short_565, c, 2), float4(6 / 31.0f, 32 / 63.0f, 1, 1)));
  EXPECT(near(there_and_back(q, rgbx, t::unorm_short_555, c, 2), in_5_bits));
  EXPECT(near(there_and_back(q, rgb, t::unorm_int_101010, c, 4),
              float4(205 / 1023.0f, 512 / 1023.0f, 1, 1)));
  EXPECT_ERRC(invalid,
              sycl::image<1>(image_channel_order::rgba, t::unorm_short_565, sycl::range<1>(4)));
  const std::uint16_t pixels[] = {0xf800, 0x07e0, 0x001f};
  sycl::buffer<float4> result{sycl::range<1>(3)};
  {
    sycl::image<1> image(pixels, rgb, t::unorm_short_565, sycl::range<1>(3));
    q.submit([&](sycl::handler &cgh) {
      auto from = image.get_access<float4, access_mode::read>(cgh);
      sycl::accessor out(result, cgh, sycl::write_only);
      cgh.parallel_for(3, [=](int i) { out[i] = from.read(i); });
    });
  }
  const sycl::host_accessor colors(result);
  EXPECT(near(colors[0], float4(1, 0, 0, 1)) && near(colors[1], float4(0, 1, 0, 1)) &&
         near(colors[2], float4(0, 0, 1, 1)));
}

// sycl_ext_oneapi_srgb: colors are linear in the kernel, and on the curve in memory.
static void srgb(sycl::queue &q) {
  const auto srgba = image_channel_order::ext_oneapi_srgba;
  const auto unorm = image_channel_type::unorm_int8;
  EXPECT(q.get_device().has(sycl::aspect::ext_oneapi_srgb));
  const std::vector<unsigned> pixels(4, 0xff7f0a7f);
  const sycl::sampler linear(sycl::coordinate_normalization_mode::unnormalized,
                             sycl::addressing_mode::clamp_to_edge, sycl::filtering_mode::linear);
  sycl::buffer<float4> result{sycl::range<1>(2)};
  {
    sycl::image<2> image(pixels.data(), srgba, unorm, sycl::range<2>(2, 2));
    q.submit([&](sycl::handler &cgh) {
      auto from = image.get_access<float4, access_mode::read>(cgh);
      sycl::accessor out(result, cgh, sycl::write_only);
      cgh.single_task([=] {
        out[0] = from.read(sycl::int2(1, 1));
        out[1] = from.read(sycl::float2(1, 1), linear);
      });
    });
  }
  const float4 color(0.2122308f, 0.00303527f, 0.2122308f, 1);
  const sycl::host_accessor colors(result);
  EXPECT(near(colors[0], color) && near(colors[1], color));
  EXPECT(near(there_and_back(q, srgba, unorm, color, 4), color));
  EXPECT(near(there_and_back(q, srgba, unorm, float4(2, -1, 0, 0.2f), 4), float4(1, 0, 0, 0.2f)));
  EXPECT_ERRC(invalid, sycl::image<2>(srgba, image_channel_type::fp32, sycl::range<2>(2, 2)));
}

// The bytes are where OpenCL has them, with a pitch, and come back to the host.
static void memory(sycl::queue &q) {
  std::vector<unsigned char> bytes(2 * 12, 9);
  {
    sycl::image<2> image(bytes.data(), image_channel_order::rg, image_channel_type::unsigned_int8,
                         sycl::range<2>(3, 2), sycl::range<1>(12));
    EXPECT(image.get_pitch()[0] == 12 && image.get_range() == sycl::range<2>(3, 2));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor<uint4, 2, access_mode::write, sycl::target::image> pixels(image, cgh);
      cgh.parallel_for(sycl::range<2>(4, 3), [=](sycl::id<2> id) {
        // The last of each dimension are outside.
        pixels.write(sycl::int2(id[0], id[1]),
                     uint4(static_cast<unsigned>(10 * id[1] + id[0]), 100, 3, 4));
      });
    });
    const auto host = image.get_access<uint4, access_mode::read>();
    EXPECT(host.get_range() == sycl::range<2>(3, 2) && host.get_count() == 6);
    const uint4 pixel = host.read(sycl::int2(2, 1));
    EXPECT(pixel[0] == 12 && pixel[1] == 100 && pixel[2] == 0 && pixel[3] == 1);
  }
  EXPECT(bytes[0] == 0 && bytes[1] == 100 && bytes[4] == 2 && bytes[6] == 9 && bytes[12] == 10 &&
         bytes[16] == 12 && bytes[18] == 9);

  const std::vector<float> constant = {1, 2, 3};
  auto shared = std::make_shared<std::vector<int>>(4, 5);
  std::shared_ptr<void> data(shared, shared->data());
  {
    sycl::image<1> in(constant.data(), image_channel_order::r, image_channel_type::fp32,
                      sycl::range<1>(3), sycl::property::image::use_host_ptr());
    sycl::image<1> out(data, image_channel_order::rgba, image_channel_type::signed_int32,
                       sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto from = in.get_access<float4, access_mode::read>(cgh);
      auto to = out.get_access<int4, access_mode::write>(cgh);
      cgh.single_task([=] {
        to.write(0, int4(static_cast<int>(from.read(0)[0]), static_cast<int>(from.read(1)[0]),
                         static_cast<int>(from.read(2)[0]), -1));
      });
    });
  }
  EXPECT((*shared)[0] == 1 && (*shared)[1] == 2 && (*shared)[2] == 3 && (*shared)[3] == -1);
}

static void samplers(sycl::queue &q) {
  float in[4] = {10, 20, 30, 40};
  float4 out[8];
  const sycl::sampler linear(sycl::coordinate_normalization_mode::unnormalized,
                             sycl::addressing_mode::clamp_to_edge, sycl::filtering_mode::linear);
  const sycl::sampler nearest(sycl::coordinate_normalization_mode::normalized,
                              sycl::addressing_mode::repeat, sycl::filtering_mode::nearest);
  const sycl::sampler border(sycl::coordinate_normalization_mode::unnormalized,
                             sycl::addressing_mode::clamp, sycl::filtering_mode::linear);
  EXPECT(linear != nearest && linear == sycl::sampler(linear) &&
         nearest.get_addressing_mode() == sycl::addressing_mode::repeat &&
         std::hash<sycl::sampler>()(linear) == std::hash<sycl::sampler>()(sycl::sampler(linear)));
  {
    sycl::image<2> image(in, image_channel_order::r, image_channel_type::fp32,
                         sycl::range<2>(2, 2));
    sycl::buffer<float4> result(out, sycl::range<1>(8));
    q.submit([&](sycl::handler &cgh) {
      auto pixels = image.get_access<float4, access_mode::read>(cgh);
      sycl::accessor to(result, cgh, sycl::write_only);
      cgh.single_task([=] {
        to[0] = pixels.read(sycl::float2(1, 1), linear);
        to[1] = pixels.read(sycl::float2(-5, 0.5f), linear);
        to[2] = pixels.read(sycl::float2(0.75f, 1.25f), nearest);
        to[3] = pixels.read(sycl::float2(0, 0.5f), border);
        to[4] = pixels.read(sycl::int2(1, 0), linear);
        to[5] = pixels.read(sycl::int2(7, 7), border);
        to[6] = pixels.read(sycl::float2(1, 0.5f), linear);
        to[7] = pixels.read(sycl::int2(0, 1));
      });
    });
  }
  EXPECT(near(out[0], float4(25, 0, 0, 1)));
  EXPECT(near(out[1], float4(10, 0, 0, 1)));
  EXPECT(near(out[2], float4(20, 0, 0, 1)));
  EXPECT(near(out[3], float4(5, 0, 0, 1)));  // alpha of the border is 1 as well
  EXPECT(near(out[5], float4(0, 0, 0, 1)));
  EXPECT(near(out[6], float4(15, 0, 0, 1)));
  EXPECT(near(out[7], float4(30, 0, 0, 1)));
}

static void arrays(sycl::queue &q) {
  sycl::image<3> image(image_channel_order::ra, image_channel_type::signed_int16,
                       sycl::range<3>(4, 3, 5));
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor<int4, 2, access_mode::write, sycl::target::image_array> layers(image, cgh);
    cgh.parallel_for(sycl::range<3>(4, 3, 5), [=](sycl::id<3> id) {
      layers[id[2]].write(sycl::int2(id[0], id[1]),
                          int4(static_cast<int>(100 * id[2] + 10 * id[1] + id[0]), 0, 0, -7));
    });
  });
  sycl::buffer<int> wrong{sycl::range<1>(1)};
  q.submit([&](sycl::handler &cgh) {
    auto pixels = image.get_access<int4, access_mode::read>(cgh);
    sycl::accessor<int4, 2, access_mode::read, sycl::target::image_array> layers(image, cgh);
    sycl::accessor to(wrong, cgh, sycl::write_only);
    const sycl::sampler smpl(sycl::coordinate_normalization_mode::unnormalized,
                             sycl::addressing_mode::none, sycl::filtering_mode::nearest);
    cgh.single_task([=] {
      int count = layers[1].get_range() == sycl::range<2>(4, 3) ? 0 : 1;
      count += layers[1].get_count() == 12 ? 0 : 1;
      for (int z = 0; z < 5; ++z) {
        for (int y = 0; y < 3; ++y) {
          for (int x = 0; x < 4; ++x) {
            const int4 one = pixels.read(int4(x, y, z, 0));
            const int4 other = layers[static_cast<std::size_t>(z)].read(sycl::int2(x, y));
            const int4 sampled = layers[static_cast<std::size_t>(z)].read(
                sycl::float2(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f), smpl);
            count += one[0] != 100 * z + 10 * y + x || one[3] != -7 || other[0] != one[0] ||
                     sampled[0] != one[0] || sampled[3] != -7;
          }
        }
      }
      to[0] = count;
    });
  });
  EXPECT(sycl::host_accessor(wrong)[0] == 0);
}

int main() {
  sycl::queue q{sycl::aspect_selector(sycl::aspect::ext_intel_legacy_image)};
  orders(q);
  types(q);
  packed(q);
  srgb(q);
  memory(q);
  samplers(q);
  arrays(q);
  return failures;
}
