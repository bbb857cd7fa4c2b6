// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [[sycl::reqd_work_group_size(…)]] and the other kernel attributes, behind a lambda's parameters
// or at a call operator. Source: SYCL 2020 section 5.8.1.
//
// Clang knows no attribute of that scope, so that their names are macros. Numbers that are written
// as such (or are macros for such) are noted with their line, which works wherever an attribute can
// stand; lower finds the call operator there. Other constant expressions are put into the return
// type, void in an address space of its own: that works for lambdas that name no return type, for
// one attribute a lambda, and does not compile elsewhere. device_has and the hints are accepted and
// have no effect. Misspelled attributes are ignored without a warning, as unknown ones are.
#ifndef TENON_SYCL_KERNEL_ATTRIBUTES_HPP
#define TENON_SYCL_KERNEL_ATTRIBUTES_HPP

#include <sycl/detail/attribute_numbers.hpp>
#include <sycl/detail/required_sizes.hpp>

// For the names that the macros leave in place of the attributes'.
#pragma clang diagnostic ignored "-Wunknown-attributes"

#define work_group_size_hint(...) tenon_ignored
#define vec_type_hint(...) tenon_ignored
#define device_has(...) tenon_ignored

#ifdef __SYCL_DEVICE_ONLY__
#define TN_SYCL_TEXT_OF(...) #__VA_ARGS__
#define TN_SYCL_TEXT(...) TN_SYCL_TEXT_OF(__VA_ARGS__)
#define TN_SYCL_MARK(...) _Pragma(#__VA_ARGS__)
#define TN_SYCL_NOTED(kind, ...)       \
  tenon_ignored TN_SYCL_MARK(          \
      comment(lib, "tenon.reqd_" #kind \
                   "_size|" TN_SYCL_TEXT(__VA_ARGS__) "|" TN_SYCL_TEXT(__LINE__) "|" __FILE__))
#else
#define TN_SYCL_NOTED(kind, ...) tenon_ignored
#endif
// clang-format off
#define TN_SYCL_RETURNED(kind, ...) \
  tenon_ignored]] -> typename ::sycl::detail::attributed<                              \
    ::sycl::detail::size_kind::kind, __VA_ARGS__>::type [[
#define TN_SYCL_REQUIRED(kind, ...) \
  TN_SYCL_IF(TN_SYCL_ARE_NUMBERS(__VA_ARGS__))(TN_SYCL_NOTED, TN_SYCL_RETURNED)(kind, __VA_ARGS__)
// clang-format on
#define reqd_work_group_size(...) TN_SYCL_REQUIRED(work_group, __VA_ARGS__)
#define reqd_sub_group_size(...) TN_SYCL_REQUIRED(sub_group, __VA_ARGS__)

#endif
