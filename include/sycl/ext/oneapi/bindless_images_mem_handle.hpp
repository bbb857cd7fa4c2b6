// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a bindless image. Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_EXT_BINDLESS_IMAGES_MEM_HANDLE_HPP
#define TENON_SYCL_EXT_BINDLESS_IMAGES_MEM_HANDLE_HPP

#include <cstdint>

namespace sycl::ext::oneapi::experimental {

// Of the C API's tn_bindless_memory, the address.
struct image_mem_handle {
  using raw_handle_type = std::uintptr_t;
  raw_handle_type raw_handle;
};

}  // namespace sycl::ext::oneapi::experimental

#endif
