// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of bindless images as an object. Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_EXT_BINDLESS_IMAGES_MEMORY_HPP
#define TENON_SYCL_EXT_BINDLESS_IMAGES_MEMORY_HPP

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/ext/oneapi/bindless_images_descriptor.hpp>
#include <sycl/ext/oneapi/bindless_images_mem_handle.hpp>

#include <memory>

namespace sycl {

class queue;

namespace ext::oneapi::experimental {

namespace detail {

class image_mem_impl {
 public:
  image_mem_impl(const image_descriptor &desc, const device &syclDevice,
                 const context &syclContext);
  ~image_mem_impl();
  image_mem_impl(const image_mem_impl &) = delete;
  image_mem_impl &operator=(const image_mem_impl &) = delete;

  const image_descriptor descriptor;
  const device owner;
  const context owner_context;
  image_mem_handle handle;
};

image_mem_handle level_of(image_mem_handle memory, unsigned level);

}  // namespace detail

class image_mem {
 public:
  image_mem() = default;
  image_mem(const image_descriptor &desc, const device &syclDevice, const context &syclContext)
      : impl_(std::make_shared<detail::image_mem_impl>(desc, syclDevice, syclContext)) {}
  image_mem(const image_descriptor &desc, const queue &syclQueue);

  image_mem_handle get_handle() const { return impl_->handle; }
  const image_descriptor &get_descriptor() const { return impl_->descriptor; }
  device get_device() const { return impl_->owner; }
  context get_context() const { return impl_->owner_context; }

  range<3> get_range() const {
    return {get_descriptor().width, get_descriptor().height, get_descriptor().depth};
  }
  image_channel_type get_channel_type() const { return get_descriptor().channel_type; }
  image_channel_order get_channel_order() const {
    constexpr image_channel_order orders[] = {image_channel_order::r, image_channel_order::rg,
                                              image_channel_order::rgb, image_channel_order::rgba};
    return orders[get_num_channels() - 1];
  }
  unsigned get_num_channels() const { return get_descriptor().num_channels; }
  image_type get_type() const { return get_descriptor().type; }
  image_mem_handle get_mip_level_mem_handle(unsigned level) const {
    return detail::level_of(get_handle(), level);
  }

  friend bool operator==(const image_mem &lhs, const image_mem &rhs) noexcept {
    return lhs.impl_ == rhs.impl_;
  }
  friend bool operator!=(const image_mem &lhs, const image_mem &rhs) noexcept {
    return !(lhs == rhs);
  }

  std::size_t tn_hash() const noexcept { return std::hash<const void *>()(impl_.get()); }

 private:
  std::shared_ptr<detail::image_mem_impl> impl_;
};

// The kind of memory that holds the pixels of an image.
enum class image_memory_handle_type : unsigned { usm_pointer = 0, opaque_handle = 1 };

}  // namespace ext::oneapi::experimental
}  // namespace sycl

template <>
struct std::hash<sycl::ext::oneapi::experimental::image_mem> {
  std::size_t operator()(const sycl::ext::oneapi::experimental::image_mem &mem) const noexcept {
    return mem.tn_hash();
  }
};

#endif
