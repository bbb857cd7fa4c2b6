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

// Bits of one packed channel: 0 is red, which is highest.
struct packed_channel {
  unsigned shift;
  std::uint32_t most;
};
constexpr packed_channel packed_channel_of(channel_kind kind, int channel) noexcept {
  const unsigned bits = kind == channel_kind::packed_101010 ? 10 : 5;
  const auto above = static_cast<unsigned>(2 - channel);
  if (kind != channel_kind::packed_565) {
    return {bits * above, (1u << bits) - 1};
  }
  return {channel == 0 ? 11u : 5u * above, channel == 1 ? 63u : 31u};
}

inline std::uint32_t load_channel(const std::byte *at, int size) noexcept {
  if (size == 1) {
    return static_cast<std::uint32_t>(*at);
  }
  if (size == 2) {
    std::uint16_t word;
    __builtin_memcpy(&word, at, 2);
    return word;
  }
  std::uint32_t bits;
  __builtin_memcpy(&bits, at, 4);
  return bits;
}
inline void store_channel(std::byte *at, int size, std::uint32_t bits) noexcept {
  if (size == 1) {
    *at = static_cast<std::byte>(bits);
  } else if (size == 2) {
    const auto word = static_cast<std::uint16_t>(bits);
    __builtin_memcpy(at, &word, 2);
  } else {
    __builtin_memcpy(at, &bits, 4);
  }
}

template <class T>
vec<T, 4> unpack_pixel(std::uint32_t bits, channel_kind kind) noexcept {
  vec<T, 4> color(T(0), T(0), T(0), T(1));
  for (int c = 0; c < 3; ++c) {
    const packed_channel channel = packed_channel_of(kind, c);
    color[c] = static_cast<T>(part_of(static_cast<float>(bits >> channel.shift & channel.most),
                                      static_cast<float>(channel.most)));
  }
  return color;
}
template <class T>
std::uint32_t pack_pixel(const vec<T, 4> &color, channel_kind kind) noexcept {
  std::uint32_t bits = 0;
  for (int c = 0; c < 3; ++c) {
    const packed_channel channel = packed_channel_of(kind, c);
    const float value = static_cast<float>(color[c]) * static_cast<float>(channel.most);
    bits |= static_cast<std::uint32_t>(clamped(value, 0, channel.most)) << channel.shift;
  }
  return bits;
}

// The curve of IEC 61966-2-1; alpha has none.
constexpr bool has_srgb_curve(const image_shape &shape, int channel) noexcept {
  return shape.order == image_channel_order::ext_oneapi_srgba && channel < 3;
}
inline float linear_of_srgb(float value) noexcept {
  return value <= 0.04045f ? value / 12.92f : __builtin_powf((value + 0.055f) / 1.055f, 2.4f);
}
inline float srgb_of_linear(float value) noexcept {
  return value <= 0.0031308f ? value * 12.92f
                             : 1.055f * __builtin_powf(value, 1.0f / 2.4f) - 0.055f;
}

template <class T>
vec<T, 4> read_legacy_pixel(const std::byte *data, const image_shape &shape, int x, int y, int z) {
  if (!shape.has(x, y, z)) {
    return vec<T, 4>(T(0), T(0), T(0), has_opaque_border(shape.order) ? T(1) : T(0));
  }
  const std::byte *at = data + shape.place(x, y, z);
  if (is_packed(shape.kind)) {
    return unpack_pixel<T>(load_channel(at, shape.channel_size), shape.kind);
  }
  const unsigned channels = channels_of(shape.order);
  vec<T, 4> color;
  for (int c = 0; c < 4; ++c) {
    const unsigned from = channels >> (4 * c) & 0xf;
    T value = T(from == channel_is_one ? 1 : 0);
    if (from < channel_is_zero) {
      const std::uint32_t bits = load_channel(at + from * shape.channel_size, shape.channel_size);
      value = channel_value<T>(bits, shape);
      if (has_srgb_curve(shape, c)) {
        value = static_cast<T>(linear_of_srgb(channel_value<float>(bits, shape)));
      }
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
  if (is_packed(shape.kind)) {
    store_channel(at, shape.channel_size, pack_pixel(color, shape.kind));
    return;
  }
  const unsigned channels = channels_of(shape.order);
  for (int c = 3; c >= 0; --c) {
    const unsigned to = channels >> (4 * c) & 0xf;
    if (to >= channel_is_zero) {
      continue;
    }
    const std::uint32_t bits =
        has_srgb_curve(shape, c)
            ? bits_of_channel<float>(srgb_of_linear(static_cast<float>(color[c])), shape)
            : bits_of_channel<T>(color[c], shape);
    store_channel(at + to * shape.channel_size, shape.channel_size, bits);
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
