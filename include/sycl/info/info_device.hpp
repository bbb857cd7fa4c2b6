// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of device::get_info. Source: SYCL 2020 section 4.6.4.4.
#ifndef TENON_SYCL_INFO_INFO_DEVICE_HPP
#define TENON_SYCL_INFO_INFO_DEVICE_HPP

#include <sycl/aspects.hpp>
#include <sycl/detail/info_class.hpp>
#include <sycl/detail/std_types.hpp>
#include <sycl/info/info_enums.hpp>
#include <sycl/memory_enums.hpp>
#include <sycl/range.hpp>

namespace sycl {
class platform;
class device;
class kernel_id;
}  // namespace sycl

// X(name, return type)
#define TN_SYCL_DEVICE_DESCRIPTORS(X)                                         \
  X(device_type, info::device_type)                                           \
  X(vendor_id, std::uint32_t)                                                 \
  X(max_compute_units, std::uint32_t)                                         \
  X(max_work_item_dimensions, std::uint32_t)                                  \
  X(max_work_group_size, std::size_t)                                         \
  X(max_num_sub_groups, std::uint32_t)                                        \
  X(sub_group_sizes, std::vector<std::size_t>)                                \
  X(preferred_vector_width_char, std::uint32_t)                               \
  X(preferred_vector_width_short, std::uint32_t)                              \
  X(preferred_vector_width_int, std::uint32_t)                                \
  X(preferred_vector_width_long, std::uint32_t)                               \
  X(preferred_vector_width_long_long, std::uint32_t)                          \
  X(preferred_vector_width_float, std::uint32_t)                              \
  X(preferred_vector_width_double, std::uint32_t)                             \
  X(preferred_vector_width_half, std::uint32_t)                               \
  X(native_vector_width_char, std::uint32_t)                                  \
  X(native_vector_width_short, std::uint32_t)                                 \
  X(native_vector_width_int, std::uint32_t)                                   \
  X(native_vector_width_long, std::uint32_t)                                  \
  X(native_vector_width_long_long, std::uint32_t)                             \
  X(native_vector_width_float, std::uint32_t)                                 \
  X(native_vector_width_double, std::uint32_t)                                \
  X(native_vector_width_half, std::uint32_t)                                  \
  X(max_clock_frequency, std::uint32_t)                                       \
  X(address_bits, std::uint32_t)                                              \
  X(max_mem_alloc_size, std::uint64_t)                                        \
  X(max_read_image_args, std::uint32_t)                                       \
  X(max_write_image_args, std::uint32_t)                                      \
  X(image2d_max_width, std::size_t)                                           \
  X(image2d_max_height, std::size_t)                                          \
  X(image3d_max_width, std::size_t)                                           \
  X(image3d_max_height, std::size_t)                                          \
  X(image3d_max_depth, std::size_t)                                           \
  X(image_max_buffer_size, std::size_t)                                       \
  X(max_samplers, std::uint32_t)                                              \
  X(max_parameter_size, std::size_t)                                          \
  X(mem_base_addr_align, std::uint32_t)                                       \
  X(half_fp_config, std::vector<info::fp_config>)                             \
  X(single_fp_config, std::vector<info::fp_config>)                           \
  X(double_fp_config, std::vector<info::fp_config>)                           \
  X(global_mem_cache_type, info::global_mem_cache_type)                       \
  X(global_mem_cache_line_size, std::uint32_t)                                \
  X(global_mem_cache_size, std::uint64_t)                                     \
  X(global_mem_size, std::uint64_t)                                           \
  X(local_mem_type, info::local_mem_type)                                     \
  X(local_mem_size, std::uint64_t)                                            \
  X(error_correction_support, bool)                                           \
  X(atomic_memory_order_capabilities, std::vector<memory_order>)              \
  X(atomic_fence_order_capabilities, std::vector<memory_order>)               \
  X(atomic_memory_scope_capabilities, std::vector<memory_scope>)              \
  X(atomic_fence_scope_capabilities, std::vector<memory_scope>)               \
  X(profiling_timer_resolution, std::size_t)                                  \
  X(is_available, bool)                                                       \
  X(built_in_kernel_ids, std::vector<kernel_id>)                              \
  X(platform, sycl::platform)                                                 \
  X(name, std::string)                                                        \
  X(vendor, std::string)                                                      \
  X(driver_version, std::string)                                              \
  X(version, std::string)                                                     \
  X(backend_version, std::string)                                             \
  X(aspects, std::vector<aspect>)                                             \
  X(parent_device, sycl::device)                                              \
  X(partition_max_sub_devices, std::uint32_t)                                 \
  X(partition_properties, std::vector<info::partition_property>)              \
  X(partition_affinity_domains, std::vector<info::partition_affinity_domain>) \
  X(partition_type_property, info::partition_property)                        \
  X(partition_type_affinity_domain, info::partition_affinity_domain)

namespace sycl::info::device {

sycl::detail::info_class<sycl::device> tn_describes(const void *);

#define TN_SYCL_DESCRIPTOR(name, type) \
  struct name {                        \
    using return_type = type;          \
  };
TN_SYCL_DEVICE_DESCRIPTORS(TN_SYCL_DESCRIPTOR)
#undef TN_SYCL_DESCRIPTOR

// Of SYCL 1.2.1 and DPC++: aspects say the same.
struct usm_device_allocations {
  using return_type = bool;
};
struct usm_host_allocations {
  using return_type = bool;
};
struct usm_shared_allocations {
  using return_type = bool;
};
struct usm_restricted_shared_allocations {
  using return_type = bool;
};
struct usm_system_allocations {
  using return_type = bool;
};
// Of DPC++ and OpenCL.
struct sub_group_independent_forward_progress {
  using return_type = bool;
};
struct reference_count {  // see info::queue::reference_count
  using return_type = std::uint32_t;
};

struct TN_SYCL_DEPRECATED("use aspect::image") image_support {
  using return_type = bool;
};
struct TN_SYCL_DEPRECATED("constant buffers are deprecated in SYCL 2020") max_constant_buffer_size {
  using return_type = std::uint64_t;
};
struct TN_SYCL_DEPRECATED("constant buffers are deprecated in SYCL 2020") max_constant_args {
  using return_type = std::uint32_t;
};
struct TN_SYCL_DEPRECATED("use device::has with the aspects of USM") host_unified_memory {
  using return_type = bool;
};
struct TN_SYCL_DEPRECATED("devices have the byte order of the host") is_endian_little {
  using return_type = bool;
};
struct TN_SYCL_DEPRECATED("use aspect::online_compiler") is_compiler_available {
  using return_type = bool;
};
struct TN_SYCL_DEPRECATED("use aspect::online_linker") is_linker_available {
  using return_type = bool;
};
struct TN_SYCL_DEPRECATED("only OpenCL devices have them") execution_capabilities {
  using return_type = std::vector<info::execution_capability>;
};
struct TN_SYCL_DEPRECATED("use aspect::queue_profiling") queue_profiling {
  using return_type = bool;
};
struct TN_SYCL_DEPRECATED("only OpenCL devices have one") profile {
  using return_type = std::string;
};
struct TN_SYCL_DEPRECATED("use info::device::aspects") extensions {
  using return_type = std::vector<std::string>;
};
struct TN_SYCL_DEPRECATED("only OpenCL devices have one") printf_buffer_size {
  using return_type = std::size_t;
};
struct TN_SYCL_DEPRECATED("only OpenCL devices have it") preferred_interop_user_sync {
  using return_type = bool;
};
struct TN_SYCL_DEPRECATED("use info::device::built_in_kernel_ids") built_in_kernels {
  using return_type = std::vector<std::string>;
};

template <int Dimensions = 3>
struct max_work_item_sizes {
  using return_type = range<Dimensions>;
};

}  // namespace sycl::info::device

#endif
