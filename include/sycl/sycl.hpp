// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020, all of it that Tenon has. Source: SYCL 2020 section 4.3.
#ifndef TENON_SYCL_SYCL_HPP
#define TENON_SYCL_SYCL_HPP

#include <sycl/detail/letters.hpp>

#ifdef __TENON_RTC__
#include <sycl/detail/device_core.hpp>
#else
#ifdef __TENON_UNIT_ID__
#include <sycl/detail/standard_headers.hpp>
#endif

#include <sycl/detail/core.hpp>
#ifdef __TENON_UNIT_ID__
#include <sycl/atomic.hpp>
#include <sycl/atomic_fence.hpp>
#include <sycl/atomic_ref.hpp>
#include <sycl/backend.hpp>
#include <sycl/bfloat16.hpp>
#include <sycl/detail/image_interop.hpp>
#include <sycl/detail/legacy_image.hpp>
#include <sycl/detail/opencl_scalars.hpp>
#include <sycl/detail/ur.hpp>
#include <sycl/ext/codeplay/experimental/max_registers_query.hpp>
#include <sycl/ext/intel/device_info.hpp>
#include <sycl/ext/intel/usm_pointers.hpp>
#include <sycl/ext/intel/experimental/grf_size_properties.hpp>
#include <sycl/ext/intel/experimental/kernel_execution_properties.hpp>
#include <sycl/ext/oneapi/experimental/address_cast.hpp>
#include <sycl/ext/oneapi/experimental/auto_local_range.hpp>
#include <sycl/ext/oneapi/experimental/bfloat16_math.hpp>
#include <sycl/ext/oneapi/experimental/builtins.hpp>
#include <sycl/ext/oneapi/experimental/clock.hpp>
#include <sycl/ext/oneapi/experimental/composite_device.hpp>
#include <sycl/ext/oneapi/experimental/current_device.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/ext/oneapi/experimental/event_mode_property.hpp>
#include <sycl/ext/oneapi/experimental/forward_progress.hpp>
#include <sycl/ext/oneapi/experimental/group_sort.hpp>
#include <sycl/ext/oneapi/experimental/ipc_memory.hpp>
#include <sycl/ext/oneapi/experimental/max_work_groups.hpp>
#include <sycl/ext/oneapi/experimental/non_uniform_groups.hpp>
#include <sycl/ext/oneapi/experimental/prefetch.hpp>
#include <sycl/ext/oneapi/experimental/profiling_tag.hpp>
#include <sycl/ext/oneapi/experimental/reduction_properties.hpp>
#include <sycl/ext/oneapi/experimental/register_host_memory.hpp>
#include <sycl/ext/oneapi/experimental/root_group.hpp>
#include <sycl/ext/oneapi/bindless_images.hpp>
#include <sycl/ext/oneapi/dot_product.hpp>
#include <sycl/ext/oneapi/filter_selector.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/group_local_memory.hpp>
#include <sycl/ext/oneapi/work_group_static.hpp>
#include <sycl/ext/oneapi/weak_object.hpp>
#include <sycl/ext/oneapi/legacy_functional.hpp>
#include <sycl/ext/oneapi/legacy_sub_group.hpp>
#include <sycl/ext/oneapi/matrix/matrix.hpp>
#include <sycl/ext/oneapi/num_compute_units.hpp>
#include <sycl/ext/oneapi/owner_less.hpp>
#include <sycl/ext/oneapi/sub_group_mask.hpp>
#include <sycl/ext/oneapi/virtual_mem/virtual_mem.hpp>
#include <sycl/functional.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/group_functions.hpp>
#include <sycl/image_accessor.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/khr/dynamic_addrspace_cast.hpp>
#include <sycl/khr/free_function_commands.hpp>
#include <sycl/khr/group_interface.hpp>
#include <sycl/khr/max_work_group_queries.hpp>
#include <sycl/khr/work_item_queries.hpp>
#include <sycl/private_memory.hpp>
#include <sycl/reduction.hpp>
#include <sycl/specialization_id.hpp>
#include <sycl/stream.hpp>
#include <sycl/usm_allocator.hpp>
#endif
#endif

#include <sycl/detail/letters.hpp>

#endif
