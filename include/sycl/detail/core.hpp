// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What most programs use: queues, kernels, USM, buffers and accessors. sycl/sycl.hpp has the rest.
#ifndef TENON_SYCL_DETAIL_CORE_HPP
#define TENON_SYCL_DETAIL_CORE_HPP

#include <sycl/version.hpp>
#ifdef __TENON_UNIT_ID__  // else one error is enough
#include <sycl/accessor.hpp>
#include <sycl/buffer.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/event.hpp>
#include <sycl/handler.hpp>
#include <sycl/host_accessor.hpp>
#include <sycl/queue.hpp>
#include <sycl/usm.hpp>
#endif

#endif
