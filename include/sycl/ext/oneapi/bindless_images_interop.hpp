// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and semaphores of other APIs: the types. No device imports any, so that each function
// throws errc::feature_not_supported. Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_EXT_BINDLESS_IMAGES_INTEROP_HPP
#define TENON_SYCL_EXT_BINDLESS_IMAGES_INTEROP_HPP

#include <cstddef>

namespace sycl::ext::oneapi::experimental {

enum class external_mem_handle_type {
  opaque_fd = 0,
  win32_nt_handle = 1,
  win32_nt_dx12_resource = 2,
  dma_buf = 3,
  win32_nt_dx11_resource = 4
};
enum class external_semaphore_handle_type {
  opaque_fd = 0,
  win32_nt_handle = 1,
  win32_nt_dx12_fence = 2,
  timeline_fd = 3,
  timeline_win32_nt_handle = 4,
  win32_nt_dx11_fence = 5
};

struct external_mem {
  using raw_handle_type = void *;
  raw_handle_type raw_handle;
};
struct external_semaphore {
  using raw_handle_type = void *;
  raw_handle_type raw_handle;
  external_semaphore_handle_type handle_type;
};

struct resource_fd {
  int file_descriptor;
};
struct resource_win32_handle {
  void *handle;
};
struct resource_win32_name {
  const void *name;
};

template <class ResourceType>
struct external_mem_descriptor {
  ResourceType external_resource;
  external_mem_handle_type handle_type;
  std::size_t size_in_bytes;
};
template <class ResourceType>
struct external_semaphore_descriptor {
  ResourceType external_resource;
  external_semaphore_handle_type handle_type;
};

}  // namespace sycl::ext::oneapi::experimental

#endif
