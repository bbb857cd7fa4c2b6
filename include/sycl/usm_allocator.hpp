// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::usm_allocator. Source: SYCL 2020 section 4.8.3.1.
#ifndef TENON_SYCL_USM_ALLOCATOR_HPP
#define TENON_SYCL_USM_ALLOCATOR_HPP

#include <sycl/usm.hpp>

namespace sycl {

template <class T, usm::alloc AllocKind, std::size_t Alignment = 0>
class usm_allocator {
  static_assert(AllocKind == usm::alloc::host || AllocKind == usm::alloc::shared,
                "an allocator gives memory that the host can use: usm::alloc::host or shared");

 public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class U>
  struct rebind {
    using other = usm_allocator<U, AllocKind, Alignment>;
  };

  usm_allocator() = delete;
  usm_allocator(const context &syclContext, const device &syclDevice, const property_list & = {})
      : context_(syclContext), device_(syclDevice) {
    constexpr aspect needed = AllocKind == usm::alloc::host ? aspect::usm_host_allocations
                                                            : aspect::usm_shared_allocations;
    if (AllocKind == usm::alloc::host ? !any_has(needed) : !device_.has(needed)) {
      detail::raise(errc::feature_not_supported,
                    "usm_allocator: the device does not have this kind of USM");
    }
    // errc::invalid when the device is not in the context.
    (void)detail::allocate_usm(AllocKind, 0, 0, &device_, context_);
  }
  usm_allocator(const queue &syclQueue, const property_list &propList = {})
      : usm_allocator(syclQueue.get_context(), syclQueue.get_device(), propList) {}
  template <class U>
  usm_allocator(const usm_allocator<U, AllocKind, Alignment> &other) noexcept
      : context_(other.context_), device_(other.device_) {}

  // Of no elements, too, it gives a pointer: allocators do (C++ [allocator.requirements]).
  T *allocate(std::size_t count) {
    void *memory = detail::allocate_usm(AllocKind, detail::usm_alignment<T>(Alignment),
                                        detail::usm_size<T>(count ? count : 1), &device_, context_);
    if (!memory) {
      detail::raise(errc::memory_allocation, "usm_allocator: the memory could not be allocated");
    }
    return static_cast<T *>(memory);
  }
  void deallocate(T *ptr, std::size_t) { sycl::free(ptr, context_); }

  template <class U, usm::alloc AllocKindU, std::size_t AlignmentU>
  friend bool operator==(const usm_allocator &lhs,
                         const usm_allocator<U, AllocKindU, AlignmentU> &rhs) {
    return AllocKind == AllocKindU && Alignment == AlignmentU &&
           lhs.is_on(rhs.tn_context(), rhs.tn_device());
  }
  template <class U, usm::alloc AllocKindU, std::size_t AlignmentU>
  friend bool operator!=(const usm_allocator &lhs,
                         const usm_allocator<U, AllocKindU, AlignmentU> &rhs) {
    return !(lhs == rhs);
  }

  // For comparison.
  const context &tn_context() const noexcept { return context_; }
  const device &tn_device() const noexcept { return device_; }

 private:
  template <class, usm::alloc, std::size_t>
  friend class usm_allocator;
  bool any_has(aspect asp) const {
    for (const device &each : context_.get_devices()) {
      if (each.has(asp)) {
        return true;
      }
    }
    return false;
  }
  bool is_on(const context &ctx, const device &dev) const {
    return context_ == ctx && device_ == dev;
  }

  context context_;
  device device_;
};

}  // namespace sycl

#endif
