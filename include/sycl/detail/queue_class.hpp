// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::queue. Source: SYCL 2020 section 4.6.5.
#ifndef TENON_SYCL_DETAIL_QUEUE_CLASS_HPP
#define TENON_SYCL_DETAIL_QUEUE_CLASS_HPP

#include <sycl/context.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/detail/queue_state.hpp>
#include <sycl/ext/oneapi/experimental/graph_forward.hpp>
#include <sycl/handler.hpp>
#include <sycl/info/info_queue.hpp>

#include <optional>

namespace sycl {

namespace detail {
tn_queue *create_queue(tn_context *ctx, tn_device *dev, unsigned properties);
void close_queue(tn_queue *queue, void *reporter) noexcept;
}  // namespace detail

class TN_SYCL_SHARED queue : public detail::owner_order<queue> {
 public:
  explicit queue() : object_(detail::create_queue(nullptr, nullptr, 0)) {}
  explicit queue(const property_list &propList)
      : object_(detail::create_queue(nullptr, nullptr, propList.tn_bits())) {}
  explicit queue(const async_handler &asyncHandler, const property_list &propList = {})
      : queue(propList) {
    set_handler(asyncHandler);
  }
  template <class DeviceSelector, detail::if_selector<DeviceSelector> = 0>
  explicit queue(const DeviceSelector &deviceSelector, const property_list &propList = {})
      : queue(device(deviceSelector), propList) {}
  template <class DeviceSelector, detail::if_selector<DeviceSelector> = 0>
  explicit queue(const DeviceSelector &deviceSelector, const async_handler &asyncHandler,
                 const property_list &propList = {})
      : queue(device(deviceSelector), asyncHandler, propList) {}
  explicit queue(const device &syclDevice, const property_list &propList = {})
      : object_(detail::create_queue(nullptr, syclDevice.tn_get(), propList.tn_bits())) {}
  explicit queue(const device &syclDevice, const async_handler &asyncHandler,
                 const property_list &propList = {})
      : queue(syclDevice, propList) {
    set_handler(asyncHandler);
  }
  template <class DeviceSelector, detail::if_selector<DeviceSelector> = 0>
  explicit queue(const context &syclContext, const DeviceSelector &deviceSelector,
                 const property_list &propList = {})
      : queue(syclContext, device(deviceSelector), propList) {}
  template <class DeviceSelector, detail::if_selector<DeviceSelector> = 0>
  explicit queue(const context &syclContext, const DeviceSelector &deviceSelector,
                 const async_handler &asyncHandler, const property_list &propList = {})
      : queue(syclContext, device(deviceSelector), asyncHandler, propList) {}
  explicit queue(const context &syclContext, const device &syclDevice,
                 const property_list &propList = {})
      : object_(
            detail::create_queue(syclContext.tn_get(), syclDevice.tn_get(), propList.tn_bits())) {}
  explicit queue(const context &syclContext, const device &syclDevice,
                 const async_handler &asyncHandler, const property_list &propList = {})
      : queue(syclContext, syclDevice, propList) {
    set_handler(asyncHandler);
  }

  // The runtime's way of making one: takes over a queue with its state.
  explicit queue(tn_queue *object) noexcept : object_(object) {}

  queue(const queue &other) noexcept;
  queue(queue &&other) noexcept;
  queue &operator=(const queue &other) noexcept;
  queue &operator=(queue &&other) noexcept;
  // The last copy gives failures that nobody took to the async handler; it does not wait.
  ~queue();

  backend get_backend() const noexcept { return get_device().get_backend(); }
  context get_context() const;
  device get_device() const { return device(tn_queue_device(object_)); }
  TN_SYCL_IS_HOST
  bool is_in_order() const { return (tn_queue_flags(object_) & TN_QUEUE_IN_ORDER) != 0; }
  template <class Param>
  detail::info_result<queue, Param> get_info() const;
  template <class Param>
  typename Param::return_type get_backend_info() const {
    detail::raise_no_backend_info();
  }

  template <class T>
  TN_SYCL_HIDDEN event submit(T cgf);
  // When the first queue refuses the command group, the second gets it.
  template <class T>
  TN_SYCL_HIDDEN event submit(T cgf, const queue &secondaryQueue);

  void wait();
  void wait_and_throw();
  void throw_asynchronous();

  // Whether all commands are complete: if they are, as after wait.
  bool khr_empty() const;
  // Commands go on without a thread that waits for them.
  void khr_flush() const;
  bool ext_oneapi_empty() const { return khr_empty(); }  // DPC++'s names of both
  void ext_oneapi_prod() const { khr_flush(); }

  template <class Property>
  bool has_property() const noexcept;
  template <class Property>
  Property get_property() const;

  template <class KernelName = detail::unnamed, class KernelType>
  TN_SYCL_LAYER event single_task(const KernelType &kernelFunc) {
    return detail::submit_kernel<KernelName, detail::single_task_shape>(object_, kernelFunc,
                                                                        detail::range_of());
  }
  template <class KernelName = detail::unnamed, class KernelType>
  TN_SYCL_LAYER event single_task(const event &depEvent, const KernelType &kernelFunc) {
    return detail::submit_kernel<KernelName, detail::single_task_shape>(
        object_, kernelFunc, detail::range_of(), &depEvent, 1);
  }
  template <class KernelName = detail::unnamed, class KernelType>
  TN_SYCL_LAYER event single_task(const std::vector<event> &depEvents,
                                  const KernelType &kernelFunc) {
    return detail::submit_kernel<KernelName, detail::single_task_shape>(
        object_, kernelFunc, detail::range_of(), depEvents.data(), depEvents.size());
  }

  // With properties, as in handler, and maybe events before them.
#define TN_SYCL_COMMA ,
#define TN_SYCL_QUEUE_PROPERTIES(function, dimensions, extent_parameter, extent)               \
  template <class KernelName = detail::unnamed, dimensions class Properties, class... Rest,    \
            detail::if_properties<Properties> = 0>                                             \
  TN_SYCL_HIDDEN event function(extent_parameter const Properties &properties,                 \
                                const Rest &...rest) {                                         \
    return submit(                                                                             \
        [&](handler &cgh) { cgh.template function<KernelName>(extent properties, rest...); }); \
  }                                                                                            \
  template <class KernelName = detail::unnamed, dimensions class Properties, class... Rest,    \
            detail::if_properties<Properties> = 0>                                             \
  TN_SYCL_HIDDEN event function(extent_parameter const event &depEvent,                        \
                                const Properties &properties, const Rest &...rest) {           \
    return submit([&](handler &cgh) {                                                          \
      cgh.depends_on(depEvent);                                                                \
      cgh.template function<KernelName>(extent properties, rest...);                           \
    });                                                                                        \
  }                                                                                            \
  template <class KernelName = detail::unnamed, dimensions class Properties, class... Rest,    \
            detail::if_properties<Properties> = 0>                                             \
  TN_SYCL_HIDDEN event function(extent_parameter const std::vector<event> &depEvents,          \
                                const Properties &properties, const Rest &...rest) {           \
    return submit([&](handler &cgh) {                                                          \
      cgh.depends_on(depEvents);                                                               \
      cgh.template function<KernelName>(extent properties, rest...);                           \
    });                                                                                        \
  }
  TN_SYCL_QUEUE_PROPERTIES(single_task, , , )

  // With reductions: `rest` are those and the kernel function.
#define TN_SYCL_QUEUE_REDUCTIONS(dimensions, execution)                                        \
  template <class KernelName = detail::unnamed, dimensions class... Rest,                      \
            detail::if_reductions<Rest...> = 0>                                                \
  TN_SYCL_HIDDEN event parallel_for(execution extent, Rest &&...rest) {                        \
    return submit_reductions<KernelName>(extent, nullptr, 0, rest...);                         \
  }                                                                                            \
  template <class KernelName = detail::unnamed, dimensions class... Rest,                      \
            detail::if_reductions<Rest...> = 0>                                                \
  TN_SYCL_HIDDEN event parallel_for(execution extent, const event &depEvent, Rest &&...rest) { \
    return submit_reductions<KernelName>(extent, &depEvent, 1, rest...);                       \
  }                                                                                            \
  template <class KernelName = detail::unnamed, dimensions class... Rest,                      \
            detail::if_reductions<Rest...> = 0>                                                \
  TN_SYCL_HIDDEN event parallel_for(execution extent, const std::vector<event> &depEvents,     \
                                    Rest &&...rest) {                                          \
    return submit_reductions<KernelName>(extent, depEvents.data(), depEvents.size(), rest...); \
  }

  // Not templates in the dimensions, so that numbers and braced lists do for ranges.
#define TN_SYCL_QUEUE_RANGE(Dimensions)                                                            \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_LAYER event parallel_for(range<Dimensions> numWorkItems, const KernelType &kernelFunc) { \
    return detail::submit_kernel<KernelName, detail::range_shape<Dimensions>>(                     \
        object_, kernelFunc, detail::range_of(numWorkItems));                                      \
  }                                                                                                \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_LAYER event parallel_for(range<Dimensions> numWorkItems, const event &depEvent,          \
                                   const KernelType &kernelFunc) {                                 \
    return detail::submit_kernel<KernelName, detail::range_shape<Dimensions>>(                     \
        object_, kernelFunc, detail::range_of(numWorkItems), &depEvent, 1);                        \
  }                                                                                                \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_LAYER event parallel_for(range<Dimensions> numWorkItems,                                 \
                                   const std::vector<event> &depEvents,                            \
                                   const KernelType &kernelFunc) {                                 \
    return detail::submit_kernel<KernelName, detail::range_shape<Dimensions>>(                     \
        object_, kernelFunc, detail::range_of(numWorkItems), depEvents.data(), depEvents.size());  \
  }                                                                                                \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")                                        \
  TN_SYCL_LAYER event parallel_for(range<Dimensions> numWorkItems, id<Dimensions> workItemOffset,  \
                                   const KernelType &kernelFunc) {                                 \
    return detail::submit_kernel<KernelName, detail::range_shape<Dimensions>>(                     \
        object_, kernelFunc, detail::range_of(numWorkItems, workItemOffset));                      \
  }                                                                                                \
  TN_SYCL_QUEUE_REDUCTIONS(, range<Dimensions>)                                                    \
  TN_SYCL_QUEUE_PROPERTIES(parallel_for, , range<Dimensions> numWorkItems TN_SYCL_COMMA,           \
                           numWorkItems TN_SYCL_COMMA)
  TN_SYCL_QUEUE_RANGE(1)
  TN_SYCL_QUEUE_RANGE(2)
  TN_SYCL_QUEUE_RANGE(3)
#undef TN_SYCL_QUEUE_RANGE
  TN_SYCL_QUEUE_REDUCTIONS(int Dimensions TN_SYCL_COMMA, nd_range<Dimensions>)
  TN_SYCL_QUEUE_PROPERTIES(parallel_for, int Dimensions TN_SYCL_COMMA,
                           nd_range<Dimensions> executionRange TN_SYCL_COMMA,
                           executionRange TN_SYCL_COMMA)
#undef TN_SYCL_COMMA
#undef TN_SYCL_QUEUE_PROPERTIES
#undef TN_SYCL_QUEUE_REDUCTIONS

  template <class KernelName = detail::unnamed, int Dimensions, class KernelType>
  TN_SYCL_LAYER event parallel_for(nd_range<Dimensions> executionRange,
                                   const KernelType &kernelFunc) {
    return detail::submit_kernel<KernelName, detail::nd_range_shape<Dimensions>>(
        object_, kernelFunc, detail::range_of(executionRange));
  }
  template <class KernelName = detail::unnamed, int Dimensions, class KernelType>
  TN_SYCL_LAYER event parallel_for(nd_range<Dimensions> executionRange, const event &depEvent,
                                   const KernelType &kernelFunc) {
    return detail::submit_kernel<KernelName, detail::nd_range_shape<Dimensions>>(
        object_, kernelFunc, detail::range_of(executionRange), &depEvent, 1);
  }
  template <class KernelName = detail::unnamed, int Dimensions, class KernelType>
  TN_SYCL_LAYER event parallel_for(nd_range<Dimensions> executionRange,
                                   const std::vector<event> &depEvents,
                                   const KernelType &kernelFunc) {
    return detail::submit_kernel<KernelName, detail::nd_range_shape<Dimensions>>(
        object_, kernelFunc, detail::range_of(executionRange), depEvents.data(), depEvents.size());
  }

  event memcpy(void *dest, const void *src, std::size_t numBytes);
  event memcpy(void *dest, const void *src, std::size_t numBytes, event depEvent);
  event memcpy(void *dest, const void *src, std::size_t numBytes,
               const std::vector<event> &depEvents);
  template <class T>
  event copy(const T *src, T *dest, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "copy: the type has to be device copyable");
    return memcpy(dest, src, detail::copied_bytes<T>(count));
  }
  template <class T>
  event copy(const T *src, T *dest, std::size_t count, event depEvent) {
    static_assert(is_device_copyable_v<T>, "copy: the type has to be device copyable");
    return memcpy(dest, src, detail::copied_bytes<T>(count), std::move(depEvent));
  }
  template <class T>
  event copy(const T *src, T *dest, std::size_t count, const std::vector<event> &depEvents) {
    static_assert(is_device_copyable_v<T>, "copy: the type has to be device copyable");
    return memcpy(dest, src, detail::copied_bytes<T>(count), depEvents);
  }
  event memset(void *ptr, int value, std::size_t numBytes);
  event memset(void *ptr, int value, std::size_t numBytes, event depEvent);
  event memset(void *ptr, int value, std::size_t numBytes, const std::vector<event> &depEvents);
  template <class T>
  TN_SYCL_HIDDEN event fill(void *ptr, const T &pattern, std::size_t count) {
    return submit([&](handler &cgh) { cgh.fill(ptr, pattern, count); });
  }
  template <class T>
  TN_SYCL_HIDDEN event fill(void *ptr, const T &pattern, std::size_t count, event depEvent) {
    return submit([&](handler &cgh) {
      cgh.depends_on(depEvent);
      cgh.fill(ptr, pattern, count);
    });
  }
  template <class T>
  TN_SYCL_HIDDEN event fill(void *ptr, const T &pattern, std::size_t count,
                            const std::vector<event> &depEvents) {
    return submit([&](handler &cgh) {
      cgh.depends_on(depEvents);
      cgh.fill(ptr, pattern, count);
    });
  }
  // sycl_ext_oneapi_bindless_images.
#define TN_SYCL_COPY(parameters, names)           \
  event ext_oneapi_copy(TN_SYCL_BARE parameters); \
  event ext_oneapi_copy(TN_SYCL_BARE parameters, const detail::events_before &before);
  TN_SYCL_IMAGE_COPIES(TN_SYCL_COPY)
#undef TN_SYCL_COPY
#define TN_SYCL_USE(name, ...) \
  event name(__VA_ARGS__);     \
  event name(__VA_ARGS__, const detail::events_before &before);
  TN_SYCL_SEMAPHORE_USES(TN_SYCL_USE)
#undef TN_SYCL_USE
  // sycl_ext_oneapi_memcpy2d: see handler.
  event ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src,
                            std::size_t srcPitch, std::size_t width, std::size_t height);
  event ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src,
                            std::size_t srcPitch, std::size_t width, std::size_t height,
                            event depEvent);
  event ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src,
                            std::size_t srcPitch, std::size_t width, std::size_t height,
                            const std::vector<event> &depEvents);
  template <class T>
  event ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                          std::size_t width, std::size_t height);
  template <class T>
  event ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                          std::size_t width, std::size_t height, event depEvent);
  template <class T>
  event ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                          std::size_t width, std::size_t height,
                          const std::vector<event> &depEvents);
  event ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value, std::size_t width,
                            std::size_t height);
  event ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value, std::size_t width,
                            std::size_t height, event depEvent);
  event ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value, std::size_t width,
                            std::size_t height, const std::vector<event> &depEvents);
  template <class T>
  TN_SYCL_HIDDEN event ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                                         std::size_t width, std::size_t height);
  template <class T>
  TN_SYCL_HIDDEN event ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                                         std::size_t width, std::size_t height, event depEvent);
  template <class T>
  TN_SYCL_HIDDEN event ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                                         std::size_t width, std::size_t height,
                                         const std::vector<event> &depEvents);
  event prefetch(const void *ptr, std::size_t numBytes);
  event prefetch(const void *ptr, std::size_t numBytes, event depEvent);
  event prefetch(const void *ptr, std::size_t numBytes, const std::vector<event> &depEvents);
  event mem_advise(const void *ptr, std::size_t numBytes, int advice);
  event mem_advise(const void *ptr, std::size_t numBytes, int advice, event depEvent);
  event mem_advise(const void *ptr, std::size_t numBytes, int advice,
                   const std::vector<event> &depEvents);

  // sycl_ext_oneapi_device_global: its header has what these need.
  template <class T, class P>
  event memcpy(detail::device_global<T, P> &dest, const void *src, std::size_t numBytes = sizeof(T),
               std::size_t offset = 0) {
    return copy_to_global(dest, src, numBytes, offset);
  }
  template <class T, class P>
  event memcpy(void *dest, const detail::device_global<T, P> &src, std::size_t numBytes = sizeof(T),
               std::size_t offset = 0) {
    return copy_from_global(dest, src, numBytes, offset);
  }
  template <class T, class P>
  event copy(const detail::global_element<T> *src, detail::device_global<T, P> &dest,
             std::size_t count = detail::global_element_count<T>, std::size_t startIndex = 0) {
    return copy_to_global(dest, src, detail::global_bytes<T>(count),
                          detail::global_bytes<T>(startIndex));
  }
  template <class T, class P>
  event copy(const detail::device_global<T, P> &src, detail::global_element<T> *dest,
             std::size_t count = detail::global_element_count<T>, std::size_t startIndex = 0) {
    return copy_from_global(dest, src, detail::global_bytes<T>(count),
                            detail::global_bytes<T>(startIndex));
  }
  template <class T, class P>
  event memcpy(detail::device_global<T, P> &dest, const void *src, std::size_t numBytes,
               std::size_t offset, event depEvent) {
    return copy_to_global(dest, src, numBytes, offset, depEvent);
  }
  template <class T, class P>
  event memcpy(void *dest, const detail::device_global<T, P> &src, std::size_t numBytes,
               std::size_t offset, event depEvent) {
    return copy_from_global(dest, src, numBytes, offset, depEvent);
  }
  template <class T, class P>
  event copy(const detail::global_element<T> *src, detail::device_global<T, P> &dest,
             std::size_t count, std::size_t startIndex, event depEvent) {
    return copy_to_global(dest, src, detail::global_bytes<T>(count),
                          detail::global_bytes<T>(startIndex), depEvent);
  }
  template <class T, class P>
  event copy(const detail::device_global<T, P> &src, detail::global_element<T> *dest,
             std::size_t count, std::size_t startIndex, event depEvent) {
    return copy_from_global(dest, src, detail::global_bytes<T>(count),
                            detail::global_bytes<T>(startIndex), depEvent);
  }
  template <class T, class P>
  event memcpy(detail::device_global<T, P> &dest, const void *src, std::size_t numBytes,
               std::size_t offset, const std::vector<event> &depEvents) {
    return copy_to_global(dest, src, numBytes, offset, depEvents);
  }
  template <class T, class P>
  event memcpy(void *dest, const detail::device_global<T, P> &src, std::size_t numBytes,
               std::size_t offset, const std::vector<event> &depEvents) {
    return copy_from_global(dest, src, numBytes, offset, depEvents);
  }
  template <class T, class P>
  event copy(const detail::global_element<T> *src, detail::device_global<T, P> &dest,
             std::size_t count, std::size_t startIndex, const std::vector<event> &depEvents) {
    return copy_to_global(dest, src, detail::global_bytes<T>(count),
                          detail::global_bytes<T>(startIndex), depEvents);
  }
  template <class T, class P>
  event copy(const detail::device_global<T, P> &src, detail::global_element<T> *dest,
             std::size_t count, std::size_t startIndex, const std::vector<event> &depEvents) {
    return copy_from_global(dest, src, detail::global_bytes<T>(count),
                            detail::global_bytes<T>(startIndex), depEvents);
  }

  // The accessors are placeholders; the shortcut requires them.
  template <class SrcT, int SrcDims, access_mode SrcMode, target SrcTgt,
            access::placeholder IsPlaceholder, class DestT>
  event copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsPlaceholder> src,
             std::shared_ptr<DestT> dest) {
    return submit([&](handler &cgh) {
      cgh.require(src);
      cgh.copy(src, dest);
    });
  }
  template <class SrcT, class DestT, int DestDims, access_mode DestMode, target DestTgt,
            access::placeholder IsPlaceholder>
  event copy(std::shared_ptr<SrcT> src,
             accessor<DestT, DestDims, DestMode, DestTgt, IsPlaceholder> dest) {
    return submit([&](handler &cgh) {
      cgh.require(dest);
      cgh.copy(src, dest);
    });
  }
  template <class SrcT, int SrcDims, access_mode SrcMode, target SrcTgt,
            access::placeholder IsPlaceholder, class DestT>
  event copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsPlaceholder> src, DestT *dest) {
    return submit([&](handler &cgh) {
      cgh.require(src);
      cgh.copy(src, dest);
    });
  }
  template <class SrcT, class DestT, int DestDims, access_mode DestMode, target DestTgt,
            access::placeholder IsPlaceholder>
  event copy(const SrcT *src, accessor<DestT, DestDims, DestMode, DestTgt, IsPlaceholder> dest) {
    return submit([&](handler &cgh) {
      cgh.require(dest);
      cgh.copy(src, dest);
    });
  }
  template <class SrcT, int SrcDims, access_mode SrcMode, target SrcTgt,
            access::placeholder IsSrcPlaceholder, class DestT, int DestDims, access_mode DestMode,
            target DestTgt, access::placeholder IsDestPlaceholder>
  event copy(accessor<SrcT, SrcDims, SrcMode, SrcTgt, IsSrcPlaceholder> src,
             accessor<DestT, DestDims, DestMode, DestTgt, IsDestPlaceholder> dest) {
    return submit([&](handler &cgh) {
      cgh.require(src);
      cgh.require(dest);
      cgh.copy(src, dest);
    });
  }
  template <class T, int Dims, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  TN_SYCL_HIDDEN event fill(accessor<T, Dims, Mode, Tgt, IsPlaceholder> dest, const T &src) {
    return submit([&](handler &cgh) {
      cgh.require(dest);
      cgh.fill(dest, src);
    });
  }
  template <class T, int Dims, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  event update_host(accessor<T, Dims, Mode, Tgt, IsPlaceholder> acc) {
    return submit([&](handler &cgh) {
      cgh.require(acc);
      cgh.update_host(acc);
    });
  }

  // Extension: complete when everything submitted before (or the given events) is; what is
  // submitted later begins after it. The host does not wait. An empty list has no effect.
  event ext_oneapi_submit_barrier();
  event ext_oneapi_submit_barrier(const std::vector<event> &waitList);

  // sycl_ext_oneapi_in_order_queue_events, both of in-order queues: an event that is complete when
  // the last command is, none without a command; and an event that the next command waits for.
  std::optional<event> ext_oneapi_get_last_event() const;
  void ext_oneapi_set_external_event(const event &externalEvent);

  // sycl_ext_oneapi_graph: its header has the bodies.
  ext::oneapi::experimental::queue_state ext_oneapi_get_state() const;
  ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::modifiable>
  ext_oneapi_get_graph() const;
  event ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                         ext::oneapi::experimental::graph_state::executable> &graph);
  event ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                             ext::oneapi::experimental::graph_state::executable> &graph,
                         event depEvent);
  event ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                             ext::oneapi::experimental::graph_state::executable> &graph,
                         const std::vector<event> &depEvents);

  friend bool operator==(const queue &lhs, const queue &rhs) noexcept {
    return lhs.object_ == rhs.object_;
  }
  friend bool operator!=(const queue &lhs, const queue &rhs) noexcept { return !(lhs == rhs); }

  // Borrowed from this object.
  tn_queue *tn_get() const noexcept { return object_; }

 private:
  void set_handler(const async_handler &handler);
  void check_ordered_events(const char *function) const;
  template <class Name, class Execution, class... Rest>
  TN_SYCL_HIDDEN event submit_reductions(const Execution &execution, const event *events,
                                         std::size_t count, const Rest &...rest) {
    return submit([&](handler &cgh) {
      for (std::size_t i = 0; i < count; ++i) {
        cgh.depends_on(events[i]);
      }
      detail::launch_reductions<Name>(cgh, execution, rest...);
    });
  }
  event submit_plain(tn_command &command, const event *events, std::size_t count);
  event launch_graph(tn_graph_exec *graph, const event *events, std::size_t count);
  template <class T, class P, class... Events>
  event copy_to_global(detail::device_global<T, P> &dest, const void *src, std::size_t size,
                       std::size_t begin, const Events &...events);
  template <class T, class P, class... Events>
  event copy_from_global(void *dest, const detail::device_global<T, P> &src, std::size_t size,
                         std::size_t begin, const Events &...events);

  tn_queue *object_ = nullptr;  // its state counts these objects; the last one releases
  // oneDPL keeps its own objects in the place of a queue, and asserts that they fit.
  [[maybe_unused]] void *unused_ = nullptr;
};
static_assert(sizeof(queue) >= 16, "oneDPL needs as much");

}  // namespace sycl

template <>
struct std::hash<sycl::queue> {
  std::size_t operator()(const sycl::queue &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
