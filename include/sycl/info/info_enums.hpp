// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerations that information queries return. Source: SYCL 2020 section 4.6.4.7, 4.6.6.6.
#ifndef TENON_SYCL_INFO_INFO_ENUMS_HPP
#define TENON_SYCL_INFO_INFO_ENUMS_HPP

namespace sycl::info {

enum class device_type : int { cpu, gpu, accelerator, custom, automatic, host, all };

enum class partition_property : int {
  no_partition,
  partition_equally,
  partition_by_counts,
  partition_by_affinity_domain,
  ext_intel_partition_by_cslice  // no device has compute slices
};

enum class partition_affinity_domain : int {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable
};

enum class local_mem_type : int { none, local, global };

enum class fp_config : int {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  correctly_rounded_divide_sqrt,
  soft_float
};

enum class global_mem_cache_type : int { none, read_only, read_write };

enum class execution_capability : int { exec_kernel, exec_native_kernel };

enum class event_command_status : int {
  submitted,
  running,
  complete,
  ext_oneapi_unknown = -1  // sycl_ext_oneapi_discard_queue_events
};

}  // namespace sycl::info

#endif
