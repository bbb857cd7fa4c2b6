// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/device_event.hpp>
#include <sycl/group.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/khr/split_headers/version.hpp>
#include <sycl/sub_group.hpp>
