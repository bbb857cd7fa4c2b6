// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [[sycl::reqd_work_group_size(…)]] and the other attributes of kernels, behind a lambda's
// parameters or at a call operator, and [[sycl::device_has(…)]], also at functions. Source: SYCL
// 2020 sections 5.8.1, 5.8.2.
//
// Clang knows no attribute of that scope. tenon++ finds them in the preprocessed source
// (compile/frontend/attribute_rewrite.c) and defines __TENON_KEEP_ATTRIBUTES__, so that their names
// mean nothing here and functions may have them.
//
// Without that macro (clang without tenon++, sources that are compiled at run time,
// -fsycl-device-only, and host passes of sources with other values than numbers and enumerators)
// the names are macros. They note the values as text with its line, and lower finds the call
// operator there. The hints are accepted and have no effect.
#ifndef TENON_SYCL_KERNEL_ATTRIBUTES_HPP
#define TENON_SYCL_KERNEL_ATTRIBUTES_HPP

#include <sycl/detail/macros.hpp>

// For the name that the macros leave in place of the attributes'. The warning that clang gives is
// for the scope before it, so that it cannot be told from one for a misspelled name: those are
// looked for by compile/lower.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-attributes"
#else
#pragma GCC diagnostic ignored_attributes "sycl::"
#endif
#define TN_SYCL_NO_ATTRIBUTE tenon_ignored

#ifndef __TENON_KEEP_ATTRIBUTES__
#define vec_type_hint(...) TN_SYCL_NO_ATTRIBUTE
#ifdef __SYCL_DEVICE_ONLY__
#define TN_SYCL_TEXT_OF(...) #__VA_ARGS__
#define TN_SYCL_TEXT(...) TN_SYCL_TEXT_OF(__VA_ARGS__)
#define TN_SYCL_MARK(...) _Pragma(#__VA_ARGS__)
#define TN_SYCL_NOTED(name, ...)             \
  TN_SYCL_NO_ATTRIBUTE TN_SYCL_MARK(comment( \
      lib, "tenon." name "|" TN_SYCL_TEXT(__VA_ARGS__) "|" TN_SYCL_TEXT(__LINE__) "|" __FILE__))
#define reqd_work_group_size(...) TN_SYCL_NOTED("reqd_work_group_size", __VA_ARGS__)
#define reqd_sub_group_size(...) TN_SYCL_NOTED("reqd_sub_group_size", __VA_ARGS__)
#define device_has(...) TN_SYCL_NOTED("device_has", __VA_ARGS__)
#define work_group_size_hint(...) TN_SYCL_NO_ATTRIBUTE
#else
#ifdef __clang__
// The host has no use for the values, but reads them, so that none of their names is an unused one:
// in the alignment that functions have anyhow. They are taken by value: lambdas would capture a
// variable that a reference is bound to, which the device pass does not.
namespace sycl::detail {
template <class... T>
constexpr unsigned long function_alignment(T...) noexcept {
  return 16;
}
}  // namespace sycl::detail
// clang-format off
#define TN_SYCL_READ(...)                                                                      \
  TN_SYCL_NO_ATTRIBUTE]] _Pragma("clang diagnostic push")                                      \
  _Pragma("clang diagnostic ignored \"-Wignored-attributes\"")                                 \
  [[gnu::aligned(::sycl::detail::function_alignment(__VA_ARGS__))]]                            \
  _Pragma("clang diagnostic pop") [[
// clang-format on
#else
#define TN_SYCL_READ(...) TN_SYCL_NO_ATTRIBUTE
#endif
#define reqd_work_group_size(...) TN_SYCL_READ(__VA_ARGS__)
#define reqd_sub_group_size(...) TN_SYCL_READ(__VA_ARGS__)
#define device_has(...) TN_SYCL_READ(__VA_ARGS__)
#define work_group_size_hint(...) TN_SYCL_READ(__VA_ARGS__)
#endif
#endif

#endif
