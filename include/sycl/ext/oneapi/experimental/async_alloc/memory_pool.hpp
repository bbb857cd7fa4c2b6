// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory_pool: USM memory that is given back in the order of queues.
// Source: the SYCL extension sycl_ext_oneapi_async_memory_alloc.
#ifndef TENON_SYCL_EXT_MEMORY_POOL_HPP
#define TENON_SYCL_EXT_MEMORY_POOL_HPP

#include "tenon/memory_pool.h"
#include <sycl/context.hpp>
#include <sycl/detail/check.hpp>
#include <sycl/detail/handle.hpp>
#include <sycl/device.hpp>
#include <sycl/ext/oneapi/experimental/async_alloc/memory_pool_properties.hpp>
#include <sycl/queue.hpp>
#include <sycl/usm.hpp>

namespace sycl::ext::oneapi::experimental {

// By reference, as a queue is. It is destroyed when its memory is given back, which is not waited
// for.
class memory_pool {
 public:
  template <class Properties = empty_properties_t,
            std::enable_if_t<is_property_list_v<Properties>, int> = 0>
  memory_pool(const context &ctx, usm::alloc kind, Properties props = {}) : context_(ctx) {
    check_kind(kind == usm::alloc::host,
               "memory_pool: a pool of a context has host memory; for device and shared memory "
               "give a device");
    create(nullptr, kind, props);
  }
  template <class Properties = empty_properties_t,
            std::enable_if_t<is_property_list_v<Properties>, int> = 0>
  memory_pool(const context &ctx, const device &dev, usm::alloc kind, Properties props = {})
      : context_(ctx) {
    check_kind(kind == usm::alloc::device || kind == usm::alloc::shared,
               "memory_pool: a pool of a device has device or shared memory; for host memory give "
               "the context alone");
    create(dev.tn_get(), kind, props);
  }
  template <class Properties = empty_properties_t,
            std::enable_if_t<is_property_list_v<Properties>, int> = 0>
  memory_pool(const queue &que, usm::alloc kind, Properties props = {})
      : context_(que.get_context()) {
    check_kind(kind != usm::alloc::unknown, "memory_pool: unknown is no kind of USM memory");
    create(kind == usm::alloc::host ? nullptr : que.get_device().tn_get(), kind, props);
  }
  // In all of a USM allocation of the program's, which must not be freed before.
  template <class Properties = empty_properties_t,
            std::enable_if_t<is_property_list_v<Properties>, int> = 0>
  memory_pool(const context &ctx, void *ptr, std::size_t size, Properties = {}) : context_(ctx) {
    static_assert(!Properties::template has_property<maximum_size>() &&
                      !Properties::template has_property<initial_threshold>(),
                  "a pool in memory of the program's has no other size and threshold");
    static_cast<void>(size);
    tn_memory_pool_params params = {};
    params.memory = ptr;
    create(params);
  }

  // The runtime's way of making one: takes over a reference.
  memory_pool(tn_memory_pool *object, const context &ctx) : context_(ctx), object_(object) {}

  context get_context() const { return context_; }
  device get_device() const { return device(info().device); }
  usm::alloc get_alloc_kind() const { return static_cast<usm::alloc>(info().kind); }
  std::size_t get_threshold() const { return static_cast<std::size_t>(info().threshold); }
  std::size_t get_reserved_size_current() const {
    return static_cast<std::size_t>(info().reserved_size);
  }
  std::size_t get_used_size_current() const { return static_cast<std::size_t>(info().used_size); }
  void increase_threshold_to(std::size_t newThreshold) {
#ifndef __SYCL_DEVICE_ONLY__
    tn_memory_pool_raise_threshold(object_.get(), newThreshold);
#else
    static_cast<void>(newThreshold);
#endif
  }

  friend bool operator==(const memory_pool &lhs, const memory_pool &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const memory_pool &lhs, const memory_pool &rhs) noexcept {
    return !(lhs == rhs);
  }
  tn_memory_pool *tn_get() const noexcept { return object_.get(); }

 private:
  static void check_kind(bool is_right, const char *sentence) {
    if (!is_right) {
      sycl::detail::raise(errc::invalid, sentence);
    }
  }
  template <class Properties>
  void create(tn_device *dev, usm::alloc kind, const Properties &props) {
    tn_memory_pool_params params = {};
    params.device = dev;
    params.kind = static_cast<std::int32_t>(kind);
    if constexpr (Properties::template has_property<initial_threshold>()) {
      params.threshold = props.template get_property<initial_threshold>().value;
    }
    if constexpr (Properties::template has_property<maximum_size>()) {
      params.maximum = props.template get_property<maximum_size>().value;
    }
    if constexpr (Properties::template has_property<zero_init>()) {
      params.flags = TN_MEMORY_POOL_ZEROED;
    }
    static_cast<void>(props);
    create(params);
  }
  void create(tn_memory_pool_params &params) {
    params.struct_size = sizeof(params);
#ifndef __SYCL_DEVICE_ONLY__
    tn_diag diag;
    sycl::detail::check(
        tn_memory_pool_create(context_.tn_get(), &params, object_.out(), &diag), diag);
#endif
  }
  tn_memory_pool_info info() const {
    tn_memory_pool_info out = {};
#ifndef __SYCL_DEVICE_ONLY__
    tn_memory_pool_get_info(object_.get(), &out);
#endif
    return out;
  }

  context context_;
  sycl::detail::handle<tn_memory_pool, tn_memory_pool_retain, tn_memory_pool_release> object_;
};

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

namespace detail {
inline ext::oneapi::experimental::memory_pool default_pool(const context &ctx, tn_device *dev,
                                                           usm::alloc kind) {
  tn_memory_pool *object = nullptr;
#ifndef __SYCL_DEVICE_ONLY__
  tn_diag diag;
  check(tn_memory_pool_default(ctx.tn_get(), dev, static_cast<std::int32_t>(kind), &object, &diag),
        diag);
  tn_memory_pool_retain(object);
#else
  static_cast<void>(dev);
  static_cast<void>(kind);
#endif
  return ext::oneapi::experimental::memory_pool(object, ctx);
}
}  // namespace detail

template <class Pool>
Pool context::ext_oneapi_get_default_memory_pool(usm::alloc kind) const {
  if (kind != usm::alloc::host) {
    detail::raise(errc::invalid,
                  "ext_oneapi_get_default_memory_pool: a context alone has a pool of host memory; "
                  "for device and shared memory give a device");
  }
  return detail::default_pool(*this, nullptr, kind);
}
template <class Pool>
Pool context::ext_oneapi_get_default_memory_pool(const device &dev, usm::alloc kind) const {
  if (kind != usm::alloc::device && kind != usm::alloc::shared) {
    detail::raise(errc::invalid,
                  "ext_oneapi_get_default_memory_pool: a device has pools of device and shared "
                  "memory");
  }
  return detail::default_pool(*this, dev.tn_get(), kind);
}

}  // namespace sycl

template <>
struct std::hash<sycl::ext::oneapi::experimental::memory_pool> {
  std::size_t operator()(
      const sycl::ext::oneapi::experimental::memory_pool &pool) const noexcept {
    return std::hash<const void *>()(pool.tn_get());
  }
};

#endif
