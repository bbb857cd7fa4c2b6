// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang 22 has and other compilers of the host's code say otherwise (-fsycl-host-compiler).
// Device code is always clang's, so that nothing here has to be fast with the others.
#ifndef TENON_SYCL_DETAIL_PORTABLE_HPP
#define TENON_SYCL_DETAIL_PORTABLE_HPP

#if defined(__clang__)
#if __clang_major__ < 15
#error "this clang has no _Float16: -fsycl-host-compiler needs clang 15, g++ 12 or later"
#endif
#elif defined(__GNUC__)
#if __GNUC__ < 12
#error "this compiler is too old: -fsycl-host-compiler needs g++ 12, clang 15 or later"
#endif
#endif

#define TN_SYCL_PRAGMA(text) _Pragma(#text)

#ifdef __clang__
// Before loops: how many times each is unrolled.
#define TN_SYCL_UNROLL_COUNT(...) TN_SYCL_PRAGMA(clang loop unroll_count(__VA_ARGS__))
#define TN_SYCL_ANNOTATE(...) [[_Clang::__annotate__(__VA_ARGS__)]]
#define TN_SYCL_ANY_ORDER TN_SYCL_PRAGMA(clang fp reassociate(on))
// Sequence<T, 0, 1 … Count - 1>
#define TN_SYCL_SEQUENCE(Sequence, T, ...) __make_integer_seq<Sequence, T, __VA_ARGS__>
#else
#define TN_SYCL_UNROLL_COUNT(...)
#define TN_SYCL_ANNOTATE(...)
#define TN_SYCL_ANY_ORDER
#define TN_SYCL_SEQUENCE(Sequence, T, ...) Sequence<T, __integer_pack(__VA_ARGS__)...>
#endif

#if defined(__clang__) && __clang_major__ >= 22

// LLVM's intrinsics for scalars, whatever the compiler was told about errno.
#define TN_SYCL_ELEMENTWISE(name) __builtin_elementwise_##name
#define TN_SYCL_CLZ(x, width) __builtin_clzg(x, width)
#define TN_SYCL_CTZ(x, width) __builtin_ctzg(x, width)
#define TN_SYCL_POPCOUNT(x) __builtin_popcountg(x)
#define TN_SYCL_ATOMIC_BUILTIN(name) __atomic_##name

#else

#include <cstdint>
#include <limits>
#include <type_traits>

#define TN_SYCL_ELEMENTWISE(name) ::sycl::detail::elementwise::name
#define TN_SYCL_CLZ(x, width) ::sycl::detail::elementwise::clz(x, width)
#define TN_SYCL_CTZ(x, width) ::sycl::detail::elementwise::ctz(x, width)
#define TN_SYCL_POPCOUNT(x) __builtin_popcountll(x)
#define TN_SYCL_ATOMIC_BUILTIN(name) ::sycl::detail::atomics::name

namespace sycl::detail::elementwise {

#define TN_SYCL_ELEMENTWISE_1(name, builtin)                                \
  inline float name(float x) noexcept { return __builtin_##builtin##f(x); } \
  inline double name(double x) noexcept { return __builtin_##builtin(x); }
#define TN_SYCL_ELEMENTWISE_2(name, builtin)                                            \
  inline float name(float x, float y) noexcept { return __builtin_##builtin##f(x, y); } \
  inline double name(double x, double y) noexcept { return __builtin_##builtin(x, y); }

TN_SYCL_ELEMENTWISE_1(abs, fabs)
TN_SYCL_ELEMENTWISE_1(acos, acos)
TN_SYCL_ELEMENTWISE_1(asin, asin)
TN_SYCL_ELEMENTWISE_1(atan, atan)
TN_SYCL_ELEMENTWISE_2(atan2, atan2)
TN_SYCL_ELEMENTWISE_1(ceil, ceil)
TN_SYCL_ELEMENTWISE_2(copysign, copysign)
TN_SYCL_ELEMENTWISE_1(cos, cos)
TN_SYCL_ELEMENTWISE_1(cosh, cosh)
TN_SYCL_ELEMENTWISE_1(exp, exp)
TN_SYCL_ELEMENTWISE_1(exp2, exp2)
TN_SYCL_ELEMENTWISE_1(floor, floor)
TN_SYCL_ELEMENTWISE_1(log, log)
TN_SYCL_ELEMENTWISE_1(log2, log2)
TN_SYCL_ELEMENTWISE_1(log10, log10)
TN_SYCL_ELEMENTWISE_2(maxnum, fmax)
TN_SYCL_ELEMENTWISE_2(minnum, fmin)
TN_SYCL_ELEMENTWISE_2(pow, pow)
TN_SYCL_ELEMENTWISE_1(rint, rint)
TN_SYCL_ELEMENTWISE_1(round, round)
TN_SYCL_ELEMENTWISE_1(sin, sin)
TN_SYCL_ELEMENTWISE_1(sinh, sinh)
TN_SYCL_ELEMENTWISE_1(sqrt, sqrt)
TN_SYCL_ELEMENTWISE_1(tan, tan)
TN_SYCL_ELEMENTWISE_1(tanh, tanh)
TN_SYCL_ELEMENTWISE_1(trunc, trunc)
#undef TN_SYCL_ELEMENTWISE_1
#undef TN_SYCL_ELEMENTWISE_2

inline float exp10(float x) noexcept { return __builtin_powf(10.0f, x); }
inline double exp10(double x) noexcept { return __builtin_pow(10.0, x); }
inline float fma(float x, float y, float z) noexcept { return __builtin_fmaf(x, y, z); }
inline double fma(double x, double y, double z) noexcept { return __builtin_fma(x, y, z); }
inline _Float16 abs(_Float16 x) noexcept {
  const auto bits = static_cast<std::uint16_t>(__builtin_bit_cast(std::uint16_t, x) & 0x7fffu);
  return __builtin_bit_cast(_Float16, bits);
}

template <class T>
T add_sat(T x, T y) noexcept {
  using limits = std::numeric_limits<T>;
  T sum{};
  return !__builtin_add_overflow(x, y, &sum) ? sum : x < T(0) ? limits::min() : limits::max();
}
template <class T>
T sub_sat(T x, T y) noexcept {
  using limits = std::numeric_limits<T>;
  T difference{};
  const bool is_low = std::is_unsigned_v<T> || x < T(0);
  return !__builtin_sub_overflow(x, y, &difference) ? difference
         : is_low                                   ? limits::min()
                                                    : limits::max();
}
// Of unsigned types.
template <class U>
int clz(U x, int width) noexcept {
  return x == 0 ? width : __builtin_clzll(x) - (64 - width);
}
template <class U>
int ctz(U x, int width) noexcept {
  return x == 0 ? width : __builtin_ctzll(x);
}

}  // namespace sycl::detail::elementwise

// Clang's atomic functions, which take floating-point numbers and have minima and maxima.
namespace sycl::detail::atomics {

template <class T>
void store(T *object, T *value, int order) noexcept {
  __atomic_store(object, value, order);
}
template <class T>
void load(T *object, T *value, int order) noexcept {
  __atomic_load(object, value, order);
}
template <class T>
void exchange(T *object, T *value, T *before, int order) noexcept {
  __atomic_exchange(object, value, before, order);
}
template <class T>
bool compare_exchange(T *object, T *expected, T *desired, bool is_weak, int success,
                      int failure) noexcept {
  return __atomic_compare_exchange(object, expected, desired, is_weak, success, failure);
}

template <class T, class Operation>
T fetch_update(T *object, int order, Operation operation) noexcept {
  T before;
  __atomic_load(object, &before, __ATOMIC_RELAXED);
  for (;;) {
    T after = operation(before);
    if (__atomic_compare_exchange(object, &before, &after, true, order, __ATOMIC_RELAXED)) {
      return before;
    }
  }
}
template <class T, class Operand>
T fetch_add(T *object, Operand operand, int order) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return fetch_update(object, order, [=](T value) { return value + operand; });
  } else {
    return __atomic_fetch_add(object, operand, order);
  }
}
template <class T, class Operand>
T fetch_sub(T *object, Operand operand, int order) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return fetch_update(object, order, [=](T value) { return value - operand; });
  } else {
    return __atomic_fetch_sub(object, operand, order);
  }
}
template <class T>
T add_fetch(T *object, T operand, int order) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return fetch_add(object, operand, order) + operand;
  } else {
    return __atomic_add_fetch(object, operand, order);
  }
}
template <class T>
T sub_fetch(T *object, T operand, int order) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return fetch_sub(object, operand, order) - operand;
  } else {
    return __atomic_sub_fetch(object, operand, order);
  }
}
// A number counts as less and as more than one that is not a number.
template <class T>
T fetch_min(T *object, T operand, int order) noexcept {
  return fetch_update(object, order, [=](T value) {
    return value < operand || operand != operand ? value : operand;
  });
}
template <class T>
T fetch_max(T *object, T operand, int order) noexcept {
  return fetch_update(object, order, [=](T value) {
    return value > operand || operand != operand ? value : operand;
  });
}

#define TN_SYCL_ATOMIC_BITS(name)                    \
  template <class T>                                 \
  T name(T *object, T operand, int order) noexcept { \
    return __atomic_##name(object, operand, order);  \
  }
TN_SYCL_ATOMIC_BITS(fetch_and)
TN_SYCL_ATOMIC_BITS(fetch_or)
TN_SYCL_ATOMIC_BITS(fetch_xor)
TN_SYCL_ATOMIC_BITS(and_fetch)
TN_SYCL_ATOMIC_BITS(or_fetch)
TN_SYCL_ATOMIC_BITS(xor_fetch)
#undef TN_SYCL_ATOMIC_BITS

}  // namespace sycl::detail::atomics

#endif
#endif
