// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of bindless images on devices without texture units: a handle is the address of a
// tn_bindless_pixels (tenon/bindless_image.h), and kernels address and filter. As
// bindless_textures.hpp does it with texture units.
// Source: sycl_ext_oneapi_bindless_images; CUDA C++ programming guide, texture fetching.
#ifndef TENON_SYCL_DETAIL_BINDLESS_PIXELS_HPP
#define TENON_SYCL_DETAIL_BINDLESS_PIXELS_HPP

#include "tenon/bindless_image.h"
#include <sycl/detail/legacy_pixels.hpp>

namespace sycl::detail::bindless {

inline const tn_bindless_pixels &pixels_of(std::uint64_t image) noexcept {
  return *reinterpret_cast<const tn_bindless_pixels *>(image);
}

// NULL outside of the image. Of the dimensions that the image does not have, the index is 0.
template <int Dimensions>
std::byte *address_in(const tn_bindless_level &level, std::size_t pixel_size, const int (&at)[3],
                      unsigned layer) noexcept {
  for (int d = 0; d < Dimensions; ++d) {
    if (static_cast<unsigned>(at[d]) >= static_cast<unsigned>(level.extent[d])) {
      return nullptr;
    }
  }
  auto *from = reinterpret_cast<std::byte *>(level.pixels);
  if constexpr (Dimensions < 3) {
    if (layer >= static_cast<unsigned>(level.layer_count)) {
      return nullptr;
    }
    from += layer * level.slice_pitch;
  } else {
    from += static_cast<std::size_t>(at[2]) * level.slice_pitch;
  }
  if constexpr (Dimensions > 1) {
    from += static_cast<std::size_t>(at[1]) * level.row_pitch;
  }
  return from + static_cast<std::size_t>(at[0]) * pixel_size;
}
inline std::size_t pixel_size_of(const tn_bindless_pixels &pixels) noexcept {
  return static_cast<std::size_t>(pixels.channel_size) * pixels.channel_count;
}

// A vec of 3 is as large as one of 4, a pixel of 3 channels is not.
template <class DataT>
inline constexpr std::size_t data_size = sizeof(DataT);
template <class T>
inline constexpr std::size_t data_size<vec<T, 3>> = 3 * sizeof(T);

// As it is in memory; zeros outside.
template <class DataT, int Dimensions, bool HasLayer>
DataT fetch_raw(std::uint64_t image, const int (&at)[3], unsigned layer) noexcept {
  DataT data{};
  const std::byte *from =
      address_in<Dimensions>(pixels_of(image).levels[0], data_size<DataT>, at, layer);
  if (from) {
    __builtin_memcpy(&data, from, data_size<DataT>);
  }
  return data;
}
// Nothing outside.
template <class DataT, int Dimensions, bool HasLayer>
void write_raw(std::uint64_t image, const int (&at)[3], unsigned layer,
               const DataT &data) noexcept {
  std::byte *to = address_in<Dimensions>(pixels_of(image).levels[0], data_size<DataT>, at, layer);
  if (to) {
    __builtin_memcpy(to, &data, data_size<DataT>);
  }
}

// The bits of red, green, blue and alpha; what the image lacks is 0.
inline void load_texel(const tn_bindless_pixels &pixels, const std::byte *from,
                       std::uint32_t (&bits)[4]) noexcept {
  const int size = pixels.channel_size;
#if !TN_SYCL_ON_GPU
  if (pixels.channel_count == 4) {
    const pixel_bits all = size == 1   ? load_pixel<1>(from)
                           : size == 2 ? load_pixel<2>(from)
                                       : load_pixel<4>(from);
    for (int c = 0; c < 4; ++c) {
      bits[c] = all.channels[c];
    }
    return;
  }
#endif
  for (int c = 0; c < 4; ++c) {
    bits[c] = c < pixels.channel_count ? load_channel(from + c * size, size) : 0;
  }
}

// The image's channels as E; of those that it lacks, alpha is 1. All are 0 outside.
template <int Dimensions, class E>
void read_texel(const tn_bindless_pixels &pixels, const tn_bindless_level &level,
                const int (&at)[3], unsigned layer, E (&out)[4]) noexcept {
  const std::byte *from = address_in<Dimensions>(level, pixel_size_of(pixels), at, layer);
  for (E &each : out) {
    each = E(0);
  }
  if (from) {
    std::uint32_t bits[4];
    load_texel(pixels, from, bits);
    image_shape shape;
    shape.kind = static_cast<channel_kind>(pixels.kind);
    shape.channel_size = pixels.channel_size;
    for (int c = 0; c < 4; ++c) {
      out[c] = channel_value<E>(bits[c], shape);
    }
    if (pixels.channel_count < 4) {
      out[3] = E(1);
    }
  }
}
static_assert(static_cast<int>(channel_kind::unorm) == TN_PIXELS_UNORM &&
              static_cast<int>(channel_kind::sint) == TN_PIXELS_SINT &&
              static_cast<int>(channel_kind::uint) == TN_PIXELS_UINT &&
              static_cast<int>(channel_kind::sfloat) == TN_PIXELS_FLOAT &&
              static_cast<int>(channel_kind::snorm) == TN_PIXELS_SNORM);

inline image_sampler sampler_in(const tn_bindless_pixels &pixels, int dimension) noexcept {
  const tn_bindless_sampler &sampler = pixels.sampler;
  return {static_cast<addressing_mode>(sampler.addressing[dimension]),
          sampler.is_normalized ? coordinate_normalization_mode::normalized
                                : coordinate_normalization_mode::unnormalized,
          sampler.is_linear ? filtering_mode::linear : filtering_mode::nearest};
}
template <int Dimensions>
void place_texels(const tn_bindless_pixels &pixels, const tn_bindless_level &level,
                  const float (&at)[3], bool is_linear, sample_place (&places)[3]) noexcept {
  for (int d = 0; d < Dimensions; ++d) {
    places[d] = place_sample(at[d], level.extent[d], sampler_in(pixels, d), is_linear);
  }
}

// As NVIDIA GPUs do it: integers of 32 bits are rounded down, smaller ones to the nearest.
template <class E>
E filtered(float value, const tn_bindless_pixels &pixels) noexcept {
  if constexpr (std::is_integral_v<E>) {
    return static_cast<E>(__builtin_floorf(pixels.channel_size < 4 ? value + 0.5f : value));
  } else {
    return value;
  }
}
// Adds up the pixels around, each by its weight; `number` makes a number of a channel's bits.
template <int Dimensions, class F>
void sum_texels(const tn_bindless_pixels &pixels, const tn_bindless_level &level,
                const sample_place (&places)[3], unsigned layer, float (&sum)[4],
                const F &number) noexcept {
  for_each_corner<Dimensions>(places, [&](const int (&index)[3], float weight) {
    const std::byte *from = address_in<Dimensions>(level, pixel_size_of(pixels), index, layer);
    if (from) {
      std::uint32_t bits[4];
      load_texel(pixels, from, bits);
      for (int c = 0; c < 4; ++c) {
        sum[c] += weight * number(bits[c]);
      }
    }
  });
}
template <int Dimensions, class E>
void sample_in(const tn_bindless_pixels &pixels, const tn_bindless_level &level,
               const float (&at)[3], unsigned layer, E (&out)[4]) noexcept {
  const bool is_linear = pixels.sampler.is_linear;
  sample_place places[3];
  place_texels<Dimensions>(pixels, level, at, is_linear, places);
  if (!is_linear) {
    read_texel<Dimensions>(pixels, level, {places[0].low, places[1].low, places[2].low}, layer,
                           out);
    return;
  }
  const int size = pixels.channel_size;
  const int unused = 32 - 8 * size;
  const float most = size == 1 ? 127.0f : 32767.0f;  // of snorm; for unorm twice as many and 1
  float sum[4] = {0, 0, 0, 0};
  float scale = 1.0f;
  switch (pixels.kind) {
    case TN_PIXELS_UNORM:
      scale = 1.0f / (2.0f * most + 1.0f);
      [[fallthrough]];
    case TN_PIXELS_UINT:
      sum_texels<Dimensions>(pixels, level, places, layer, sum,
                             [](std::uint32_t bits) { return static_cast<float>(bits); });
      break;
    case TN_PIXELS_SNORM:
      scale = 1.0f / most;
      sum_texels<Dimensions>(pixels, level, places, layer, sum, [=](std::uint32_t bits) {
        const auto value = static_cast<float>(static_cast<std::int32_t>(bits << unused) >> unused);
        return value < -most ? -most : value;
      });
      break;
    case TN_PIXELS_SINT:
      sum_texels<Dimensions>(pixels, level, places, layer, sum, [=](std::uint32_t bits) {
        return static_cast<float>(static_cast<std::int32_t>(bits << unused) >> unused);
      });
      break;
    default:
      sum_texels<Dimensions>(pixels, level, places, layer, sum,
                             [=](std::uint32_t bits) { return float_of_bits(bits, size); });
      break;
  }
  for (int c = 0; c < 4; ++c) {
    out[c] = filtered<E>(sum[c] * scale, pixels);
  }
  if (pixels.channel_count < 4) {
    out[3] = E(1);
  }
}

template <int Dimensions, bool HasLayer, class E>
void fetch_texel(std::uint64_t image, const int (&at)[3], unsigned layer, E (&out)[4]) noexcept {
  read_texel<Dimensions>(pixels_of(image), pixels_of(image).levels[0], at, layer, out);
}

template <int Dimensions, class E>
void sample_texel_at(std::uint64_t image, const float (&at)[3], float level, E (&out)[4]) noexcept {
  const tn_bindless_pixels &pixels = pixels_of(image);
  const auto last = static_cast<float>(pixels.level_count - 1);
  level = level < pixels.sampler.least_level  ? pixels.sampler.least_level
          : level > pixels.sampler.most_level ? pixels.sampler.most_level
                                              : level;
  level = level >= last ? last : level > 0.0f ? level : 0.0f;
  if (!pixels.sampler.is_linear_between_levels) {
    const int nearest = static_cast<int>(level + 0.5f);
    sample_in<Dimensions>(pixels, pixels.levels[nearest], at, 0, out);
    return;
  }
  const int low = static_cast<int>(level);
  const float weight = level - static_cast<float>(low);
  sample_in<Dimensions>(pixels, pixels.levels[low], at, 0, out);
  if (weight > 0.0f) {
    E high[4];
    sample_in<Dimensions>(pixels, pixels.levels[low + 1], at, 0, high);
    for (int c = 0; c < 4; ++c) {
      const auto low_value = static_cast<float>(out[c]);
      out[c] = filtered<E>(low_value + weight * (static_cast<float>(high[c]) - low_value), pixels);
    }
  }
}
// The level whose pixels are as far apart as the coordinates of neighbors.
template <int Dimensions, class E>
void sample_texel_along(std::uint64_t image, const float (&at)[3], const float (&dx)[3],
                        const float (&dy)[3], E (&out)[4]) noexcept {
  const tn_bindless_pixels &pixels = pixels_of(image);
  float lengths[2] = {0, 0};
  for (int d = 0; d < Dimensions; ++d) {
    const float scale =
        pixels.sampler.is_normalized ? static_cast<float>(pixels.levels[0].extent[d]) : 1.0f;
    lengths[0] += dx[d] * scale * dx[d] * scale;
    lengths[1] += dy[d] * scale * dy[d] * scale;
  }
  const float largest = lengths[0] > lengths[1] ? lengths[0] : lengths[1];
  sample_texel_at<Dimensions>(image, at, largest > 1.0f ? 0.5f * __builtin_log2f(largest) : 0.0f,
                              out);
}

template <int Dimensions, bool HasLayer, class E>
void sample_texel(std::uint64_t image, const float (&at)[3], unsigned layer, E (&out)[4]) noexcept {
  const tn_bindless_pixels &pixels = pixels_of(image);
  if constexpr (HasLayer) {
    const auto last = static_cast<unsigned>(pixels.levels[0].layer_count - 1);
    sample_in<Dimensions>(pixels, pixels.levels[0], at, layer < last ? layer : last, out);
  } else if (pixels.level_count > 1) {
    sample_texel_at<Dimensions>(image, at, 0.0f, out);
  } else {
    sample_in<Dimensions>(pixels, pixels.levels[0], at, 0, out);
  }
}

// The face that a direction points at is that of its largest coordinate.
template <class E>
void sample_texel_of_cube(std::uint64_t image, const float (&to)[3], E (&out)[4]) noexcept {
  const tn_bindless_pixels &pixels = pixels_of(image);
  const float x = __builtin_fabsf(to[0]);
  const float y = __builtin_fabsf(to[1]);
  const float z = __builtin_fabsf(to[2]);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const bool is_negative = to[axis] < 0.0f;
  const float sign = is_negative ? -1.0f : 1.0f;
  const float across = axis == 0 ? -sign * to[2] : axis == 1 ? to[0] : sign * to[0];
  const float down = axis == 1 ? sign * to[2] : -to[1];
  const float length = axis == 0 ? x : axis == 1 ? y : z;
  const float scale = length > 0.0f ? 0.5f / length : 0.0f;
  float at[3] = {across * scale + 0.5f, down * scale + 0.5f, 0.0f};
  if (!pixels.sampler.is_normalized) {
    at[0] *= static_cast<float>(pixels.levels[0].extent[0]);
    at[1] *= static_cast<float>(pixels.levels[0].extent[1]);
  }
  sample_in<2>(pixels, pixels.levels[0], at,
               2u * static_cast<unsigned>(axis) + (is_negative ? 1u : 0u), out);
}

// One channel of the four pixels that linear filtering takes, counter-clockwise from the lower left
// one, where the second coordinate is larger.
template <class E>
void gather_texels(std::uint64_t image, const float (&at)[3], unsigned channel,
                   E (&out)[4]) noexcept {
  const tn_bindless_pixels &pixels = pixels_of(image);
  sample_place places[3];
  place_texels<2>(pixels, pixels.levels[0], at, true, places);
  for (int corner = 0; corner < 4; ++corner) {
    E texel[4];
    read_texel<2>(pixels, pixels.levels[0],
                  {corner == 1 || corner == 2 ? places[0].high : places[0].low,
                   corner < 2 ? places[1].high : places[1].low, 0},
                  0, texel);
    out[corner] = texel[channel & 3u];
  }
}

}  // namespace sycl::detail::bindless

#endif
