// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::context. Source: SYCL 2020 section 4.6.3.
#ifndef TENON_SYCL_CONTEXT_HPP
#define TENON_SYCL_CONTEXT_HPP

#include <sycl/detail/handle.hpp>
#include <sycl/info/info_context.hpp>
#include <sycl/property.hpp>
#include <sycl/selectors.hpp>

namespace sycl {

class TN_SYCL_SHARED context {
 public:
  explicit context(const property_list &propList = {}) : context(device(), propList) {}
  explicit context(async_handler asyncHandler, const property_list &propList = {})
      : context(device(), std::move(asyncHandler), propList) {}
  explicit context(const device &dev, const property_list &propList = {})
      : context(std::vector<device>{dev}, propList) {}
  explicit context(const device &dev, async_handler asyncHandler,
                   const property_list &propList = {})
      : context(std::vector<device>{dev}, std::move(asyncHandler), propList) {}
  explicit context(const platform &plt, const property_list &propList = {})
      : context(plt.get_devices(), propList) {}
  explicit context(const platform &plt, async_handler asyncHandler,
                   const property_list &propList = {})
      : context(plt.get_devices(), std::move(asyncHandler), propList) {}
  explicit context(const std::vector<device> &deviceList, const property_list &propList = {})
      : context(deviceList, async_handler(), propList) {}
  explicit context(const std::vector<device> &deviceList, async_handler asyncHandler,
                   const property_list &propList = {});

  // The runtime's way of making one; retains the object.
  explicit context(tn_context *object) : object_(handle::retained(object)) {}
  tn_context *tn_get() const noexcept { return object_.get(); }
  const async_handler *tn_handler() const noexcept { return handler_.get(); }

  backend get_backend() const noexcept { return get_platform().get_backend(); }
  platform get_platform() const { return platform(tn_context_platform(object_.get())); }
  std::vector<device> get_devices() const;
  template <class Param>
  typename Param::return_type get_info() const;

  template <class Property>
  bool has_property() const noexcept {
    return properties_.tn_has<Property>();
  }
  template <class Property>
  Property get_property() const {
    return properties_.tn_get<Property>();
  }

  friend bool operator==(const context &lhs, const context &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const context &lhs, const context &rhs) noexcept { return !(lhs == rhs); }

 private:
  using handle = detail::handle<tn_context, tn_context_retain, tn_context_release>;

  handle object_;
  std::shared_ptr<const async_handler> handler_;  // empty: the default one
  property_list properties_;
};

#ifndef __SYCL_DEVICE_ONLY__

inline context::context(const std::vector<device> &deviceList, async_handler asyncHandler,
                        const property_list &propList)
    : properties_(propList) {
  if (deviceList.empty()) {
    detail::raise(errc::invalid, "a context needs at least one device: the list is empty");
  }
  std::vector<tn_device *> list;
  for (const device &dev : deviceList) {
    list.push_back(dev.tn_get());
  }
  detail::check([&](tn_diag *diag) {
    return tn_context_create(list.data(), list.size(), object_.out(), diag);
  });
  if (asyncHandler) {
    handler_ = std::make_shared<const async_handler>(std::move(asyncHandler));
  }
}

inline std::vector<device> context::get_devices() const {
  std::vector<device> list;
  for (std::size_t i = 0; i < tn_context_device_count(object_.get()); ++i) {
    list.emplace_back(tn_context_device_at(object_.get(), i));
  }
  return list;
}

namespace detail {
inline platform context_query(const context &ctx, info::context::platform) {
  return ctx.get_platform();
}
inline std::vector<device> context_query(const context &ctx, info::context::devices) {
  return ctx.get_devices();
}
// All devices have the same sets.
inline std::vector<memory_order> context_query(const context &,
                                               info::context::atomic_memory_order_capabilities) {
  return all_memory_orders();
}
inline std::vector<memory_order> context_query(const context &,
                                               info::context::atomic_fence_order_capabilities) {
  return all_memory_orders();
}
inline std::vector<memory_scope> context_query(const context &,
                                               info::context::atomic_memory_scope_capabilities) {
  return atomic_scopes();
}
inline std::vector<memory_scope> context_query(const context &,
                                               info::context::atomic_fence_scope_capabilities) {
  return fence_scopes();
}
}  // namespace detail

template <class Param>
typename Param::return_type context::get_info() const {
  return detail::context_query(*this, Param());
}

inline exception::exception(context ctx, std::error_code ec, const std::string &what_arg)
    : exception(ec, what_arg) {
  context_ = std::make_shared<const context>(std::move(ctx));
}
inline exception::exception(context ctx, std::error_code ec, const char *what_arg)
    : exception(std::move(ctx), ec, std::string(what_arg)) {}
inline exception::exception(context ctx, std::error_code ec)
    : exception(std::move(ctx), ec, ec.message()) {}
inline exception::exception(context ctx, int ev, const std::error_category &ecat,
                            const std::string &what_arg)
    : exception(std::move(ctx), std::error_code(ev, ecat), what_arg) {}
inline exception::exception(context ctx, int ev, const std::error_category &ecat,
                            const char *what_arg)
    : exception(std::move(ctx), std::error_code(ev, ecat), std::string(what_arg)) {}
inline exception::exception(context ctx, int ev, const std::error_category &ecat)
    : exception(std::move(ctx), std::error_code(ev, ecat)) {}
inline context exception::get_context() const {
  if (!context_) {
    detail::raise(errc::invalid,
                  "exception::get_context: this exception has no context; ask "
                  "has_context first");
  }
  return *context_;
}

inline property::buffer::context_bound::context_bound(context boundContext)
    : context_(std::make_shared<const context>(std::move(boundContext))) {}
inline context property::buffer::context_bound::get_context() const { return *context_; }

#endif

}  // namespace sycl

template <>
struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
