// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async_malloc and async_free: memory of pools, in the order of queues.
// Source: the SYCL extension sycl_ext_oneapi_async_memory_alloc.
//
// Memory is there when a function returns; the command that it enqueues is an empty one, for others
// to depend on. Memory that a queue gives back is its next allocations' at once if it is in order,
// and anybody's when the command is complete. In command groups a host task gives it back.
#ifndef TENON_SYCL_EXT_ASYNC_ALLOC_HPP
#define TENON_SYCL_EXT_ASYNC_ALLOC_HPP

#include <sycl/ext/oneapi/experimental/async_alloc/memory_pool.hpp>
#include <sycl/handler.hpp>

namespace sycl::detail {

#ifndef __SYCL_DEVICE_ONLY__

TN_SYCL_COLD inline void refuse_recording(tn_queue *queue) {
  if (tn_queue_is_recording(queue)) {
    raise(errc::feature_not_supported,
          "asynchronous allocations are in no graph: allocate before the queue records");
  }
}

inline void *allocate_from(tn_memory_pool *pool, tn_queue *queue, std::size_t size) {
  refuse_recording(queue);
  void *memory = nullptr;
  tn_diag diag;
  check(tn_memory_pool_alloc(pool, queue, size, &memory, &diag), diag);
  return memory;
}

inline void *allocate_from_default(tn_queue *queue, usm::alloc kind, std::size_t size) {
  if (kind == usm::alloc::unknown) {
    raise(errc::invalid, "async_malloc: unknown is no kind of USM memory");
  }
  tn_memory_pool *pool = nullptr;
  tn_diag diag;
  check(tn_memory_pool_default(tn_queue_context(queue),
                               kind == usm::alloc::host ? nullptr : tn_queue_device(queue),
                               static_cast<std::int32_t>(kind), &pool, &diag),
        diag);
  return allocate_from(pool, queue, size);
}

inline void give_back(tn_context *context, void *memory, tn_event *behind) {
  tn_diag diag;
  check(tn_memory_pool_free(context, memory, behind, &diag), diag);
}

#endif

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

#ifdef __SYCL_DEVICE_ONLY__

inline void *async_malloc(const queue &, usm::alloc, std::size_t) { return nullptr; }
inline void *async_malloc(handler &, usm::alloc, std::size_t) { return nullptr; }
inline void *async_malloc_from_pool(const queue &, std::size_t, const memory_pool &) {
  return nullptr;
}
inline void *async_malloc_from_pool(handler &, std::size_t, const memory_pool &) {
  return nullptr;
}
inline void async_free(const queue &, void *) {}
inline void async_free(handler &, void *) {}

#else

inline void *async_malloc(const queue &que, usm::alloc kind, std::size_t size) {
  return sycl::detail::allocate_from_default(que.tn_get(), kind, size);
}
inline void *async_malloc(handler &cgh, usm::alloc kind, std::size_t size) {
  return sycl::detail::allocate_from_default(sycl::detail::handler_access::group(cgh).queue, kind,
                                             size);
}
inline void *async_malloc_from_pool(const queue &que, std::size_t size, const memory_pool &pool) {
  return sycl::detail::allocate_from(pool.tn_get(), que.tn_get(), size);
}
inline void *async_malloc_from_pool(handler &cgh, std::size_t size, const memory_pool &pool) {
  return sycl::detail::allocate_from(pool.tn_get(),
                                     sycl::detail::handler_access::group(cgh).queue, size);
}

inline void async_free(const queue &que, void *ptr) {
  sycl::detail::refuse_recording(que.tn_get());
  queue same = que;
  const event behind = same.submit([](handler &) {});
  sycl::detail::give_back(tn_queue_context(que.tn_get()), ptr, behind.tn_get());
}
inline void async_free(handler &cgh, void *ptr) {
  tn_queue *const queue = sycl::detail::handler_access::group(cgh).queue;
  sycl::detail::refuse_recording(queue);
  const context ctx(tn_queue_context(queue));
  cgh.host_task([ctx, ptr] { sycl::detail::give_back(ctx.tn_get(), ptr, nullptr); });
}

#endif

}  // namespace sycl::ext::oneapi::experimental

#endif
