// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 1.2.1's name of <sycl/sycl.hpp>, with namespace cl::sycl. Source: SYCL 2020 section 4.3.
#ifndef TENON_CL_SYCL_HPP
#define TENON_CL_SYCL_HPP

#include <sycl/sycl.hpp>

#ifdef __TENON_UNIT_ID__  // else one error is enough
#pragma GCC warning "CL/sycl.hpp is deprecated, use sycl/sycl.hpp"

#include <sycl/detail/legacy_names.hpp>

namespace cl {
namespace sycl = ::sycl;
}
#endif

#endif
