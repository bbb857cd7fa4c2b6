// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of SYCL 1.2.1's images: one to four channels in any of OpenCL's orders.
// Source: SYCL 1.2.1 section 4.7.4; OpenCL C 3.0 sections 6.15.15 (borders), 8.
#ifndef TENON_SYCL_DETAIL_LEGACY_PIXELS_HPP
#define TENON_SYCL_DETAIL_LEGACY_PIXELS_HPP

#include <sycl/detail/image_pixels.hpp>

namespace sycl::detail {

constexpr unsigned char channel_count_of(image_channel_order order) noexcept {
  using o = image_channel_order;
  switch (order) {
    case o::a:
    case o::r:
    case o::rx:
    case o::intensity:
    case o::luminance:
      return 1;
    case o::rg:
    case o::rgx:
    case o::ra:
      return 2;
    case o::rgb:
    case o::rgbx:
      return 3;
    default:
      return 4;
  }
}

// Four bits for each of red, green, blue and alpha, the lowest first: which channel of the memory
// has it, or that it is 0 or 1.
enum : unsigned { channel_is_zero = 4, channel_is_one = 5 };
constexpr unsigned channels_of(image_channel_order order) noexcept {
  using o = image_channel_order;
  switch (order) {
    case o::a:
      return 0x0444;
    case o::r:
    case o::rx:
      return 0x5440;
    case o::rg:
    case o::rgx:
      return 0x5410;
    case o::ra:
      return 0x1440;
    case o::rgb:
    case o::rgbx:
      return 0x5210;
    case o::argb:
      return 0x0321;
    case o::bgra:
      return 0x3012;
    case o::intensity:
      return 0x0000;
    case o::luminance:
      return 0x5000;
    case o::abgr:
      return 0x0123;
    default:
      return 0x3210;
  }
}
constexpr bool has_opaque_border(image_channel_order order) noexcept {
  using o = image_channel_order;
  return order == o::r || order == o::rg || order == o::rgb || order == o::luminance;
}

template <class T>
vec<T, 4> read_legacy_pixel(const std::byte *data, const image_shape &shape, int x, int y, int z) {
  if (!shape.has(x, y, z)) {
    return vec<T, 4>(T(0), T(0), T(0), has_opaque_border(shape.order) ? T(1) : T(0));
  }
  const std::byte *at = data + shape.place(x, y, z);
  const unsigned channels = channels_of(shape.order);
  vec<T, 4> color;
  for (int c = 0; c < 4; ++c) {
    const unsigned from = channels >> (4 * c) & 0xf;
    T value = T(from == channel_is_one ? 1 : 0);
    if (from < channel_is_zero) {
      const std::byte *channel = at + from * shape.channel_size;
      std::uint32_t bits = 0;
      if (shape.channel_size == 1) {
        bits = static_cast<std::uint32_t>(*channel);
      } else if (shape.channel_size == 2) {
        std::uint16_t word;
        __builtin_memcpy(&word, channel, 2);
        bits = word;
      } else {
        __builtin_memcpy(&bits, channel, 4);
      }
      value = channel_value<T>(bits, shape);
    }
    color[c] = value;
  }
  return color;
}

// Nothing outside of the image. Of red, green and blue that share a channel, red counts.
template <class T>
void write_legacy_pixel(std::byte *data, const image_shape &shape, int x, int y, int z,
                        const vec<T, 4> &color) {
  if (!shape.has(x, y, z)) {
    return;
  }
  std::byte *at = data + shape.place(x, y, z);
  const unsigned channels = channels_of(shape.order);
  for (int c = 3; c >= 0; --c) {
    const unsigned to = channels >> (4 * c) & 0xf;
    if (to >= channel_is_zero) {
      continue;
    }
    std::byte *channel = at + to * shape.channel_size;
    const std::uint32_t bits = bits_of_channel<T>(color[c], shape);
    if (shape.channel_size == 1) {
      *channel = static_cast<std::byte>(bits);
    } else if (shape.channel_size == 2) {
      const auto word = static_cast<std::uint16_t>(bits);
      __builtin_memcpy(channel, &word, 2);
    } else {
      __builtin_memcpy(channel, &bits, 4);
    }
  }
}

// As sample_pixel.
template <class T, int Dimensions>
vec<T, 4> sample_legacy_pixel(const std::byte *data, const image_shape &shape,
                              const image_sampler &sampler, const float (&at)[3]) {
  const bool is_linear = !std::is_integral_v<T> && sampler.filtering == filtering_mode::linear &&
                         shape.kind != channel_kind::sint && shape.kind != channel_kind::uint;
  sample_place places[3];
  for (int d = 0; d < Dimensions; ++d) {
    places[d] = place_sample(at[d], shape.extent[d], sampler, is_linear);
  }
  if (!is_linear) {
    return read_legacy_pixel<T>(data, shape, places[0].low, places[1].low, places[2].low);
  }
  float sum[4] = {0, 0, 0, 0};
  for_each_corner<Dimensions>(places, [&](const int (&index)[3], float weight) {
    const vec<float, 4> color = read_legacy_pixel<float>(data, shape, index[0], index[1], index[2]);
    for (int c = 0; c < 4; ++c) {
      sum[c] += weight * color[c];
    }
  });
  return vec<T, 4>(static_cast<T>(sum[0]), static_cast<T>(sum[1]), static_cast<T>(sum[2]),
                   static_cast<T>(sum[3]));
}

}  // namespace sycl::detail

#endif
