// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::handler: collects one command and what it needs. Source: SYCL 2020 section 4.9.4.
#ifndef TENON_SYCL_DETAIL_HANDLER_CLASS_HPP
#define TENON_SYCL_DETAIL_HANDLER_CLASS_HPP

#include "tenon/stream.h"
#include <sycl/accessor.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/bundle_types.hpp>
#include <sycl/detail/host_task.hpp>
#include <sycl/detail/image_copies.hpp>
#include <sycl/detail/kernel_entry.hpp>
#include <sycl/event.hpp>
#include <sycl/ext/oneapi/device_global/device_global_forward.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_types.hpp>
#include <sycl/ext/oneapi/experimental/graph_forward.hpp>
#include <sycl/nd_range.hpp>

namespace sycl {

namespace detail {
class spec_list;
class argument_list;
class stream_list;
template <class T>
class memory_kernel;
template <class Name>
inline constexpr bool is_memory_kernel = false;
template <class T>
inline constexpr bool is_memory_kernel<memory_kernel<T>> = true;
class handler_access;
class reduction_access;
class stream_access;

// Derived from by what sycl::reduction gives, and by nothing else.
struct reduction_tag {};
template <class... Rest>
inline constexpr bool begins_with_reduction = false;
template <class T, class U, class... Rest>
inline constexpr bool begins_with_reduction<T, U, Rest...> =
    std::is_base_of_v<reduction_tag, std::remove_cv_t<std::remove_reference_t<T>>>;
template <class... Rest>
using if_reductions = std::enable_if_t<begins_with_reduction<Rest...>, int>;
// In reduction.hpp, which is where reductions come from.
template <class Name, class Execution, class... Rest>
void launch_reductions(handler &cgh, const Execution &execution, const Rest &...rest);

// In h_item.hpp, which is where hierarchical kernels come from.
template <class Name, int Dimensions, class F>
void launch_work_groups(handler &cgh, const range<Dimensions> &groups,
                        const range<Dimensions> &size, const F &f);
template <class Name, int Dimensions, class Properties, class F>
void launch_work_groups_with_properties(handler &cgh, const range<Dimensions> &groups,
                                        const range<Dimensions> &size, const Properties &properties,
                                        const F &f);
template <int Dimensions>
range<Dimensions> range_of_ones() noexcept;

// In property_launch.hpp. `rest`: reductions, if there are any, and the function object.
template <class T>
using if_properties =
    std::enable_if_t<ext::oneapi::experimental::is_property_list_v<std::remove_cv_t<T>>, int>;
template <class Name, class Extent, class Properties, class... Rest>
void launch_with_properties(handler &cgh, const Extent &extent, const Properties &properties,
                            const Rest &...rest);
template <class Name, class Properties, class F>
void launch_task_with_properties(handler &cgh, const Properties &properties, const F &f);

// What a command group with reductions has beside its kernel.
struct reduction_tail {
  // Called once: with the event of the kernel, or when it was not submitted.
  event (*finish_command)(reduction_tail &tail, tn_queue *queue, event done, bool is_submitted);
};

// For patterns longer than the runtime's fill takes.
template <class T>
struct fill_function {
  T *to;
  T value;
  void operator()(item<1> place) const { to[place] = value; }
};
template <class Accessor, class T>
struct fill_view_function {
  Accessor to;
  T value;
  void operator()(item<1> place) const {
    to.begin()[static_cast<std::ptrdiff_t>(place.get_linear_id())] = value;
  }
};
// For copies between boxes of different shapes, neither of them contiguous.
template <class From, class To>
struct copy_view_function {
  From from;
  To to;
  void operator()(item<1> place) const {
    const auto at = static_cast<std::ptrdiff_t>(place.get_linear_id());
    to.begin()[at] = from.begin()[at];
  }
  static constexpr bool is_possible =
      std::is_same_v<std::remove_const_t<typename From::value_type>, typename To::value_type>;
};
inline constexpr std::size_t longest_pattern = 128;
}  // namespace detail

class TN_SYCL_SHARED handler {
 public:
  handler() = delete;
  handler(const handler &) = delete;
  handler(handler &&) = delete;
  handler &operator=(const handler &) = delete;
  handler &operator=(handler &&) = delete;

  template <class DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
            access::placeholder IsPlaceholder>
  void require(accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder> acc) {
    if (acc.tn_link().buffer) {  // else it was default-constructed, and is no placeholder
      require_link(acc.tn_link());
    }
  }
  // Of a node of a graph; in graph_dynamic.hpp.
  template <class AccessorT>
  void require(const ext::oneapi::experimental::dynamic_parameter<AccessorT> &dynamicParamAcc);
  void depends_on(event depEvent);
  void depends_on(const std::vector<event> &depEvents);

  // The kernel of this command group is the bundle's, with the bundle's values of specialization
  // constants. In kernel_bundle.hpp, which is where bundles come from.
  void use_kernel_bundle(const kernel_bundle<bundle_state::executable> &execBundle);

  // For the kernel of this command group only; what it does not use is ignored.
  template <auto &SpecName>
  TN_SYCL_HIDDEN void set_specialization_constant(detail::spec_value_t<SpecName> value);
  // What was set, or the default.
  template <auto &SpecName>
  TN_SYCL_HIDDEN detail::spec_value_t<SpecName> get_specialization_constant() const;

  // Kernel objects, and the arguments of those that are functions; in handler_arguments.hpp. An
  // argument that is set again is replaced.
  template <class T>
  TN_SYCL_HIDDEN void set_arg(int argIndex, T &&arg);
  template <class... Ts>
  TN_SYCL_HIDDEN void set_args(Ts &&...args);
  void single_task(const kernel &kernelObject);
  template <int Dimensions>
  TN_SYCL_HIDDEN void parallel_for(nd_range<Dimensions> ndRange, const kernel &kernelObject);
  // SYCL 1.2.1: a kernel object and the function that it was made of, whose captures are the
  // arguments. In kernel_bundle.hpp, which is where kernel objects come from.
  template <class KernelName = detail::unnamed, class KernelType>
  TN_SYCL_HIDDEN void single_task(const kernel &kernelObject, const KernelType &kernelFunc);
  template <class KernelName = detail::unnamed, class KernelType, int Dimensions>
  TN_SYCL_HIDDEN void parallel_for(const kernel &kernelObject, range<Dimensions> numWorkItems,
                                   const KernelType &kernelFunc);
  template <class KernelName = detail::unnamed, class KernelType, int Dimensions>
  TN_SYCL_HIDDEN void parallel_for(const kernel &kernelObject, nd_range<Dimensions> executionRange,
                                   const KernelType &kernelFunc);

  template <class KernelName = detail::unnamed, class KernelType>
  TN_SYCL_HIDDEN void single_task(const KernelType &kernelFunc) {
    set_kernel<KernelName, detail::single_task_shape>(kernelFunc);
  }
  // With properties of the kernel or of the launch: sycl_ext_oneapi_kernel_properties. `rest` are
  // reductions, if there are any, and the kernel function.
  template <class KernelName = detail::unnamed, class Properties, class KernelType,
            detail::if_properties<Properties> = 0>
  TN_SYCL_HIDDEN void single_task(const Properties &properties, const KernelType &kernelFunc) {
    detail::launch_task_with_properties<KernelName>(*this, properties, kernelFunc);
  }

#define TN_SYCL_HANDLER_RANGE(Dimensions)                                                          \
  void parallel_for(range<Dimensions> numWorkItems, const kernel &kernelObject);                   \
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")                                        \
  void parallel_for(range<Dimensions> numWorkItems, id<Dimensions> workItemOffset,                 \
                    const kernel &kernelObject);                                                   \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_HIDDEN void parallel_for(range<Dimensions> numWorkItems, const KernelType &kernelFunc) { \
    set_kernel<KernelName, detail::range_shape<Dimensions>>(kernelFunc, numWorkItems);             \
  }                                                                                                \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")                                        \
  TN_SYCL_HIDDEN void parallel_for(range<Dimensions> numWorkItems, id<Dimensions> workItemOffset,  \
                                   const KernelType &kernelFunc) {                                 \
    set_kernel<KernelName, detail::range_shape<Dimensions>>(kernelFunc, numWorkItems,              \
                                                            workItemOffset);                       \
  }                                                                                                \
  template <class KernelName = detail::unnamed, class... Rest, detail::if_reductions<Rest...> = 0> \
  TN_SYCL_HIDDEN void parallel_for(range<Dimensions> numWorkItems, Rest &&...rest) {               \
    detail::launch_reductions<KernelName>(*this, numWorkItems, rest...);                           \
  }                                                                                                \
  template <class KernelName = detail::unnamed, class Properties, class... Rest,                   \
            detail::if_properties<Properties> = 0>                                                 \
  TN_SYCL_HIDDEN void parallel_for(range<Dimensions> numWorkItems, const Properties &properties,   \
                                   const Rest &...rest) {                                          \
    detail::launch_with_properties<KernelName>(*this, numWorkItems, properties, rest...);          \
  }
  TN_SYCL_HANDLER_RANGE(1)
  TN_SYCL_HANDLER_RANGE(2)
  TN_SYCL_HANDLER_RANGE(3)
#undef TN_SYCL_HANDLER_RANGE

  template <class KernelName = detail::unnamed, int Dimensions, class KernelType>
  TN_SYCL_HIDDEN void parallel_for(nd_range<Dimensions> executionRange,
                                   const KernelType &kernelFunc) {
    set_kernel<KernelName, detail::nd_range_shape<Dimensions>>(kernelFunc, executionRange);
  }
  template <class KernelName = detail::unnamed, int Dimensions, class... Rest,
            detail::if_reductions<Rest...> = 0>
  TN_SYCL_HIDDEN void parallel_for(nd_range<Dimensions> executionRange, Rest &&...rest) {
    detail::launch_reductions<KernelName>(*this, executionRange, rest...);
  }
  template <class KernelName = detail::unnamed, int Dimensions, class Properties, class... Rest,
            detail::if_properties<Properties> = 0>
  TN_SYCL_HIDDEN void parallel_for(nd_range<Dimensions> executionRange,
                                   const Properties &properties, const Rest &...rest) {
    detail::launch_with_properties<KernelName>(*this, executionRange, properties, rest...);
  }

  // Without a size a work-group has one work-item; the loops in it name their own ranges.
  template <class KernelName = detail::unnamed, class WorkgroupFunctionType, int Dimensions>
  TN_SYCL_DEPRECATED("hierarchical kernels are deprecated in SYCL 2020")
  TN_SYCL_HIDDEN void parallel_for_work_group(range<Dimensions> numWorkGroups,
                                              const WorkgroupFunctionType &kernelFunc) {
    detail::launch_work_groups<KernelName>(*this, numWorkGroups,
                                           detail::range_of_ones<Dimensions>(), kernelFunc);
  }
  template <class KernelName = detail::unnamed, class WorkgroupFunctionType, int Dimensions>
  TN_SYCL_DEPRECATED("hierarchical kernels are deprecated in SYCL 2020")
  TN_SYCL_HIDDEN
      void parallel_for_work_group(range<Dimensions> numWorkGroups, range<Dimensions> workGroupSize,
                                   const WorkgroupFunctionType &kernelFunc) {
    detail::launch_work_groups<KernelName>(*this, numWorkGroups, workGroupSize, kernelFunc);
  }
  template <class KernelName = detail::unnamed, class WorkgroupFunctionType, int Dimensions,
            class Properties, detail::if_properties<Properties> = 0>
  TN_SYCL_DEPRECATED("hierarchical kernels are deprecated in SYCL 2020")
  TN_SYCL_HIDDEN
      void parallel_for_work_group(range<Dimensions> numWorkGroups, const Properties &properties,
                                   const WorkgroupFunctionType &kernelFunc) {
    detail::launch_work_groups_with_properties<KernelName>(
        *this, numWorkGroups, detail::range_of_ones<Dimensions>(), properties, kernelFunc);
  }
  template <class KernelName = detail::unnamed, class WorkgroupFunctionType, int Dimensions,
            class Properties, detail::if_properties<Properties> = 0>
  TN_SYCL_DEPRECATED("hierarchical kernels are deprecated in SYCL 2020")
  TN_SYCL_HIDDEN
      void parallel_for_work_group(range<Dimensions> numWorkGroups, range<Dimensions> workGroupSize,
                                   const Properties &properties,
                                   const WorkgroupFunctionType &kernelFunc) {
    detail::launch_work_groups_with_properties<KernelName>(*this, numWorkGroups, workGroupSize,
                                                           properties, kernelFunc);
  }

  template <class T>
  void host_task(T &&hostTaskCallable);
  // sycl_ext_codeplay_enqueue_native_command: the function gives work to the device's own queue and
  // does not wait for it; it is called when the command is given to the device.
  template <class T>
  void ext_codeplay_enqueue_native_command(T &&interopCallable);

  void memcpy(void *dest, const void *src, std::size_t numBytes);
  template <class T>
  void copy(const T *src, T *dest, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "copy: the type has to be device copyable");
    memcpy(dest, src, detail::copied_bytes<T>(count));
  }
  // sycl_ext_oneapi_device_global: its header has the bodies.
  template <class T, class P>
  void memcpy(detail::device_global<T, P> &dest, const void *src, std::size_t numBytes = sizeof(T),
              std::size_t offset = 0);
  template <class T, class P>
  void memcpy(void *dest, const detail::device_global<T, P> &src, std::size_t numBytes = sizeof(T),
              std::size_t offset = 0);
  template <class T, class P>
  void copy(const detail::global_element<T> *src, detail::device_global<T, P> &dest,
            std::size_t count = detail::global_element_count<T>, std::size_t startIndex = 0) {
    memcpy(dest, src, detail::global_bytes<T>(count), detail::global_bytes<T>(startIndex));
  }
  template <class T, class P>
  void copy(const detail::device_global<T, P> &src, detail::global_element<T> *dest,
            std::size_t count = detail::global_element_count<T>, std::size_t startIndex = 0) {
    memcpy(dest, src, detail::global_bytes<T>(count), detail::global_bytes<T>(startIndex));
  }
  void memset(void *ptr, int value, std::size_t numBytes);
  template <class T>
  TN_SYCL_HIDDEN void fill(void *ptr, const T &pattern, std::size_t count);
  // sycl_ext_oneapi_memcpy2d: `height` rows of `width` bytes (copy2d, fill2d: elements), each a
  // pitch after the row before. A row that is wider than a pitch is errc::invalid.
  void ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src, std::size_t srcPitch,
                           std::size_t width, std::size_t height);
  template <class T>
  void ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                         std::size_t width, std::size_t height);
  void ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value, std::size_t width,
                           std::size_t height);
  template <class T>
  TN_SYCL_HIDDEN void ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                                        std::size_t width, std::size_t height);
  // sycl_ext_oneapi_bindless_images.
#define TN_SYCL_COPY(parameters, names) void ext_oneapi_copy(TN_SYCL_BARE parameters);
  TN_SYCL_IMAGE_COPIES(TN_SYCL_COPY)
#undef TN_SYCL_COPY
#define TN_SYCL_USE(name, ...) void name(__VA_ARGS__);
  TN_SYCL_SEMAPHORE_USES(TN_SYCL_USE)
#undef TN_SYCL_USE
  // Hints: nothing moves, what depends on them is kept.
  void prefetch(const void *ptr, std::size_t numBytes,
                ext::oneapi::experimental::prefetch_type type =
                    ext::oneapi::experimental::prefetch_type::device);
  void mem_advise(const void *ptr, std::size_t numBytes, int advice);

  // Extension: see queue::ext_oneapi_submit_barrier.
  void ext_oneapi_barrier();
  void ext_oneapi_barrier(const std::vector<event> &waitList);
  // sycl_ext_oneapi_graph: its header has the body.
  void ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                        ext::oneapi::experimental::graph_state::executable> &graph);

  template <class SrcT, int SrcDim, access_mode SrcMode, target SrcTgt,
            access::placeholder IsPlaceholder, class DestT>
  void copy(accessor<SrcT, SrcDim, SrcMode, SrcTgt, IsPlaceholder> src,
            std::shared_ptr<DestT> dest) {
    void *memory = dest.get();
    copy_out(src, memory, new std::shared_ptr<DestT>(std::move(dest)));
  }
  template <class SrcT, class DestT, int DestDim, access_mode DestMode, target DestTgt,
            access::placeholder IsPlaceholder>
  void copy(std::shared_ptr<SrcT> src,
            accessor<DestT, DestDim, DestMode, DestTgt, IsPlaceholder> dest) {
    const void *memory = src.get();
    copy_in(memory, dest, new std::shared_ptr<SrcT>(std::move(src)));
  }
  template <class SrcT, int SrcDim, access_mode SrcMode, target SrcTgt,
            access::placeholder IsPlaceholder, class DestT>
  void copy(accessor<SrcT, SrcDim, SrcMode, SrcTgt, IsPlaceholder> src, DestT *dest) {
    copy_out(src, dest, static_cast<std::shared_ptr<DestT> *>(nullptr));
  }
  template <class SrcT, class DestT, int DestDim, access_mode DestMode, target DestTgt,
            access::placeholder IsPlaceholder>
  void copy(const SrcT *src, accessor<DestT, DestDim, DestMode, DestTgt, IsPlaceholder> dest) {
    copy_in(src, dest, static_cast<std::shared_ptr<const SrcT> *>(nullptr));
  }
  template <class SrcT, int SrcDim, access_mode SrcMode, target SrcTgt,
            access::placeholder SrcIsPlaceholder, class DestT, int DestDim, access_mode DestMode,
            target DestTgt, access::placeholder DestIsPlaceholder>
  void copy(accessor<SrcT, SrcDim, SrcMode, SrcTgt, SrcIsPlaceholder> src,
            accessor<DestT, DestDim, DestMode, DestTgt, DestIsPlaceholder> dest);
  template <class T, int Dim, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  void update_host(accessor<T, Dim, Mode, Tgt, IsPlaceholder> acc);
  template <class T, int Dim, access_mode Mode, target Tgt, access::placeholder IsPlaceholder>
  TN_SYCL_HIDDEN void fill(accessor<T, Dim, Mode, Tgt, IsPlaceholder> dest, const T &src);

 private:
  friend class detail::handler_access;
  friend class detail::reduction_access;
  friend class detail::stream_access;
  explicit handler(tn_queue *queue);
  ~handler();

  void require_link(const detail::accessor_link &link);
  template <class Name, class Shape, class F, class... Extent>
  TN_SYCL_HIDDEN void set_kernel(const F &f, const Extent &...extent);
  template <class Accessor, class DestT>
  void copy_out(const Accessor &src, void *dest, std::shared_ptr<DestT> *keep);
  template <class Accessor, class SrcT>
  void copy_in(const void *src, const Accessor &dest, std::shared_ptr<SrcT> *keep);

#ifndef __SYCL_DEVICE_ONLY__
  void begin_action(std::uint32_t kind);
  void set_rects(const tn_command &copy);  // a copy of rectangles
  void *place_block(std::size_t size, std::size_t alignment);
  void *place_kernel(tn_kernel_slot *slot, std::size_t size, std::size_t alignment);
  template <class F>
  static void destroy_block(void *block) {
    static_cast<F *>(block)->~F();
  }
  event submit();
  // What some command groups have beside their command; others do not compile it.
  enum class moment { submission, submitted, end };
  static void use_parts(handler &cgh, moment when, event *done);
  static void use_specs(handler &cgh, bool is_end);
  static void use_bundle(handler &cgh, bool is_end);
  void refuse_spec(const char *function) const;
  detail::argument_list &arguments();
  static void use_arguments(handler &cgh, bool is_end);
  static void note_arguments(handler &cgh, const event &done);
  void check_dynamic() const;
  void set_object(const kernel &object);
  void use_host_task(detail::host_task_base *task);
  template <class T>
  void keep_until_done(std::shared_ptr<T> *keep) {
    if (group_.has_action != 0) {
      delete keep;  // begin_action refuses what it is for
    } else if (keep) {
      group_.command.user = keep;
      group_.command.free_user = [](void *pointer) {
        delete static_cast<std::shared_ptr<T> *>(pointer);
      };
    }
  }

  tn_command_group group_;
  bool has_user_kernel_ = false;  // not one that fills or copies memory
  void (*use_parts_)(handler &cgh, moment when, event *done) = nullptr;
  detail::reduction_tail *reduction_ = nullptr;  // owned
  // The same for streams, whose output is printed when the command is complete.
  detail::stream_list *streams_ = nullptr;  // owned
  void (*use_streams_)(handler &cgh, event *done) = nullptr;
  // Owned. Command groups that set no specialization constant do not compile what it takes.
  detail::spec_list *specs_ = nullptr;
  void (*use_specs_)(handler &cgh, bool is_end) = nullptr;
  // The same for command groups that set arguments.
  detail::argument_list *arguments_ = nullptr;
  void (*use_arguments_)(handler &cgh, bool is_end) = nullptr;
  void (*note_arguments_)(handler &cgh, const event &done) = nullptr;  // of graphs, changed later
  tn_bundle *bundle_ = nullptr;                                        // retained
  void (*use_bundle_)(handler &cgh, bool is_end) = nullptr;
#endif
};

}  // namespace sycl

#endif
