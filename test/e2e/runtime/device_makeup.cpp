// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What devices are made of: integrated GPUs, composite devices and their components, registers of a
// work-group.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

namespace ex = sycl::ext::oneapi::experimental;
using registers = sycl::ext::codeplay::experimental::info::device::max_registers_per_work_group;

#if SYCL_EXT_ONEAPI_COMPOSITE_DEVICE != 1 || SYCL_EXT_ONEAPI_DEVICE_IS_INTEGRATED_GPU != 1 || \
    SYCL_EXT_CODEPLAY_MAX_REGISTERS_PER_WORK_GROUP_QUERY != 1
#error "a feature-test macro is missing"
#endif

static_assert(sycl::any_device_has_v<sycl::aspect::ext_oneapi_is_integrated_gpu> &&
              !sycl::any_device_has_v<sycl::aspect::ext_oneapi_is_composite>);

int main() {
  EXPECT(ex::get_composite_devices().empty());
  for (const sycl::platform &each : sycl::platform::get_platforms()) {
    EXPECT(each.ext_oneapi_get_composite_devices().empty());
  }
  for (const sycl::device &each : sycl::device::get_devices()) {
    EXPECT(!each.has(sycl::aspect::ext_oneapi_is_composite) &&
           !each.has(sycl::aspect::ext_oneapi_is_component));
    EXPECT(each.get_info<ex::info::device::component_devices>().empty());
    EXPECT_ERRC(invalid, each.get_info<ex::info::device::composite_device>());
    EXPECT(!each.has(sycl::aspect::ext_oneapi_is_integrated_gpu) || each.is_gpu());
    if (each.get_backend() == sycl::backend::ext_oneapi_cuda) {
      const std::uint32_t count = each.get_info<registers>();
      EXPECT(count >= 32768);
    } else {
      EXPECT_ERRC(feature_not_supported, each.get_info<registers>());
    }
  }
  return failures;
}
