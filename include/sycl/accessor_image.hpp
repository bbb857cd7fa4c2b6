// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/detail/legacy_image.hpp>
