// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/ext/intel/experimental/grf_size_properties.hpp>
