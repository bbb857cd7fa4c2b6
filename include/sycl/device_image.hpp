// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::device_image: what is compiled and linked as one. Source: SYCL 2020 section 4.11.14.
#ifndef TENON_SYCL_DEVICE_IMAGE_HPP
#define TENON_SYCL_DEVICE_IMAGE_HPP

#include <sycl/detail/owner_order.hpp>
#include <sycl/device.hpp>
#include <sycl/kernel_id.hpp>

namespace sycl {

template <bundle_state State>
class TN_SYCL_SHARED device_image : public detail::owner_order<device_image<State>> {
 public:
  device_image() = delete;
  // The runtime's way of making one; retains the object.
  explicit device_image(tn_bundle_image *object) : object_(handle::retained(object)) {}
  tn_bundle_image *tn_get() const noexcept { return object_.get(); }

  bool has_kernel(const kernel_id &kernelId) const noexcept {
    return tn_bundle_image_has_kernel(object_.get(), kernelId.tn_get(), nullptr) != 0;
  }
  // Also false when the device cannot run it.
  bool has_kernel(const kernel_id &kernelId, const device &dev) const noexcept {
    return tn_bundle_image_has_kernel(object_.get(), kernelId.tn_get(), dev.tn_get()) != 0;
  }

  friend bool operator==(const device_image &lhs, const device_image &rhs) noexcept {
    return tn_bundle_image_equals(lhs.tn_get(), rhs.tn_get()) != 0;
  }
  friend bool operator!=(const device_image &lhs, const device_image &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  using handle = detail::handle<tn_bundle_image, tn_bundle_image_retain, tn_bundle_image_release>;

  handle object_;
};

}  // namespace sycl

template <sycl::bundle_state State>
struct std::hash<sycl::device_image<State>> {
  std::size_t operator()(const sycl::device_image<State> &object) const noexcept {
    return static_cast<std::size_t>(tn_bundle_image_hash(object.tn_get()));
  }
};

#endif
