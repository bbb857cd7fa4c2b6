// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: every format written and read, in one to three dimensions and with pitches; sampling by
// each addressing mode; where the contents come from and go to; host tasks and host accessors.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

using sycl::float4;
using sycl::image_format;
using sycl::int4;
using sycl::uint4;

static_assert(
    sycl::is_property_of_v<sycl::property::no_init,
                           sycl::unsampled_image_accessor<float4, 1, sycl::access_mode::write>> &&
    sycl::is_property_of_v<sycl::property::no_init, sycl::host_unsampled_image_accessor<
                                                        int4, 2, sycl::access_mode::write>> &&
    !sycl::is_property_of_v<sycl::property::no_init, sycl::sampled_image_accessor<float4, 1>>);

template <class T>
static bool is_equal(const sycl::vec<T, 4> &a, const sycl::vec<T, 4> &b, float tolerance = 0) {
  for (int i = 0; i < 4; ++i) {
    if (!(std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])) <= tolerance)) {
      return false;
    }
  }
  return true;
}

// Writes one color in a kernel; what its bytes are, and what a kernel reads of them.
template <class Color>
static void check_format(sycl::queue &q, image_format format, const Color &written,
                         const std::vector<unsigned char> &bytes, const Color &read) {
  std::vector<unsigned char> host(2 * bytes.size(), 0xee);
  Color *result = sycl::malloc_shared<Color>(1, q);
  {
    sycl::unsampled_image<1> image(host.data(), format, sycl::range<1>(2));
    EXPECT(image.byte_size() == host.size() && image.size() == 2);
    q.submit([&](sycl::handler &cgh) {
      auto out = image.get_access<Color, sycl::access_mode::write>(cgh);
      cgh.single_task([=] {
        out.write(1, written);
        out.write(2, written);  // outside: nothing
        out.write(-1, written);
      });
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::unsampled_image_accessor<Color, 1, sycl::access_mode::read> in(image, cgh);
      sycl::unsampled_image_accessor<const Color, 1, sycl::access_mode::read> same = in;
      cgh.single_task([=] {
        const Color outside = same.read(2);
        *result = in.read(1) + outside;
      });
    });
    q.wait();
  }
  const bool is_right = std::memcmp(host.data() + bytes.size(), bytes.data(), bytes.size()) == 0 &&
                        host[0] == 0xee && is_equal(*result, read, 1e-6f);
  EXPECT(is_right);
  if (!is_right) {
    std::printf("format %d: %g %g %g %g, bytes", static_cast<int>(format),
                static_cast<double>((*result)[0]), static_cast<double>((*result)[1]),
                static_cast<double>((*result)[2]), static_cast<double>((*result)[3]));
    for (unsigned char byte : host) {
      std::printf(" %02x", byte);
    }
    std::printf("\n");
  }
  sycl::free(result, q);
}

static void test_formats(sycl::queue &q) {
  const float4 color(0.0f, 0.2f, 2.0f, -1.0f);
  check_format(q, image_format::r8g8b8a8_unorm, color, {0, 51, 255, 0}, {0, 0.2f, 1, 0});
  check_format(q, image_format::b8g8r8a8_unorm, color, {255, 51, 0, 0}, {0, 0.2f, 1, 0});
  check_format(q, image_format::r16g16b16a16_unorm, color, {0, 0, 0x33, 0x33, 0xff, 0xff, 0, 0},
               {0, 0.2f, 1, 0});
  const int4 small(-1, 100, 1000, -100000);
  check_format(q, image_format::r8g8b8a8_sint, small, {0xff, 100, 127, 0x80}, {-1, 100, 127, -128});
  check_format(q, image_format::r16g16b16a16_sint, small, {0xff, 0xff, 100, 0, 0xe8, 3, 0, 0x80},
               {-1, 100, 1000, -32768});
  check_format(q, image_format::r32b32g32a32_sint, int4(-1, 1, 2, INT32_MIN),
               {0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0x80},
               {-1, 1, 2, INT32_MIN});
  const uint4 natural(1u, 200u, 70000u, UINT32_MAX);
  check_format(q, image_format::r8g8b8a8_uint, natural, {1, 200, 255, 255}, {1, 200, 255, 255});
  check_format(q, image_format::r16g16b16a16_uint, natural, {1, 0, 200, 0, 0xff, 0xff, 0xff, 0xff},
               {1, 200, 65535, 65535});
  check_format(q, image_format::r32b32g32a32_uint, natural,
               {1, 0, 0, 0, 200, 0, 0, 0, 0x70, 0x11, 1, 0, 0xff, 0xff, 0xff, 0xff}, natural);
  check_format(q, image_format::r32g32b32a32_sfloat, float4(1, -2, 0.5f, 0),
               {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f, 0, 0, 0, 0}, {1, -2, 0.5f, 0});
  check_format(q, image_format::r16b16g16a16_sfloat, float4(1, -2, 0.5f, 0),
               {0, 0x3c, 0, 0xc0, 0, 0x38, 0, 0}, {1, -2, 0.5f, 0});
  check_format(q, image_format::r16b16g16a16_sfloat,
               sycl::half4(sycl::half(1), sycl::half(-2), sycl::half(0.5f), sycl::half(0)),
               {0, 0x3c, 0, 0xc0, 0, 0x38, 0, 0},
               sycl::half4(sycl::half(1), sycl::half(-2), sycl::half(0.5f), sycl::half(0)));
}

// Each element is its own place; rows and slices have bytes behind them that stay as they are.
static void test_dimensions(sycl::queue &q) {
  constexpr int width = 5, height = 3, depth = 2;
  std::vector<std::int32_t> host(8 * 4 * 4 * depth, -7);
  {
    sycl::unsampled_image<3> image(host.data(), image_format::r32b32g32a32_sint,
                                   {width, height, depth}, sycl::range<2>(8 * 16, 4 * 8 * 16));
    EXPECT(image.get_range() == sycl::range<3>(width, height, depth));
    EXPECT(image.get_pitch() == sycl::range<2>(8 * 16, 4 * 8 * 16));
    EXPECT(image.byte_size() == host.size() * 4 && image.size() == width * height * depth);
    q.submit([&](sycl::handler &cgh) {
      sycl::unsampled_image_accessor<int4, 3, sycl::access_mode::write> out(image, cgh);
      EXPECT(out.size() == width * height * depth);
      cgh.parallel_for(sycl::range<3>(depth, height, width), [=](sycl::id<3> i) {
        const int x = static_cast<int>(i[2]), y = static_cast<int>(i[1]);
        const int z = static_cast<int>(i[0]);
        out.write(int4(x, y, z, 0), int4(x, y, z, 9));
      });
    });
    sycl::host_unsampled_image_accessor<int4, 3> view(image);
    EXPECT(is_equal(view.read(int4(4, 2, 1, 0)), int4(4, 2, 1, 9)));
    view.write(int4(4, 2, 1, 0), int4(5, 5, 5, 5));
    EXPECT(is_equal(view.read(int4(4, 2, 1, 0)), int4(5, 5, 5, 5)));
  }
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 8; ++x) {
        const std::int32_t *at = &host[static_cast<std::size_t>(((z * 4 + y) * 8 + x) * 4)];
        const bool is_last = x == 4 && y == 2 && z == 1;
        const bool is_inside = x < width && y < height;
        EXPECT(is_last     ? at[0] == 5 && at[3] == 5
               : is_inside ? at[0] == x && at[1] == y && at[2] == z && at[3] == 9
                           : at[0] == -7 && at[3] == -7);
      }
    }
  }
  std::vector<unsigned char> bytes(4 * 3);
  EXPECT_ERRC(invalid, sycl::unsampled_image<2>(bytes.data(), image_format::r8g8b8a8_uint, {2, 2},
                                                sycl::range<1>(6)));
}

static float sampled(sycl::queue &q, const std::vector<float> &row,
                     sycl::addressing_mode addressing, bool is_normal, bool is_linear, float at) {
  std::vector<float4> host;
  for (float value : row) {
    host.push_back(float4(value, 1, 2, 3));
  }
  const sycl::image_sampler sampler{
      addressing,
      is_normal ? sycl::coordinate_normalization_mode::normalized
                : sycl::coordinate_normalization_mode::unnormalized,
      is_linear ? sycl::filtering_mode::linear : sycl::filtering_mode::nearest};
  sycl::sampled_image<1> image(static_cast<const void *>(host.data()),
                               image_format::r32g32b32a32_sfloat, sampler,
                               sycl::range<1>(row.size()));
  float *result = sycl::malloc_shared<float>(1, q);
  q.submit([&](sycl::handler &cgh) {
     sycl::sampled_image_accessor<float4, 1> in(image, cgh);
     cgh.single_task([=] { *result = in.read(at)[0]; });
   }).wait();
  const float value = *result;
  sycl::free(result, q);
  const sycl::host_sampled_image_accessor<float4, 1> view(image);
  EXPECT(view.read(at)[0] == value);
  return value;
}

static void test_sampling(sycl::queue &q) {
  using mode = sycl::addressing_mode;
  const std::vector<float> row = {10, 20, 30, 40};
  const struct {
    mode addressing;
    bool is_normal, is_linear;
    float at, wanted;
  } rows[] = {
      {mode::none, false, false, 2.9f, 30},
      {mode::none, true, false, 0.3f, 20},
      {mode::clamp_to_edge, false, false, -5, 10},
      {mode::clamp_to_edge, false, false, 1e30f, 40},
      {mode::clamp_to_edge, false, true, 2.0f, 25},
      {mode::clamp_to_edge, false, true, 1.75f, 22.5f},
      {mode::clamp_to_edge, true, true, 0.0f, 10},
      {mode::clamp_to_edge, true, true, 0.5f, 25},
      {mode::clamp, false, false, -0.1f, 0},
      {mode::clamp, false, false, 4.0f, 0},
      {mode::clamp, false, false, 3.5f, 40},
      {mode::clamp, false, true, 0.0f, 5},
      {mode::clamp, false, true, 4.0f, 20},
      {mode::clamp, false, true, -3.0f, 0},
      {mode::repeat, true, false, 1.3f, 20},
      {mode::repeat, true, false, -0.1f, 40},
      {mode::repeat, true, true, 1.0f, 25},
      {mode::repeat, true, true, 0.375f, 20},
      {mode::mirrored_repeat, true, false, 1.1f, 40},
      {mode::mirrored_repeat, true, false, -0.3f, 20},
      {mode::mirrored_repeat, true, true, 1.0f, 40},
      {mode::mirrored_repeat, true, true, 2.25f, 15},
  };
  for (const auto &each : rows) {
    const float got = sampled(q, row, each.addressing, each.is_normal, each.is_linear, each.at);
    EXPECT(std::fabs(got - each.wanted) < 1e-4f);
    if (!(std::fabs(got - each.wanted) < 1e-4f)) {
      std::printf("mode %d, normal %d, linear %d, at %g: %g, not %g\n",
                  static_cast<int>(each.addressing), each.is_normal, each.is_linear,
                  static_cast<double>(each.at), static_cast<double>(got),
                  static_cast<double>(each.wanted));
    }
  }
}

// Bilinear and trilinear: of an image whose values are linear in the coordinates, the same.
static void test_filtering(sycl::queue &q) {
  constexpr int size = 8;
  auto host = std::make_shared<std::vector<float4>>();
  for (int z = 0; z < size; ++z) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        host->push_back(float4(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f,
                               static_cast<float>(z) + 0.5f, 1));
      }
    }
  }
  std::shared_ptr<const void> data(host, host->data());
  const sycl::image_sampler sampler{sycl::addressing_mode::clamp_to_edge,
                                    sycl::coordinate_normalization_mode::normalized,
                                    sycl::filtering_mode::linear};
  sycl::sampled_image<3> image(data, image_format::r32g32b32a32_sfloat, sampler,
                               sycl::range<3>(size, size, size));
  sycl::sampled_image<2> plane(static_cast<const void *>(host->data()),
                               image_format::r32g32b32a32_sfloat, sampler,
                               sycl::range<2>(size, size));
  constexpr int count = 60;
  float4 *out = sycl::malloc_shared<float4>(2 * count, q);
  q.submit([&](sycl::handler &cgh) {
     auto in = image.get_access<float4>(cgh);
     auto flat = plane.get_access<float4>(cgh);
     cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
       const float at = 0.1f + 0.8f * static_cast<float>(i[0]) / count;
       out[i] = in.read(float4(at, 1 - at, 0.5f, 0));
       out[i[0] + count] = flat.read(sycl::float2(at, 0.25f));
     });
   }).wait();
  for (int i = 0; i < count; ++i) {
    const float at = 0.1f + 0.8f * static_cast<float>(i) / count;
    EXPECT(is_equal(out[i], float4(size * at, size * (1 - at), 4, 1), 1e-4f));
    EXPECT(is_equal(out[i + count], float4(size * at, 2, 0.5f, 1), 1e-4f));
  }
  sycl::free(out, q);
}

// Half way between two pixels.
static void check_between(sycl::queue &q, image_format format,
                          const std::vector<unsigned char> &bytes, const float4 &wanted) {
  const sycl::image_sampler sampler{sycl::addressing_mode::clamp,
                                    sycl::coordinate_normalization_mode::unnormalized,
                                    sycl::filtering_mode::linear};
  const sycl::sampled_image<1> made(static_cast<const void *>(bytes.data()), format, sampler,
                                    sycl::range<1>(2));
  sycl::sampled_image<1> image = made;
  float4 *result = sycl::malloc_shared<float4>(1, q);
  q.submit([&](sycl::handler &cgh) {
     auto in = image.get_access<const float4>(cgh);
     cgh.single_task([=] { *result = in.read(1.0f); });
   }).wait();
  EXPECT(is_equal(*result, wanted, 1e-6f));
  sycl::free(result, q);
}

static void test_filtered_formats(sycl::queue &q) {
  check_between(q, image_format::r8g8b8a8_unorm, {0, 51, 255, 255, 255, 51, 0, 255},
                {0.5f, 0.2f, 0.5f, 1});
  check_between(q, image_format::b8g8r8a8_unorm, {0, 51, 255, 255, 51, 51, 255, 255},
                {1, 0.2f, 0.1f, 1});
  check_between(q, image_format::r16g16b16a16_unorm,
                {0, 0, 0x33, 0x33, 0xff, 0xff, 0, 0, 0xff, 0xff, 0x33, 0x33, 0xff, 0xff, 0, 0},
                {0.5f, 0.2f, 1, 0});
  check_between(q, image_format::r16b16g16a16_sfloat,
                {0, 0x3c, 0, 0xc0, 0, 0x38, 0, 0, 0, 0x40, 0, 0xc0, 0, 0x38, 0, 0},
                {1.5f, -2, 0.5f, 0});
  // Integers: the nearest one.
  check_between(q, image_format::r8g8b8a8_uint, {1, 2, 3, 4, 5, 6, 7, 8}, {5, 6, 7, 8});
}

static void test_contents(sycl::queue &q) {
  using write = sycl::unsampled_image_accessor<uint4, 2, sycl::access_mode::write>;
  std::vector<std::uint32_t> host(16, 1), final(16, 0);
  const auto fill = [&](sycl::unsampled_image<2> &image, unsigned value) {
    q.submit([&](sycl::handler &cgh) {
      write out(image, cgh);
      cgh.parallel_for(sycl::range<2>(2, 2), [=](sycl::id<2> i) {
        out.write(sycl::int2(static_cast<int>(i[1]), static_cast<int>(i[0])), uint4(value));
      });
    });
  };
  {
    sycl::unsampled_image<2> image(image_format::r32b32g32a32_uint, sycl::range<2>(2, 2));
    fill(image, 5);
    image.set_final_data(final.data());
    sycl::unsampled_image<2> same = image;
    EXPECT(same == image && std::hash<sycl::unsampled_image<2>>()(same) ==
                                std::hash<sycl::unsampled_image<2>>()(image));
  }
  EXPECT(final[0] == 5 && final[15] == 5);
  {
    sycl::unsampled_image<2> image(host.data(), image_format::r32b32g32a32_uint,
                                   sycl::range<2>(2, 2));
    fill(image, 6);
    image.set_write_back(false);
  }

  auto owned = std::shared_ptr<void>(host.data(), [](void *) {});
  unsigned seen = 0;
  {
    sycl::unsampled_image<2> image(owned, image_format::r32b32g32a32_uint, sycl::range<2>(2, 2),
                                   sycl::property_list{sycl::property::image::use_host_ptr()});
    EXPECT(image.has_property<sycl::property::image::use_host_ptr>());
    fill(image, 7);
    q.submit([&](sycl::handler &cgh) {
      sycl::unsampled_image_accessor<uint4, 2, sycl::access_mode::read,
                                     sycl::image_target::host_task>
          in(image, cgh);
      cgh.host_task([=, &seen] { seen = in.read(sycl::int2(1, 1))[2]; });
    });
    q.wait();
  }
  EXPECT(seen == 7 && host[0] == 7 && host[15] == 7);
}

int main() {
  sycl::queue q;
  EXPECT(q.get_device().has(sycl::aspect::image));
  EXPECT(q.get_device().get_info<sycl::info::device::image2d_max_width>() >= 8192);
  test_formats(q);
  test_dimensions(q);
  test_sampling(q);
  test_filtering(q);
  test_filtered_formats(q);
  test_contents(q);
  return failures != 0;
}
