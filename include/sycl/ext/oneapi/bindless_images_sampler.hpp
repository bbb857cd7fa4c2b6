// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a bindless image is sampled. Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_EXT_BINDLESS_IMAGES_SAMPLER_HPP
#define TENON_SYCL_EXT_BINDLESS_IMAGES_SAMPLER_HPP

#include <sycl/detail/image_pixels.hpp>

namespace sycl::ext::oneapi::experimental {

enum class cubemap_filtering_mode : unsigned { disjointed = 0, seamless = 1 };

struct bindless_image_sampler {
  addressing_mode addressing[3] = {addressing_mode::none, addressing_mode::none,
                                   addressing_mode::none};
  coordinate_normalization_mode coordinate = coordinate_normalization_mode::unnormalized;
  filtering_mode filtering = filtering_mode::nearest;
  filtering_mode mipmap_filtering = filtering_mode::nearest;
  cubemap_filtering_mode cubemap_filtering = cubemap_filtering_mode::disjointed;
  float min_mipmap_level_clamp = 0;
  float max_mipmap_level_clamp = 0;
  float max_anisotropy = 0;

  bindless_image_sampler() = default;
  // One mode for each dimension.
  bindless_image_sampler(addressing_mode addr[3], coordinate_normalization_mode coordinate,
                         filtering_mode filtering)
      : addressing{addr[0], addr[1], addr[2]}, coordinate(coordinate), filtering(filtering) {}
  bindless_image_sampler(addressing_mode addr[3], coordinate_normalization_mode coordinate,
                         filtering_mode filtering, filtering_mode mipmapFiltering,
                         float minMipmapLevelClamp, float maxMipmapLevelClamp, float maxAnisotropy)
      : bindless_image_sampler(addr, coordinate, filtering) {
    set_mipmap(mipmapFiltering, minMipmapLevelClamp, maxMipmapLevelClamp, maxAnisotropy);
  }
  bindless_image_sampler(addressing_mode addr[3], coordinate_normalization_mode coordinate,
                         filtering_mode filtering, cubemap_filtering_mode cubemapFiltering)
      : bindless_image_sampler(addr, coordinate, filtering) {
    cubemap_filtering = cubemapFiltering;
  }
  // The same mode for all dimensions.
  bindless_image_sampler(addressing_mode addr, coordinate_normalization_mode coordinate,
                         filtering_mode filtering)
      : addressing{addr, addr, addr}, coordinate(coordinate), filtering(filtering) {}
  bindless_image_sampler(addressing_mode addr, coordinate_normalization_mode coordinate,
                         filtering_mode filtering, filtering_mode mipmapFiltering,
                         float minMipmapLevelClamp, float maxMipmapLevelClamp, float maxAnisotropy)
      : bindless_image_sampler(addr, coordinate, filtering) {
    set_mipmap(mipmapFiltering, minMipmapLevelClamp, maxMipmapLevelClamp, maxAnisotropy);
  }
  bindless_image_sampler(addressing_mode addr, coordinate_normalization_mode coordinate,
                         filtering_mode filtering, cubemap_filtering_mode cubemapFiltering)
      : bindless_image_sampler(addr, coordinate, filtering) {
    cubemap_filtering = cubemapFiltering;
  }

 private:
  void set_mipmap(filtering_mode between_levels, float least_level, float most_level,
                  float anisotropy) {
    mipmap_filtering = between_levels;
    min_mipmap_level_clamp = least_level;
    max_mipmap_level_clamp = most_level;
    max_anisotropy = anisotropy;
  }
};

}  // namespace sycl::ext::oneapi::experimental

#endif
