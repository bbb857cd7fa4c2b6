// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are functions: the mark at the function, and the kernel that is made of it.
//
// SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((nd_range_kernel<1>)) makes a function SYCL_EXTERNAL and leaves
// the annotation "tenon-free-function" on it, whose first argument is 0 for a single task, 1 to 3
// for the dimensions of an nd_range, and 16 or more for what is no kernel by that (work_group_size
// …). `template struct ::sycl::detail::free_function<&f>;` makes the kernel of f in the device
// pass; of an overloaded f by a cast: free_function<static_cast<void (*)(int)>(&f)>. Its symbol is
// _ZTSN4sycl6detail11free_kernelIX…EE, which `free_kernel<&f>` is mangled to.
// Source: the SYCL extension sycl_ext_oneapi_free_function_kernels.
#ifndef TENON_SYCL_DETAIL_FREE_FUNCTION_HPP
#define TENON_SYCL_DETAIL_FREE_FUNCTION_HPP

#include <sycl/detail/macros.hpp>
#include <sycl/device_copyable.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

// The alignment is what tells is_kernel_v of the mark, in either pass; compile/lower drops it.
#ifdef __SYCL_DEVICE_ONLY__
#if __has_attribute(__tenon_sycl_external__)  // Clang does not find those with a scope
#define TN_SYCL_KERNEL_FUNCTION [[tenon::kernel_function]]
#else  // without Tenon's plugin for Clang: with external linkage alone
#define TN_SYCL_KERNEL_FUNCTION \
  [[_Clang::__sycl_external__]] [[_Clang::__annotate__("tenon.sycl_external", 1)]]
#endif
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(...)                                              \
  TN_SYCL_KERNEL_FUNCTION                                                                   \
      [[_Clang::__annotate__("tenon-free-function", ::sycl::detail::mark_of(__VA_ARGS__))]] \
      [[gnu::aligned(::sycl::detail::mark_alignment(__VA_ARGS__))]]
#else
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(...) \
  [[gnu::aligned(::sycl::detail::mark_alignment(__VA_ARGS__))]]
#endif

namespace sycl::detail {

// What a property says at a function; the properties' types begin with one.
enum : unsigned {
  mark_single_task = 0,
  mark_nd_range = 1,  // and two more: by dimensions
  mark_work_group_size = 16,
  mark_sub_group_size = 17,
  mark_device_has = 18,
  mark_hint = 19,  // without effect
};
struct function_mark {
  unsigned long kind;
  unsigned long first, second, third;
};
constexpr function_mark mark_of(const function_mark &property) noexcept { return property; }
// Functions are aligned to 16 anyhow.
constexpr unsigned mark_alignment(const function_mark &property) noexcept {
  return property.kind < mark_work_group_size ? 32u << property.kind : 16u;
}

template <auto *F>
struct free_kernel;  // the kernel's name

// As TN_ARG_… in tenon/kernel.h.
enum : unsigned {
  argument_is_value = 0,
  argument_is_pointer = 1,
  argument_is_accessor = 2,
  argument_is_local = 3
};

template <class T, class = void>
inline constexpr unsigned argument_kind =
    std::is_pointer_v<T> ? argument_is_pointer : argument_is_value;
// Accessors to buffers and to local memory.
template <class T>
inline constexpr unsigned argument_kind<T, decltype((void)&T::tn_link)> = argument_is_accessor;

// The arguments lie one behind the other, as members of a struct would.
template <class... A>
struct argument_layout {
  static constexpr std::size_t count = sizeof...(A);
  static constexpr std::size_t sizes[] = {sizeof(A)..., 0};
  static constexpr std::size_t alignments[] = {alignof(A)..., 1};

  static constexpr std::size_t offset(std::size_t index) noexcept {
    std::size_t at = 0;
    for (std::size_t i = 0; i < index; ++i) {
      at += sizes[i];
      at = (at + alignments[i + 1] - 1) / alignments[i + 1] * alignments[i + 1];
    }
    return at;
  }
  static constexpr std::size_t largest_alignment() noexcept {
    std::size_t largest = 1;
    for (const std::size_t each : alignments) {
      largest = each > largest ? each : largest;
    }
    return largest;
  }
  template <std::size_t Index>
  static constexpr std::size_t place = offset(Index);
  static constexpr std::size_t alignment = largest_alignment();
  static constexpr std::size_t end = (offset(count) + alignment - 1) / alignment * alignment;
  static constexpr std::size_t size = end == 0 ? 1 : end;
};

template <std::size_t Size, std::size_t Alignment>
struct argument_bytes_of {
  alignas(Alignment) unsigned char bytes[Size];
};

template <class T>
constexpr void check_argument() noexcept {
  static_assert(!std::is_reference_v<T>,
                "a kernel function takes its arguments by value: a reference would be to the "
                "host's memory");
#ifdef __SYCL_DEVICE_ONLY__  // where accessors are, also as members of a class
  static_assert(is_device_copyable_v<T> || argument_kind<T> != argument_is_value,
                "an argument of a kernel function is not device copyable: its copy constructor or "
                "its destructor does something; pass a pointer to USM, or an accessor");
#endif
}

// How a function is called with its block of arguments.
template <auto *F, class Type>
struct free_call {
  static_assert(!std::is_same_v<Type, Type>,
                "a kernel function returns void and has no variable arguments");
};

template <auto *F, class Indices, class... A>
struct free_call_with;
template <auto *F, std::size_t... I, class... A>
struct free_call_with<F, std::index_sequence<I...>, A...> {
  using layout = argument_layout<A...>;
  using block = argument_bytes_of<layout::size, layout::alignment>;

  static constexpr bool check() noexcept {
    (check_argument<A>(), ...);
    return true;
  }
  static_assert(check());

#ifdef __SYCL_DEVICE_ONLY__
  // The table of arguments: compile/lower reads it off the annotation. How many there are comes
  // first, as annotations without any argument do not survive a precompiled header.
  [[_Clang::__annotate__("tenon-arguments", sizeof...(A), layout::template place<I>...,
                         sizeof(A)..., argument_kind<A>...)]] static void
  call([[maybe_unused]] const block &from) {
    F(*reinterpret_cast<const A *>(from.bytes + layout::template place<I>)...);
  }
#endif
};

template <auto *F, class... A>
struct free_call<F, void (*)(A...)> : free_call_with<F, std::index_sequence_for<A...>, A...> {};
template <auto *F, class... A>
struct free_call<F, void (*)(A...) noexcept>
    : free_call_with<F, std::index_sequence_for<A...>, A...> {};

#ifdef __SYCL_DEVICE_ONLY__
template <auto *F, class Call>
[[_Clang::__sycl_kernel_entry_point__(free_kernel<F>)]] void free_entry(
    typename Call::block block) {
  Call::call(block);
}
#endif

template <auto *F>
struct free_function : free_call<F, decltype(F)> {
  using call_type = free_call<F, decltype(F)>;
#ifdef __SYCL_DEVICE_ONLY__
  // Naming it makes the kernel.
  static constexpr auto entry = &free_entry<F, call_type>;
#endif
};

}  // namespace sycl::detail

#endif
