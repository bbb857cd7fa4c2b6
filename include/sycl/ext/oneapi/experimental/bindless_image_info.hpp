// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device information descriptors of bindless images.
// Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_EXT_BINDLESS_IMAGE_INFO_HPP
#define TENON_SYCL_EXT_BINDLESS_IMAGE_INFO_HPP

#include "tenon/bindless_image.h"

#include <cstddef>
#include <cstdint>

namespace sycl::ext::oneapi::experimental::info::device {

#ifdef __SYCL_DEVICE_ONLY__
#define TN_SYCL_BINDLESS_FACT(name, type, field) \
  struct name {                                  \
    using return_type = type;                    \
    static type tn_query(const tn_device *);     \
  };
#else
#define TN_SYCL_BINDLESS_FACT(name, type, field)    \
  struct name {                                     \
    using return_type = type;                       \
    static type tn_query(const tn_device *device) { \
      tn_bindless_facts facts;                      \
      tn_bindless_get_facts(device, &facts);        \
      return facts.field;                           \
    }                                               \
  };
#endif
TN_SYCL_BINDLESS_FACT(image_row_pitch_align, std::uint32_t, row_pitch_alignment)
TN_SYCL_BINDLESS_FACT(max_image_linear_row_pitch, std::size_t, most_linear_row_pitch)
TN_SYCL_BINDLESS_FACT(max_image_linear_width, std::size_t, most_linear_width)
TN_SYCL_BINDLESS_FACT(max_image_linear_height, std::size_t, most_linear_height)
TN_SYCL_BINDLESS_FACT(mipmap_max_anisotropy, float, most_anisotropy)
#undef TN_SYCL_BINDLESS_FACT

}  // namespace sycl::ext::oneapi::experimental::info::device

#endif
