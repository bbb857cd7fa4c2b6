// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sycl/sycl.hpp is in sources compiled at run time: all that device code uses, and nothing
// that launches it.
#ifndef TENON_SYCL_DETAIL_DEVICE_CORE_HPP
#define TENON_SYCL_DETAIL_DEVICE_CORE_HPP

#include <sycl/accessor.hpp>
#include <sycl/aliases.hpp>
#include <sycl/atomic.hpp>
#include <sycl/atomic_fence.hpp>
#include <sycl/atomic_ref.hpp>
#include <sycl/bfloat16.hpp>
#include <sycl/bit_cast.hpp>
#include <sycl/builtins.hpp>
#include <sycl/detail/kernel_entry.hpp>
#include <sycl/device_copyable.hpp>
#include <sycl/ext/oneapi/device_global/device_global.hpp>
#include <sycl/ext/oneapi/experimental/function_properties.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/ext/oneapi/group_local_memory.hpp>
#include <sycl/ext/oneapi/work_group_memory.hpp>
#include <sycl/ext/oneapi/work_group_scratch_memory.hpp>
#include <sycl/ext/oneapi/work_group_static.hpp>
#include <sycl/functional.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/group_functions.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/khr/dynamic_addrspace_cast.hpp>
#include <sycl/khr/group_interface.hpp>
#include <sycl/khr/work_item_queries.hpp>
#include <sycl/local_accessor.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/span.hpp>
#include <sycl/specialization_id.hpp>
#include <sycl/version.hpp>

#include <cmath>  // sources count on it

#ifdef __TENON_PRECOMPILING__
// Never called. What it uses is made once, in the precompiled header, and not in each source.
namespace sycl::detail {
template <int Dimensions>
inline std::size_t use_what_most_use() {
  const nd_item<Dimensions> here = ext::oneapi::this_work_item::get_nd_item<Dimensions>();
  const item<Dimensions> place = index_maker::item<Dimensions>();
  group_barrier(here.get_group());
  std::size_t sum = ext::oneapi::experimental::nd_range_kernel<Dimensions>.kind;
  sum += here.get_global_linear_id() + here.get_local_linear_id() +
                    here.get_group_linear_id() + place.get_linear_id();
  for (int i = 0; i < Dimensions; ++i) {
    sum += here.get_global_id(i) + here.get_local_id(i) + here.get_group(i) +
           here.get_global_range(i) + here.get_local_range(i) + here.get_group_range(i) +
           here.get_global_id()[i] + here.get_local_id()[i] + here.get_global_range()[i] +
           here.get_local_range()[i] + place.get_id(i) + place[i] + place.get_range(i) +
           place.get_id()[i] + place.get_range()[i];
  }
  return sum;
}
inline std::size_t use_what_most_use_of_all() {
  const sub_group lanes = ext::oneapi::this_work_item::get_sub_group();
  return use_what_most_use<1>() + use_what_most_use<2>() + use_what_most_use<3>() +
         lanes.get_local_linear_id();
}
}  // namespace sycl::detail
#endif

#endif
