// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// physical_mem: memory of a device that is mapped to reserved addresses.
// Source: sycl_ext_oneapi_virtual_mem.
#ifndef TENON_SYCL_EXT_PHYSICAL_MEM_HPP
#define TENON_SYCL_EXT_PHYSICAL_MEM_HPP

#include "tenon/virtual_memory.h"
#include <sycl/context.hpp>
#include <sycl/detail/check.hpp>
#include <sycl/detail/handle.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/device.hpp>
#include <sycl/queue.hpp>

namespace sycl::ext::oneapi::experimental {

enum class address_access_mode : char {
  none = TN_VIRTUAL_ACCESS_NONE,
  read = TN_VIRTUAL_ACCESS_READ,
  read_write = TN_VIRTUAL_ACCESS_READ_WRITE
};

// By reference, as a queue is. Mappings keep the memory.
class physical_mem : public sycl::detail::owner_order<physical_mem> {
 public:
  physical_mem(const device &syclDevice, const context &syclContext, std::size_t numBytes)
      : context_(syclContext), device_(syclDevice), size_(numBytes) {
#ifndef __SYCL_DEVICE_ONLY__
    tn_diag diag;
    sycl::detail::check(tn_physical_memory_create(syclContext.tn_get(), syclDevice.tn_get(),
                                                  numBytes, object_.out(), &diag),
                        diag);
#endif
  }
  physical_mem(const queue &syclQueue, std::size_t numBytes)
      : physical_mem(syclQueue.get_device(), syclQueue.get_context(), numBytes) {}

  // The runtime's way of making one: takes over a reference.
  physical_mem(tn_physical_memory *object, const context &syclContext, const device &syclDevice,
               std::size_t numBytes)
      : context_(syclContext), device_(syclDevice), size_(numBytes), object_(object) {}

  void *map(std::uintptr_t ptr, std::size_t numBytes, address_access_mode mode,
            std::size_t offset = 0) const {
    void *address = reinterpret_cast<void *>(ptr);
#ifndef __SYCL_DEVICE_ONLY__
    tn_diag diag;
    sycl::detail::check(tn_physical_memory_map(object_.get(), address, numBytes,
                                               static_cast<std::int32_t>(mode), offset, &diag),
                        diag);
#endif
    return address;
  }

  context get_context() const { return context_; }
  device get_device() const { return device_; }
  std::size_t size() const noexcept { return size_; }

  friend bool operator==(const physical_mem &lhs, const physical_mem &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const physical_mem &lhs, const physical_mem &rhs) noexcept {
    return !(lhs == rhs);
  }
  tn_physical_memory *tn_get() const noexcept { return object_.get(); }

 private:
  context context_;
  device device_;
  std::size_t size_;
  sycl::detail::handle<tn_physical_memory, tn_physical_memory_retain, tn_physical_memory_release>
      object_;
};

}  // namespace sycl::ext::oneapi::experimental

template <>
struct std::hash<sycl::ext::oneapi::experimental::physical_mem> {
  std::size_t operator()(
      const sycl::ext::oneapi::experimental::physical_mem &memory) const noexcept {
    return std::hash<const void *>()(memory.tn_get());
  }
};

#endif
