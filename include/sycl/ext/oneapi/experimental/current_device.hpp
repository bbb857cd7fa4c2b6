// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device for each thread. Source: the SYCL extension sycl_ext_oneapi_current_device.
#ifndef TENON_SYCL_EXT_CURRENT_DEVICE_HPP
#define TENON_SYCL_EXT_CURRENT_DEVICE_HPP

#include <sycl/device.hpp>

namespace sycl::ext::oneapi::experimental::this_thread {

#ifdef __SYCL_DEVICE_ONLY__
device get_current_device();
void set_current_device(const device &dev);
#else
inline device get_current_device() {
  tn_device *current = nullptr;
  tn_diag diag;
  sycl::detail::check(tn_device_get_current(&current, &diag), diag);
  return device(current);
}
inline void set_current_device(const device &dev) { tn_device_set_current(dev.tn_get()); }
#endif

}  // namespace sycl::ext::oneapi::experimental::this_thread

#endif
