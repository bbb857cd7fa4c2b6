// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers and their functions. Source: the SYCL extension sycl_ext_oneapi_complex.
#ifndef TENON_SYCL_EXT_COMPLEX_HPP
#define TENON_SYCL_EXT_COMPLEX_HPP

#include <sycl/ext/oneapi/experimental/complex/complex_class.hpp>
#include <sycl/ext/oneapi/experimental/complex/complex_math.hpp>

#endif
