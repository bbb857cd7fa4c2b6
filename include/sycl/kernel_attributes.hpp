// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [[sycl::reqd_work_group_size(…)]] and the other attributes of kernels, behind a lambda's
// parameters or at a call operator, and [[sycl::device_has(…)]], also at functions. Source: SYCL
// 2020 sections 5.8.1, 5.8.2.
//
// Clang knows no attribute of that scope, so that their names are macros. Numbers that are written
// as such (or are macros for such) are noted with their line, which works wherever an attribute can
// stand; lower finds the call operator there. Other constant expressions are put into the return
// type, void in an address space of its own: that works for lambdas that name no return type, for
// one attribute a lambda, and does not compile elsewhere. device_has is noted as its text, which
// has to be enumerators. The hints are accepted and have no effect.
#ifndef TENON_SYCL_KERNEL_ATTRIBUTES_HPP
#define TENON_SYCL_KERNEL_ATTRIBUTES_HPP

#include <sycl/detail/attribute_numbers.hpp>
#include <sycl/detail/required_sizes.hpp>

// For the name that the macros leave in place of the attributes'. The warning that clang gives is
// for the scope before it, so that it cannot be told from one for a misspelled name: those are
// looked for by compile/lower.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-attributes"
#else
#pragma GCC diagnostic ignored_attributes "sycl::tenon_ignored"
#endif
#define TN_SYCL_NO_ATTRIBUTE tenon_ignored

#define work_group_size_hint(...) TN_SYCL_NO_ATTRIBUTE
#define vec_type_hint(...) TN_SYCL_NO_ATTRIBUTE

#ifdef __SYCL_DEVICE_ONLY__
#define TN_SYCL_TEXT_OF(...) #__VA_ARGS__
#define TN_SYCL_TEXT(...) TN_SYCL_TEXT_OF(__VA_ARGS__)
#define TN_SYCL_MARK(...) _Pragma(#__VA_ARGS__)
#define TN_SYCL_NOTED_TEXT(name, ...)                              \
  TN_SYCL_NO_ATTRIBUTE TN_SYCL_MARK(                               \
      comment(lib, "tenon." name "|" TN_SYCL_TEXT(__VA_ARGS__) "|" \
                   TN_SYCL_TEXT(__LINE__) "|" __FILE__))
#else
#define TN_SYCL_NOTED_TEXT(name, ...) TN_SYCL_NO_ATTRIBUTE
#endif
#define TN_SYCL_NOTED(kind, ...) TN_SYCL_NOTED_TEXT("reqd_" #kind "_size", __VA_ARGS__)
#define device_has(...) TN_SYCL_NOTED_TEXT("device_has", __VA_ARGS__)
// clang-format off
#define TN_SYCL_RETURNED(kind, ...) \
  TN_SYCL_NO_ATTRIBUTE]] -> typename ::sycl::detail::attributed<                              \
    ::sycl::detail::size_kind::kind, __VA_ARGS__>::type [[
#define TN_SYCL_REQUIRED(kind, ...) \
  TN_SYCL_IF(TN_SYCL_ARE_NUMBERS(__VA_ARGS__))(TN_SYCL_NOTED, TN_SYCL_RETURNED)(kind, __VA_ARGS__)
// clang-format on
#define reqd_work_group_size(...) TN_SYCL_REQUIRED(work_group, __VA_ARGS__)
#define reqd_sub_group_size(...) TN_SYCL_REQUIRED(sub_group, __VA_ARGS__)

#endif
