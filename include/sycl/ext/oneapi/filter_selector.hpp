// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A selector of devices by a text, such as "cuda:gpu:0,cpu".
// Source: the SYCL extension sycl_ext_oneapi_filter_selector.
#ifndef TENON_SYCL_EXT_FILTER_SELECTOR_HPP
#define TENON_SYCL_EXT_FILTER_SELECTOR_HPP

#include <sycl/selectors.hpp>

#include <string>
#include <utility>

namespace sycl::ext::oneapi {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
class filter_selector : public device_selector {
#pragma GCC diagnostic pop
 public:
  // errc::runtime when it is no filter.
  filter_selector(const std::string &filter) : filter_(filter) { fits(nullptr); }

  int operator()(const device &dev) const override {
    return fits(dev.tn_get()) ? default_selector_v(dev) : -1;
  }

 private:
  bool fits([[maybe_unused]] const tn_device *dev) const {
    int is_one = 0;
#ifndef __SYCL_DEVICE_ONLY__
    tn_diag diag;
    if (tn_device_fits_filter(dev, filter_.c_str(), &is_one, &diag) != TN_OK) {
      sycl::detail::raise(errc::runtime, diag.text);
    }
#endif
    return is_one != 0;
  }

  std::string filter_;
};

}  // namespace sycl::ext::oneapi

#endif
