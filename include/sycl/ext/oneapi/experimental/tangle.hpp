// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/ext/oneapi/experimental/non_uniform_groups.hpp>
