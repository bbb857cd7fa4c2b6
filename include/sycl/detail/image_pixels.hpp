// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of images in linear memory: their place, reading, sampling and writing, by the code of
// kernels themselves. Source: SYCL 2020 section 4.7.3; OpenCL C 3.0 section 8 (image addressing and
// filtering).
#ifndef TENON_SYCL_DETAIL_IMAGE_PIXELS_HPP
#define TENON_SYCL_DETAIL_IMAGE_PIXELS_HPP

#include <sycl/detail/macros.hpp>
#include <sycl/half.hpp>
#include <sycl/vec.hpp>

#include <utility>

namespace sycl {

enum class image_format : unsigned char {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};
// Of SYCL 1.2.1's images and bindless ones.
enum class image_channel_type : unsigned char {
  snorm_int8,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  fp16,
  fp32
};
enum class image_channel_order : unsigned char {
  a,
  r,
  rx,
  rg,
  rgx,
  ra,
  rgb,
  rgbx,
  rgba,
  argb,
  bgra,
  intensity,
  luminance,
  abgr,
  ext_oneapi_srgba  // sycl_ext_oneapi_srgb: red, green and blue are on the sRGB curve
};
enum class addressing_mode : unsigned char {
  mirrored_repeat,
  repeat,
  clamp_to_edge,
  clamp,
  none,
  ext_oneapi_clamp_to_border = clamp
};
enum class filtering_mode : unsigned char { nearest, linear };
enum class coordinate_normalization_mode : unsigned char { normalized, unnormalized };

struct image_sampler {
  addressing_mode addressing;
  coordinate_normalization_mode coordinate;
  filtering_mode filtering;
  friend bool operator==(const image_sampler &lhs, const image_sampler &rhs) noexcept {
    return lhs.addressing == rhs.addressing && lhs.coordinate == rhs.coordinate &&
           lhs.filtering == rhs.filtering;
  }
  friend bool operator!=(const image_sampler &lhs, const image_sampler &rhs) noexcept {
    return !(lhs == rhs);
  }
};

namespace detail {

// The packed kinds are of SYCL 1.2.1's images: red, green and blue in one number.
enum class channel_kind : unsigned char {
  unorm,
  sint,
  uint,
  sfloat,
  snorm,
  packed_565,
  packed_555,
  packed_101010
};

// By image_channel_type.
struct channel_layout {
  channel_kind kind;
  unsigned char size;  // bytes
};
inline constexpr channel_layout channel_layouts[] = {
    {channel_kind::snorm, 1},         {channel_kind::snorm, 2},      {channel_kind::unorm, 1},
    {channel_kind::unorm, 2},         {channel_kind::packed_565, 2}, {channel_kind::packed_555, 2},
    {channel_kind::packed_101010, 4}, {channel_kind::sint, 1},       {channel_kind::sint, 2},
    {channel_kind::sint, 4},          {channel_kind::uint, 1},       {channel_kind::uint, 2},
    {channel_kind::uint, 4},          {channel_kind::sfloat, 2},     {channel_kind::sfloat, 4}};
constexpr bool is_packed(channel_kind kind) noexcept { return kind >= channel_kind::packed_565; }

// Where an image's pixels are: the first dimension varies fastest.
struct image_shape {
  int extent[3] = {1, 1, 1};
  channel_kind kind = channel_kind::unorm;
  unsigned char channel_size = 1;
  // Other orders and counts than these two: only of SYCL 1.2.1's images.
  image_channel_order order = image_channel_order::rgba;  // or bgra
  unsigned char channel_count = 4;
  std::size_t row_pitch = 0;  // bytes, as the next one
  std::size_t slice_pitch = 0;

  std::size_t pixel_size() const noexcept { return std::size_t{channel_count} * channel_size; }
  bool is_bgra() const noexcept { return order == image_channel_order::bgra; }
  std::size_t size() const noexcept {
    return static_cast<std::size_t>(extent[0]) * static_cast<std::size_t>(extent[1]) *
           static_cast<std::size_t>(extent[2]);
  }
  std::size_t byte_size() const noexcept {
    return slice_pitch * static_cast<std::size_t>(extent[2]);
  }
  bool has(int x, int y, int z) const noexcept {
    return x >= 0 && x < extent[0] && y >= 0 && y < extent[1] && z >= 0 && z < extent[2];
  }
  std::size_t place(int x, int y, int z) const noexcept {
    return static_cast<std::size_t>(z) * slice_pitch + static_cast<std::size_t>(y) * row_pitch +
           static_cast<std::size_t>(x) * pixel_size();
  }
  void set_format(image_format format) noexcept {
    using f = image_format;
    const bool is_unorm = format == f::r8g8b8a8_unorm || format == f::r16g16b16a16_unorm ||
                          format == f::b8g8r8a8_unorm;
    const bool is_sint = format == f::r8g8b8a8_sint || format == f::r16g16b16a16_sint ||
                         format == f::r32b32g32a32_sint;
    const bool is_uint = format == f::r8g8b8a8_uint || format == f::r16g16b16a16_uint ||
                         format == f::r32b32g32a32_uint;
    const bool is_byte = format == f::r8g8b8a8_unorm || format == f::r8g8b8a8_sint ||
                         format == f::r8g8b8a8_uint || format == f::b8g8r8a8_unorm;
    const bool is_word = format == f::r32b32g32a32_sint || format == f::r32b32g32a32_uint ||
                         format == f::r32g32b32a32_sfloat;
    kind = is_unorm  ? channel_kind::unorm
           : is_sint ? channel_kind::sint
           : is_uint ? channel_kind::uint
                     : channel_kind::sfloat;
    channel_size = is_byte ? 1 : is_word ? 4 : 2;
    order = format == f::b8g8r8a8_unorm ? image_channel_order::bgra : image_channel_order::rgba;
  }
};

template <class T>
struct pixel_element;
template <class T>
struct pixel_element<vec<T, 4>> {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, half> ||
                    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t>,
                "an image's element is a float4, half4, int4 or uint4");
  using type = T;
};

// The four channels' bits. Their indices are constants where code is optimized: no memory.
struct pixel_bits {
  std::uint32_t channels[4];
};

// Devices give memory at addresses that fit whole pixels; a program need not.
template <std::size_t Size, class Byte>
Byte *pixel_address(Byte *at) noexcept {
#if TN_SYCL_ON_GPU
  return static_cast<Byte *>(__builtin_assume_aligned(at, Size));
#else
  return at;
#endif
}
template <int Size>
pixel_bits load_pixel(const std::byte *at) noexcept {
  std::uint32_t words[4];
  __builtin_memcpy(words, pixel_address<4 * Size>(at), 4 * Size);
  if constexpr (Size == 1) {
    return {{words[0] & 0xffu, words[0] >> 8 & 0xffu, words[0] >> 16 & 0xffu, words[0] >> 24}};
  } else if constexpr (Size == 2) {
    return {{words[0] & 0xffffu, words[0] >> 16, words[1] & 0xffffu, words[1] >> 16}};
  } else {
    return {{words[0], words[1], words[2], words[3]}};
  }
}
inline pixel_bits load_pixel(const std::byte *at, const image_shape &shape) noexcept {
  return shape.channel_size == 1   ? load_pixel<1>(at)
         : shape.channel_size == 2 ? load_pixel<2>(at)
                                   : load_pixel<4>(at);
}
inline void store_pixel(std::byte *at, const image_shape &shape, const pixel_bits &bits) noexcept {
  const std::uint32_t (&c)[4] = bits.channels;
  if (shape.channel_size == 1) {
    const std::uint32_t word = c[0] | c[1] << 8 | c[2] << 16 | c[3] << 24;
    __builtin_memcpy(pixel_address<4>(at), &word, 4);
  } else if (shape.channel_size == 2) {
    const std::uint32_t words[2] = {c[0] | c[1] << 16, c[2] | c[3] << 16};
    __builtin_memcpy(pixel_address<8>(at), words, 8);
  } else {
    __builtin_memcpy(pixel_address<16>(at), c, 16);
  }
}

// As `value / most` rounds; divisions are long on GPUs.
inline float part_of(float value, float most) noexcept {
#if TN_SYCL_ON_GPU
  const float inverse = 1.0f / most;
  const float near = value * inverse;
  return __builtin_fmaf(__builtin_fmaf(-near, most, value), inverse, near);
#else
  return value / most;
#endif
}
inline float normalized(float value, int channel_size) noexcept {
  return channel_size == 1 ? part_of(value, 255.0f) : part_of(value, 65535.0f);
}
// By integers where a device may lack halves: images need no aspect::fp16.
#if defined(__SPIRV__) && defined(__SYCL_DEVICE_ONLY__)
inline float half_channel(std::uint32_t value) noexcept {
  return float_of_half(static_cast<std::uint16_t>(value));
}
inline std::uint32_t half_channel_bits(float value) noexcept { return half_of_float(value); }
#else
inline float half_channel(std::uint32_t value) noexcept {
  return static_cast<float>(__builtin_bit_cast(half, static_cast<std::uint16_t>(value)));
}
inline std::uint32_t half_channel_bits(float value) noexcept {
  return __builtin_bit_cast(std::uint16_t, static_cast<half>(value));
}
#endif
inline float float_of_bits(std::uint32_t value, int channel_size) noexcept {
  return channel_size == 2 ? half_channel(value) : __builtin_bit_cast(float, value);
}

template <class T>
T channel_value(std::uint32_t value, const image_shape &shape) noexcept {
  const int unused = 32 - 8 * shape.channel_size;
  switch (shape.kind) {
    case channel_kind::unorm:
      return static_cast<T>(normalized(static_cast<float>(value), shape.channel_size));
    case channel_kind::sint:
      return static_cast<T>(static_cast<std::int32_t>(value << unused) >> unused);
    case channel_kind::uint:
      return static_cast<T>(value);
    case channel_kind::snorm: {
      const auto part = static_cast<float>(static_cast<std::int32_t>(value << unused) >> unused) /
                        (shape.channel_size == 1 ? 127.0f : 32767.0f);
      return static_cast<T>(part < -1.0f ? -1.0f : part);
    }
    default:
      return static_cast<T>(float_of_bits(value, shape.channel_size));
  }
}
template <class T>
T channel_of(const pixel_bits &bits, int channel, const image_shape &shape) noexcept {
  return channel_value<T>(
      shape.is_bgra() && channel < 3 ? bits.channels[2 - channel] : bits.channels[channel], shape);
}

// To the nearest integer in that range; what is no number is 0.
template <class T>
std::int64_t clamped(T value, std::int64_t least, std::int64_t most) noexcept {
  if constexpr (std::is_integral_v<T>) {
    const auto wide = static_cast<std::int64_t>(value);
    return wide < least ? least : wide > most ? most : wide;
  } else {
    const auto real = __builtin_rintf(static_cast<float>(value));
    return real >= static_cast<float>(most)    ? most
           : real > static_cast<float>(least)  ? static_cast<std::int64_t>(real)
           : real <= static_cast<float>(least) ? least
                                               : 0;
  }
}

template <class T>
std::uint32_t bits_of_channel(T value, const image_shape &shape) noexcept {
  const int bits = 8 * shape.channel_size;
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  switch (shape.kind) {
    case channel_kind::unorm:
      return static_cast<std::uint32_t>(
          clamped(static_cast<float>(value) * static_cast<float>(most), 0, most));
    case channel_kind::sint:
      return static_cast<std::uint32_t>(clamped(value, -(most / 2) - 1, most / 2)) &
             static_cast<std::uint32_t>(most);
    case channel_kind::uint:
      return static_cast<std::uint32_t>(clamped(value, 0, most));
    case channel_kind::snorm:
      return static_cast<std::uint32_t>(
                 clamped(static_cast<float>(value) * static_cast<float>(most / 2), -(most / 2) - 1,
                         most / 2)) &
             static_cast<std::uint32_t>(most);
    default: {
      const auto real = static_cast<float>(value);
      return shape.channel_size == 2 ? half_channel_bits(real)
                                     : __builtin_bit_cast(std::uint32_t, real);
    }
  }
}

// Zeros outside of the image.
template <class T>
vec<T, 4> read_pixel(const std::byte *data, const image_shape &shape, int x, int y, int z) {
  if (!shape.has(x, y, z)) {
    return vec<T, 4>(T(0));
  }
  const pixel_bits bits = load_pixel(data + shape.place(x, y, z), shape);
  return vec<T, 4>(channel_of<T>(bits, 0, shape), channel_of<T>(bits, 1, shape),
                   channel_of<T>(bits, 2, shape), channel_of<T>(bits, 3, shape));
}
// Nothing outside of the image.
template <class T>
void write_pixel(std::byte *data, const image_shape &shape, int x, int y, int z,
                 const vec<T, 4> &color) {
  if (!shape.has(x, y, z)) {
    return;
  }
  pixel_bits bits = {{bits_of_channel<T>(color[0], shape), bits_of_channel<T>(color[1], shape),
                      bits_of_channel<T>(color[2], shape), bits_of_channel<T>(color[3], shape)}};
  if (shape.is_bgra()) {
    std::swap(bits.channels[0], bits.channels[2]);
  }
  store_pixel(data + shape.place(x, y, z), shape, bits);
}

// In one dimension: the pixels that a sample is made of; outside, they are no index of the image.
struct sample_place {
  int low = 0;
  int high = 0;
  float high_weight = 0;
};
inline sample_place place_sample(float at, int extent, const image_sampler &sampler,
                                 bool is_linear) noexcept {
  const bool is_normal = sampler.coordinate == coordinate_normalization_mode::normalized;
  const bool repeats = sampler.addressing == addressing_mode::repeat;
  const bool mirrors = sampler.addressing == addressing_mode::mirrored_repeat;
  const auto width = static_cast<float>(extent);
  if (repeats || mirrors) {
    const float part = is_normal ? at : at / width;
    at = width * (repeats ? part - __builtin_floorf(part)
                          : __builtin_fabsf(part - 2.0f * __builtin_rintf(0.5f * part)));
  } else if (is_normal) {
    at *= width;
  }
  // Farther away it makes no difference, and fits an int; so does what is no number.
  at = !(at >= -2.0f) ? -2.0f : at > width + 2.0f ? width + 2.0f : at;
  at -= is_linear ? 0.5f : 0.0f;
  const float low = __builtin_floorf(at);
  sample_place place = {static_cast<int>(low), static_cast<int>(low), 0.0f};
  if (is_linear) {
    place.high += 1;
    place.high_weight = at - low;
  }
  const auto fit = [&](int index) {
    if (repeats) {
      index += index < 0 ? extent : index >= extent ? -extent : 0;
    }
    return sampler.addressing == addressing_mode::clamp ? index
           : index < 0                                  ? 0
           : index >= extent                            ? extent - 1
                                                        : index;
  };
  place.low = fit(place.low);
  place.high = fit(place.high);
  return place;
}

// Calls `f` with the index of each pixel around, and its weight.
template <int Dimensions, class F>
void for_each_corner(const sample_place (&places)[3], F &&f) noexcept {
  for (int corner = 0; corner < 1 << Dimensions; ++corner) {
    int index[3] = {0, 0, 0};
    float weight = 1;
    for (int d = 0; d < Dimensions; ++d) {
      const bool is_high = (corner >> d & 1) != 0;
      index[d] = is_high ? places[d].high : places[d].low;
      weight *= is_high ? places[d].high_weight : 1.0f - places[d].high_weight;
    }
    f(index, weight);
  }
}

// Adds up the pixels around, each by its weight, as they are in memory.
template <int Dimensions, int Size, channel_kind Kind>
void sum_pixels(const std::byte *data, const image_shape &shape, const sample_place (&places)[3],
                bool has_border, float (&sum)[4]) noexcept {
  for_each_corner<Dimensions>(places, [&](const int (&index)[3], float weight) {
    if (has_border && !shape.has(index[0], index[1], index[2])) {
      return;
    }
    const pixel_bits bits = load_pixel<Size>(data + shape.place(index[0], index[1], index[2]));
    for (int c = 0; c < 4; ++c) {
      const std::uint32_t value = bits.channels[c];
      sum[c] += weight * (Kind == channel_kind::unorm ? static_cast<float>(value)
                                                      : float_of_bits(value, Size));
    }
  });
}

// Integers are not filtered: the nearest one is taken. The border's color is zeros.
template <class T, int Dimensions>
vec<T, 4> sample_pixel(const std::byte *data, const image_shape &shape,
                       const image_sampler &sampler, const float (&at)[3]) {
  const bool is_unorm = shape.kind == channel_kind::unorm;
  const bool is_linear = !std::is_integral_v<T> && sampler.filtering == filtering_mode::linear &&
                         (is_unorm || shape.kind == channel_kind::sfloat);
  const bool has_border = sampler.addressing == addressing_mode::clamp;
  sample_place places[3];
  for (int d = 0; d < Dimensions; ++d) {
    places[d] = place_sample(at[d], shape.extent[d], sampler, is_linear);
  }
  if (!is_linear) {
    return read_pixel<T>(data, shape, places[0].low, places[1].low, places[2].low);
  }
  float sum[4] = {0, 0, 0, 0};
  if (is_unorm) {
    shape.channel_size == 1
        ? sum_pixels<Dimensions, 1, channel_kind::unorm>(data, shape, places, has_border, sum)
        : sum_pixels<Dimensions, 2, channel_kind::unorm>(data, shape, places, has_border, sum);
    for (float &each : sum) {
      each = normalized(each, shape.channel_size);
    }
  } else {
    shape.channel_size == 2
        ? sum_pixels<Dimensions, 2, channel_kind::sfloat>(data, shape, places, has_border, sum)
        : sum_pixels<Dimensions, 4, channel_kind::sfloat>(data, shape, places, has_border, sum);
  }
  return vec<T, 4>(static_cast<T>(shape.is_bgra() ? sum[2] : sum[0]), static_cast<T>(sum[1]),
                   static_cast<T>(shape.is_bgra() ? sum[0] : sum[2]), static_cast<T>(sum[3]));
}

}  // namespace detail

}  // namespace sycl

#endif
