// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands as functions of a queue or a handler, in the namespace khr: launch(q, range, kernel).
// Only submit_tracked gives out an event. A draft, which programs ask for as from DPC++: by
// -D__DPCPP_ENABLE_UNFINISHED_KHR_EXTENSIONS. Source: the draft sycl_khr_free_function_commands.
#ifndef TENON_SYCL_KHR_FREE_FUNCTION_COMMANDS_HPP
#define TENON_SYCL_KHR_FREE_FUNCTION_COMMANDS_HPP

#include <sycl/version.hpp>

#ifdef __DPCPP_ENABLE_UNFINISHED_KHR_EXTENSIONS

#include <sycl/accessor.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>

#include <memory>

namespace sycl {

namespace detail {

namespace commands = ext::oneapi::experimental;

template <class... T>
using if_all_reductions = std::enable_if_t<
    (sizeof...(T) > 0) && (std::is_base_of_v<reduction_tag, std::decay_t<T>> && ...), int>;

// A copy, fill or update of placeholders on a queue, which requires them; in a command group they
// are required already, or by handler::require.
template <class F, class... Accessors>
TN_SYCL_HIDDEN void enqueue_with(const queue &q, const F &command, const Accessors &...accessors) {
  queue(q).submit([&](handler &h) {
    (h.require(accessors), ...);
    command(h);
  });
}
template <class F, class... Accessors>
TN_SYCL_HIDDEN void enqueue_with(handler &h, const F &command, const Accessors &...) {
  command(h);
}

}  // namespace detail

namespace khr {

template <class CommandGroupFunc>
TN_SYCL_HIDDEN void submit(const queue &q, CommandGroupFunc &&cgf) {
  detail::commands::submit(q, std::forward<CommandGroupFunc>(cgf));
}
template <class CommandGroupFunc>
TN_SYCL_HIDDEN event submit_tracked(const queue &q, CommandGroupFunc &&cgf) {
  return detail::commands::submit_with_event(q, std::forward<CommandGroupFunc>(cgf));
}

// The functions below for `Target`, which is `const queue &` or `handler &`. Those with ranges are
// not templates in the dimensions, so that numbers and braced lists do for ranges.
#define TN_SYCL_KHR_LAUNCH(Target, Dimensions)                                                   \
  template <class KernelType, detail::if_function_object<KernelType> = 0>                        \
  TN_SYCL_HIDDEN void launch(Target to, range<Dimensions> r, const KernelType &k) {              \
    detail::commands::parallel_for(to, r, k);                                                    \
  }                                                                                              \
  template <class... Args>                                                                       \
  TN_SYCL_HIDDEN void launch(Target to, range<Dimensions> r, const kernel &k, Args &&...args) {  \
    detail::commands::parallel_for(to, r, k, std::forward<Args>(args)...);                       \
  }                                                                                              \
  template <class KernelType, class... Reductions, detail::if_all_reductions<Reductions...> = 0> \
  TN_SYCL_HIDDEN void launch_reduce(Target to, range<Dimensions> r, const KernelType &k,         \
                                    Reductions &&...reductions) {                                \
    detail::commands::parallel_for(to, r, k, std::forward<Reductions>(reductions)...);           \
  }                                                                                              \
  template <class KernelType, detail::if_function_object<KernelType> = 0>                        \
  TN_SYCL_HIDDEN void launch_grouped(Target to, range<Dimensions> r, range<Dimensions> size,     \
                                     const KernelType &k) {                                      \
    detail::commands::nd_launch(to, nd_range<Dimensions>(r, size), k);                           \
  }                                                                                              \
  template <class... Args>                                                                       \
  TN_SYCL_HIDDEN void launch_grouped(Target to, range<Dimensions> r, range<Dimensions> size,     \
                                     const kernel &k, Args &&...args) {                          \
    detail::commands::nd_launch(to, nd_range<Dimensions>(r, size), k,                            \
                                std::forward<Args>(args)...);                                    \
  }                                                                                              \
  template <class KernelType, class... Reductions, detail::if_all_reductions<Reductions...> = 0> \
  TN_SYCL_HIDDEN void launch_grouped_reduce(Target to, range<Dimensions> r,                      \
                                            range<Dimensions> size, const KernelType &k,         \
                                            Reductions &&...reductions) {                        \
    detail::commands::nd_launch(to, nd_range<Dimensions>(r, size), k,                            \
                                std::forward<Reductions>(reductions)...);                        \
  }

#define TN_SYCL_KHR_COMMANDS(Target)                                                               \
  TN_SYCL_KHR_LAUNCH(Target, 1)                                                                    \
  TN_SYCL_KHR_LAUNCH(Target, 2)                                                                    \
  TN_SYCL_KHR_LAUNCH(Target, 3)                                                                    \
  template <class KernelType, detail::if_function_object<KernelType> = 0>                          \
  TN_SYCL_HIDDEN void launch_task(Target to, const KernelType &k) {                                \
    detail::commands::single_task(to, k);                                                          \
  }                                                                                                \
  template <class... Args>                                                                         \
  TN_SYCL_HIDDEN void launch_task(Target to, const kernel &k, Args &&...args) {                    \
    detail::commands::single_task(to, k, std::forward<Args>(args)...);                             \
  }                                                                                                \
  inline void memcpy(Target to, void *dest, const void *src, std::size_t numBytes) {               \
    detail::commands::memcpy(to, dest, src, numBytes);                                             \
  }                                                                                                \
  template <class T>                                                                               \
  void copy(Target to, const T *src, T *dest, std::size_t count) {                                 \
    detail::commands::copy(to, src, dest, count);                                                  \
  }                                                                                                \
  template <class SrcT, class DestT, int DestDims, access_mode DestMode,                           \
            access::placeholder IsPlaceholder>                                                     \
  void copy(Target to, const SrcT *src,                                                            \
            accessor<DestT, DestDims, DestMode, target::device, IsPlaceholder> dest) {             \
    detail::enqueue_with(to, [&](handler &h) { h.copy(src, dest); }, dest);                        \
  }                                                                                                \
  template <class SrcT, class DestT, int DestDims, access_mode DestMode,                           \
            access::placeholder IsPlaceholder>                                                     \
  void copy(Target to, std::shared_ptr<SrcT> src,                                                  \
            accessor<DestT, DestDims, DestMode, target::device, IsPlaceholder> dest) {             \
    detail::enqueue_with(to, [&](handler &h) { h.copy(src, dest); }, dest);                        \
  }                                                                                                \
  template <class SrcT, int SrcDims, access_mode SrcMode, access::placeholder IsPlaceholder,       \
            class DestT>                                                                           \
  void copy(Target to, accessor<SrcT, SrcDims, SrcMode, target::device, IsPlaceholder> src,        \
            DestT *dest) {                                                                         \
    detail::enqueue_with(to, [&](handler &h) { h.copy(src, dest); }, src);                         \
  }                                                                                                \
  template <class SrcT, int SrcDims, access_mode SrcMode, access::placeholder IsPlaceholder,       \
            class DestT>                                                                           \
  void copy(Target to, accessor<SrcT, SrcDims, SrcMode, target::device, IsPlaceholder> src,        \
            std::shared_ptr<DestT> dest) {                                                         \
    detail::enqueue_with(to, [&](handler &h) { h.copy(src, dest); }, src);                         \
  }                                                                                                \
  template <class SrcT, int SrcDims, access_mode SrcMode, access::placeholder IsSrcPlaceholder,    \
            class DestT, int DestDims, access_mode DestMode,                                       \
            access::placeholder IsDestPlaceholder>                                                 \
  void copy(Target to, accessor<SrcT, SrcDims, SrcMode, target::device, IsSrcPlaceholder> src,     \
            accessor<DestT, DestDims, DestMode, target::device, IsDestPlaceholder> dest) {         \
    detail::enqueue_with(to, [&](handler &h) { h.copy(src, dest); }, src, dest);                   \
  }                                                                                                \
  inline void memset(Target to, void *ptr, int value, std::size_t numBytes) {                      \
    detail::commands::memset(to, ptr, value, numBytes);                                            \
  }                                                                                                \
  template <class T>                                                                               \
  TN_SYCL_HIDDEN void fill(Target to, T *ptr, const T &pattern, std::size_t count) {               \
    detail::commands::fill(to, ptr, pattern, count);                                               \
  }                                                                                                \
  template <class T, int Dims, access_mode Mode, access::placeholder IsPlaceholder>                \
  TN_SYCL_HIDDEN void fill(Target to, accessor<T, Dims, Mode, target::device, IsPlaceholder> dest, \
                           const T &src) {                                                         \
    detail::enqueue_with(to, [&](handler &h) { h.fill(dest, src); }, dest);                        \
  }                                                                                                \
  template <class T, int Dims, access_mode Mode, access::placeholder IsPlaceholder>                \
  void update_host(Target to, accessor<T, Dims, Mode, target::device, IsPlaceholder> acc) {        \
    detail::enqueue_with(to, [&](handler &h) { h.update_host(acc); }, acc);                        \
  }                                                                                                \
  inline void prefetch(Target to, void *ptr, std::size_t numBytes) {                               \
    detail::commands::prefetch(to, ptr, numBytes);                                                 \
  }                                                                                                \
  inline void mem_advise(Target to, void *ptr, std::size_t numBytes, int advice) {                 \
    detail::commands::mem_advise(to, ptr, numBytes, advice);                                       \
  }                                                                                                \
  inline void command_barrier(Target to) { detail::commands::barrier(to); }                        \
  inline void event_barrier(Target to, const std::vector<event> &events) {                         \
    detail::commands::partial_barrier(to, events);                                                 \
  }

TN_SYCL_KHR_COMMANDS(const queue &)
TN_SYCL_KHR_COMMANDS(handler &)

#undef TN_SYCL_KHR_COMMANDS
#undef TN_SYCL_KHR_LAUNCH

}  // namespace khr
}  // namespace sycl

#endif
#endif
