// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindless images: memory for pixels, and handles that kernels get as values or from memory.
// Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_EXT_BINDLESS_IMAGES_HPP
#define TENON_SYCL_EXT_BINDLESS_IMAGES_HPP

#include <sycl/detail/bindless_access.hpp>
#ifndef __TENON_RTC__  // kernels use images, and do not make them
#include <sycl/detail/bindless_copies.hpp>
#include <sycl/ext/oneapi/bindless_images_descriptor.hpp>
#include <sycl/ext/oneapi/bindless_images_interop.hpp>
#include <sycl/ext/oneapi/bindless_images_memory.hpp>
#include <sycl/ext/oneapi/bindless_images_sampler.hpp>
#include <sycl/ext/oneapi/experimental/bindless_image_info.hpp>

namespace sycl {

#ifndef __SYCL_DEVICE_ONLY__

namespace detail::bindless {

using ext::oneapi::experimental::bindless_image_sampler;

inline tn_bindless_memory *memory_of(image_mem_handle handle) {
  return reinterpret_cast<tn_bindless_memory *>(handle.raw_handle);
}
inline image_mem_handle handle_of(tn_bindless_memory *memory) {
  return {reinterpret_cast<std::uintptr_t>(memory)};
}

inline tn_bindless_description description_of(const image_descriptor &desc) {
  tn_bindless_description made = {};
  made.extent[0] = desc.width;
  made.extent[1] = desc.height;
  made.extent[2] = desc.depth;
  made.channel_count = desc.num_channels;
  made.channel_type = static_cast<std::int32_t>(desc.channel_type);
  made.type = static_cast<std::int32_t>(desc.type);
  made.level_count = desc.num_levels;
  made.layer_count = desc.array_size;
  return made;
}

inline tn_bindless_sampler sampler_of(const bindless_image_sampler &sampler) {
  using ext::oneapi::experimental::cubemap_filtering_mode;
  tn_bindless_sampler made = {};
  for (int d = 0; d < 3; ++d) {
    made.addressing[d] = static_cast<std::int32_t>(sampler.addressing[d]);
  }
  made.is_normalized = sampler.coordinate == coordinate_normalization_mode::normalized;
  made.is_linear = sampler.filtering == filtering_mode::linear;
  made.is_linear_between_levels = sampler.mipmap_filtering == filtering_mode::linear;
  made.is_seamless = sampler.cubemap_filtering == cubemap_filtering_mode::seamless;
  made.least_level = sampler.min_mipmap_level_clamp;
  made.most_level = sampler.max_mipmap_level_clamp;
  made.most_anisotropy = sampler.max_anisotropy;
  return made;
}

inline std::size_t pixel_size_of(const image_descriptor &desc) {
  const auto type = static_cast<std::size_t>(desc.channel_type);
  if (type >= std::size(channel_layouts) || is_packed(channel_layouts[type].kind)) {
    return 0;  // such images are not created
  }
  return std::size_t{channel_layouts[type].size} * desc.num_channels;
}

// The extension names one code for all failures of a function. Features that a device lacks stay
// errc::feature_not_supported.
inline void check_as(errc code, tn_status status, const tn_diag &diag) {
  if (status != TN_OK) {
    if (status == TN_UNSUPPORTED) {
      raise(diag);
    }
    raise(code, diag.text);
  }
}

// `make` is given the C API's description and sampler, and where the image and messages go.
template <class F>
std::uint64_t create_by(const image_descriptor &desc, const bindless_image_sampler *sampler,
                        const F &make) {
  const tn_bindless_description description = description_of(desc);
  const tn_bindless_sampler sampling = sampler ? sampler_of(*sampler) : tn_bindless_sampler();
  std::uint64_t image = 0;
  tn_diag diag;
  check_as(errc::runtime, make(&description, sampler ? &sampling : nullptr, &image, &diag), diag);
  return image;
}
TN_SYCL_COLD inline std::uint64_t create(image_mem_handle memory, const image_descriptor &desc,
                                         const bindless_image_sampler *sampler) {
  return create_by(desc, sampler, [&](auto... rest) {
    return tn_bindless_image_create(memory_of(memory), rest...);
  });
}
TN_SYCL_COLD inline std::uint64_t create(void *memory, std::size_t pitch,
                                         const image_descriptor &desc,
                                         const bindless_image_sampler *sampler, const device &dev,
                                         const context &ctx) {
  return create_by(desc, sampler, [&](auto... rest) {
    return tn_bindless_image_create_of_usm(ctx.tn_get(), dev.tn_get(), memory, pitch, rest...);
  });
}
TN_SYCL_COLD inline void destroy(std::uint64_t image, bool is_sampled, const device &dev,
                                 const context &ctx) {
  tn_diag diag;
  check(tn_bindless_image_destroy(ctx.tn_get(), dev.tn_get(), image, is_sampled, &diag), diag);
}
TN_SYCL_COLD inline tn_bindless_description describe(image_mem_handle memory) {
  tn_bindless_description description;
  tn_diag diag;
  check(tn_bindless_memory_describe(memory_of(memory), &description, &diag), diag);
  return description;
}

}  // namespace detail::bindless

#endif

namespace ext::oneapi::experimental {

// Each function is there for a device and a context, and for those of a queue. The bodies of the
// first are below, on the host only.
#define TN_SYCL_OF_QUEUE syclQueue.get_device(), syclQueue.get_context()

// ---- Memory

image_mem_handle alloc_image_mem(const image_descriptor &desc, const device &syclDevice,
                                 const context &syclContext);
inline image_mem_handle alloc_image_mem(const image_descriptor &desc, const queue &syclQueue) {
  return alloc_image_mem(desc, TN_SYCL_OF_QUEUE);
}
void free_image_mem(image_mem_handle handle, image_type imageType, const device &syclDevice,
                    const context &syclContext);
inline void free_image_mem(image_mem_handle handle, image_type imageType, const queue &syclQueue) {
  free_image_mem(handle, imageType, TN_SYCL_OF_QUEUE);
}
inline image_mem_handle get_mip_level_mem_handle(const image_mem_handle mipMem, unsigned level,
                                                 const device &, const context &) {
  return detail::level_of(mipMem, level);
}
inline image_mem_handle get_mip_level_mem_handle(const image_mem_handle mipMem, unsigned level,
                                                 const queue &) {
  return detail::level_of(mipMem, level);
}
inline image_mem::image_mem(const image_descriptor &desc, const queue &syclQueue)
    : image_mem(desc, TN_SYCL_OF_QUEUE) {}

void *pitched_alloc_device(std::size_t *resultPitch, std::size_t widthInBytes, std::size_t height,
                           unsigned elementSizeBytes, const device &syclDevice,
                           const context &syclContext);
inline void *pitched_alloc_device(std::size_t *resultPitch, std::size_t widthInBytes,
                                  std::size_t height, unsigned elementSizeBytes,
                                  const queue &syclQueue) {
  return pitched_alloc_device(resultPitch, widthInBytes, height, elementSizeBytes,
                              TN_SYCL_OF_QUEUE);
}
void *pitched_alloc_device(std::size_t *resultPitch, const image_descriptor &desc,
                           const device &syclDevice, const context &syclContext);
inline void *pitched_alloc_device(std::size_t *resultPitch, const image_descriptor &desc,
                                  const queue &syclQueue) {
  return pitched_alloc_device(resultPitch, desc, TN_SYCL_OF_QUEUE);
}

range<3> get_image_range(const image_mem_handle memHandle, const device &syclDevice,
                         const context &syclContext);
inline range<3> get_image_range(const image_mem_handle memHandle, const queue &syclQueue) {
  return get_image_range(memHandle, TN_SYCL_OF_QUEUE);
}
image_channel_type get_image_channel_type(const image_mem_handle memHandle,
                                          const device &syclDevice, const context &syclContext);
inline image_channel_type get_image_channel_type(const image_mem_handle memHandle,
                                                 const queue &syclQueue) {
  return get_image_channel_type(memHandle, TN_SYCL_OF_QUEUE);
}
unsigned get_image_num_channels(const image_mem_handle memHandle, const device &syclDevice,
                                const context &syclContext);
inline unsigned get_image_num_channels(const image_mem_handle memHandle, const queue &syclQueue) {
  return get_image_num_channels(memHandle, TN_SYCL_OF_QUEUE);
}

// The kinds of memory in which the device can have such an image, sampled or not.
std::vector<image_memory_handle_type> get_image_memory_support(
    const image_descriptor &imageDescriptor, const device &syclDevice, const context &syclContext);
inline std::vector<image_memory_handle_type> get_image_memory_support(
    const image_descriptor &imageDescriptor, const queue &syclQueue) {
  return get_image_memory_support(imageDescriptor, TN_SYCL_OF_QUEUE);
}
template <class ImageHandleType>
bool is_image_handle_supported(const image_descriptor &imageDescriptor,
                               image_memory_handle_type imageMemoryHandleType,
                               const device &syclDevice, const context &syclContext);
template <class ImageHandleType>
bool is_image_handle_supported(const image_descriptor &imageDescriptor,
                               image_memory_handle_type imageMemoryHandleType,
                               const queue &syclQueue) {
  return is_image_handle_supported<ImageHandleType>(imageDescriptor, imageMemoryHandleType,
                                                    TN_SYCL_OF_QUEUE);
}

// ---- Images

unsampled_image_handle create_image(image_mem_handle memHandle, const image_descriptor &desc,
                                    const device &syclDevice, const context &syclContext);
inline unsampled_image_handle create_image(image_mem_handle memHandle, const image_descriptor &desc,
                                           const queue &syclQueue) {
  return create_image(memHandle, desc, TN_SYCL_OF_QUEUE);
}
inline unsampled_image_handle create_image(const image_mem &memHandle, const image_descriptor &desc,
                                           const device &syclDevice, const context &syclContext) {
  return create_image(memHandle.get_handle(), desc, syclDevice, syclContext);
}
inline unsampled_image_handle create_image(const image_mem &memHandle, const image_descriptor &desc,
                                           const queue &syclQueue) {
  return create_image(memHandle.get_handle(), desc, TN_SYCL_OF_QUEUE);
}
sampled_image_handle create_image(image_mem_handle memHandle, const bindless_image_sampler &sampler,
                                  const image_descriptor &desc, const device &syclDevice,
                                  const context &syclContext);
inline sampled_image_handle create_image(image_mem_handle memHandle,
                                         const bindless_image_sampler &sampler,
                                         const image_descriptor &desc, const queue &syclQueue) {
  return create_image(memHandle, sampler, desc, TN_SYCL_OF_QUEUE);
}
inline sampled_image_handle create_image(const image_mem &memHandle,
                                         const bindless_image_sampler &sampler,
                                         const image_descriptor &desc, const device &syclDevice,
                                         const context &syclContext) {
  return create_image(memHandle.get_handle(), sampler, desc, syclDevice, syclContext);
}
inline sampled_image_handle create_image(const image_mem &memHandle,
                                         const bindless_image_sampler &sampler,
                                         const image_descriptor &desc, const queue &syclQueue) {
  return create_image(memHandle.get_handle(), sampler, desc, TN_SYCL_OF_QUEUE);
}
// Pixels in USM; of one dimension, the pitch is ignored.
sampled_image_handle create_image(void *imgMem, std::size_t pitch,
                                  const bindless_image_sampler &sampler,
                                  const image_descriptor &desc, const device &syclDevice,
                                  const context &syclContext);
inline sampled_image_handle create_image(void *imgMem, std::size_t pitch,
                                         const bindless_image_sampler &sampler,
                                         const image_descriptor &desc, const queue &syclQueue) {
  return create_image(imgMem, pitch, sampler, desc, TN_SYCL_OF_QUEUE);
}

void destroy_image_handle(unsampled_image_handle &imageHandle, const device &syclDevice,
                          const context &syclContext);
inline void destroy_image_handle(unsampled_image_handle &imageHandle, const queue &syclQueue) {
  destroy_image_handle(imageHandle, TN_SYCL_OF_QUEUE);
}
void destroy_image_handle(sampled_image_handle &imageHandle, const device &syclDevice,
                          const context &syclContext);
inline void destroy_image_handle(sampled_image_handle &imageHandle, const queue &syclQueue) {
  destroy_image_handle(imageHandle, TN_SYCL_OF_QUEUE);
}

#undef TN_SYCL_OF_QUEUE

// ---- Memory and semaphores of other APIs, which no device imports

// `where` is a device and a context, or a queue.
#ifdef __SYCL_DEVICE_ONLY__
#define TN_SYCL_IMPORT_BODY ;
#else
#define TN_SYCL_IMPORT_BODY                  \
  {                                          \
    sycl::detail::bindless::refuse_import(); \
  }
#endif
#define TN_SYCL_IMPORTS(...)                                                                       \
  template <class ResourceType>                                                                    \
  external_mem import_external_memory(external_mem_descriptor<ResourceType>, __VA_ARGS__)          \
  TN_SYCL_IMPORT_BODY                                                                              \
  inline image_mem_handle map_external_image_memory(external_mem, const image_descriptor &,        \
                                                    __VA_ARGS__)                                   \
  TN_SYCL_IMPORT_BODY                                                                              \
  inline void *map_external_linear_memory(external_mem, std::uint64_t, std::uint64_t, __VA_ARGS__) \
  TN_SYCL_IMPORT_BODY                                                                              \
  template <class ResourceType>                                                                    \
  external_semaphore import_external_semaphore(external_semaphore_descriptor<ResourceType>,        \
                                               __VA_ARGS__)                                        \
  TN_SYCL_IMPORT_BODY                                                                              \
  inline void release_external_semaphore(external_semaphore, __VA_ARGS__)                          \
      TN_SYCL_IMPORT_BODY inline void release_external_memory(external_mem, __VA_ARGS__)           \
          TN_SYCL_IMPORT_BODY inline void unmap_external_linear_memory(void *, __VA_ARGS__)        \
              TN_SYCL_IMPORT_BODY inline void unmap_external_image_memory(                         \
                  image_mem_handle, image_type, __VA_ARGS__) TN_SYCL_IMPORT_BODY
TN_SYCL_IMPORTS(const device &, const context &)
TN_SYCL_IMPORTS(const queue &)
#undef TN_SYCL_IMPORTS
#undef TN_SYCL_IMPORT_BODY
inline bool supports_importing_handle_type(external_mem_handle_type, const device &) {
  return false;
}

#ifndef __SYCL_DEVICE_ONLY__

// ---- Bodies

namespace detail {

TN_SYCL_COLD inline image_mem_impl::image_mem_impl(const image_descriptor &desc,
                                                   const device &syclDevice,
                                                   const context &syclContext)
    : descriptor(desc),
      owner(syclDevice),
      owner_context(syclContext),
      handle(alloc_image_mem(desc, syclDevice, syclContext)) {}

TN_SYCL_COLD inline image_mem_impl::~image_mem_impl() {
  tn_diag diag;
  (void)!tn_bindless_memory_destroy(sycl::detail::bindless::memory_of(handle),
                                    static_cast<std::int32_t>(descriptor.type), &diag);
}

TN_SYCL_COLD inline image_mem_handle level_of(image_mem_handle memory, unsigned level) {
  tn_bindless_memory *found = nullptr;
  tn_diag diag;
  sycl::detail::check(
      tn_bindless_memory_level(sycl::detail::bindless::memory_of(memory), level, &found, &diag),
      diag);
  return sycl::detail::bindless::handle_of(found);
}

}  // namespace detail

TN_SYCL_COLD inline image_mem_handle alloc_image_mem(const image_descriptor &desc,
                                                     const device &syclDevice,
                                                     const context &syclContext) {
  namespace b = sycl::detail::bindless;
  desc.verify();
  const tn_bindless_description description = b::description_of(desc);
  tn_bindless_memory *memory = nullptr;
  tn_diag diag;
  b::check_as(errc::memory_allocation,
              tn_bindless_memory_create(syclContext.tn_get(), syclDevice.tn_get(), &description,
                                        &memory, &diag),
              diag);
  return b::handle_of(memory);
}
TN_SYCL_COLD inline void free_image_mem(image_mem_handle handle, image_type imageType,
                                        const device &, const context &) {
  namespace b = sycl::detail::bindless;
  tn_diag diag;
  b::check_as(
      errc::memory_allocation,
      tn_bindless_memory_destroy(b::memory_of(handle), static_cast<std::int32_t>(imageType), &diag),
      diag);
}

TN_SYCL_COLD inline void *pitched_alloc_device(std::size_t *resultPitch, std::size_t widthInBytes,
                                               std::size_t height, unsigned,
                                               const device &syclDevice,
                                               const context &syclContext) {
  void *memory = nullptr;
  tn_diag diag;
  sycl::detail::bindless::check_as(
      errc::memory_allocation,
      tn_bindless_alloc_rows(syclContext.tn_get(), syclDevice.tn_get(), widthInBytes, height,
                             resultPitch, &memory, &diag),
      diag);
  return memory;
}
TN_SYCL_COLD inline void *pitched_alloc_device(std::size_t *resultPitch,
                                               const image_descriptor &desc,
                                               const device &syclDevice,
                                               const context &syclContext) {
  const std::size_t size = sycl::detail::bindless::pixel_size_of(desc);
  return pitched_alloc_device(resultPitch, size * desc.width,
                              desc.height * (desc.depth > 0 ? desc.depth : 1),
                              static_cast<unsigned>(size), syclDevice, syclContext);
}

TN_SYCL_COLD inline range<3> get_image_range(const image_mem_handle memHandle, const device &,
                                             const context &) {
  const tn_bindless_description description = sycl::detail::bindless::describe(memHandle);
  return {description.extent[0], description.extent[1], description.extent[2]};
}
inline image_channel_type get_image_channel_type(const image_mem_handle memHandle, const device &,
                                                 const context &) {
  return static_cast<image_channel_type>(sycl::detail::bindless::describe(memHandle).channel_type);
}
inline unsigned get_image_num_channels(const image_mem_handle memHandle, const device &,
                                       const context &) {
  return sycl::detail::bindless::describe(memHandle).channel_count;
}

template <class ImageHandleType>
bool is_image_handle_supported(const image_descriptor &imageDescriptor,
                               image_memory_handle_type imageMemoryHandleType,
                               const device &syclDevice, const context &) {
  constexpr bool is_sampled = std::is_same_v<ImageHandleType, sampled_image_handle>;
  static_assert(is_sampled || std::is_same_v<ImageHandleType, unsampled_image_handle>,
                "is_image_handle_supported is for sampled_image_handle and unsampled_image_handle");
  const tn_bindless_description description =
      sycl::detail::bindless::description_of(imageDescriptor);
  tn_diag diag;
  return (is_sampled || imageDescriptor.type != image_type::mipmap) &&
         tn_bindless_check(syclDevice.tn_get(), &description,
                           imageMemoryHandleType == image_memory_handle_type::usm_pointer,
                           is_sampled, &diag) == TN_OK;
}
TN_SYCL_COLD inline std::vector<image_memory_handle_type> get_image_memory_support(
    const image_descriptor &imageDescriptor, const device &syclDevice, const context &syclContext) {
  std::vector<image_memory_handle_type> kinds;
  for (const auto kind :
       {image_memory_handle_type::usm_pointer, image_memory_handle_type::opaque_handle}) {
    if (is_image_handle_supported<sampled_image_handle>(imageDescriptor, kind, syclDevice,
                                                        syclContext) ||
        is_image_handle_supported<unsampled_image_handle>(imageDescriptor, kind, syclDevice,
                                                          syclContext)) {
      kinds.push_back(kind);
    }
  }
  return kinds;
}

inline unsampled_image_handle create_image(image_mem_handle memHandle, const image_descriptor &desc,
                                           const device &, const context &) {
  return sycl::detail::bindless::create(memHandle, desc, nullptr);
}
inline sampled_image_handle create_image(image_mem_handle memHandle,
                                         const bindless_image_sampler &sampler,
                                         const image_descriptor &desc, const device &,
                                         const context &) {
  return sycl::detail::bindless::create(memHandle, desc, &sampler);
}
inline sampled_image_handle create_image(void *imgMem, std::size_t pitch,
                                         const bindless_image_sampler &sampler,
                                         const image_descriptor &desc, const device &syclDevice,
                                         const context &syclContext) {
  return sycl::detail::bindless::create(imgMem, pitch, desc, &sampler, syclDevice, syclContext);
}
inline void destroy_image_handle(unsampled_image_handle &imageHandle, const device &syclDevice,
                                 const context &syclContext) {
  sycl::detail::bindless::destroy(imageHandle.raw_handle, false, syclDevice, syclContext);
}
inline void destroy_image_handle(sampled_image_handle &imageHandle, const device &syclDevice,
                                 const context &syclContext) {
  sycl::detail::bindless::destroy(imageHandle.raw_handle, true, syclDevice, syclContext);
}

#endif

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
#endif
