// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::atomic_ref. Source: SYCL 2020 section 4.15.3.
#ifndef TENON_SYCL_ATOMIC_REF_HPP
#define TENON_SYCL_ATOMIC_REF_HPP

#include <sycl/detail/atomic_ops.hpp>

namespace sycl {

template <class T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space AddressSpace = access::address_space::generic_space>
class atomic_ref : public detail::atomic_ops<T, DefaultOrder, DefaultScope> {
  static_assert(DefaultOrder == memory_order::relaxed || DefaultOrder == memory_order::acq_rel ||
                    DefaultOrder == memory_order::seq_cst,
                "the default order of an atomic_ref is relaxed, acq_rel or seq_cst");
  static_assert(AddressSpace == access::address_space::global_space ||
                    AddressSpace == access::address_space::local_space ||
                    AddressSpace == access::address_space::generic_space,
                "an atomic_ref is to global, local or generic memory");

 public:
  explicit atomic_ref(T &object) noexcept
      : detail::atomic_ops<T, DefaultOrder, DefaultScope>(object) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;
  T operator=(T desired) const noexcept {
    this->store(desired);
    return desired;
  }
};

}  // namespace sycl

#endif
