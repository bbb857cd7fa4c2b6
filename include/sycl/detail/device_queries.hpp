// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host-side bodies of platform and device: information queries, listing. Included by device.hpp.
// Source: SYCL 2020 sections 4.6.2, 4.6.4.4.
#ifndef TENON_SYCL_DETAIL_DEVICE_QUERIES_HPP
#define TENON_SYCL_DETAIL_DEVICE_QUERIES_HPP

#include "tenon/bindless_image.h"
#include "tenon/rtc.h"
#include <sycl/detail/check.hpp>
#include <sycl/detail/device_class.hpp>

#include <string>
#include <vector>

namespace sycl {

namespace detail {

template <class T>
T device_number(const tn_device *device, std::int32_t what) {
  T value{};
  tn_diag diag;
  check(tn_device_get_info(device, what, &value, sizeof(value), nullptr, &diag), diag);
  return value;
}

template <class Object>
using info_function = tn_status (*)(const Object *object, std::int32_t what, void *out,
                                    std::size_t size, std::size_t *out_size, tn_diag *diag);

template <class Object>
std::string info_text(const Object *object, std::int32_t what, info_function<Object> get) {
  tn_diag diag;
  std::size_t size = 0;
  check(get(object, what, nullptr, 0, &size, &diag), diag);
  std::string text;
  text.resize(size);
  check(get(object, what, text.data(), size, nullptr, &diag), diag);
  text.resize(size ? size - 1 : 0);
  return text;
}

inline std::vector<std::string> device_extensions(const tn_device *device) {
  const std::string text =
      info_text<tn_device>(device, TN_DEVICE_INFO_EXTENSIONS, tn_device_get_info);
  std::vector<std::string> list;
  for (std::size_t end = 0, begin = text.find_first_not_of(' '); begin != std::string::npos;
       begin = text.find_first_not_of(' ', end)) {
    end = text.find(' ', begin);
    end = end == std::string::npos ? text.size() : end;
    list.push_back(text.substr(begin, end - begin));
  }
  return list;
}

// Without <algorithm>, which <sycl/detail/core.hpp> is not to bring.
inline bool has_name(const std::vector<std::string> &list, const std::string &name) {
  for (const std::string &each : list) {
    if (each == name) {
      return true;
    }
  }
  return false;
}

inline std::size_t device_count() {
  std::size_t count = 0;
  tn_diag diag;
  check(tn_device_count(&count, &diag), diag);
  return count;
}

// From here on aspects are features of bindless images, by their bits.
inline constexpr int first_bindless_aspect = 1100;
inline constexpr int last_bindless_aspect = 1131;
inline constexpr aspect bindless_aspects[] = {
    aspect::ext_oneapi_bindless_images,
    aspect::ext_oneapi_bindless_images_shared_usm,
    aspect::ext_oneapi_bindless_images_1d_usm,
    aspect::ext_oneapi_bindless_images_2d_usm,
    aspect::ext_oneapi_bindless_images_gather,
    aspect::ext_oneapi_bindless_images_sample_1d_usm,
    aspect::ext_oneapi_bindless_images_sample_2d_usm,
    aspect::ext_oneapi_bindless_sampled_image_fetch_1d,
    aspect::ext_oneapi_bindless_sampled_image_fetch_1d_usm,
    aspect::ext_oneapi_bindless_sampled_image_fetch_2d,
    aspect::ext_oneapi_bindless_sampled_image_fetch_2d_usm,
    aspect::ext_oneapi_bindless_sampled_image_fetch_3d,
    aspect::ext_oneapi_cubemap,
    aspect::ext_oneapi_cubemap_seamless_filtering,
    aspect::ext_oneapi_image_array,
    aspect::ext_oneapi_mipmap,
    aspect::ext_oneapi_mipmap_anisotropy,
    aspect::ext_oneapi_mipmap_level_reference,
    aspect::ext_oneapi_unique_addressing_per_dim};

inline tn_bindless_facts bindless_facts(const tn_device *device) {
  tn_bindless_facts facts;
  tn_bindless_get_facts(device, &facts);
  return facts;
}

inline bool device_has(const tn_device *device, aspect asp) {
  if (asp == aspect::ext_oneapi_async_memory_alloc) {
    asp = aspect::usm_device_allocations;
  }
  const int number = static_cast<int>(asp);
  if (number >= first_bindless_aspect && number <= last_bindless_aspect) {
    return bindless_facts(device).features >> (number - first_bindless_aspect) & 1u;
  }
  if (asp >= aspect::ext_oneapi_graph) {
    return static_cast<int>(asp) < first_absent_aspect;
  }
  return (device_number<std::uint64_t>(device, TN_DEVICE_INFO_ASPECTS) >>
          static_cast<unsigned>(asp)) &
         1u;
}

inline std::uint32_t device_backend(const tn_device *device) {
  return device_number<std::uint32_t>(device, TN_DEVICE_INFO_BACKEND);
}

inline info::device_type device_type_of(const tn_device *device) {
  switch (device_number<std::uint32_t>(device, TN_DEVICE_INFO_TYPE)) {
    case TN_DEVICE_TYPE_CPU:
      return info::device_type::cpu;
    case TN_DEVICE_TYPE_GPU:
      return info::device_type::gpu;
    case TN_DEVICE_TYPE_ACCELERATOR:
      return info::device_type::accelerator;
    default:
      return info::device_type::custom;
  }
}

inline std::uint32_t vector_width(const tn_device *device, std::size_t element,
                                  std::int32_t what = TN_DEVICE_INFO_NATIVE_VECTOR_WIDTH) {
  const auto bytes = device_number<std::uint32_t>(device, what);
  return bytes > element ? static_cast<std::uint32_t>(bytes / element) : 1;
}

// Everything that gives a vector is a template, so that the vector is only compiled where it is
// asked for.
template <class Value>
Value full_fp_config() {
  using info::fp_config;
  return {fp_config::denorm, fp_config::inf_nan, fp_config::round_to_nearest, fp_config::fma};
}

// Divisions and roots on a CPU are its own instructions, and NVIDIA's rounded as these, unless the
// program was compiled with options that say otherwise.
template <class Value>
Value single_config(const tn_device *device) {
  Value config = full_fp_config<Value>();
  if (device_type_of(device) == info::device_type::cpu ||
      device_backend(device) == TN_BACKEND_CUDA) {
    config.push_back(info::fp_config::correctly_rounded_divide_sqrt);
  }
  return config;
}

// Halves are computed as floats on CPUs where there are no instructions for them, fused or not.
template <class Value>
Value half_config(const tn_device *device) {
  using info::fp_config;
  if (device_backend(device) == TN_BACKEND_CUDA) {
    return full_fp_config<Value>();
  }
  return {fp_config::denorm, fp_config::inf_nan, fp_config::round_to_nearest};
}

// Each bit is a value of Enum, by its number.
template <class Value, class Enum>
Value listed_bits(std::uint32_t bits) {
  Value list;
  for (int i = 0; i < 32; ++i) {
    if ((bits >> i) & 1u) {
      list.push_back(static_cast<Enum>(i));
    }
  }
  return list;
}
static_assert(static_cast<int>(info::partition_property::partition_by_affinity_domain) ==
                  TN_PARTITION_BY_AFFINITY &&
              static_cast<int>(info::partition_affinity_domain::numa) == TN_AFFINITY_NUMA &&
              static_cast<int>(info::partition_affinity_domain::L1_cache) == TN_AFFINITY_L1 &&
              static_cast<int>(info::partition_affinity_domain::next_partitionable) ==
                  TN_AFFINITY_NEXT);

template <class Value>
Value all_memory_orders() {
  return {memory_order::relaxed, memory_order::acquire, memory_order::release,
          memory_order::acq_rel, memory_order::seq_cst};
}

template <class Value>
Value atomic_scopes() {
  return {memory_scope::sub_group, memory_scope::work_group, memory_scope::device,
          memory_scope::system};
}

template <class Value>
Value fence_scopes() {
  return {memory_scope::work_item, memory_scope::sub_group, memory_scope::work_group,
          memory_scope::device, memory_scope::system};
}

inline void raise_opencl_only(const tn_device *device, const char *what) {
  if (device_backend(device) != TN_BACKEND_OPENCL) {
    raise(errc::invalid, (std::string(what) + ": only devices of OpenCL know this").c_str());
  }
}

// Value is the descriptor's return_type.
#define TN_SYCL_QUERY(name) \
  template <class Value>    \
  Value device_query([[maybe_unused]] tn_device *device, info::device::name)
#define TN_SYCL_QUERY_NUMBER(name, type, what)                                     \
  TN_SYCL_QUERY(name) {                                                            \
    return static_cast<Value>(device_number<type>(device, TN_DEVICE_INFO_##what)); \
  }
#define TN_SYCL_QUERY_TEXT(name, what)                                              \
  TN_SYCL_QUERY(name) {                                                             \
    return info_text<tn_device>(device, TN_DEVICE_INFO_##what, tn_device_get_info); \
  }
#define TN_SYCL_QUERY_VALUE(name, ...) \
  TN_SYCL_QUERY(name) { return __VA_ARGS__; }

// Deprecated descriptors are among them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TN_SYCL_QUERY_VALUE(device_type, device_type_of(device))
TN_SYCL_QUERY_NUMBER(vendor_id, std::uint32_t, VENDOR_ID)
TN_SYCL_QUERY_NUMBER(max_compute_units, std::uint32_t, MAX_COMPUTE_UNITS)
TN_SYCL_QUERY_VALUE(max_work_item_dimensions, 3)
TN_SYCL_QUERY_NUMBER(max_work_group_size, std::uint64_t, MAX_WORK_GROUP_SIZE)
TN_SYCL_QUERY_NUMBER(max_num_sub_groups, std::uint32_t, MAX_NUM_SUB_GROUPS)
TN_SYCL_QUERY(sub_group_sizes) {
  const auto sizes = device_number<std::uint32_t>(device, TN_DEVICE_INFO_SUB_GROUP_SIZES);
  Value list;
  for (std::uint32_t size = 1; size != 0 && size <= sizes; size *= 2) {
    if (sizes & size) {
      list.push_back(size);
    }
  }
  return list;
}

#define TN_SYCL_QUERY_WIDTHS(kind)                                                    \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_char, vector_width(device, 1))              \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_short, vector_width(device, 2))             \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_int, vector_width(device, 4))               \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_long, vector_width(device, 8))              \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_long_long, vector_width(device, 8))         \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_float, vector_width(device, 4))             \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_double,                                     \
                      device_has(device, aspect::fp64) ? vector_width(device, 8) : 0) \
  TN_SYCL_QUERY_VALUE(kind##_vector_width_half,                                       \
                      device_has(device, aspect::fp16)                                \
                          ? vector_width(device, 2, TN_DEVICE_INFO_NATIVE_HALF_WIDTH) \
                          : 0)
TN_SYCL_QUERY_WIDTHS(preferred)
TN_SYCL_QUERY_WIDTHS(native)
#undef TN_SYCL_QUERY_WIDTHS

TN_SYCL_QUERY_NUMBER(max_clock_frequency, std::uint32_t, MAX_CLOCK_FREQUENCY)
TN_SYCL_QUERY_NUMBER(address_bits, std::uint32_t, ADDRESS_BITS)
TN_SYCL_QUERY_NUMBER(max_mem_alloc_size, std::uint64_t, MAX_MEM_ALLOC_SIZE)
// Images are linear memory: what limits them is how places are counted.
TN_SYCL_QUERY_VALUE(image_support, device_has(device, aspect::image))
TN_SYCL_QUERY_VALUE(max_read_image_args, device_has(device, aspect::image) ? 128 : 0)
TN_SYCL_QUERY_VALUE(max_write_image_args, device_has(device, aspect::image) ? 128 : 0)
TN_SYCL_QUERY_VALUE(image2d_max_width, device_has(device, aspect::image) ? 65536 : 0)
TN_SYCL_QUERY_VALUE(image2d_max_height, device_has(device, aspect::image) ? 65536 : 0)
TN_SYCL_QUERY_VALUE(image3d_max_width, device_has(device, aspect::image) ? 16384 : 0)
TN_SYCL_QUERY_VALUE(image3d_max_height, device_has(device, aspect::image) ? 16384 : 0)
TN_SYCL_QUERY_VALUE(image3d_max_depth, device_has(device, aspect::image) ? 16384 : 0)
TN_SYCL_QUERY_VALUE(image_max_buffer_size, device_has(device, aspect::image) ? 0x40000000 : 0)
TN_SYCL_QUERY_VALUE(max_samplers, device_has(device, aspect::image) ? 128 : 0)
TN_SYCL_QUERY_NUMBER(max_parameter_size, std::uint64_t, MAX_PARAMETER_SIZE)
TN_SYCL_QUERY_NUMBER(mem_base_addr_align, std::uint32_t, MEM_BASE_ADDR_ALIGN)

TN_SYCL_QUERY(half_fp_config) {
  return device_has(device, aspect::fp16) ? half_config<Value>(device) : Value{};
}
TN_SYCL_QUERY_VALUE(single_fp_config, single_config<Value>(device))
TN_SYCL_QUERY(double_fp_config) {
  if (!device_has(device, aspect::fp64)) {
    return {};
  }
  auto config = full_fp_config<Value>();
  config.push_back(info::fp_config::round_to_zero);
  config.push_back(info::fp_config::round_to_inf);
  return config;
}

TN_SYCL_QUERY(global_mem_cache_type) {
  return device_number<std::uint64_t>(device, TN_DEVICE_INFO_GLOBAL_CACHE_SIZE)
             ? info::global_mem_cache_type::read_write
             : info::global_mem_cache_type::none;
}
TN_SYCL_QUERY_NUMBER(global_mem_cache_line_size, std::uint32_t, CACHE_LINE_SIZE)
TN_SYCL_QUERY_NUMBER(global_mem_cache_size, std::uint64_t, GLOBAL_CACHE_SIZE)
TN_SYCL_QUERY_NUMBER(global_mem_size, std::uint64_t, GLOBAL_MEM_SIZE)
TN_SYCL_QUERY_NUMBER(max_constant_buffer_size, std::uint64_t, MAX_MEM_ALLOC_SIZE)
// Constants are arguments like any other: as many as fit, each a pointer.
TN_SYCL_QUERY(max_constant_args) {
  return static_cast<std::uint32_t>(
      device_number<std::uint64_t>(device, TN_DEVICE_INFO_MAX_PARAMETER_SIZE) / sizeof(void *));
}
TN_SYCL_QUERY(local_mem_type) {
  if (device_number<std::uint64_t>(device, TN_DEVICE_INFO_LOCAL_MEM_SIZE) == 0) {
    return info::local_mem_type::none;
  }
  return device_type_of(device) == info::device_type::cpu ? info::local_mem_type::global
                                                          : info::local_mem_type::local;
}
TN_SYCL_QUERY_NUMBER(local_mem_size, std::uint64_t, LOCAL_MEM_SIZE)
TN_SYCL_QUERY_NUMBER(error_correction_support, std::uint32_t, ERROR_CORRECTION)
TN_SYCL_QUERY_VALUE(host_unified_memory, device_type_of(device) == info::device_type::cpu)
TN_SYCL_QUERY_VALUE(atomic_memory_order_capabilities, all_memory_orders<Value>())
TN_SYCL_QUERY_VALUE(atomic_fence_order_capabilities, all_memory_orders<Value>())
TN_SYCL_QUERY_VALUE(atomic_memory_scope_capabilities, atomic_scopes<Value>())
TN_SYCL_QUERY_VALUE(atomic_fence_scope_capabilities, fence_scopes<Value>())
TN_SYCL_QUERY_NUMBER(profiling_timer_resolution, std::uint64_t, TIMER_RESOLUTION)
TN_SYCL_QUERY_VALUE(is_endian_little, true)
TN_SYCL_QUERY_VALUE(is_available, true)
TN_SYCL_QUERY_VALUE(is_compiler_available, device_has(device, aspect::online_compiler))
TN_SYCL_QUERY_VALUE(is_linker_available, device_has(device, aspect::online_linker))
TN_SYCL_QUERY(execution_capabilities) {
  raise_opencl_only(device, "info::device::execution_capabilities");
  return {info::execution_capability::exec_kernel};
}
TN_SYCL_QUERY_VALUE(queue_profiling, device_has(device, aspect::queue_profiling))
TN_SYCL_QUERY_VALUE(built_in_kernel_ids, {})
TN_SYCL_QUERY_VALUE(built_in_kernels, {})
TN_SYCL_QUERY_VALUE(usm_device_allocations, device_has(device, aspect::usm_device_allocations))
TN_SYCL_QUERY_VALUE(usm_host_allocations, device_has(device, aspect::usm_host_allocations))
TN_SYCL_QUERY_VALUE(usm_shared_allocations, device_has(device, aspect::usm_shared_allocations))
TN_SYCL_QUERY_VALUE(usm_restricted_shared_allocations,
                    device_has(device, aspect::usm_shared_allocations))
TN_SYCL_QUERY_VALUE(usm_system_allocations, device_has(device, aspect::usm_system_allocations))
// Warps are scheduled independently. A CPU's work-group runs in one thread, and drivers of OpenCL
// promise nothing.
TN_SYCL_QUERY_VALUE(sub_group_independent_forward_progress,
                    device_backend(device) == TN_BACKEND_CUDA)
TN_SYCL_QUERY_VALUE(reference_count, 1)
TN_SYCL_QUERY_VALUE(platform, sycl::platform(tn_device_platform(device)))
TN_SYCL_QUERY_TEXT(name, NAME)
TN_SYCL_QUERY_TEXT(vendor, VENDOR)
TN_SYCL_QUERY_TEXT(driver_version, DRIVER_VERSION)
TN_SYCL_QUERY(profile) {
  raise_opencl_only(device, "info::device::profile");
  return "FULL_PROFILE";
}
TN_SYCL_QUERY_TEXT(version, VERSION)
TN_SYCL_QUERY_TEXT(backend_version, VERSION)
TN_SYCL_QUERY(aspects) {
  const auto bits = device_number<std::uint64_t>(device, TN_DEVICE_INFO_ASPECTS);
  Value list;
  for (int i = 0; i < TN_ASPECT_END; ++i) {
    if ((bits >> i) & 1u) {
      list.push_back(static_cast<aspect>(i));
    }
  }
  for (const aspect each :
       {aspect::ext_oneapi_graph, aspect::ext_oneapi_limited_graph,
        aspect::ext_oneapi_clock_sub_group, aspect::ext_oneapi_clock_work_group,
        aspect::ext_oneapi_clock_device, aspect::ext_oneapi_chunk, aspect::ext_oneapi_fragment,
        aspect::ext_oneapi_tangle, aspect::ext_intel_matrix, aspect::ext_intel_legacy_image,
        aspect::ext_oneapi_srgb}) {
    list.push_back(each);
  }
  const std::uint32_t images = bindless_facts(device).features;
  for (const aspect each : bindless_aspects) {
    if (images >> (static_cast<int>(each) - first_bindless_aspect) & 1u) {
      list.push_back(each);
    }
  }
  if (device_has(device, aspect::ext_oneapi_async_memory_alloc)) {
    list.push_back(aspect::ext_oneapi_async_memory_alloc);
  }
  return list;
}
TN_SYCL_QUERY_VALUE(extensions, device_extensions(device))
TN_SYCL_QUERY_VALUE(printf_buffer_size, 1048576)
TN_SYCL_QUERY(preferred_interop_user_sync) {
  raise_opencl_only(device, "info::device::preferred_interop_user_sync");
  return true;
}
TN_SYCL_QUERY(parent_device) {
  tn_device *parent = tn_device_parent(device);
  if (!parent) {
    raise(errc::invalid, "info::device::parent_device: this device is not a sub-device");
  }
  return Value(parent);
}
TN_SYCL_QUERY_NUMBER(partition_max_sub_devices, std::uint32_t, PARTITION_MAX)
TN_SYCL_QUERY(partition_properties) {
  return listed_bits<Value, info::partition_property>(
      device_number<std::uint32_t>(device, TN_DEVICE_INFO_PARTITION_KINDS));
}
TN_SYCL_QUERY(partition_affinity_domains) {
  return listed_bits<Value, info::partition_affinity_domain>(
      device_number<std::uint32_t>(device, TN_DEVICE_INFO_PARTITION_DOMAINS));
}
TN_SYCL_QUERY_NUMBER(partition_type_property, std::uint32_t, PARTITION_TYPE)
TN_SYCL_QUERY_NUMBER(partition_type_affinity_domain, std::uint32_t, PARTITION_TYPE_DOMAIN)

template <class Value, int Dimensions>
Value device_query(tn_device *device, info::device::max_work_item_sizes<Dimensions>) {
  std::uint64_t sizes[3] = {};
  tn_diag diag;
  check(tn_device_get_info(device, TN_DEVICE_INFO_MAX_WORK_ITEM_SIZES, sizes, sizeof(sizes),
                           nullptr, &diag),
        diag);
  Value result;
  for (int i = 0; i < Dimensions; ++i) {
    result[i] = sizes[i];
  }
  return result;
}

// Descriptors of extensions know themselves how they are answered.
template <class Value, class Param>
auto device_query(const tn_device *device, Param) -> decltype(Value(Param::tn_query(device))) {
  return Param::tn_query(device);
}

#undef TN_SYCL_QUERY
#undef TN_SYCL_QUERY_NUMBER
#undef TN_SYCL_QUERY_TEXT
#undef TN_SYCL_QUERY_VALUE

template <class Value>
Value platform_query(tn_platform *platform, info::platform::version) {
  return info_text<tn_platform>(platform, TN_PLATFORM_INFO_VERSION, tn_platform_get_info);
}
template <class Value>
Value platform_query(tn_platform *platform, info::platform::name) {
  return info_text<tn_platform>(platform, TN_PLATFORM_INFO_NAME, tn_platform_get_info);
}
template <class Value>
Value platform_query(tn_platform *platform, info::platform::vendor) {
  return info_text<tn_platform>(platform, TN_PLATFORM_INFO_VENDOR, tn_platform_get_info);
}
template <class Value>
Value platform_query(tn_platform *platform, info::platform::extensions) {
  Value list;
  for (std::size_t i = 0; i < tn_platform_device_count(platform); ++i) {
    for (std::string &name : device_extensions(tn_platform_device_at(platform, i))) {
      if (!has_name(list, name)) {
        list.push_back(std::move(name));
      }
    }
  }
  return list;
}

inline bool is_type(const device &dev, info::device_type type) {
  return type == info::device_type::all ||
         (type == info::device_type::automatic && dev.tn_get() == tn_device_default()) ||
         device_type_of(dev.tn_get()) == type;
}

template <class Device>
std::vector<Device> sub_devices(tn_device *of, const tn_partition &how) {
  tn_device *const *objects = nullptr;
  std::size_t count = 0;
  tn_diag diag;
  check(tn_device_partition(of, &how, &objects, &count, &diag), diag);
  std::vector<Device> list;
  for (std::size_t i = 0; i < count; ++i) {
    list.emplace_back(objects[i]);
  }
  return list;
}

}  // namespace detail

inline backend platform::get_backend() const noexcept {
  std::uint32_t value = TN_BACKEND_CPU;
  if (tn_platform_get_info(object_, TN_PLATFORM_INFO_BACKEND, &value, sizeof(value), nullptr,
                           nullptr) != TN_OK) {
    value = TN_BACKEND_CPU;
  }
  return static_cast<backend>(value);
}

template <class Device>
std::vector<Device> platform::get_devices(info::device_type type) const {
  std::vector<Device> list;
  for (std::size_t i = 0; i < tn_platform_device_count(object_); ++i) {
    const Device dev(tn_platform_device_at(object_, i));
    if (detail::is_type(dev, type)) {
      list.push_back(dev);
    }
  }
  return list;
}

template <class Param>
detail::info_result<platform, Param> platform::get_info() const {
  return detail::platform_query<typename Param::return_type>(object_, Param());
}

template <class Param>
typename Param::return_type platform::get_backend_info() const {
  detail::raise_no_backend_info();
}

inline bool platform::has(aspect asp) const {
  for (std::size_t i = 0; i < tn_platform_device_count(object_); ++i) {
    if (!detail::device_has(tn_platform_device_at(object_, i), asp)) {
      return false;
    }
  }
  return true;
}

inline bool platform::has_extension(const std::string &extension) const {
  return detail::has_name(get_info<info::platform::extensions>(), extension);
}

template <class Platform>
std::vector<Platform> platform::get_platforms() {
  std::size_t count = 0;
  tn_diag diag;
  detail::check(tn_platform_count(&count, &diag), diag);
  std::vector<Platform> list;
  for (std::size_t i = 0; i < count; ++i) {
    list.emplace_back(tn_platform_at(i));
  }
  return list;
}

inline backend device::get_backend() const noexcept {
  std::uint32_t value = TN_BACKEND_CPU;
  if (tn_device_get_info(object_, TN_DEVICE_INFO_BACKEND, &value, sizeof(value), nullptr,
                         nullptr) != TN_OK) {
    value = TN_BACKEND_CPU;
  }
  return static_cast<backend>(value);
}

template <class Param>
detail::info_result<device, Param> device::get_info() const {
  return detail::device_query<typename Param::return_type>(object_, Param());
}

template <class Param>
typename Param::return_type device::get_backend_info() const {
  detail::raise_no_backend_info();
}

inline bool device::ext_oneapi_can_access_peer(const device &peer,
                                               ext::oneapi::peer_access value) const {
  const bool is_atomic = value == ext::oneapi::peer_access::atomics_supported;
  std::int32_t answer = 0;
  tn_diag diag;
  detail::check(
      tn_device_peer(object_, peer.object_, is_atomic ? TN_PEER_CAN_ATOMICS : TN_PEER_CAN_ACCESS,
                     &answer, &diag),
      diag);
  return answer != 0;
}
inline void device::ext_oneapi_enable_peer_access(const device &peer) const {
  std::int32_t answer = 0;
  tn_diag diag;
  detail::check(tn_device_peer(object_, peer.object_, TN_PEER_ENABLE, &answer, &diag), diag);
}
inline void device::ext_oneapi_disable_peer_access(const device &peer) const {
  std::int32_t answer = 0;
  tn_diag diag;
  detail::check(tn_device_peer(object_, peer.object_, TN_PEER_DISABLE, &answer, &diag), diag);
}

inline bool device::has(aspect asp) const { return detail::device_has(object_, asp); }
inline bool device::has_extension(const std::string &extension) const {
  return detail::has_name(detail::device_extensions(object_), extension);
}
inline bool device::ext_oneapi_supports_cl_c_feature(const std::string &name) const noexcept {
  return name.rfind("__opencl_c_", 0) == 0 &&
         tn_source_has_opencl(object_, name.c_str(), nullptr) != 0;
}
inline bool device::ext_oneapi_supports_cl_extension(
    const std::string &name, ext::oneapi::experimental::cl_version *version) const noexcept {
  std::uint32_t packed = 0;
  if (name.rfind("cl_", 0) != 0 || tn_source_has_opencl(object_, name.c_str(), &packed) == 0) {
    return false;
  }
  if (version) {
    version->major = packed >> 22;
    version->minor = packed >> 12 & 0x3ffu;
    version->patch = packed & 0xfffu;
  }
  return true;
}
inline bool device::ext_oneapi_can_build(
    ext::oneapi::experimental::source_language lang) const noexcept {
  return tn_source_is_supported(object_, static_cast<std::int32_t>(lang)) != 0;
}

template <info::partition_property Property,
          std::enable_if_t<Property == info::partition_property::partition_equally, int>>
std::vector<device> device::create_sub_devices(std::size_t count) const {
  return detail::sub_devices<device>(object_, {TN_PARTITION_EQUALLY, 0, &count, 1});
}
template <info::partition_property Property,
          std::enable_if_t<Property == info::partition_property::partition_by_counts, int>>
std::vector<device> device::create_sub_devices(const std::vector<std::size_t> &counts) const {
  return detail::sub_devices<device>(object_,
                                     {TN_PARTITION_BY_COUNTS, 0, counts.data(), counts.size()});
}
template <info::partition_property Property,
          std::enable_if_t<Property == info::partition_property::partition_by_affinity_domain, int>>
std::vector<device> device::create_sub_devices(
    info::partition_affinity_domain affinityDomain) const {
  return detail::sub_devices<device>(
      object_, {TN_PARTITION_BY_AFFINITY, static_cast<std::int32_t>(affinityDomain), nullptr, 0});
}
template <
    info::partition_property Property,
    std::enable_if_t<Property == info::partition_property::ext_intel_partition_by_cslice, int>>
std::vector<device> device::create_sub_devices() const {
  detail::raise(errc::feature_not_supported,
                "create_sub_devices by cslice: the device has no compute slices");
}

template <class Device>
std::vector<Device> device::get_devices(info::device_type type) {
  const std::size_t count = detail::device_count();
  std::vector<Device> list;
  for (std::size_t i = 0; i < count; ++i) {
    const Device dev(tn_device_at(i));
    if (detail::is_type(dev, type)) {
      list.push_back(dev);
    }
  }
  return list;
}

template <class Device>
TN_SYCL_COLD Device platform::ext_oneapi_device_at_index(std::size_t index) const {
  if (index >= tn_platform_device_count(object_)) {
    detail::raise(errc::invalid,
                  "ext_oneapi_device_at_index: the platform has fewer devices; "
                  "platform::get_devices() lists them");
  }
  return Device(tn_platform_device_at(object_, index));
}

TN_SYCL_COLD inline std::size_t device::ext_oneapi_index_within_platform() const {
  const tn_platform *of = tn_device_platform(object_);
  const std::size_t count = tn_platform_device_count(of);
  std::size_t index = 0;
  while (index < count && tn_platform_device_at(of, index) != object_) {
    ++index;
  }
  if (index == count) {
    detail::raise(
        errc::invalid,
        "ext_oneapi_index_within_platform: the device is a sub-device, which its platform "
        "does not list");
  }
  return index;
}

#pragma GCC diagnostic pop

}  // namespace sycl

#endif
