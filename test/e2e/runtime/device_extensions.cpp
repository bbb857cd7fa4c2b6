// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What devices say beyond SYCL 2020, access to the memory of peers, and hints about memory, on
// whatever devices there are; hints on the default one, for which there is code.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include <sycl/sycl.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace intel = sycl::ext::intel::info::device;
namespace syclex = sycl::ext::oneapi::experimental;

static_assert(sycl::any_device_has_v<sycl::aspect::ext_intel_free_memory> &&
              sycl::any_device_has_v<sycl::aspect::ext_oneapi_graph> &&
              !sycl::any_device_has_v<sycl::aspect::ext_intel_gpu_slices>);

static int failures;
static void expect(bool ok, const char *what) {
  if (!ok) {
    std::printf("wrong: %s\n", what);
    ++failures;
  }
}

// A question whose aspect the device lacks is refused.
template <class Param>
static auto ask(const sycl::device &dev, sycl::aspect asp, const char *name) {
  typename Param::return_type answer{};
  try {
    answer = dev.get_info<Param>();
    expect(dev.has(asp), name);
  } catch (const sycl::exception &e) {
    expect(!dev.has(asp) && e.code() == sycl::errc::feature_not_supported, name);
  }
  return answer;
}

static void show(const sycl::device &dev) {
  using sycl::aspect;
  const auto id = ask<intel::device_id>(dev, aspect::ext_intel_device_id, "device_id");
  const auto free_memory =
      ask<intel::free_memory>(dev, aspect::ext_intel_free_memory, "free_memory");
  const auto rate =
      ask<intel::memory_clock_rate>(dev, aspect::ext_intel_memory_clock_rate, "memory_clock_rate");
  const auto width =
      ask<intel::memory_bus_width>(dev, aspect::ext_intel_memory_bus_width, "memory_bus_width");
  const auto bandwidth =
      ask<intel::max_mem_bandwidth>(dev, aspect::ext_intel_max_mem_bandwidth, "max_mem_bandwidth");
  const auto uuid = ask<intel::uuid>(dev, aspect::ext_intel_device_info_uuid, "uuid");
  const auto pci = ask<intel::pci_address>(dev, aspect::ext_intel_pci_address, "pci_address");
  expect(free_memory <= dev.get_info<sycl::info::device::global_mem_size>(), "free memory");
  std::printf("%s: id %x, %llu bytes free, %u MHz, %u bits, %.0f GB/s, at %s, uuid %02x%02x…, %s\n",
              dev.get_info<sycl::info::device::name>().c_str(), id,
              static_cast<unsigned long long>(free_memory), rate, width,
              static_cast<double>(bandwidth) / 1e9, pci.c_str(), uuid[0], uuid[1],
              dev.get_info<sycl::info::device::error_correction_support>() ? "ECC" : "no ECC");
  ask<intel::gpu_eu_count>(dev, aspect::ext_intel_gpu_eu_count, "gpu_eu_count");
  ask<intel::gpu_eu_count_per_subslice>(dev, aspect::ext_intel_gpu_eu_count_per_subslice,
                                        "gpu_eu_count_per_subslice");
  ask<intel::gpu_eu_simd_width>(dev, aspect::ext_intel_gpu_eu_simd_width, "gpu_eu_simd_width");
  ask<intel::gpu_hw_threads_per_eu>(dev, aspect::ext_intel_gpu_hw_threads_per_eu,
                                    "gpu_hw_threads_per_eu");
  ask<intel::gpu_slices>(dev, aspect::ext_intel_gpu_slices, "gpu_slices");
  ask<intel::gpu_subslices_per_slice>(dev, aspect::ext_intel_gpu_subslices_per_slice,
                                      "gpu_subslices_per_slice");
  ask<intel::fan_speed>(dev, aspect::ext_intel_fan_speed, "fan_speed");
  ask<intel::min_power_limit>(dev, aspect::ext_intel_power_limits, "min_power_limit");
  ask<intel::max_power_limit>(dev, aspect::ext_intel_power_limits, "max_power_limit");
  const std::vector<sycl::ext::intel::throttle_reason> reasons =
      ask<intel::current_clock_throttle_reasons>(
          dev, aspect::ext_intel_current_clock_throttle_reasons, "throttle reasons");
  for (const sycl::ext::intel::throttle_reason reason : reasons) {
    expect(reason <= sycl::ext::intel::throttle_reason::other, "a reason");
  }
  const std::array<unsigned char, 8> luid =
      ask<intel::luid>(dev, aspect::ext_intel_device_info_luid, "luid");
  static_cast<void>(luid);
  ask<intel::node_mask>(dev, aspect::ext_intel_device_info_node_mask, "node_mask");
  ask<intel::xe_stack_count>(dev, aspect::ext_intel_xe_stack_count, "xe_stack_count");
  ask<intel::max_lanes_per_hw_thread>(dev, aspect::ext_intel_max_lanes_per_hw_thread,
                                      "max_lanes_per_hw_thread");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  ask<sycl::info::device::ext_intel_gpu_slices>(dev, aspect::ext_intel_gpu_slices, "old name");
  ask<sycl::info::device::ext_intel_pci_address>(dev, aspect::ext_intel_pci_address, "old name");
#pragma GCC diagnostic pop
  expect(!dev.has(aspect::ext_intel_esimd) && !dev.has(aspect::ext_oneapi_external_memory_import),
         "aspects that no device has");
  for (const aspect asp : dev.get_info<sycl::info::device::aspects>()) {
    expect(dev.has(asp), "an aspect that is listed");
  }
  const auto arch = dev.get_info<syclex::info::device::architecture>();
  expect(dev.ext_oneapi_architecture_is(arch), "its own architecture");
  expect(dev.ext_oneapi_architecture_is(syclex::arch_category::nvidia_gpu) ==
             (dev.get_backend() == sycl::backend::ext_oneapi_cuda),
         "the category");
  expect(!dev.ext_oneapi_can_access_peer(dev), "a device is no peer of its own");
  try {
    dev.ext_oneapi_enable_peer_access(dev);
    expect(false, "access to itself");
  } catch (const sycl::exception &e) {
    expect(e.code() == sycl::errc::feature_not_supported, e.what());
  }
}

static void hint(const sycl::device &dev) {
  if (!dev.has(sycl::aspect::usm_shared_allocations)) {
    return;
  }
  constexpr std::size_t count = 1 << 16;
  sycl::queue q{dev};
  int *data = sycl::malloc_shared<int>(count, q);
  for (std::size_t i = 0; i < count; ++i) {
    data[i] = 1;
  }
  syclex::prepare_for_device_copy(data, count * sizeof(int), q);
  syclex::prepare_for_device_copy(data, 1, q.get_context());
  syclex::release_from_device_copy(data, q.get_context());
  syclex::release_from_device_copy(data, q);
  const sycl::event hinted = q.prefetch(data, count * sizeof(int));
  const sycl::event advised = q.mem_advise(data, count * sizeof(int), 1, hinted);
  const sycl::event run = q.submit([&](sycl::handler &h) {
    h.depends_on(advised);
    h.parallel_for(sycl::range<1>(count),
                   [=](sycl::id<1> i) { data[i] += static_cast<int>(i[0]); });
  });
  q.submit([&](sycl::handler &h) {
     h.depends_on(run);
     h.prefetch(data, count * sizeof(int));
   }).wait_and_throw();
  q.submit([&](sycl::handler &h) { h.mem_advise(data, count * sizeof(int), 0); }).wait_and_throw();
  bool is_right = true;
  for (std::size_t i = 0; i < count; ++i) {
    is_right = is_right && data[i] == 1 + static_cast<int>(i);
  }
  expect(is_right, "memory that hints were given about");
  sycl::free(data, q);
}

int main() {
  for (const sycl::device &dev : sycl::device::get_devices()) {
    show(dev);
  }
  hint(sycl::device{});
  return failures;
}
