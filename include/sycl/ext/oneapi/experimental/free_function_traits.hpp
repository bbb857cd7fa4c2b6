// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a function is marked as a kernel: is_kernel_v<f>, is_nd_range_kernel_v<f, N>,
// is_single_task_kernel_v<f>. Source: the SYCL extension sycl_ext_oneapi_free_function_kernels.
#ifndef TENON_SYCL_EXT_FREE_FUNCTION_TRAITS_HPP
#define TENON_SYCL_EXT_FREE_FUNCTION_TRAITS_HPP

#include <sycl/ext/oneapi/experimental/function_properties.hpp>

namespace sycl {

namespace detail {

#ifdef __clang__

// Clang knows the alignment of a declared function as a constant, and that of no other.
template <auto *F, unsigned Alignment>
struct is_function_aligned {
  // In one expression: behind __builtin_constant_p it is folded, casts and all.
  enum : bool {
    value = __builtin_constant_p(__builtin_is_aligned((const volatile char *)F, Alignment))
                ? __builtin_is_aligned((const volatile char *)F, Alignment)
                : false
  };
};

inline constexpr bool can_tell_kernels = true;
// 0 for a single task, 1 to 3 for an nd_range, -1 for no kernel.
template <auto *F>
constexpr int free_function_kind() noexcept {
  return is_function_aligned<F, 512>::value   ? -1
         : is_function_aligned<F, 256>::value ? 3
         : is_function_aligned<F, 128>::value ? 2
         : is_function_aligned<F, 64>::value  ? 1
         : is_function_aligned<F, 32>::value  ? 0
                                              : -1;
}

#else

inline constexpr bool can_tell_kernels = false;
template <auto *F>
constexpr int free_function_kind() noexcept {
  return -1;
}

#endif

// What a launch asks before it is compiled; otherwise it is asked when it runs.
template <auto *F>
inline constexpr bool may_be_kernel = !can_tell_kernels || free_function_kind<F>() >= 0;
template <auto *F, int Kind>
inline constexpr bool may_be_kernel_of = !can_tell_kernels || free_function_kind<F>() == Kind;

template <auto *F>
constexpr int told_kind() noexcept {
  static_assert(can_tell_kernels || F == nullptr,
                "the compiler of -fsycl-host-compiler cannot tell which functions are marked as "
                "kernels: use clang, or leave the question out");
  return free_function_kind<F>();
}

}  // namespace detail

namespace ext::oneapi::experimental {

template <auto *Func, int Dims>
struct is_nd_range_kernel
    : std::bool_constant<(Dims > 0) && sycl::detail::told_kind<Func>() == Dims> {};
template <auto *Func, int Dims>
inline constexpr bool is_nd_range_kernel_v = is_nd_range_kernel<Func, Dims>::value;

template <auto *Func>
struct is_single_task_kernel : std::bool_constant<sycl::detail::told_kind<Func>() == 0> {};
template <auto *Func>
inline constexpr bool is_single_task_kernel_v = is_single_task_kernel<Func>::value;

template <auto *Func>
struct is_kernel : std::bool_constant<(sycl::detail::told_kind<Func>() >= 0)> {};
template <auto *Func>
inline constexpr bool is_kernel_v = is_kernel<Func>::value;

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
