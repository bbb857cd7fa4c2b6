// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::handler: collects one command and what it needs. Source: SYCL 2020 section 4.9.4.
// set_arg, kernel objects, bundles, reductions and specialization constants are not there yet.
#ifndef TENON_SYCL_DETAIL_HANDLER_CLASS_HPP
#define TENON_SYCL_DETAIL_HANDLER_CLASS_HPP

#include <sycl/accessor.hpp>
#include <sycl/detail/host_task.hpp>
#include <sycl/detail/kernel_entry.hpp>
#include <sycl/event.hpp>
#include <sycl/nd_range.hpp>

namespace sycl {

namespace detail {
template <class T>
class fill_kernel;
class handler_access;

// For patterns longer than the runtime's fill takes.
template <class T>
struct fill_function {
  T *to;
  T value;
  void operator()(item<1> place) const { to[place] = value; }
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
    require_link(acc.tn_link());
  }
  void depends_on(event depEvent);
  void depends_on(const std::vector<event> &depEvents);

  template <class KernelName = detail::unnamed, class KernelType>
  TN_SYCL_HIDDEN void single_task(const KernelType &kernelFunc) {
    set_kernel<KernelName, detail::single_task_shape>(kernelFunc, 0);
  }

#define TN_SYCL_HANDLER_RANGE(Dimensions)                                                          \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_HIDDEN void parallel_for(range<Dimensions> numWorkItems, const KernelType &kernelFunc) { \
    set_kernel<KernelName, detail::range_shape<Dimensions>>(kernelFunc, numWorkItems,              \
                                                            id<Dimensions>());                     \
  }                                                                                                \
  template <class KernelName = detail::unnamed, class KernelType>                                  \
  TN_SYCL_DEPRECATED("offsets are deprecated in SYCL 2020")                                        \
  TN_SYCL_HIDDEN void parallel_for(range<Dimensions> numWorkItems, id<Dimensions> workItemOffset,  \
                                   const KernelType &kernelFunc) {                                 \
    set_kernel<KernelName, detail::range_shape<Dimensions>>(kernelFunc, numWorkItems,              \
                                                            workItemOffset);                       \
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

  template <class T>
  void host_task(T &&hostTaskCallable);

  void memcpy(void *dest, const void *src, std::size_t numBytes);
  template <class T>
  void copy(const T *src, T *dest, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "copy: the type has to be device copyable");
    memcpy(dest, src, count * sizeof(T));
  }
  void memset(void *ptr, int value, std::size_t numBytes);
  template <class T>
  TN_SYCL_HIDDEN void fill(void *ptr, const T &pattern, std::size_t count);
  // Hints: nothing moves, what depends on them is kept.
  void prefetch(const void *ptr, std::size_t numBytes);
  void mem_advise(const void *ptr, std::size_t numBytes, int advice);

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
  static constexpr std::size_t small_block_size = 512;
  static constexpr std::size_t small_block_alignment = 64;
  template <class F>
  static constexpr bool is_small_block =
      sizeof(F) <= small_block_size && alignof(F) <= small_block_alignment;
  template <class F>
  void *place_block();
  template <class F>
  static void free_block(void *block);
  template <class F>
  static void destroy_block(void *block);
  void use_accesses();
  static void merge_accesses(handler &cgh, detail::access_list &all);
  static void release_buffers(handler &cgh);
  event submit();
  void use_host_task(detail::host_task_base *task);
  template <class T>
  void keep_until_done(std::shared_ptr<T> *keep) {
    if (keep) {
      command_.user = keep;
      command_.free_user = [](void *pointer) { delete static_cast<std::shared_ptr<T> *>(pointer); };
    }
  }

  tn_queue *queue_;  // borrowed
  tn_command command_ = {};
  bool has_action_ = false;
  detail::small_list<tn_event *> events_;  // retained
  detail::access_list required_;           // what accessors were made with this handler
  detail::access_list captured_;           // what the kernel's function object holds
  detail::small_list<detail::buffer_state *> buffers_;  // retained: of required_
  // Set with the first accessor: command groups without any do not compile what these take.
  void (*merge_accesses_)(handler &cgh, detail::access_list &all) = nullptr;
  void (*release_buffers_)(handler &cgh) = nullptr;
  void *block_ = nullptr;
  void (*destroy_block_)(void *block) = nullptr;  // for what is not plain bytes in small_block_
  alignas(small_block_alignment) unsigned char small_block_[small_block_size];
#endif
};

}  // namespace sycl

#endif
