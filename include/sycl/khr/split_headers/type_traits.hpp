// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/aspects.hpp>
#include <sycl/detail/group_primitives.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/functional.hpp>
#include <sycl/khr/split_headers/version.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/property.hpp>
