// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampled bindless images against code of the test: all addressing modes, nearest and linear, with
// normalized coordinates or not, of 1 to 3 dimensions and several formats; fetching; images in USM;
// arrays, mipmaps, cubemaps, gathering; types of the program's own.
// PoCL compiles each of its 40 kernels for one to two seconds.
// GPU-SUITE: limit 300
// RUN: %tenonxx -fsycl -O0 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/ext/oneapi/bindless_images.hpp>

#include <cmath>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;
using sycl::addressing_mode;
using sycl::coordinate_normalization_mode;
using sycl::filtering_mode;
using sycl::image_channel_type;
using syclexp::bindless_image_sampler;
using syclexp::image_descriptor;
using syclexp::image_type;

constexpr auto normalized = coordinate_normalization_mode::normalized;
constexpr auto unnormalized = coordinate_normalization_mode::unnormalized;

// Extents are powers of two: then the test's positions are exact.
struct extents {
  int w, h, d;
  int count() const { return w * h * d; }
};

// Which pixel an index stands for; -1: none, which is zeros.
int index_of(int i, int extent, addressing_mode mode) {
  const int period = mode == addressing_mode::mirrored_repeat ? 2 * extent : extent;
  const int in_period = ((i % period) + period) % period;
  switch (mode) {
    case addressing_mode::repeat:
      return in_period;
    case addressing_mode::mirrored_repeat:
      return in_period < extent ? in_period : period - 1 - in_period;
    case addressing_mode::clamp:
      return i < 0 || i >= extent ? -1 : i;
    default:
      return i < 0 ? 0 : i >= extent ? extent - 1 : i;
  }
}

// `pixels` has one number for each pixel.
double expected(const std::vector<double> &pixels, const extents &e, const double (&at)[3],
                int dims, addressing_mode mode, filtering_mode filtering) {
  const int sizes[] = {e.w, e.h, e.d};
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    int index[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const bool is_high = (corner >> k & 1) != 0;
      if (k >= dims || filtering == filtering_mode::nearest) {
        weight *= is_high ? 0 : 1;
        index[k] = k < dims ? index_of(static_cast<int>(std::floor(at[k])), sizes[k], mode) : 0;
        continue;
      }
      const double low = std::floor(at[k] - 0.5);
      const double part = at[k] - 0.5 - low;
      weight *= is_high ? part : 1 - part;
      index[k] = index_of(static_cast<int>(low) + (is_high ? 1 : 0), sizes[k], mode);
    }
    if (weight > 0 && index[0] >= 0 && index[1] >= 0 && index[2] >= 0) {
      sum +=
          weight * pixels[static_cast<std::size_t>((index[2] * e.h + index[1]) * e.w + index[0])];
    }
  }
  return sum;
}

template <class T>
double value_of(T raw, image_channel_type type) {
  switch (type) {
    case image_channel_type::unorm_int8:
      return static_cast<double>(raw) / 255;
    case image_channel_type::unorm_int16:
      return static_cast<double>(raw) / 65535;
    case image_channel_type::snorm_int8:
      return std::max(-1.0, static_cast<double>(raw) / 127);
    case image_channel_type::snorm_int16:
      return std::max(-1.0, static_cast<double>(raw) / 32767);
    default:
      return static_cast<double>(raw);
  }
}

template <int Dims>
auto place(float x, float y, float z) {
  if constexpr (Dims == 1) {
    return x;
  } else if constexpr (Dims == 2) {
    return sycl::float2(x, y);
  } else {
    return sycl::float3(x, y, z);
  }
}
template <class T, int N>
T first_of(const sycl::vec<T, N> &all) {
  return all[0];
}
template <class T>
T first_of(T one) {
  return one;
}

// Raw is what a channel is in memory, Pixel what is sampled; the first channel is looked at.
// Positions are pixels and eighths of them, also beyond the edges.
template <class Raw, class Pixel, int Dims>
void sample(sycl::queue &q, const extents &e, unsigned channels, image_channel_type type,
            addressing_mode mode, filtering_mode filtering, coordinate_normalization_mode coords,
            double scale) {
  constexpr int steps = 96;
  const image_descriptor desc(
      sycl::range<3>(static_cast<std::size_t>(e.w), Dims > 1 ? static_cast<std::size_t>(e.h) : 0,
                     Dims > 2 ? static_cast<std::size_t>(e.d) : 0),
      channels, type);
  std::vector<Raw> in(static_cast<std::size_t>(e.count()) * channels);
  std::vector<double> pixels(static_cast<std::size_t>(e.count()));
  for (int i = 0; i < e.count(); ++i) {
    for (unsigned c = 0; c < channels; ++c) {
      const int number = (i * 37 + static_cast<int>(c) * 11) % 100;
      in[static_cast<std::size_t>(i) * channels + c] = static_cast<Raw>(number);
    }
    pixels[static_cast<std::size_t>(i)] =
        value_of(in[static_cast<std::size_t>(i) * channels], type);
  }
  syclexp::image_mem memory(desc, q);
  auto image =
      syclexp::create_image(memory, bindless_image_sampler(mode, coords, filtering), desc, q);
  q.ext_oneapi_copy(in.data(), memory.get_handle(), desc).wait();
  float *seen = sycl::malloc_shared<float>(steps, q);
  const float unit[3] = {coords == normalized ? 1.0f / static_cast<float>(e.w) : 1.0f,
                         coords == normalized ? 1.0f / static_cast<float>(e.h) : 1.0f,
                         coords == normalized ? 1.0f / static_cast<float>(e.d) : 1.0f};
  const auto position = [=](int step, int k) {
    // Never on the edge of a pixel, where rounding decides.
    const float whole = static_cast<float>((step * (k + 1) * 5) % 24 - 8);
    return whole + 0.125f + 0.25f * static_cast<float>((step + k) % 4);
  };
  const float ux = unit[0], uy = unit[1], uz = unit[2];
  q.parallel_for(steps, [=](sycl::id<1> id) {
     const int step = static_cast<int>(id[0]);
     const auto at =
         place<Dims>(position(step, 0) * ux, position(step, 1) * uy, position(step, 2) * uz);
     seen[step] = static_cast<float>(first_of(syclexp::sample_image<Pixel>(image, at)));
   }).wait();
  int wrong = 0;
  for (int step = 0; step < steps; ++step) {
    const double at[3] = {position(step, 0), position(step, 1), position(step, 2)};
    const double want = expected(pixels, e, at, Dims, mode, filtering);
    // Texture units have weights of 8 bits.
    const double slack = (filtering == filtering_mode::linear ? 0.012 : 1e-5) * scale;
    if (!(std::abs(static_cast<double>(seen[step]) - want) <= slack) && wrong++ == 0) {
      std::printf("dims %d type %d mode %d linear %d normalized %d: at %g %g %g: %g, not %g\n",
                  Dims, static_cast<int>(type), static_cast<int>(mode),
                  filtering == filtering_mode::linear, coords == normalized, at[0], at[1], at[2],
                  static_cast<double>(seen[step]), want);
    }
  }
  EXPECT(wrong == 0);
  sycl::free(seen, q);
  syclexp::destroy_image_handle(image, q);
}

template <class Raw, class Pixel>
void sample_format(sycl::queue &q, unsigned channels, image_channel_type type, bool is_integer,
                   double scale) {
  for (const auto filtering : {filtering_mode::nearest, filtering_mode::linear}) {
    if (is_integer && filtering == filtering_mode::linear) {
      continue;
    }
    for (const auto mode : {addressing_mode::clamp_to_edge, addressing_mode::clamp,
                            addressing_mode::repeat, addressing_mode::mirrored_repeat}) {
      for (const auto coords : {normalized, unnormalized}) {
        if (coords == unnormalized &&
            (mode == addressing_mode::repeat || mode == addressing_mode::mirrored_repeat)) {
          continue;
        }
        sample<Raw, Pixel, 1>(q, {16, 1, 1}, channels, type, mode, filtering, coords, scale);
        sample<Raw, Pixel, 2>(q, {8, 4, 1}, channels, type, mode, filtering, coords, scale);
        sample<Raw, Pixel, 3>(q, {8, 4, 2}, channels, type, mode, filtering, coords, scale);
      }
    }
  }
}

// A mode for each dimension.
void address_each_dimension(sycl::queue &q) {
  const image_descriptor desc({4, 4}, 1, image_channel_type::fp32);
  addressing_mode modes[3] = {addressing_mode::repeat, addressing_mode::clamp_to_edge,
                              addressing_mode::clamp};
  const bindless_image_sampler sampler(modes, normalized, filtering_mode::nearest);
  std::vector<float> in(16);
  for (int i = 0; i < 16; ++i) {
    in[static_cast<std::size_t>(i)] = static_cast<float>(i);
  }
  syclexp::image_mem memory(desc, q);
  auto image = syclexp::create_image(memory, sampler, desc, q);
  q.ext_oneapi_copy(in.data(), memory.get_handle(), desc).wait();
  float *seen = sycl::malloc_shared<float>(1, q);
  q.single_task([=] {
     *seen = syclexp::sample_image<float>(image, sycl::float2(1.375f, 1.375f));
   }).wait();
  EXPECT(*seen == 13);
  sycl::free(seen, q);
  syclexp::destroy_image_handle(image, q);
}

struct own_pixel {
  std::int32_t red, green;
};

// In USM, with rows that are apart; fetched, and sampled where the device can.
void use_usm(sycl::queue &q) {
  const sycl::device device = q.get_device();
  constexpr std::size_t w = 20, h = 6;
  const bindless_image_sampler sampler(addressing_mode::clamp_to_edge, unnormalized,
                                       filtering_mode::nearest);
  std::vector<sycl::int2> in(w * h);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = sycl::int2(static_cast<int>(i), -static_cast<int>(i));
  }
  auto *seen = sycl::malloc_shared<own_pixel>(2, q);
  if (device.has(sycl::aspect::ext_oneapi_bindless_images_2d_usm) &&
      device.has(sycl::aspect::ext_oneapi_bindless_sampled_image_fetch_2d_usm)) {
    const image_descriptor desc({w, h}, 2, image_channel_type::signed_int32);
    std::size_t pitch = 0;
    void *rows = syclexp::pitched_alloc_device(&pitch, desc, q);
    EXPECT(pitch % device.get_info<syclexp::info::device::image_row_pitch_align>() == 0);
    auto image = syclexp::create_image(rows, pitch, sampler, desc, q);
    q.ext_oneapi_copy(in.data(), rows, desc, pitch).wait();
    q.single_task([=] {
       seen[0] = syclexp::fetch_image<own_pixel, sycl::int2>(image, sycl::int2(7, 4));
       seen[1] = syclexp::sample_image<own_pixel, sycl::int2>(image, sycl::float2(25.5f, 3.5f));
     }).wait();
    EXPECT(seen[0].red == 87 && seen[0].green == -87);
    EXPECT(seen[1].red == 79 && seen[1].green == -79);
    syclexp::destroy_image_handle(image, q);
    sycl::free(rows, q);
  }
  if (device.has(sycl::aspect::ext_oneapi_bindless_images_1d_usm) &&
      device.has(sycl::aspect::ext_oneapi_bindless_sampled_image_fetch_1d_usm)) {
    const image_descriptor desc({w}, 2, image_channel_type::signed_int32);
    auto *row = sycl::malloc_device<sycl::int2>(w, q);
    auto image = syclexp::create_image(row, 0, sampler, desc, q);
    q.copy(in.data(), row, w).wait();
    q.single_task([=] { seen[0] = syclexp::fetch_image<own_pixel, sycl::int2>(image, 9); }).wait();
    EXPECT(seen[0].red == 9 && seen[0].green == -9);
    syclexp::destroy_image_handle(image, q);
    sycl::free(row, q);
  }
  sycl::free(seen, q);
}

void fetch(sycl::queue &q) {
  const bindless_image_sampler sampler(addressing_mode::clamp_to_edge, normalized,
                                       filtering_mode::linear);
  const image_descriptor flat({4, 4}, 4, image_channel_type::unorm_int8);
  const image_descriptor deep({4, 4, 2}, 1, image_channel_type::fp32);
  std::vector<sycl::uchar4> bytes(16);
  std::vector<float> numbers(32);
  for (std::size_t i = 0; i < 32; ++i) {
    numbers[i] = static_cast<float>(i);
    bytes[i / 2] = sycl::uchar4(static_cast<unsigned char>(i / 2), 51, 255, 0);
  }
  syclexp::image_mem flat_memory(flat, q), deep_memory(deep, q);
  auto flat_image = syclexp::create_image(flat_memory, sampler, flat, q);
  auto deep_image = syclexp::create_image(deep_memory, sampler, deep, q);
  q.ext_oneapi_copy(bytes.data(), flat_memory.get_handle(), flat).wait();
  q.ext_oneapi_copy(numbers.data(), deep_memory.get_handle(), deep).wait();
  auto *seen = sycl::malloc_shared<sycl::float4>(2, q);
  q.single_task([=] {
     seen[0] = syclexp::fetch_image<sycl::float4>(flat_image, sycl::int2(3, 2));
     seen[1][0] = syclexp::fetch_image<float>(deep_image, sycl::int3(1, 2, 1));
   }).wait();
  EXPECT(std::abs(seen[0][0] - 11.0f / 255) < 1e-6f && std::abs(seen[0][1] - 0.2f) < 1e-6f);
  EXPECT(seen[0][2] == 1 && seen[0][3] == 0);
  EXPECT(seen[1][0] == 25);
  sycl::free(seen, q);
  syclexp::destroy_image_handle(flat_image, q);
  syclexp::destroy_image_handle(deep_image, q);
}

void sample_arrays(sycl::queue &q) {
  const bindless_image_sampler sampler(addressing_mode::clamp_to_edge, unnormalized,
                                       filtering_mode::linear);
  const image_descriptor flat({4, 2}, 1, image_channel_type::fp32, image_type::array, 1, 3);
  const image_descriptor row({8}, 1, image_channel_type::fp32, image_type::array, 1, 3);
  std::vector<float> numbers(24);
  for (std::size_t i = 0; i < 24; ++i) {
    numbers[i] = static_cast<float>(i * i);
  }
  syclexp::image_mem flat_memory(flat, q), row_memory(row, q);
  auto flat_image = syclexp::create_image(flat_memory, sampler, flat, q);
  auto row_image = syclexp::create_image(row_memory, sampler, row, q);
  q.ext_oneapi_copy(numbers.data(), flat_memory.get_handle(), flat).wait();
  q.ext_oneapi_copy(numbers.data(), row_memory.get_handle(), row).wait();
  float *seen = sycl::malloc_shared<float>(3, q);
  q.single_task([=] {
     seen[0] = syclexp::sample_image_array<float>(flat_image, sycl::float2(2.0f, 1.5f), 2);
     seen[1] = syclexp::sample_image_array<float>(row_image, 3.0f, 1);
     seen[2] = syclexp::fetch_image_array<float>(flat_image, sycl::int2(3, 1), 1);
   }).wait();
  EXPECT(seen[0] == (21 * 21 + 22 * 22) / 2.0f);
  EXPECT(seen[1] == (10 * 10 + 11 * 11) / 2.0f);
  EXPECT(seen[2] == 15 * 15);
  sycl::free(seen, q);
  syclexp::destroy_image_handle(flat_image, q);
  syclexp::destroy_image_handle(row_image, q);
}

void sample_mipmaps(sycl::queue &q) {
  const image_descriptor desc({16, 16}, 1, image_channel_type::fp32, image_type::mipmap, 5);
  syclexp::image_mem mipmap(desc, q);
  for (unsigned level = 0; level < 5; ++level) {
    const image_descriptor at = desc.get_mip_level_desc(level);
    const std::vector<float> all(at.width * at.height, static_cast<float>(10 * level + 1));
    q.ext_oneapi_copy(all.data(), mipmap.get_mip_level_mem_handle(level), at).wait();
  }
  const auto sampler_of = [](filtering_mode levels, float least, float most) {
    return bindless_image_sampler(addressing_mode::clamp_to_edge, normalized,
                                  filtering_mode::linear, levels, least, most, 1.0f);
  };
  auto nearest = syclexp::create_image(mipmap, sampler_of(filtering_mode::nearest, 0, 5), desc, q);
  auto linear = syclexp::create_image(mipmap, sampler_of(filtering_mode::linear, 0, 5), desc, q);
  auto some = syclexp::create_image(mipmap, sampler_of(filtering_mode::linear, 1, 2), desc, q);
  float *seen = sycl::malloc_shared<float>(8, q);
  q.single_task([=] {
     const sycl::float2 at(0.5f, 0.5f);
     seen[0] = syclexp::sample_mipmap<float>(nearest, at, 1.75f);
     seen[1] = syclexp::sample_mipmap<float>(linear, at, 1.75f);
     seen[2] = syclexp::sample_mipmap<float>(linear, at, 9.0f);
     seen[3] = syclexp::sample_mipmap<float>(linear, at, -1.0f);
     seen[4] = syclexp::sample_mipmap<float>(some, at, 0.0f);
     seen[5] = syclexp::sample_mipmap<float>(some, at, 4.0f);
     // Neighbors are 4 pixels apart.
     seen[6] = syclexp::sample_mipmap<float>(nearest, at, sycl::float2(0.25f, 0.0f),
                                             sycl::float2(0.0f, 0.25f));
     seen[7] = syclexp::sample_image<float>(nearest, at);
   }).wait();
  const float want[8] = {21, 18.5f, 41, 1, 11, 21, 21, 1};
  for (int i = 0; i < 8; ++i) {
    EXPECT(std::abs(seen[i] - want[i]) < 0.1f);
  }
  sycl::free(seen, q);
  syclexp::destroy_image_handle(nearest, q);
  syclexp::destroy_image_handle(linear, q);
  syclexp::destroy_image_handle(some, q);
}

// Each pixel of a cube is found by the direction to its middle: CUDA's and OpenGL's faces.
void sample_cubemaps(sycl::queue &q) {
  constexpr int n = 4;
  const image_descriptor desc({n, n}, 1, image_channel_type::fp32, image_type::cubemap, 1, 6);
  const bindless_image_sampler sampler(addressing_mode::clamp_to_edge, normalized,
                                       filtering_mode::nearest,
                                       syclexp::cubemap_filtering_mode::disjointed);
  std::vector<float> in(6 * n * n);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i);
  }
  syclexp::image_mem memory(desc, q);
  auto image = syclexp::create_image(memory, sampler, desc, q);
  q.ext_oneapi_copy(in.data(), memory.get_handle(), desc).wait();
  float *seen = sycl::malloc_shared<float>(in.size(), q);
  q.parallel_for(sycl::range<3>(6, n, n), [=](sycl::id<3> id) {
     const float s = (2.0f * static_cast<float>(id[2]) + 1) / n - 1;
     const float t = (2.0f * static_cast<float>(id[1]) + 1) / n - 1;
     sycl::float3 to;
     switch (id[0]) {
       case 0:
         to = {1, -t, -s};
         break;
       case 1:
         to = {-1, -t, s};
         break;
       case 2:
         to = {s, 1, t};
         break;
       case 3:
         to = {s, -1, -t};
         break;
       case 4:
         to = {s, -t, 1};
         break;
       default:
         to = {-s, -t, -1};
         break;
     }
     seen[(id[0] * n + id[1]) * n + id[2]] = syclexp::sample_cubemap<float>(image, to * 3.0f);
   }).wait();
  int wrong = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    wrong += seen[i] != in[i];
  }
  EXPECT(wrong == 0);
  sycl::free(seen, q);
  syclexp::destroy_image_handle(image, q);
}

void gather(sycl::queue &q) {
  const image_descriptor desc({4, 4}, 2, image_channel_type::fp32, image_type::gather);
  const bindless_image_sampler sampler(addressing_mode::clamp_to_edge, normalized,
                                       filtering_mode::nearest);
  std::vector<sycl::float2> in(16);
  for (std::size_t i = 0; i < 16; ++i) {
    in[i] = sycl::float2(static_cast<float>(i), static_cast<float>(100 + i));
  }
  syclexp::image_mem memory(desc, q);
  auto image = syclexp::create_image(memory, sampler, desc, q);
  q.ext_oneapi_copy(in.data(), memory.get_handle(), desc).wait();
  auto *seen = sycl::malloc_shared<sycl::float4>(2, q);
  q.single_task([=] {
     seen[0] = syclexp::gather_image<sycl::float4>(image, sycl::float2(0.5f, 0.5f), 0);
     seen[1] = syclexp::gather_image<sycl::float4>(image, sycl::float2(0.5f, 0.5f), 1);
   }).wait();
  const float want[4] = {9, 10, 6, 5};
  for (int i = 0; i < 4; ++i) {
    EXPECT(seen[0][i] == want[i]);
    EXPECT(seen[1][i] == want[i] + 100);
  }
  sycl::free(seen, q);
  syclexp::destroy_image_handle(image, q);
}

int main() {
  sycl::queue q;
  const sycl::device device = q.get_device();
  if (!device.has(sycl::aspect::ext_oneapi_bindless_images)) {
    return 0;
  }
  using t = image_channel_type;
  sample_format<float, float>(q, 1, t::fp32, false, 100);
  sample_format<float, sycl::float4>(q, 4, t::fp32, false, 100);
  sample_format<unsigned char, sycl::float4>(q, 4, t::unorm_int8, false, 0.4);
  sample_format<unsigned short, sycl::float2>(q, 2, t::unorm_int16, false, 0.002);
  sample_format<signed char, float>(q, 1, t::snorm_int8, false, 0.8);
  sample_format<short, sycl::float4>(q, 4, t::snorm_int16, false, 0.004);
  sample_format<int, sycl::int2>(q, 2, t::signed_int32, true, 100);
  sample_format<unsigned char, sycl::uchar4>(q, 4, t::unsigned_int8, true, 100);
  sample_format<short, short>(q, 1, t::signed_int16, true, 100);
  if (device.has(sycl::aspect::fp16)) {
    sample_format<sycl::half, sycl::half4>(q, 4, t::fp16, false, 100);
  }
  if (device.has(sycl::aspect::ext_oneapi_unique_addressing_per_dim)) {
    address_each_dimension(q);
  }
  use_usm(q);
  if (device.has(sycl::aspect::ext_oneapi_bindless_sampled_image_fetch_2d) &&
      device.has(sycl::aspect::ext_oneapi_bindless_sampled_image_fetch_3d)) {
    fetch(q);
  }
  if (device.has(sycl::aspect::ext_oneapi_image_array)) {
    sample_arrays(q);
  }
  if (device.has(sycl::aspect::ext_oneapi_mipmap)) {
    sample_mipmaps(q);
  }
  if (device.has(sycl::aspect::ext_oneapi_cubemap)) {
    sample_cubemaps(q);
  }
  if (device.has(sycl::aspect::ext_oneapi_bindless_images_gather)) {
    gather(q);
  }
  return failures != 0;
}
