// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindless images in kernels: fetching, sampling and writing pixels. Included by
// bindless_images.hpp. Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_DETAIL_BINDLESS_ACCESS_HPP
#define TENON_SYCL_DETAIL_BINDLESS_ACCESS_HPP

#include <sycl/detail/check.hpp>
#include <sycl/vec.hpp>
#ifdef __SYCL_DEVICE_ONLY__
#ifdef __NVPTX__
#include <sycl/detail/bindless_textures.hpp>
#else
#include <sycl/detail/bindless_pixels.hpp>
#endif
#endif

namespace sycl {

namespace ext::oneapi::experimental {

// The number is a tn_bindless_image_create's.
struct unsampled_image_handle {
  using raw_image_handle_type = std::uint64_t;
  raw_image_handle_type raw_handle;
  unsampled_image_handle() : raw_handle(0) {}
  unsampled_image_handle(raw_image_handle_type raw_image_handle) : raw_handle(raw_image_handle) {}
};
struct sampled_image_handle {
  using raw_image_handle_type = std::uint64_t;
  raw_image_handle_type raw_handle;
  sampled_image_handle() : raw_handle(0) {}
  sampled_image_handle(raw_image_handle_type handle) : raw_handle(handle) {}
};

}  // namespace ext::oneapi::experimental

namespace detail::bindless {

template <class T>
inline constexpr bool is_vec = false;
template <class T, int N>
inline constexpr bool is_vec<vec<T, N>> = true;

// T is the type of a coordinate, or a vec of 2 or 3.
template <class CoordT, class T>
struct coordinates {
  static constexpr int count = std::is_same_v<CoordT, T> ? 1 : 0;
  static void write(const CoordT &coords, T (&out)[3]) { out[0] = coords; }
};
template <class T, int N>
struct coordinates<vec<T, N>, T> {
  static constexpr int count = N <= 3 ? N : 0;
  static void write(const vec<T, N> &coords, T (&out)[3]) {
    for (int d = 0; d < N; ++d) {
      out[d] = coords[d];
    }
  }
};
template <class T, int Most, class CoordT>
constexpr int dimensions_of() {
  constexpr int count = coordinates<CoordT, T>::count;
  static_assert(count >= 1 && count <= Most,
                "the coordinates of an image are an int (when sampled, a float) or a sycl::vec of "
                "them, one for each dimension");
  return count;
}

// The types that pixels are read as, before a bit cast to others of the same size.
template <class DataT>
inline constexpr bool is_plain =
    is_vec<DataT> || std::is_arithmetic_v<DataT> || std::is_same_v<DataT, half>;
template <class DataT, class HintT>
using plain_type = std::conditional_t<is_plain<DataT>, DataT, HintT>;
template <class DataT, class HintT>
constexpr void check_types() {
  static_assert(is_plain<DataT> || (is_plain<HintT> && sizeof(HintT) == sizeof(DataT)),
                "for a type of your own, HintT is a number or a sycl::vec of the same size");
  static_assert(sizeof(DataT) == 1 || sizeof(DataT) == 2 || sizeof(DataT) == 4 ||
                    sizeof(DataT) == 8 || sizeof(DataT) == 16,
                "a pixel has 1, 2, 4, 8 or 16 bytes");
}

#ifdef __SYCL_DEVICE_ONLY__

template <class T>
struct texel_parts {
  using type = T;
  static constexpr int count = 1;
};
template <class T, int N>
struct texel_parts<vec<T, N>> {
  using type = T;
  static constexpr int count = N;
};
// The type that a sampler returns for a channel of T.
template <class T>
using texel_element =
    std::conditional_t<!std::is_integral_v<T>, float,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>;

// Calls `read` for four numbers and makes DataT of them.
template <class DataT, class HintT, class F>
DataT texel_as(const F &read) {
  check_types<DataT, HintT>();
  using plain = plain_type<DataT, HintT>;
  using part = typename texel_parts<plain>::type;
  static_assert(texel_parts<plain>::count <= 4, "a pixel has 1 to 4 channels");
  texel_element<part> texel[4];
  read(texel);
  plain color{};
  if constexpr (is_vec<plain>) {
    for (int c = 0; c < texel_parts<plain>::count; ++c) {
      color[c] = static_cast<part>(texel[c]);
    }
  } else {
    color = static_cast<part>(texel[0]);
  }
  return __builtin_bit_cast(DataT, color);
}

#define TN_SYCL_IN_KERNELS(...) __VA_ARGS__

#else

[[noreturn]] inline void refuse_on_host() {
  raise(errc::feature_not_supported,
        "bindless images are fetched, sampled and written in kernels, not on the host");
}

#define TN_SYCL_IN_KERNELS(...) sycl::detail::bindless::refuse_on_host();

#endif

template <class T, class CoordT>
struct point {
  explicit point(const CoordT &coords) { coordinates<CoordT, T>::write(coords, at); }
  T at[3] = {0, 0, 0};
};
template <class T, bool HasLayer, class CoordT>
inline constexpr int dimensions_at = dimensions_of<T, HasLayer ? 2 : 3, CoordT>();

template <bool HasLayer, class DataT, class HintT, class CoordT>
DataT fetch_unsampled(std::uint64_t image [[maybe_unused]], const CoordT &coords [[maybe_unused]],
                      unsigned layer [[maybe_unused]]) {
  [[maybe_unused]] constexpr int dims = dimensions_at<int, HasLayer, CoordT>;
  check_types<DataT, HintT>();
  TN_SYCL_IN_KERNELS(
      { return fetch_raw<DataT, dims, HasLayer>(image, point<int, CoordT>(coords).at, layer); })
}
template <bool HasLayer, class DataT, class CoordT>
void write_unsampled(std::uint64_t image [[maybe_unused]], const CoordT &coords [[maybe_unused]],
                     unsigned layer [[maybe_unused]], const DataT &color [[maybe_unused]]) {
  [[maybe_unused]] constexpr int dims = dimensions_at<int, HasLayer, CoordT>;
  TN_SYCL_IN_KERNELS(
      { write_raw<DataT, dims, HasLayer>(image, point<int, CoordT>(coords).at, layer, color); })
}
template <bool HasLayer, class DataT, class HintT, class CoordT>
DataT fetch_sampled(std::uint64_t image [[maybe_unused]], const CoordT &coords [[maybe_unused]],
                    unsigned layer [[maybe_unused]]) {
  [[maybe_unused]] constexpr int dims = dimensions_at<int, HasLayer, CoordT>;
  TN_SYCL_IN_KERNELS({
    return texel_as<DataT, HintT>([&](auto &texel) {
      fetch_texel<dims, HasLayer>(image, point<int, CoordT>(coords).at, layer, texel);
    });
  })
}
template <bool HasLayer, class DataT, class HintT, class CoordT>
DataT sample(std::uint64_t image [[maybe_unused]], const CoordT &coords [[maybe_unused]],
             unsigned layer [[maybe_unused]]) {
  [[maybe_unused]] constexpr int dims = dimensions_at<float, HasLayer, CoordT>;
  TN_SYCL_IN_KERNELS({
    return texel_as<DataT, HintT>([&](auto &texel) {
      sample_texel<dims, HasLayer>(image, point<float, CoordT>(coords).at, layer, texel);
    });
  })
}

}  // namespace detail::bindless

namespace ext::oneapi::experimental {

// ---- Unsampled: the bytes as they are in memory. Outside of the image they are zeros, and writing
// has no effect.

template <class DataT, class HintT = DataT, class CoordT>
DataT fetch_image(const unsampled_image_handle &imageHandle, const CoordT &coords) {
  return sycl::detail::bindless::fetch_unsampled<false, DataT, HintT>(imageHandle.raw_handle,
                                                                      coords, 0);
}
template <class DataT, class HintT = DataT, class CoordT>
DataT fetch_image_array(const unsampled_image_handle &imageHandle, const CoordT &coords,
                        unsigned arrayLayer) {
  return sycl::detail::bindless::fetch_unsampled<true, DataT, HintT>(imageHandle.raw_handle, coords,
                                                                     arrayLayer);
}
template <class DataT, class HintT = DataT>
DataT fetch_cubemap(const unsampled_image_handle &imageHandle, const vec<std::int32_t, 2> &coords,
                    unsigned face) {
  return fetch_image_array<DataT, HintT>(imageHandle, coords, face);
}

template <class DataT, class CoordT>
void write_image(unsampled_image_handle imageHandle, const CoordT &coords, const DataT &color) {
  sycl::detail::bindless::write_unsampled<false>(imageHandle.raw_handle, coords, 0, color);
}
template <class DataT, class CoordT>
void write_image_array(unsampled_image_handle imageHandle, const CoordT &coords,
                       unsigned arrayLayer, const DataT &color) {
  sycl::detail::bindless::write_unsampled<true>(imageHandle.raw_handle, coords, arrayLayer, color);
}
template <class DataT>
void write_cubemap(unsampled_image_handle imageHandle, const vec<std::int32_t, 2> &coords, int face,
                   const DataT &color) {
  write_image_array(imageHandle, coords, static_cast<unsigned>(face), color);
}

// ---- Sampled: unorm and snorm channels are floating-point numbers.

// One pixel, without filtering. The value of pixels outside of the image is undefined.
template <class DataT, class HintT = DataT, class CoordT>
DataT fetch_image(const sampled_image_handle &imageHandle, const CoordT &coords) {
  return sycl::detail::bindless::fetch_sampled<false, DataT, HintT>(imageHandle.raw_handle, coords,
                                                                    0);
}
template <class DataT, class HintT = DataT, class CoordT>
DataT fetch_image_array(const sampled_image_handle &imageHandle, const CoordT &coords,
                        unsigned arrayLayer) {
  return sycl::detail::bindless::fetch_sampled<true, DataT, HintT>(imageHandle.raw_handle, coords,
                                                                   arrayLayer);
}
template <class DataT, class HintT = DataT, class CoordT>
DataT sample_image(const sampled_image_handle &imageHandle, const CoordT &coords) {
  return sycl::detail::bindless::sample<false, DataT, HintT>(imageHandle.raw_handle, coords, 0);
}
template <class DataT, class HintT = DataT, class CoordT>
DataT sample_image_array(const sampled_image_handle &imageHandle, const CoordT &coords,
                         unsigned arrayLayer) {
  return sycl::detail::bindless::sample<true, DataT, HintT>(imageHandle.raw_handle, coords,
                                                            arrayLayer);
}
// At a level of a mipmap, within what the sampler allows.
template <class DataT, class HintT = DataT, class CoordT>
DataT sample_mipmap(const sampled_image_handle &imageHandle [[maybe_unused]],
                    const CoordT &coords [[maybe_unused]], const float level [[maybe_unused]]) {
  namespace b = sycl::detail::bindless;
  [[maybe_unused]] constexpr int dims = b::dimensions_of<float, 3, CoordT>();
  TN_SYCL_IN_KERNELS({
    return b::texel_as<DataT, HintT>([&](auto &texel) {
      b::sample_texel_at<dims>(imageHandle.raw_handle, b::point<float, CoordT>(coords).at, level,
                               texel);
    });
  })
}
// At the level that suits the distances to the coordinates of neighbors.
template <class DataT, class HintT = DataT, class CoordT>
DataT sample_mipmap(const sampled_image_handle &imageHandle [[maybe_unused]],
                    const CoordT &coords [[maybe_unused]], const CoordT &dX [[maybe_unused]],
                    const CoordT &dY [[maybe_unused]]) {
  namespace b = sycl::detail::bindless;
  [[maybe_unused]] constexpr int dims = b::dimensions_of<float, 3, CoordT>();
  TN_SYCL_IN_KERNELS({
    return b::texel_as<DataT, HintT>([&](auto &texel) {
      b::sample_texel_along<dims>(imageHandle.raw_handle, b::point<float, CoordT>(coords).at,
                                  b::point<float, CoordT>(dX).at, b::point<float, CoordT>(dY).at,
                                  texel);
    });
  })
}
// In a direction from the middle of the cube.
template <class DataT, class HintT = DataT>
DataT sample_cubemap(const sampled_image_handle &imageHandle [[maybe_unused]],
                     const vec<float, 3> &dirVec [[maybe_unused]]) {
  namespace b = sycl::detail::bindless;
  TN_SYCL_IN_KERNELS({
    return b::texel_as<DataT, HintT>([&](auto &texel) {
      b::sample_texel_of_cube(imageHandle.raw_handle, b::point<float, vec<float, 3>>(dirVec).at,
                              texel);
    });
  })
}
// Channel `i` of the four pixels that linear filtering would take.
template <class DataT>
std::enable_if_t<std::is_same_v<DataT, vec<float, 4>> ||
                     std::is_same_v<DataT, vec<std::int32_t, 4>> ||
                     std::is_same_v<DataT, vec<std::uint32_t, 4>>,
                 DataT>
gather_image(const sampled_image_handle &imageHandle [[maybe_unused]],
             const vec<float, 2> &coords [[maybe_unused]], const unsigned i [[maybe_unused]]) {
  namespace b = sycl::detail::bindless;
  TN_SYCL_IN_KERNELS({
    return b::texel_as<DataT, DataT>([&](auto &texel) {
      b::gather_texels(imageHandle.raw_handle, b::point<float, vec<float, 2>>(coords).at, i, texel);
    });
  })
}

#undef TN_SYCL_IN_KERNELS

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
