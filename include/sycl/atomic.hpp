// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::atomic and its functions, which atomic_ref has replaced. Source: SYCL 2020 section 4.15.3.
#ifndef TENON_SYCL_ATOMIC_HPP
#define TENON_SYCL_ATOMIC_HPP

#include <sycl/atomic_ref.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

template <class T, access::address_space AddressSpace = access::address_space::global_space>
class TN_SYCL_DEPRECATED("use atomic_ref") atomic {
  using ref = atomic_ref<T, memory_order::relaxed, memory_scope::device,
                         access::address_space::generic_space>;

 public:
  template <class PointerT, access::decorated IsDecorated>
  atomic(multi_ptr<PointerT, AddressSpace, IsDecorated> ptr) noexcept
      : ref_(*static_cast<T *>(ptr.get_raw())) {
    static_assert(sizeof(PointerT) == sizeof(T), "the pointer is to a value of another size");
  }

  void store(T operand, memory_order memoryOrder = memory_order::relaxed) noexcept {
    ref_.store(operand, memoryOrder);
  }
  T load(memory_order memoryOrder = memory_order::relaxed) const noexcept {
    return ref_.load(memoryOrder);
  }
  T exchange(T operand, memory_order memoryOrder = memory_order::relaxed) noexcept {
    return ref_.exchange(operand, memoryOrder);
  }
  bool compare_exchange_strong(T &expected, T desired,
                               memory_order successMemoryOrder = memory_order::relaxed,
                               memory_order failMemoryOrder = memory_order::relaxed) noexcept {
    return ref_.compare_exchange_strong(expected, desired, successMemoryOrder, failMemoryOrder);
  }
#define TN_SYCL_ATOMIC_FETCH(name)                                               \
  T name(T operand, memory_order memoryOrder = memory_order::relaxed) noexcept { \
    return ref_.name(operand, memoryOrder);                                      \
  }
  TN_SYCL_ATOMIC_FETCH(fetch_add)
  TN_SYCL_ATOMIC_FETCH(fetch_sub)
  TN_SYCL_ATOMIC_FETCH(fetch_and)
  TN_SYCL_ATOMIC_FETCH(fetch_or)
  TN_SYCL_ATOMIC_FETCH(fetch_xor)
  TN_SYCL_ATOMIC_FETCH(fetch_min)
  TN_SYCL_ATOMIC_FETCH(fetch_max)
#undef TN_SYCL_ATOMIC_FETCH

 private:
  ref ref_;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

template <class T, access::address_space AddressSpace>
void atomic_store(atomic<T, AddressSpace> object, T operand,
                  memory_order memoryOrder = memory_order::relaxed) noexcept {
  object.store(operand, memoryOrder);
}
template <class T, access::address_space AddressSpace>
T atomic_load(atomic<T, AddressSpace> object,
              memory_order memoryOrder = memory_order::relaxed) noexcept {
  return object.load(memoryOrder);
}
template <class T, access::address_space AddressSpace>
bool atomic_compare_exchange_strong(atomic<T, AddressSpace> object, T &expected, T desired,
                                    memory_order successMemoryOrder = memory_order::relaxed,
                                    memory_order failMemoryOrder = memory_order::relaxed) noexcept {
  return object.compare_exchange_strong(expected, desired, successMemoryOrder, failMemoryOrder);
}
#define TN_SYCL_ATOMIC_FUNCTION(name)                                          \
  template <class T, access::address_space AddressSpace>                       \
  T atomic_##name(atomic<T, AddressSpace> object, T operand,                   \
                  memory_order memoryOrder = memory_order::relaxed) noexcept { \
    return object.name(operand, memoryOrder);                                  \
  }
TN_SYCL_ATOMIC_FUNCTION(exchange)
TN_SYCL_ATOMIC_FUNCTION(fetch_add)
TN_SYCL_ATOMIC_FUNCTION(fetch_sub)
TN_SYCL_ATOMIC_FUNCTION(fetch_and)
TN_SYCL_ATOMIC_FUNCTION(fetch_or)
TN_SYCL_ATOMIC_FUNCTION(fetch_xor)
TN_SYCL_ATOMIC_FUNCTION(fetch_min)
TN_SYCL_ATOMIC_FUNCTION(fetch_max)
#undef TN_SYCL_ATOMIC_FUNCTION

namespace detail {
template <class Value, access_mode Mode, access::address_space Space>
struct element_access;

// The subscripts of accessors with access_mode::atomic.
template <class Value, access::address_space Space>
struct element_access<Value, access_mode::atomic, Space> {
  using type = atomic<Value, Space>;
  static type of(Value &element) {
    return type(multi_ptr<Value, Space, access::decorated::no>(&element));
  }
};
}  // namespace detail

#pragma GCC diagnostic pop

}  // namespace sycl

#endif
