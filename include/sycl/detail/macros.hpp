// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL_EXTERNAL and the attributes that the other headers use.
// Source: SYCL 2020 section 5.10.1 (SYCL_EXTERNAL); design 3.3, 3.4.
#ifndef TENON_SYCL_DETAIL_MACROS_HPP
#define TENON_SYCL_DETAIL_MACROS_HPP

#include <sycl/detail/attribute_values.hpp>
#include <sycl/version.hpp>

#ifndef __TENON_RTC__
#include <cassert>  // programs get assert from each of DPC++'s headers
#endif

// In any place of a function's declaration. A clang that the user named has no plugin of Tenon's,
// and takes it in front only: `SYCL_EXTERNAL int f(int);`, `extern "C" SYCL_EXTERNAL int g();`.
// Each annotation here has a value: for NVIDIA's GPUs Clang cannot write such without beside such
// with values.
#if !defined(__SYCL_DEVICE_ONLY__)
#define SYCL_EXTERNAL
#elif __has_attribute(__tenon_sycl_external__)
#define SYCL_EXTERNAL __attribute__((__tenon_sycl_external__))
#else
#define SYCL_EXTERNAL \
  [[_Clang::__sycl_external__]] [[_Clang::__annotate__("tenon.sycl_external", 1)]]
#endif

// On every function template that leads to a launch: two shared libraries that instantiate it for
// kernels of the same name must each keep their own.
#define TN_SYCL_HIDDEN __attribute__((__visibility__("hidden")))
// On the layers of a launch: inlined before anything is optimized, or each layer of each kernel
// would be optimized by itself.
#define TN_SYCL_LAYER [[gnu::always_inline]] TN_SYCL_HIDDEN inline
// On what runs once or when something failed: compiled for size, in a hurry.
#define TN_SYCL_COLD [[gnu::cold, gnu::noinline]]
// On types that are thrown or compared across shared libraries built with -fvisibility=hidden.
#define TN_SYCL_SHARED __attribute__((__visibility__("default")))
// The macros are DPC++'s, by which programs take its warnings back.
#if defined(SYCL2020_DISABLE_DEPRECATION_WARNINGS) || defined(__SYCL_DISABLE_DEPRECATION_WARNINGS)
#define TN_SYCL_DEPRECATED(text)
#else
#define TN_SYCL_DEPRECATED(text) [[deprecated(text)]]
#endif
// Of SYCL 1.2.1.
#define TN_SYCL_IS_HOST \
  TN_SYCL_DEPRECATED("SYCL 2020 has no host device") bool is_host() const noexcept { return false; }

// In the device pass for anything but a CPU. The host's own macros, such as __x86_64__, are defined
// there too.
#if defined(__SYCL_DEVICE_ONLY__) && \
    (defined(__NVPTX__) || defined(__SPIRV__) || defined(__AMDGCN__))
#define TN_SYCL_ON_GPU 1
#else
#define TN_SYCL_ON_GPU 0
#endif

#endif
