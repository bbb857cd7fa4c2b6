// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::context. Source: SYCL 2020 section 4.6.3.
#ifndef TENON_SYCL_CONTEXT_HPP
#define TENON_SYCL_CONTEXT_HPP

#include "tenon/queue.h"
#include <sycl/detail/handle.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/detail/small_list.hpp>
#include <sycl/info/info_context.hpp>
#include <sycl/property.hpp>
#include <sycl/selectors.hpp>

namespace sycl {

namespace usm {
enum class alloc : int;
}
namespace ext::oneapi::experimental {
class memory_pool;
}

namespace detail {

// What a language object that the C API keeps is destroyed through.
struct erased {
  virtual ~erased() = default;
  static void free(void *object) { delete static_cast<erased *>(object); }
};

// Gives a queue's failures to an async_handler. Behind virtual functions, so that only code that
// has a handler compiles what that takes. Owned, as an `erased`, by the tn_queue or tn_context that
// it is set for.
struct error_reporter : erased {
  virtual void report(tn_queue *queue) const = 0;
};
erased *make_reporter(const async_handler &handler);  // NULL for an empty one

// Owned by the tn_context (tn_context_set_user), which has none without properties.
struct context_state final : erased {
  explicit context_state(const property_list &of) noexcept : properties(of) {}
  property_list properties;
};

}  // namespace detail

class TN_SYCL_SHARED context : public detail::owner_order<context> {
 public:
  explicit context(const property_list &propList = {}) : context(device(), propList) {}
  explicit context(async_handler asyncHandler, const property_list &propList = {})
      : context(device(), std::move(asyncHandler), propList) {}
  explicit context(const device &dev, const property_list &propList = {}) {
    tn_device *object = dev.tn_get();
    create(&object, 1, propList);
  }
  explicit context(const device &dev, async_handler asyncHandler,
                   const property_list &propList = {})
      : context(dev, propList) {
    set_handler(asyncHandler);
  }
  explicit context(const platform &plt, const property_list &propList = {});
  explicit context(const platform &plt, async_handler asyncHandler,
                   const property_list &propList = {})
      : context(plt, propList) {
    set_handler(asyncHandler);
  }
  explicit context(const std::vector<device> &deviceList, const property_list &propList = {});
  explicit context(const std::vector<device> &deviceList, async_handler asyncHandler,
                   const property_list &propList = {})
      : context(deviceList, propList) {
    set_handler(asyncHandler);
  }

  // The runtime's way of making one; retains the object.
  explicit context(tn_context *object) : object_(detail::context_handle::retained(object)) {}
  tn_context *tn_get() const noexcept { return object_.get(); }

  TN_SYCL_IS_HOST
  backend get_backend() const noexcept { return get_platform().get_backend(); }
  platform get_platform() const { return platform(tn_context_platform(object_.get())); }
  template <class Device = device>  // see platform::get_devices
  std::vector<Device> get_devices() const;
  template <class Param>
  detail::info_result<context, Param> get_info() const;
  template <class Param>
  typename Param::return_type get_backend_info() const {
    detail::raise_no_backend_info();
  }

  template <class Property>
  bool has_property() const noexcept {
    return properties().has_property<Property>();
  }
  template <class Property>
  Property get_property() const {
    return properties().get_property<Property>();
  }

  // sycl_ext_oneapi_async_memory_alloc: its header has the bodies.
  template <class Pool = ext::oneapi::experimental::memory_pool>
  Pool ext_oneapi_get_default_memory_pool(usm::alloc kind) const;
  template <class Pool = ext::oneapi::experimental::memory_pool>
  Pool ext_oneapi_get_default_memory_pool(const device &dev, usm::alloc kind) const;

  friend bool operator==(const context &lhs, const context &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const context &lhs, const context &rhs) noexcept { return !(lhs == rhs); }

 private:
  void create(tn_device *const *devices, std::size_t count, const property_list &properties);
  void set_handler(const async_handler &handler);
  property_list properties() const;

  detail::context_handle object_;  // keeps what else there is, so that copies are cheap
};

#ifndef __SYCL_DEVICE_ONLY__

TN_SYCL_COLD inline void context::create(tn_device *const *devices, std::size_t count,
                                         const property_list &properties) {
  tn_diag diag;
  detail::check(tn_context_create(devices, count, object_.out(), &diag), diag);
  if (properties.tn_bits() != 0) {
    detail::erased *state = new detail::context_state(properties);
    tn_context_set_user(object_.get(), state, detail::erased::free);
  }
}

inline context::context(const std::vector<device> &deviceList, const property_list &propList) {
  static_assert(std::is_standard_layout_v<device> && sizeof(device) == sizeof(tn_device *));
  create(reinterpret_cast<tn_device *const *>(deviceList.data()), deviceList.size(), propList);
}

inline context::context(const platform &plt, const property_list &propList) {
  detail::small_list<tn_device *> list;
  for (std::size_t i = 0; i < tn_platform_device_count(plt.tn_get()); ++i) {
    list.push(tn_platform_device_at(plt.tn_get(), i));
  }
  create(list.data(), list.size(), propList);
}

inline context platform::khr_get_default_context() const {
  tn_context *object = nullptr;
  tn_diag diag;
  detail::check(tn_context_default(object_, &object, &diag), diag);
  return context(object);
}
inline context platform::ext_oneapi_get_default_context() const {
  return khr_get_default_context();
}
inline context device::ext_oneapi_get_default_context() const {
  return get_platform().khr_get_default_context();
}

inline void context::set_handler(const async_handler &handler) {
  tn_context_set_reporter(object_.get(), detail::make_reporter(handler), detail::erased::free);
}

inline property_list context::properties() const {
  const auto *state = static_cast<detail::erased *>(tn_context_user(object_.get()));
  return state ? static_cast<const detail::context_state *>(state)->properties : property_list();
}

template <class Device>
std::vector<Device> context::get_devices() const {
  std::vector<Device> list;
  for (std::size_t i = 0; i < tn_context_device_count(object_.get()); ++i) {
    list.emplace_back(tn_context_device_at(object_.get(), i));
  }
  return list;
}

namespace detail {
template <class Value>
Value context_query(const context &ctx, info::context::platform) {
  return ctx.get_platform();
}
template <class Value>
Value context_query(const context &, info::context::reference_count) {
  return 1;
}
template <class Value>
Value context_query(const context &ctx, info::context::devices) {
  return ctx.get_devices();
}
// All devices have the same sets.
template <class Value>
Value context_query(const context &, info::context::atomic_memory_order_capabilities) {
  return all_memory_orders<Value>();
}
template <class Value>
Value context_query(const context &, info::context::atomic_fence_order_capabilities) {
  return all_memory_orders<Value>();
}
template <class Value>
Value context_query(const context &, info::context::atomic_memory_scope_capabilities) {
  return atomic_scopes<Value>();
}
template <class Value>
Value context_query(const context &, info::context::atomic_fence_scope_capabilities) {
  return fence_scopes<Value>();
}
}  // namespace detail

template <class Param>
detail::info_result<context, Param> context::get_info() const {
  return detail::context_query<typename Param::return_type>(*this, Param());
}

inline exception::exception(context ctx, std::error_code ec, const std::string &what_arg)
    : exception(std::move(ctx), ec, what_arg.c_str()) {}
inline exception::exception(context ctx, std::error_code ec, const char *what_arg)
    : exception(ec, what_arg) {
  tn_error_set_context(error_.get(), ctx.tn_get());
}
inline exception::exception(context ctx, std::error_code ec)
    : exception(std::move(ctx), ec, ec.message()) {}
inline exception::exception(context ctx, int ev, const std::error_category &ecat,
                            const std::string &what_arg)
    : exception(std::move(ctx), std::error_code(ev, ecat), what_arg) {}
inline exception::exception(context ctx, int ev, const std::error_category &ecat,
                            const char *what_arg)
    : exception(std::move(ctx), std::error_code(ev, ecat), what_arg) {}
inline exception::exception(context ctx, int ev, const std::error_category &ecat)
    : exception(std::move(ctx), std::error_code(ev, ecat)) {}
inline context exception::get_context() const {
  if (!has_context()) {
    detail::raise(errc::invalid,
                  "exception::get_context: this exception has no context; ask "
                  "has_context first");
  }
  return context(tn_error_context(error_.get()));
}

inline property::buffer::context_bound::context_bound(context boundContext)
    : context_(detail::context_handle::retained(boundContext.tn_get())) {}
inline context property::buffer::context_bound::get_context() const {
  return context(context_.get());
}

#endif

}  // namespace sycl

template <>
struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
