// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/ext/oneapi/legacy_sub_group.hpp>
