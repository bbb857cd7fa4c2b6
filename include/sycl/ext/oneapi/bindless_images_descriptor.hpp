// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a bindless image: dimensions and channels.
// Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_EXT_BINDLESS_IMAGES_DESCRIPTOR_HPP
#define TENON_SYCL_EXT_BINDLESS_IMAGES_DESCRIPTOR_HPP

#include "tenon/bindless_image.h"
#include <sycl/detail/check.hpp>
#include <sycl/detail/image_pixels.hpp>
#include <sycl/range.hpp>

namespace sycl::ext::oneapi::experimental {

// The values are the C API's.
enum class image_type : unsigned {
  standard = TN_BINDLESS_STANDARD,
  mipmap = TN_BINDLESS_MIPMAP,
  array = TN_BINDLESS_ARRAY,
  cubemap = TN_BINDLESS_CUBEMAP,
  gather = TN_BINDLESS_GATHER
};

// Dimensions that the image does not have are 0.
struct image_descriptor {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t depth = 0;
  unsigned num_channels = 4;
  image_channel_type channel_type = image_channel_type::fp32;
  image_type type = image_type::standard;
  unsigned num_levels = 1;
  unsigned array_size = 1;

  image_descriptor() = default;
  image_descriptor(range<1> dims, unsigned num_channels, image_channel_type channel_type,
                   image_type type = image_type::standard, unsigned num_levels = 1,
                   unsigned array_size = 1)
      : image_descriptor(range<3>(dims[0], 0, 0), num_channels, channel_type, type, num_levels,
                         array_size) {}
  image_descriptor(range<2> dims, unsigned num_channels, image_channel_type channel_type,
                   image_type type = image_type::standard, unsigned num_levels = 1,
                   unsigned array_size = 1)
      : image_descriptor(range<3>(dims[0], dims[1], 0), num_channels, channel_type, type,
                         num_levels, array_size) {}
  image_descriptor(range<3> dims, unsigned num_channels, image_channel_type channel_type,
                   image_type type = image_type::standard, unsigned num_levels = 1,
                   unsigned array_size = 1)
      : width(dims[0]),
        height(dims[1]),
        depth(dims[2]),
        num_channels(num_channels),
        channel_type(channel_type),
        type(type),
        num_levels(num_levels),
        array_size(array_size) {
    verify();
  }

  image_descriptor get_mip_level_desc(unsigned level) const {
    if (type != image_type::mipmap) {
      sycl::detail::raise(errc::invalid,
                          "image_descriptor::get_mip_level_desc: the image is no mipmap");
    }
    return image_descriptor(
        range<3>(extent_at(width, level), extent_at(height, level), extent_at(depth, level)),
        num_channels, channel_type);
  }

  // Throws errc::invalid.
  void verify() const {
    const char *const text = find_mistake();
    if (text) {
      sycl::detail::raise(errc::invalid, text);
    }
  }

 private:
  static std::size_t extent_at(std::size_t extent, unsigned level) {
    return extent == 0 || extent >> level > 0 ? extent >> level : 1;
  }
  const char *find_mistake() const {
    if (num_channels < 1 || num_channels > 4) {
      return "image_descriptor: an image has 1 to 4 channels";
    }
    if (type == image_type::mipmap ? num_levels < 2
                                   : type != image_type::gather && num_levels != 1) {
      return "image_descriptor: a mipmap has 2 levels or more, other images have 1";
    }
    switch (type) {
      case image_type::standard:
      case image_type::mipmap:
        return array_size > 1 ? "image_descriptor: only image arrays and cubemaps have layers"
                              : nullptr;
      case image_type::array:
        return array_size < 2 || depth != 0
                   ? "image_descriptor: an image array has 2 layers or more, of 1 or 2 dimensions"
                   : nullptr;
      case image_type::cubemap:
        return array_size != 6 || depth != 0 || height == 0 || width != height
                   ? "image_descriptor: a cubemap has 6 layers, which are square"
                   : nullptr;
      default:
        return width == 0 || height == 0 || depth != 0
                   ? "image_descriptor: images for gathering have 2 dimensions"
                   : nullptr;
    }
  }
};

}  // namespace sycl::ext::oneapi::experimental

#endif
