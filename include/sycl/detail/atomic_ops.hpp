// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of atomic_ref for each kind of type, over the compiler's atomic built-ins.
// Source: SYCL 2020 section 4.15.3.
#ifndef TENON_SYCL_DETAIL_ATOMIC_OPS_HPP
#define TENON_SYCL_DETAIL_ATOMIC_OPS_HPP

#include <sycl/access.hpp>
#include <sycl/detail/macros.hpp>
#include <sycl/detail/portable.hpp>
#include <sycl/memory_enums.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl::detail {

// The compiler's number of an order.
constexpr int atomic_order(memory_order order) noexcept {
  switch (order) {
    case memory_order::relaxed:
      return __ATOMIC_RELAXED;
    case memory_order::acquire:
      return __ATOMIC_ACQUIRE;
    case memory_order::release:
      return __ATOMIC_RELEASE;
    case memory_order::acq_rel:
      return __ATOMIC_ACQ_REL;
    default:
      return __ATOMIC_SEQ_CST;
  }
}
// Clang's number of a scope.
constexpr int atomic_scope(memory_scope scope) noexcept { return 4 - static_cast<int>(scope); }
constexpr memory_order atomic_read_order(memory_order order) noexcept {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}
constexpr memory_order atomic_write_order(memory_order order) noexcept {
  return order == memory_order::acq_rel   ? memory_order::release
         : order == memory_order::acquire ? memory_order::relaxed
                                          : order;
}
// The weakest order that is as strong as both: what a compiler does for a comparison's two orders,
// and where they are known at run time alone, 5 forms of the operation and not 15.
constexpr memory_order atomic_joint_order(memory_order success, memory_order failure) noexcept {
  const memory_order read = atomic_read_order(failure);
  return read == memory_order::seq_cst      ? read
         : read == memory_order::relaxed    ? success
         : success == memory_order::relaxed ? memory_order::acquire
         : success == memory_order::release ? memory_order::acq_rel
                                            : success;
}

template <class T>
inline constexpr bool is_atomic_integer =
    std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, long> ||
    std::is_same_v<T, unsigned long> || std::is_same_v<T, long long> ||
    std::is_same_v<T, unsigned long long>;
template <class T>
inline constexpr bool is_atomic_float = std::is_same_v<T, float> || std::is_same_v<T, double>;

// On a CPU the scope does not change what is done: an operation is atomic for all threads. For
// NVIDIA's GPUs clang has one scope, the system's: that an operation needs the device's only, the
// later passes are told by a volatile pointer.
#if TN_SYCL_ON_GPU && defined(__NVPTX__)
template <class T>
constexpr volatile T *atomic_on_device(T *pointer) noexcept {
  return pointer;
}
#define TN_SYCL_ATOMIC(name, scope, pointer, ...)                                        \
  ((scope) == ::sycl::memory_scope::system                                               \
       ? __scoped_atomic_##name(pointer, __VA_ARGS__, __MEMORY_SCOPE_SYSTEM)             \
       : __scoped_atomic_##name(::sycl::detail::atomic_on_device(pointer), __VA_ARGS__, \
                                __MEMORY_SCOPE_DEVICE))
#elif TN_SYCL_ON_GPU
// A scope below the work-group's is the work-group's.
#define TN_SYCL_ATOMIC(name, scope, ...)                               \
  ((scope) == ::sycl::memory_scope::system                             \
       ? __scoped_atomic_##name(__VA_ARGS__, __MEMORY_SCOPE_SYSTEM)    \
   : (scope) == ::sycl::memory_scope::device                           \
       ? __scoped_atomic_##name(__VA_ARGS__, __MEMORY_SCOPE_DEVICE)    \
       : __scoped_atomic_##name(__VA_ARGS__, __MEMORY_SCOPE_WRKGRP))
#else
#define TN_SYCL_ATOMIC(name, scope, ...) \
  (static_cast<void>(scope), TN_SYCL_ATOMIC_BUILTIN(name)(__VA_ARGS__))
#endif

// What all types have.
template <class T, memory_order DefaultOrder, memory_scope DefaultScope>
class atomic_base {
 public:
  using value_type = T;
  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order = atomic_read_order(DefaultOrder);
  static constexpr memory_order default_write_order = atomic_write_order(DefaultOrder);
  static constexpr memory_order default_read_modify_write_order = DefaultOrder;
  static constexpr memory_scope default_scope = DefaultScope;

  bool is_lock_free() const noexcept { return true; }

  void store(T operand, memory_order order = default_write_order,
             memory_scope scope = default_scope) const noexcept {
    TN_SYCL_ATOMIC(store, scope, pointer_, &operand, atomic_order(order));
  }
  T load(memory_order order = default_read_order,
         memory_scope scope = default_scope) const noexcept {
    T value;
    TN_SYCL_ATOMIC(load, scope, pointer_, &value, atomic_order(order));
    return value;
  }
  operator T() const noexcept { return load(); }
  T exchange(T operand, memory_order order = default_read_modify_write_order,
             memory_scope scope = default_scope) const noexcept {
    T before;
    TN_SYCL_ATOMIC(exchange, scope, pointer_, &operand, &before, atomic_order(order));
    return before;
  }
  bool compare_exchange_weak(T &expected, T desired, memory_order success, memory_order failure,
                             memory_scope scope = default_scope) const noexcept {
    return compare_exchange<true>(expected, desired, success, failure, scope);
  }
  bool compare_exchange_weak(T &expected, T desired,
                             memory_order order = default_read_modify_write_order,
                             memory_scope scope = default_scope) const noexcept {
    return compare_exchange_weak(expected, desired, order, atomic_read_order(order), scope);
  }
  bool compare_exchange_strong(T &expected, T desired, memory_order success, memory_order failure,
                               memory_scope scope = default_scope) const noexcept {
    return compare_exchange<false>(expected, desired, success, failure, scope);
  }
  bool compare_exchange_strong(T &expected, T desired,
                               memory_order order = default_read_modify_write_order,
                               memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, desired, order, atomic_read_order(order), scope);
  }

 protected:
  explicit atomic_base(T &object) noexcept : pointer_(&object) {}
  T *pointer_;

 private:
  template <bool IsWeak>
  bool compare_exchange(T &expected, T desired, memory_order success, memory_order failure,
                        memory_scope scope) const noexcept {
#define TN_SYCL_COMPARE(success, failure)                                                \
  return TN_SYCL_ATOMIC(compare_exchange, scope, pointer_, &expected, &desired, IsWeak, \
                        __ATOMIC_##success, __ATOMIC_##failure)
    switch (atomic_joint_order(success, failure)) {
      case memory_order::relaxed: TN_SYCL_COMPARE(RELAXED, RELAXED);
      case memory_order::acquire: TN_SYCL_COMPARE(ACQUIRE, ACQUIRE);
      case memory_order::release: TN_SYCL_COMPARE(RELEASE, RELAXED);
      case memory_order::acq_rel: TN_SYCL_COMPARE(ACQ_REL, ACQUIRE);
      default: TN_SYCL_COMPARE(SEQ_CST, SEQ_CST);
    }
#undef TN_SYCL_COMPARE
  }
};

#define TN_SYCL_ATOMIC_FETCH(name)                                                            \
  T name(T operand, memory_order order = DefaultOrder, memory_scope scope = DefaultScope)     \
      const noexcept {                                                                        \
    return TN_SYCL_ATOMIC(name, scope, this->pointer_, operand, detail::atomic_order(order)); \
  }
#define TN_SYCL_ATOMIC_ASSIGN(op, name)                                \
  T operator op(T operand) const noexcept {                            \
    return TN_SYCL_ATOMIC(name, DefaultScope, this->pointer_, operand, \
                          detail::atomic_order(DefaultOrder));         \
  }

template <class T, memory_order DefaultOrder, memory_scope DefaultScope>
class atomic_arithmetic : public atomic_base<T, DefaultOrder, DefaultScope> {
  static_assert(is_atomic_integer<T> || is_atomic_float<T>,
                "atomic_ref is for int, long, long long, their unsigned forms, float, double and "
                "pointers");

 public:
  using difference_type = T;

  TN_SYCL_ATOMIC_FETCH(fetch_add)
  TN_SYCL_ATOMIC_FETCH(fetch_sub)
  TN_SYCL_ATOMIC_FETCH(fetch_min)
  TN_SYCL_ATOMIC_FETCH(fetch_max)
  TN_SYCL_ATOMIC_ASSIGN(+=, add_fetch)
  TN_SYCL_ATOMIC_ASSIGN(-=, sub_fetch)

 protected:
  using atomic_base<T, DefaultOrder, DefaultScope>::atomic_base;
};

template <class T, memory_order DefaultOrder, memory_scope DefaultScope>
class atomic_integer : public atomic_arithmetic<T, DefaultOrder, DefaultScope> {
 public:
  TN_SYCL_ATOMIC_FETCH(fetch_and)
  TN_SYCL_ATOMIC_FETCH(fetch_or)
  TN_SYCL_ATOMIC_FETCH(fetch_xor)
  TN_SYCL_ATOMIC_ASSIGN(&=, and_fetch)
  TN_SYCL_ATOMIC_ASSIGN(|=, or_fetch)
  TN_SYCL_ATOMIC_ASSIGN(^=, xor_fetch)
  T operator++(int) const noexcept { return this->fetch_add(1); }
  T operator--(int) const noexcept { return this->fetch_sub(1); }
  T operator++() const noexcept { return *this += 1; }
  T operator--() const noexcept { return *this -= 1; }

 protected:
  using atomic_arithmetic<T, DefaultOrder, DefaultScope>::atomic_arithmetic;
};

#undef TN_SYCL_ATOMIC_FETCH
#undef TN_SYCL_ATOMIC_ASSIGN

// T is a pointer; the compiler's functions count in bytes.
template <class T, memory_order DefaultOrder, memory_scope DefaultScope>
class atomic_pointer : public atomic_base<T, DefaultOrder, DefaultScope> {
 public:
  using difference_type = std::ptrdiff_t;

  T fetch_add(difference_type operand, memory_order order = DefaultOrder,
              memory_scope scope = DefaultScope) const noexcept {
    return TN_SYCL_ATOMIC(fetch_add, scope, this->pointer_, operand * size, atomic_order(order));
  }
  T fetch_sub(difference_type operand, memory_order order = DefaultOrder,
              memory_scope scope = DefaultScope) const noexcept {
    return TN_SYCL_ATOMIC(fetch_sub, scope, this->pointer_, operand * size, atomic_order(order));
  }
  T operator++(int) const noexcept { return fetch_add(1); }
  T operator--(int) const noexcept { return fetch_sub(1); }
  T operator++() const noexcept { return fetch_add(1) + 1; }
  T operator--() const noexcept { return fetch_sub(1) - 1; }
  T operator+=(difference_type operand) const noexcept { return fetch_add(operand) + operand; }
  T operator-=(difference_type operand) const noexcept { return fetch_sub(operand) - operand; }

 protected:
  using atomic_base<T, DefaultOrder, DefaultScope>::atomic_base;

 private:
  static constexpr difference_type size = sizeof(*static_cast<T>(nullptr));
};

template <class T, memory_order DefaultOrder, memory_scope DefaultScope>
using atomic_ops = std::conditional_t<
    std::is_pointer_v<T>, atomic_pointer<T, DefaultOrder, DefaultScope>,
    std::conditional_t<std::is_integral_v<T>, atomic_integer<T, DefaultOrder, DefaultScope>,
                       atomic_arithmetic<T, DefaultOrder, DefaultScope>>>;

#undef TN_SYCL_ATOMIC

}  // namespace sycl::detail

#endif
