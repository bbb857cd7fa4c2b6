// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory. Source: SYCL 2020 section 4.8.
#ifndef TENON_SYCL_USM_HPP
#define TENON_SYCL_USM_HPP

#include "tenon/memory.h"
#include <sycl/context.hpp>
#include <sycl/queue.hpp>

namespace sycl {

namespace usm {
enum class alloc : int {
  host = TN_USM_HOST,
  device = TN_USM_DEVICE,
  shared = TN_USM_SHARED,
  unknown = TN_USM_UNKNOWN
};
}  // namespace usm

namespace detail {
void *allocate_usm(usm::alloc kind, std::size_t alignment, std::size_t size, const device *dev,
                   const context &ctx);
void *allocate_usm(usm::alloc kind, std::size_t alignment, std::size_t size, const queue &q);

// What is no power of two stays so, and is refused.
template <class T>
constexpr std::size_t usm_alignment(std::size_t asked) {
  return asked > alignof(T) || (asked & (asked - 1)) != 0 ? asked : alignof(T);
}
template <class T>
std::size_t usm_size(std::size_t count) {
  return count > ~std::size_t{0} / sizeof(T) ? ~std::size_t{0} : count * sizeof(T);
}
}  // namespace detail

// The four forms of an allocation function of one kind: bytes or objects, aligned or not; each with
// a device and a context, or with a queue.
#define TN_SYCL_USM_FUNCTIONS(kind)                                                               \
  inline void *malloc_##kind(std::size_t numBytes, const device &syclDevice,                      \
                             const context &syclContext, const property_list & = {}) {            \
    return detail::allocate_usm(usm::alloc::kind, 0, numBytes, &syclDevice, syclContext);         \
  }                                                                                               \
  template <class T>                                                                              \
  T *malloc_##kind(std::size_t count, const device &syclDevice, const context &syclContext,       \
                   const property_list & = {}) {                                                  \
    return static_cast<T *>(detail::allocate_usm(                                                 \
        usm::alloc::kind, alignof(T), detail::usm_size<T>(count), &syclDevice, syclContext));     \
  }                                                                                               \
  inline void *aligned_alloc_##kind(std::size_t alignment, std::size_t numBytes,                  \
                                    const device &syclDevice, const context &syclContext,         \
                                    const property_list & = {}) {                                 \
    return detail::allocate_usm(usm::alloc::kind, alignment, numBytes, &syclDevice, syclContext); \
  }                                                                                               \
  template <class T>                                                                              \
  T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const device &syclDevice,     \
                          const context &syclContext, const property_list & = {}) {               \
    return static_cast<T *>(                                                                      \
        detail::allocate_usm(usm::alloc::kind, detail::usm_alignment<T>(alignment),               \
                             detail::usm_size<T>(count), &syclDevice, syclContext));              \
  }
#define TN_SYCL_USM_QUEUE_FUNCTIONS(kind)                                                   \
  inline void *malloc_##kind(std::size_t numBytes, const queue &syclQueue,                  \
                             const property_list & = {}) {                                  \
    return detail::allocate_usm(usm::alloc::kind, 0, numBytes, syclQueue);                  \
  }                                                                                         \
  template <class T>                                                                        \
  T *malloc_##kind(std::size_t count, const queue &syclQueue, const property_list & = {}) { \
    return static_cast<T *>(detail::allocate_usm(usm::alloc::kind, alignof(T),              \
                                                 detail::usm_size<T>(count), syclQueue));   \
  }                                                                                         \
  inline void *aligned_alloc_##kind(std::size_t alignment, std::size_t numBytes,            \
                                    const queue &syclQueue, const property_list & = {}) {   \
    return detail::allocate_usm(usm::alloc::kind, alignment, numBytes, syclQueue);          \
  }                                                                                         \
  template <class T>                                                                        \
  T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const queue &syclQueue, \
                          const property_list & = {}) {                                     \
    return static_cast<T *>(detail::allocate_usm(usm::alloc::kind,                          \
                                                 detail::usm_alignment<T>(alignment),       \
                                                 detail::usm_size<T>(count), syclQueue));   \
  }
TN_SYCL_USM_FUNCTIONS(device)
TN_SYCL_USM_FUNCTIONS(shared)
TN_SYCL_USM_QUEUE_FUNCTIONS(device)
TN_SYCL_USM_QUEUE_FUNCTIONS(shared)
TN_SYCL_USM_QUEUE_FUNCTIONS(host)
#undef TN_SYCL_USM_FUNCTIONS
#undef TN_SYCL_USM_QUEUE_FUNCTIONS

// Host memory belongs to a context only.
inline void *malloc_host(std::size_t numBytes, const context &syclContext,
                         const property_list & = {}) {
  return detail::allocate_usm(usm::alloc::host, 0, numBytes, nullptr, syclContext);
}
template <class T>
T *malloc_host(std::size_t count, const context &syclContext, const property_list & = {}) {
  return static_cast<T *>(detail::allocate_usm(usm::alloc::host, alignof(T),
                                               detail::usm_size<T>(count), nullptr, syclContext));
}
inline void *aligned_alloc_host(std::size_t alignment, std::size_t numBytes,
                                const context &syclContext, const property_list & = {}) {
  return detail::allocate_usm(usm::alloc::host, alignment, numBytes, nullptr, syclContext);
}
template <class T>
T *aligned_alloc_host(std::size_t alignment, std::size_t count, const context &syclContext,
                      const property_list & = {}) {
  return static_cast<T *>(detail::allocate_usm(usm::alloc::host,
                                               detail::usm_alignment<T>(alignment),
                                               detail::usm_size<T>(count), nullptr, syclContext));
}

// The kind as a parameter.
inline void *malloc(std::size_t numBytes, const device &syclDevice, const context &syclContext,
                    usm::alloc kind, const property_list & = {}) {
  return detail::allocate_usm(kind, 0, numBytes, &syclDevice, syclContext);
}
template <class T>
T *malloc(std::size_t count, const device &syclDevice, const context &syclContext, usm::alloc kind,
          const property_list & = {}) {
  return static_cast<T *>(
      detail::allocate_usm(kind, alignof(T), detail::usm_size<T>(count), &syclDevice, syclContext));
}
inline void *malloc(std::size_t numBytes, const queue &syclQueue, usm::alloc kind,
                    const property_list & = {}) {
  return detail::allocate_usm(kind, 0, numBytes, syclQueue);
}
template <class T>
T *malloc(std::size_t count, const queue &syclQueue, usm::alloc kind, const property_list & = {}) {
  return static_cast<T *>(
      detail::allocate_usm(kind, alignof(T), detail::usm_size<T>(count), syclQueue));
}
inline void *aligned_alloc(std::size_t alignment, std::size_t numBytes, const device &syclDevice,
                           const context &syclContext, usm::alloc kind,
                           const property_list & = {}) {
  return detail::allocate_usm(kind, alignment, numBytes, &syclDevice, syclContext);
}
template <class T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const device &syclDevice,
                 const context &syclContext, usm::alloc kind, const property_list & = {}) {
  return static_cast<T *>(detail::allocate_usm(kind, detail::usm_alignment<T>(alignment),
                                               detail::usm_size<T>(count), &syclDevice,
                                               syclContext));
}
inline void *aligned_alloc(std::size_t alignment, std::size_t numBytes, const queue &syclQueue,
                           usm::alloc kind, const property_list & = {}) {
  return detail::allocate_usm(kind, alignment, numBytes, syclQueue);
}
template <class T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const queue &syclQueue, usm::alloc kind,
                 const property_list & = {}) {
  return static_cast<T *>(detail::allocate_usm(kind, detail::usm_alignment<T>(alignment),
                                               detail::usm_size<T>(count), syclQueue));
}

void free(void *ptr, const context &ctxt);
void free(void *ptr, const queue &q);
usm::alloc get_pointer_type(const void *ptr, const context &syclContext);
device get_pointer_device(const void *ptr, const context &syclContext);

#ifndef __SYCL_DEVICE_ONLY__

namespace detail {

inline void *allocate_usm(tn_context *ctx, tn_device *dev, usm::alloc kind, std::size_t alignment,
                          std::size_t size) {
  if (kind == usm::alloc::unknown || (alignment & (alignment - 1)) != 0) {
    return nullptr;
  }
  // Small alignments are what the device prefers anyway.
  void *memory = nullptr;
  tn_diag diag;
  const tn_status status = tn_usm_alloc(ctx, dev, static_cast<std::int32_t>(kind), size,
                                        alignment > 64 ? alignment : 0, &memory, &diag);
  if (status == TN_OUT_OF_MEMORY) {
    return nullptr;
  }
  if (status != TN_OK) {
    raise(diag);
  }
  return memory;
}

inline void *allocate_usm(usm::alloc kind, std::size_t alignment, std::size_t size,
                          const device *dev, const context &ctx) {
  tn_device *object = dev && kind != usm::alloc::host ? dev->tn_get() : nullptr;
  return allocate_usm(ctx.tn_get(), object, kind, alignment, size);
}
inline void *allocate_usm(usm::alloc kind, std::size_t alignment, std::size_t size,
                          const queue &q) {
  tn_device *object = kind == usm::alloc::host ? nullptr : tn_queue_device(q.tn_get());
  return allocate_usm(tn_queue_context(q.tn_get()), object, kind, alignment, size);
}

inline tn_usm_info query_usm(const void *ptr, const context &ctx) {
  tn_usm_info info = {};
  tn_diag diag;
  check(tn_usm_query(ctx.tn_get(), ptr, &info, &diag), diag);
  return info;
}

}  // namespace detail

inline void free(void *ptr, const context &ctxt) {
  tn_diag diag;
  detail::check(tn_usm_free(ctxt.tn_get(), ptr, &diag), diag);
}
inline void free(void *ptr, const queue &q) {
  tn_diag diag;
  detail::check(tn_usm_free(tn_queue_context(q.tn_get()), ptr, &diag), diag);
}
inline usm::alloc get_pointer_type(const void *ptr, const context &syclContext) {
  return static_cast<usm::alloc>(detail::query_usm(ptr, syclContext).kind);
}
inline device get_pointer_device(const void *ptr, const context &syclContext) {
  const tn_usm_info info = detail::query_usm(ptr, syclContext);
  if (info.kind == TN_USM_UNKNOWN) {
    detail::raise(errc::invalid,
                  "get_pointer_device: the pointer is in no USM allocation of the "
                  "context");
  }
  return info.device ? device(info.device) : device(tn_context_device_at(syclContext.tn_get(), 0));
}

#endif

// Of the extension sycl_ext_oneapi_copy_optimize: hints that copies between the device and a part
// of the host's memory follow. They have no effect in this version.
namespace ext::oneapi::experimental {
inline void prepare_for_device_copy(const void *, std::size_t, const context &) noexcept {}
inline void prepare_for_device_copy(const void *, std::size_t, const queue &) noexcept {}
inline void release_from_device_copy(const void *, const context &) noexcept {}
inline void release_from_device_copy(const void *, const queue &) noexcept {}
}  // namespace ext::oneapi::experimental

}  // namespace sycl

#endif
