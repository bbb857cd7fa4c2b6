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

// Backends with interoperability (appendix C).
#define SYCL_BACKEND_OPENCL 1
#define SYCL_BACKEND_TENON_CPU 1

// Extensions, whichever header declares them (sycl_khr_split_headers).
#define SYCL_EXT_CODEPLAY_ENQUEUE_NATIVE_COMMAND 2
#define SYCL_EXT_INTEL_CACHE_CONFIG 1
#define SYCL_EXT_INTEL_GRF_SIZE 1
#define SYCL_EXT_INTEL_MATRIX 1
#define SYCL_EXT_INTEL_MAXIMUM_REGISTERS 1
#define SYCL_EXT_INTEL_QUEUE_IMMEDIATE_COMMAND_LIST 1
#define SYCL_EXT_INTEL_USM_ADDRESS_SPACES 2
#define SYCL_EXT_ONEAPI_ASSERT 1
#define SYCL_EXT_ONEAPI_AUTO_LOCAL_RANGE 1
#define SYCL_EXT_ONEAPI_BACKEND_CUDA 1
#define SYCL_EXT_ONEAPI_BFLOAT16 1
#define SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS 1
#define SYCL_EXT_ONEAPI_CHUNK 1
#define SYCL_EXT_ONEAPI_CLOCK 1
#define SYCL_EXT_ONEAPI_COPY_OPTIMIZE 1
#define SYCL_EXT_ONEAPI_CUDA_TEX_CACHE_READ 1
#define SYCL_EXT_ONEAPI_DEVICE_GLOBAL 1
#define SYCL_EXT_ONEAPI_DISCARD_QUEUE_EVENTS 1
#define SYCL_EXT_ONEAPI_DOT_ACCUMULATE 1
#define SYCL_EXT_ONEAPI_ENQUEUE_BARRIER 1
#define SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS 1
#define SYCL_EXT_ONEAPI_ENQUEUE_NATIVE_COMMAND 2
#define SYCL_EXT_ONEAPI_FRAGMENT 1
#define SYCL_EXT_ONEAPI_FREE_FUNCTION_KERNELS 1
#define SYCL_EXT_ONEAPI_FREE_FUNCTION_QUERIES 1
#define SYCL_EXT_ONEAPI_GRAPH 1
#define SYCL_EXT_ONEAPI_GROUP_LOAD_STORE 1
#define SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS 1
#define SYCL_EXT_ONEAPI_KERNEL_COMPILER 1
#define SYCL_EXT_ONEAPI_KERNEL_PROPERTIES 1
#define SYCL_EXT_ONEAPI_LOCAL_MEMORY 1
#define SYCL_EXT_ONEAPI_MATRIX 1
#define SYCL_EXT_ONEAPI_MAX_WORK_GROUP_QUERY 1
#define SYCL_EXT_ONEAPI_MEMCPY2D 1
#define SYCL_EXT_ONEAPI_NATIVE_MATH 1
#define SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS 1
#define SYCL_EXT_ONEAPI_NUM_COMPUTE_UNITS 1
#define SYCL_EXT_ONEAPI_PEER_ACCESS 1
#define SYCL_EXT_ONEAPI_PREFETCH 1
#define SYCL_EXT_ONEAPI_PROFILING_TAG 1
#define SYCL_EXT_ONEAPI_PROPERTIES 1
#define SYCL_EXT_ONEAPI_QUEUE_PRIORITY 1
#define SYCL_EXT_ONEAPI_RAW_KERNEL_ARG 1
#define SYCL_EXT_ONEAPI_REDUCTION_PROPERTIES 1
#define SYCL_EXT_ONEAPI_SRGB 1
#define SYCL_EXT_ONEAPI_SUB_GROUP 1
#define SYCL_EXT_ONEAPI_SUB_GROUP_MASK 2
#define SYCL_EXT_ONEAPI_TANGLE 1
#define SYCL_EXT_ONEAPI_VIRTUAL_MEM 1
#define SYCL_EXT_ONEAPI_WORK_GROUP_MEMORY 1
#define SYCL_EXT_ONEAPI_WORK_GROUP_SCRATCH_MEMORY 1
#define SYCL_EXT_ONEAPI_WORK_GROUP_STATIC 1
#define SYCL_EXT_TENON_DEVICE_DLOPEN 1
#define SYCL_KHR_DEFAULT_CONTEXT 1
#define SYCL_KHR_DYNAMIC_ADDRSPACE_CAST 1
#ifdef __DPCPP_ENABLE_UNFINISHED_KHR_EXTENSIONS  // a draft
#define SYCL_KHR_FREE_FUNCTION_COMMANDS 1
#endif
#define SYCL_KHR_GROUP_INTERFACE 1
#define SYCL_KHR_MAX_WORK_GROUP_QUERIES 1
#define SYCL_KHR_QUEUE_EMPTY_QUERY 1
#define SYCL_KHR_QUEUE_FLUSH 1
#define SYCL_KHR_SPLIT_HEADERS 1
#define SYCL_KHR_STATIC_ADDRSPACE_CAST 1
#define SYCL_KHR_WORK_ITEM_QUERIES 1

#endif
