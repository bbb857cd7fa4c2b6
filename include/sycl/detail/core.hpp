// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What most programs use: queues, kernels, USM, buffers, accessors, vectors and built-in functions.
// sycl/sycl.hpp has the rest, and standard headers. DPC++'s header of this name holds no less.
#ifndef TENON_SYCL_DETAIL_CORE_HPP
#define TENON_SYCL_DETAIL_CORE_HPP

#include <sycl/version.hpp>
#ifdef __TENON_UNIT_ID__  // else one error is enough
#include <sycl/accessor.hpp>
#include <sycl/aliases.hpp>
#include <sycl/bit_cast.hpp>
#include <sycl/buffer.hpp>
#include <sycl/builtins.hpp>
#include <sycl/detail/handler_arguments.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/event.hpp>
#include <sycl/ext/oneapi/device_global/device_global.hpp>
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>
#include <sycl/ext/oneapi/experimental/function_properties.hpp>
#include <sycl/ext/oneapi/experimental/graph.hpp>
#include <sycl/ext/oneapi/experimental/raw_kernel_arg.hpp>
#include <sycl/ext/oneapi/work_group_memory.hpp>
#include <sycl/h_item.hpp>
#include <sycl/handler.hpp>
#include <sycl/host_accessor.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/local_accessor.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/queue.hpp>
#include <sycl/span.hpp>
#include <sycl/usm.hpp>

// Light standard headers that programs get with DPC++'s header.
#include <array>
#include <cassert>
#include <cstring>
#endif

#endif
