// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// platform, device, context, selectors and every information descriptor.
// GPU-SUITE: needs cpu
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
#include "Inputs/expect.hpp"

#include <unordered_set>
#include <vector>

namespace dev = sycl::info::device;
using sycl::aspect;

template <class Param>
static void same_type(const sycl::device &d) {
  static_assert(std::is_same_v<decltype(d.get_info<Param>()), typename Param::return_type>);
  (void)d.get_info<Param>();
}

static void check_descriptors(const sycl::device &d) {
  // Those that throw are asked for below.
#define TRY(name, type)                                                       \
  if constexpr (!std::is_same_v<dev::name, dev::parent_device> &&             \
                !std::is_same_v<dev::name, dev::profile> &&                   \
                !std::is_same_v<dev::name, dev::preferred_interop_user_sync>) \
    same_type<dev::name>(d);
  TN_SYCL_DEVICE_DESCRIPTORS(TRY)
  if (d.get_backend() != sycl::backend::opencl) {
    EXPECT_ERRC(invalid, (void)d.get_info<dev::profile>());
    EXPECT_ERRC(invalid, (void)d.get_info<dev::preferred_interop_user_sync>());
  }
  EXPECT_ERRC(invalid, (void)d.get_info<dev::parent_device>());
  EXPECT(!d.get_info<dev::name>().empty() && !d.get_info<dev::vendor>().empty());
  EXPECT(!d.get_info<dev::version>().empty() && !d.get_info<dev::driver_version>().empty());
  EXPECT(d.get_info<dev::name>().find('\0') == std::string::npos);
  EXPECT(d.get_info<dev::max_compute_units>() >= 1 &&
         d.get_info<dev::max_work_item_dimensions>() == 3);
  EXPECT(d.get_info<dev::max_work_group_size>() >= 1 && d.get_info<dev::global_mem_size>() > 0);
  EXPECT(d.get_info<dev::max_work_item_sizes<1>>()[0] >= 1 &&
         d.get_info<dev::max_work_item_sizes<2>>()[1] >= 1);
  EXPECT(d.get_info<dev::max_work_item_sizes<>>()[2] >= 1);
  EXPECT(d.get_info<dev::address_bits>() == 64 && d.get_info<dev::max_parameter_size>() >= 1024);
  EXPECT(d.get_info<dev::max_mem_alloc_size>() > 0 && d.get_info<dev::mem_base_addr_align>() > 0);
  EXPECT(!d.get_info<dev::sub_group_sizes>().empty() && d.get_info<dev::is_available>());
  EXPECT(!d.get_info<dev::single_fp_config>().empty() &&
         d.get_info<dev::profiling_timer_resolution>() > 0);
  EXPECT(d.get_info<dev::double_fp_config>().empty() == !d.has(aspect::fp64));
  EXPECT(d.get_info<dev::native_vector_width_char>() >= d.get_info<dev::native_vector_width_int>());
  EXPECT((d.get_info<dev::native_vector_width_half>() == 0) == !d.has(aspect::fp16));
  EXPECT(d.get_info<dev::platform>() == d.get_platform() && d.get_info<dev::is_endian_little>());
  for (aspect a : d.get_info<dev::aspects>()) {
    EXPECT(d.has(a));
  }
  EXPECT(d.is_cpu() == d.has(aspect::cpu) && d.is_gpu() == d.has(aspect::gpu));
  EXPECT((d.get_info<dev::device_type>() == sycl::info::device_type::cpu) == d.is_cpu());
  EXPECT((d.get_info<dev::partition_max_sub_devices>() == 0) ==
         d.get_info<dev::partition_properties>().empty());
  EXPECT(!d.has_extension("none") && !d.has_extension("cl_khr"));
  EXPECT(d.has_extension("cl_khr_fp64") == d.has(aspect::fp64));
  EXPECT(d.has_extension("cl_khr_fp16") == d.has(aspect::fp16));
  for (const std::string &name : d.get_info<dev::extensions>()) {
    EXPECT(!name.empty() && d.has_extension(name) && d.get_platform().has_extension(name));
  }
}

static void check_selectors() {
  const auto all = sycl::device::get_devices();
  EXPECT(!all.empty() && sycl::device() == sycl::device(sycl::default_selector_v));
  sycl::device cpu(sycl::cpu_selector_v);
  EXPECT(cpu.is_cpu() && !cpu.is_accelerator());
  EXPECT(sycl::device(sycl::cpu_selector()) == cpu);
  EXPECT(sycl::device(sycl::aspect_selector(aspect::cpu)).is_cpu());
  EXPECT(
      sycl::device(sycl::aspect_selector<aspect::cpu, aspect::usm_shared_allocations>()).is_cpu());
  EXPECT(sycl::device(sycl::aspect_selector({aspect::cpu}, {aspect::gpu})).is_cpu());
  EXPECT(sycl::device(sycl::aspect_selector()) == sycl::device());
  EXPECT_ERRC(runtime, (sycl::device(sycl::aspect_selector({aspect::cpu}, {aspect::cpu}))));
  EXPECT_ERRC(runtime, (sycl::device([](const sycl::device &) { return -1; })));
  sycl::device last([&](const sycl::device &d) { return d == all.back() ? 10 : 0; });
  EXPECT(last == all.back());
  EXPECT(sycl::platform(sycl::cpu_selector_v) == cpu.get_platform());
  EXPECT(sycl::queue(sycl::cpu_selector_v).get_device() == cpu);
  for (const sycl::device &d : sycl::device::get_devices(sycl::info::device_type::cpu)) {
    EXPECT(d.is_cpu());
  }
  EXPECT(sycl::device::get_devices(sycl::info::device_type::accelerator).empty());
}

static void check_platforms() {
  const auto platforms = sycl::platform::get_platforms();
  EXPECT(!platforms.empty());
  std::size_t devices = 0;
  for (const sycl::platform &p : platforms) {
    EXPECT(!p.get_info<sycl::info::platform::name>().empty());
    EXPECT(!p.get_info<sycl::info::platform::vendor>().empty());
    EXPECT(!p.get_info<sycl::info::platform::version>().empty());
    EXPECT(!p.has_extension("none"));
    for (const sycl::device &d : p.get_devices()) {
      EXPECT(d.get_platform() == p && d.get_backend() == p.get_backend());
      ++devices;
    }
  }
  EXPECT(devices == sycl::device::get_devices().size() &&
         sycl::platform() == sycl::device().get_platform());
  EXPECT(sycl::platform(sycl::cpu_selector_v).has(aspect::cpu));
  std::unordered_set<sycl::platform> set(platforms.begin(), platforms.end());
  EXPECT(set.size() == platforms.size());
  std::unordered_set<sycl::device> device_set{sycl::device(), sycl::device()};
  EXPECT(device_set.size() == 1);
}

static void check_contexts() {
  namespace ctx = sycl::info::context;
  sycl::device d;
  sycl::context a, b(d), c(std::vector<sycl::device>{d}), e([](sycl::exception_list) {}),
      f(d.get_platform());
  sycl::context copy = a;
  EXPECT(copy == a && a != b && std::hash<sycl::context>()(a) == std::hash<sycl::context>()(copy));
  EXPECT(b.get_devices() == std::vector<sycl::device>{d} && b.get_platform() == d.get_platform());
  EXPECT(c.get_info<ctx::devices>().size() == 1 && c.get_info<ctx::platform>() == d.get_platform());
  EXPECT(f.get_devices() == d.get_platform().get_devices() && e.get_backend() == d.get_backend());
  EXPECT(!c.get_info<ctx::atomic_memory_order_capabilities>().empty());
  EXPECT(!c.get_info<ctx::atomic_fence_order_capabilities>().empty());
  EXPECT(!c.get_info<ctx::atomic_memory_scope_capabilities>().empty());
  EXPECT(!c.get_info<ctx::atomic_fence_scope_capabilities>().empty());
  EXPECT_ERRC(invalid, (sycl::context(std::vector<sycl::device>{})));
}

int main() {
  for (const sycl::device &d : sycl::device::get_devices()) {
    check_descriptors(d);
  }
  check_selectors();
  check_platforms();
  check_contexts();
  return failures;
}
