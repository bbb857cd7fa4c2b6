// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small extensions of devices, queues and buffers: DPC++'s names of what SYCL has, current devices,
// places in platforms, properties that are hints, uniform values.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <thread>

#include <sycl/ext/oneapi/experimental/uniform.hpp>

namespace ex = sycl::ext::oneapi::experimental;
namespace buffer_property = sycl::ext::oneapi::property::buffer;
using read_only = sycl::ext::oneapi::property::usm::device_read_only;
using index_property = sycl::ext::intel::property::queue::compute_index;

#if !defined(SYCL_EXT_ONEAPI_CURRENT_DEVICE) || !defined(SYCL_EXT_ONEAPI_QUEUE_EMPTY) ||     \
    !defined(SYCL_EXT_ONEAPI_PROD) || !defined(SYCL_EXT_ONEAPI_DEVICE_DEFAULT_CONTEXT) ||    \
    !defined(SYCL_EXT_ONEAPI_PLATFORM_DEVICE_INDEX) || !defined(SYCL_EXT_ONEAPI_UNIFORM) ||  \
    !defined(SYCL_EXT_ONEAPI_USM_DEVICE_READ_ONLY) || !defined(SYCL_EXT_INTEL_EVENT_MODE) || \
    !defined(SYCL_EXT_INTEL_QUEUE_INDEX)
#error "a feature-test macro is missing"
#endif

static_assert(sycl::is_property_v<read_only> &&
              sycl::is_property_of_v<index_property, sycl::queue>);
static_assert(sycl::is_property_of_v<buffer_property::use_pinned_host_memory, sycl::buffer<int>>);

static void places(sycl::queue q) {
  const sycl::device dev = q.get_device();
  const sycl::platform of = dev.get_platform();
  EXPECT(of.get_devices()[dev.ext_oneapi_index_within_platform()] == dev);
  EXPECT(of.ext_oneapi_device_at_index(dev.ext_oneapi_index_within_platform()) == dev);
  EXPECT_ERRC(invalid, of.ext_oneapi_device_at_index(of.get_devices().size()));
  EXPECT(of.ext_oneapi_get_default_context() == of.khr_get_default_context());
  EXPECT(dev.ext_oneapi_get_default_context() == q.get_context());
  constexpr auto equally = sycl::info::partition_property::partition_equally;
  if (dev.get_info<sycl::info::device::partition_max_sub_devices>() > 1) {
    const sycl::device part = dev.create_sub_devices<equally>(1)[0];
    EXPECT_ERRC(invalid, part.ext_oneapi_index_within_platform());
  }
}

// DPC++'s older names, and those of what no device of Tenon's has.
static void other_names(const sycl::device &dev) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  using sycl::aspect;
  EXPECT(dev.has(aspect::int64_base_atomics) == dev.has(aspect::atomic64));
  EXPECT(dev.has(aspect::int64_extended_atomics) == dev.has(aspect::atomic64));
  EXPECT(!dev.has(aspect::usm_restricted_shared_allocations));
#pragma clang diagnostic pop
  namespace older = sycl::info::device;
  namespace newer = ex::info::device;
  EXPECT(dev.get_info<older::ext_oneapi_max_work_groups_1d>() ==
         dev.get_info<newer::max_work_groups<1>>());
  EXPECT(dev.get_info<older::ext_oneapi_max_work_groups_2d>() ==
         dev.get_info<newer::max_work_groups<2>>());
  EXPECT(dev.get_info<older::ext_oneapi_max_work_groups_3d>() ==
         dev.get_info<newer::max_work_groups<3>>());
  EXPECT(dev.get_info<older::ext_oneapi_max_global_work_groups>() ==
         dev.get_info<newer::max_global_work_groups>());
  EXPECT(dev.get_info<sycl::ext::intel::info::device::max_compute_queue_indices>() == 1);
  EXPECT(sycl::backend::ext_oneapi_native_cpu == sycl::backend::tenon_cpu);
  constexpr auto slices = sycl::info::partition_property::ext_intel_partition_by_cslice;
  EXPECT_ERRC(feature_not_supported, dev.create_sub_devices<slices>());
  EXPECT(sycl::nd_range<2>() == sycl::nd_range<2>({0, 0}, {0, 0}));
}

static void current_devices() {
  const sycl::device first;
  EXPECT(ex::this_thread::get_current_device() == first);
  const std::vector<sycl::device> all = sycl::device::get_devices();
  ex::this_thread::set_current_device(all.back());
  EXPECT(ex::this_thread::get_current_device() == all.back());
  std::thread([&] { EXPECT(ex::this_thread::get_current_device() == first); }).join();
  ex::this_thread::set_current_device(first);
}

static void hints(sycl::queue q) {
  q.ext_oneapi_prod();
  q.wait();
  EXPECT(q.ext_oneapi_empty());
  const sycl::queue other{sycl::property_list{index_property(0)}};
  EXPECT(other.has_property<index_property>() &&
         other.get_property<index_property>().get_index() == 0);
  EXPECT_ERRC(invalid, index_property(1));
  const sycl::property_list list{index_property(0), sycl::property::queue::in_order()};
  EXPECT(list.has_property<sycl::property::queue::in_order>() &&
         list.get_property<index_property>().get_index() == 0);
  EXPECT(!list.has_property<sycl::property::queue::enable_profiling>());
  EXPECT_ERRC(invalid, list.get_property<sycl::property::queue::enable_profiling>());
  sycl::buffer<int> pinned{sycl::range<1>(4), {buffer_property::use_pinned_host_memory()}};
  EXPECT(pinned.has_property<buffer_property::use_pinned_host_memory>());
  int *x = sycl::malloc_shared<int>(16, q, sycl::property_list{read_only()});
  ex::submit(q, ex::properties{ex::event_mode(ex::event_mode_enum::low_power)},
             [&](sycl::handler &h) {
               sycl::accessor out(pinned, h, sycl::write_only);
               const ex::uniform<int> three(3);
               h.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { out[i] = x[i] = three + 1; });
             });
  EXPECT(sycl::host_accessor(pinned)[3] == 4);
  q.wait();
  EXPECT(x[0] == 4);
  sycl::free(x, q);
}

int main() {
  sycl::queue q;
  places(q);
  other_names(q.get_device());
  current_devices();
  hints(q);
  return failures;
}
