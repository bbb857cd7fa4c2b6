// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that are reserved apart from memory, and the access to what is mapped there.
// Source: sycl_ext_oneapi_virtual_mem.
#ifndef TENON_SYCL_EXT_VIRTUAL_MEM_HPP
#define TENON_SYCL_EXT_VIRTUAL_MEM_HPP

#include <sycl/ext/oneapi/virtual_mem/physical_mem.hpp>

namespace sycl::ext::oneapi::experimental {

// Both are the same on the devices of this version.
enum class granularity_mode : char { minimum = 0, recommended = 1 };

std::size_t get_mem_granularity(const device &syclDevice, const context &syclContext,
                                granularity_mode mode = granularity_mode::recommended);
std::size_t get_mem_granularity(const context &syclContext,
                                granularity_mode mode = granularity_mode::recommended);
// Near `start` where that is free.
std::uintptr_t reserve_virtual_mem(std::uintptr_t start, std::size_t numBytes,
                                   const context &syclContext);
std::uintptr_t reserve_virtual_mem(std::size_t numBytes, const context &syclContext);
void free_virtual_mem(std::uintptr_t ptr, std::size_t numBytes, const context &syclContext);
void set_access_mode(const void *ptr, std::size_t numBytes, address_access_mode mode,
                     const context &syclContext);
address_access_mode get_access_mode(const void *ptr, std::size_t numBytes,
                                    const context &syclContext);
void unmap(const void *ptr, std::size_t numBytes, const context &syclContext);

#ifndef __SYCL_DEVICE_ONLY__

inline std::size_t get_mem_granularity(const device &syclDevice, const context &syclContext,
                                       granularity_mode) {
  std::size_t result = 0;
  tn_diag diag;
  sycl::detail::check(
      tn_virtual_memory_get_granularity(syclContext.tn_get(), syclDevice.tn_get(), &result, &diag),
      diag);
  return result;
}
inline std::size_t get_mem_granularity(const context &syclContext, granularity_mode) {
  std::size_t result = 0;
  tn_diag diag;
  sycl::detail::check(
      tn_virtual_memory_get_granularity(syclContext.tn_get(), nullptr, &result, &diag), diag);
  return result;
}

inline std::uintptr_t reserve_virtual_mem(std::uintptr_t start, std::size_t numBytes,
                                          const context &syclContext) {
  void *result = nullptr;
  tn_diag diag;
  sycl::detail::check(
      tn_virtual_memory_reserve(syclContext.tn_get(), reinterpret_cast<const void *>(start),
                                numBytes, &result, &diag),
      diag);
  return reinterpret_cast<std::uintptr_t>(result);
}
inline std::uintptr_t reserve_virtual_mem(std::size_t numBytes, const context &syclContext) {
  return reserve_virtual_mem(0, numBytes, syclContext);
}

inline void free_virtual_mem(std::uintptr_t ptr, std::size_t numBytes, const context &syclContext) {
  tn_diag diag;
  sycl::detail::check(
      tn_virtual_memory_free(syclContext.tn_get(), reinterpret_cast<void *>(ptr), numBytes, &diag),
      diag);
}

inline void set_access_mode(const void *ptr, std::size_t numBytes, address_access_mode mode,
                            const context &syclContext) {
  tn_diag diag;
  sycl::detail::check(tn_virtual_memory_set_access(syclContext.tn_get(), ptr, numBytes,
                                                   static_cast<std::int32_t>(mode), &diag),
                      diag);
}

inline address_access_mode get_access_mode(const void *ptr, std::size_t numBytes,
                                           const context &syclContext) {
  std::int32_t result = 0;
  tn_diag diag;
  sycl::detail::check(
      tn_virtual_memory_get_access(syclContext.tn_get(), ptr, numBytes, &result, &diag), diag);
  return static_cast<address_access_mode>(result);
}

inline void unmap(const void *ptr, std::size_t numBytes, const context &syclContext) {
  tn_diag diag;
  sycl::detail::check(tn_virtual_memory_unmap(syclContext.tn_get(), ptr, numBytes, &diag), diag);
}

#endif

}  // namespace sycl::ext::oneapi::experimental

#endif
