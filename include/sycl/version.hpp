// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which language and which implementation this is, and the check that tenon++ compiles it.
// Source: SYCL 2020 sections 4.1, 4.3.
#ifndef TENON_SYCL_VERSION_HPP
#define TENON_SYCL_VERSION_HPP

#if !defined(__TENON_UNIT_ID__)
// A fatal error, so that nothing is reported of the code behind.
#ifdef __clang__
// The line marker makes this text one of the user, as warnings of system headers are not shown.
#pragma clang diagnostic fatal "-W#warnings"
# 14 "sycl/version.hpp"
#warning "SYCL code has to be compiled with: tenon++ -fsycl"
#endif
// For other compilers, and for clang's -w: no compiler goes on after a file that is not there.
#include "SYCL code has to be compiled with: tenon++ -fsycl"
#endif
#if !defined(__cplusplus) || __cplusplus < 201703L
#error "SYCL 2020 needs C++17 or later: drop -std= or use -std=c++17"
#endif

#ifndef SYCL_LANGUAGE_VERSION
#define SYCL_LANGUAGE_VERSION 202012L
#endif
#if SYCL_LANGUAGE_VERSION < 202001L
#error "only SYCL 2020 is implemented: drop -sycl-std="
#endif

#define SYCL_IMPLEMENTATION_TENON 1
#define __TENON_VERSION__ 100  // major * 10000 + minor * 100 + patch
// The DPC++ whose names these headers have, for programs that ask which it is.
#define __LIBSYCL_MAJOR_VERSION 9
#define __LIBSYCL_MINOR_VERSION 0
#define __LIBSYCL_PATCH_VERSION 0
#define __SYCL_COMPILER_VERSION 20260930
#define SYCL_DEVICE_COPYABLE 1
#define SYCL_FEATURE_SET_FULL 1
#define SYCL_BACKEND_TENON_CPU 1
#define SYCL_EXT_INTEL_QUEUE_IMMEDIATE_COMMAND_LIST 1
#define SYCL_EXT_ONEAPI_ASSERT 1
#define SYCL_EXT_ONEAPI_DISCARD_QUEUE_EVENTS 1
#define SYCL_EXT_ONEAPI_ENQUEUE_BARRIER 1
#define SYCL_EXT_ONEAPI_PEER_ACCESS 1
#define SYCL_EXT_ONEAPI_QUEUE_PRIORITY 1

#endif
