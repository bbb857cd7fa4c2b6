// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device selectors. Source: SYCL 2020 section 4.6.1.
#ifndef TENON_SYCL_SELECTORS_HPP
#define TENON_SYCL_SELECTORS_HPP

#include <sycl/detail/check.hpp>
#include <sycl/device.hpp>

namespace sycl {

namespace detail {

// Higher is better; devices that score below zero are never taken.
struct default_selector {
  int operator()(const device &dev) const;
};
template <aspect Kind>
struct kind_selector {
  int operator()(const device &dev) const { return dev.has(Kind) ? 1000 : -1; }
};

// The best device, with the earlier one of equals.
template <class Selector>
tn_device *select_device(const Selector &selector);
// Without asking for scores: most programs compile one of these.
tn_device *select_device(const default_selector &);
tn_device *select_kind(aspect kind);
template <aspect Kind>
tn_device *select_device(const kind_selector<Kind> &);

}  // namespace detail

inline constexpr detail::default_selector default_selector_v;
inline constexpr detail::kind_selector<aspect::cpu> cpu_selector_v;
inline constexpr detail::kind_selector<aspect::gpu> gpu_selector_v;
inline constexpr detail::kind_selector<aspect::accelerator> accelerator_selector_v;

// SYCL 1.2.1, section 4.6.1.1: a class to derive selectors from, and the ones there are.
class TN_SYCL_DEPRECATED("use a function object that scores a device") device_selector {
 public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &dev) const = 0;
  device select_device() const;
};
#define TN_SYCL_LEGACY_SELECTOR(name)                                          \
  class TN_SYCL_DEPRECATED("use " #name "_v") name : public device_selector {  \
   public:                                                                     \
    int operator()(const device &dev) const override { return name##_v(dev); } \
  };
TN_SYCL_LEGACY_SELECTOR(default_selector)
TN_SYCL_LEGACY_SELECTOR(cpu_selector)
TN_SYCL_LEGACY_SELECTOR(gpu_selector)
TN_SYCL_LEGACY_SELECTOR(accelerator_selector)
#undef TN_SYCL_LEGACY_SELECTOR

namespace detail {

// A name of DPC++ that its tests use.
using DSelectorInvocableType = std::function<int(const device &)>;

class aspects_selector {
 public:
  aspects_selector(std::vector<aspect> required, std::vector<aspect> denied)
      : required_(std::move(required)), denied_(std::move(denied)) {}
  int operator()(const device &dev) const {
    for (aspect asp : required_) {
      if (!dev.has(asp)) {
        return -1;
      }
    }
    for (aspect asp : denied_) {
      if (dev.has(asp)) {
        return -1;
      }
    }
    return default_selector()(dev);
  }

 private:
  std::vector<aspect> required_;
  std::vector<aspect> denied_;
};

}  // namespace detail

inline detail::aspects_selector aspect_selector(const std::vector<aspect> &aspectList,
                                                const std::vector<aspect> &denyList = {}) {
  return {aspectList, denyList};
}
template <class... AspectList,
          std::enable_if_t<(std::is_same_v<AspectList, aspect> && ...), int> = 0>
detail::aspects_selector aspect_selector(AspectList... aspectList) {
  return {std::vector<aspect>{aspectList...}, {}};
}
template <aspect... AspectList>
detail::aspects_selector aspect_selector() {
  return {std::vector<aspect>{AspectList...}, {}};
}

#ifndef __SYCL_DEVICE_ONLY__

// The runtime lists devices best first, but for GPUs of drivers that are loaded late.
inline int detail::default_selector::operator()(const device &dev) const {
  const std::size_t place = tn_device_index(dev.tn_get());
  return place < 1000 ? (dev.is_gpu() ? 2000 : 1000) - static_cast<int>(place) : 0;
}

namespace detail {

TN_SYCL_COLD inline tn_device *select_device(const default_selector &) {
  tn_device *chosen = nullptr;
  tn_diag diag;
  check(tn_device_get_default(&chosen, &diag), diag);
  return chosen;
}

TN_SYCL_COLD inline tn_device *select_kind(aspect kind) {
  tn_device *chosen = nullptr;
  tn_diag diag;
  check(tn_device_get_with_aspect(static_cast<std::int32_t>(kind), &chosen, &diag), diag);
  return chosen;
}
template <aspect Kind>
tn_device *select_device(const kind_selector<Kind> &) {
  return select_kind(Kind);
}

template <class Selector>
TN_SYCL_COLD tn_device *select_device(const Selector &selector) {
  const std::size_t count = device_count();
  tn_device *best = nullptr;
  int best_score = -1;
  for (std::size_t i = 0; i < count; ++i) {
    tn_device *candidate = tn_device_at(i);
    const int score = selector(device(candidate));
    if (score > best_score) {
      best = candidate;
      best_score = score;
    }
  }
  if (!best) {
    tn_diag diag;
    check(tn_device_fail_choice(&diag), diag);
  }
  return best;
}

}  // namespace detail

inline device::device() : device(default_selector_v) {}
inline platform::platform() : platform(default_selector_v) {}

template <class DeviceSelector, detail::if_selector<DeviceSelector>>
device::device(const DeviceSelector &deviceSelector)
    : object_(detail::select_device(deviceSelector)) {}
template <class DeviceSelector, detail::if_selector<DeviceSelector>>
platform::platform(const DeviceSelector &deviceSelector)
    : object_(tn_device_platform(detail::select_device(deviceSelector))) {}

inline device device_selector::select_device() const { return device(*this); }

#else

inline device device_selector::select_device() const { return device(default_selector_v); }

// The device pass has bodies for what may be instantiated with types without linkage.
template <class DeviceSelector, detail::if_selector<DeviceSelector>>
device::device(const DeviceSelector &) : object_(nullptr) {}
template <class DeviceSelector, detail::if_selector<DeviceSelector>>
platform::platform(const DeviceSelector &) : object_(nullptr) {}

#endif

}  // namespace sycl

#endif
