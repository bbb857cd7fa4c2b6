// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processor a device is. Source: sycl_ext_oneapi_device_architecture; of its names, those of
// NVIDIA's processors.
#ifndef TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_ARCHITECTURE_HPP
#define TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_ARCHITECTURE_HPP

#include <sycl/device.hpp>

namespace sycl {

namespace ext::oneapi::experimental {

// A processor of NVIDIA's is its compute capability, without the dot.
enum class architecture : std::uint64_t {
  unknown = 0,
  x86_64 = 0x1000,
  nvidia_gpu_sm_50 = 50,
  nvidia_gpu_sm_52 = 52,
  nvidia_gpu_sm_53 = 53,
  nvidia_gpu_sm_60 = 60,
  nvidia_gpu_sm_61 = 61,
  nvidia_gpu_sm_62 = 62,
  nvidia_gpu_sm_70 = 70,
  nvidia_gpu_sm_72 = 72,
  nvidia_gpu_sm_75 = 75,
  nvidia_gpu_sm_80 = 80,
  nvidia_gpu_sm_86 = 86,
  nvidia_gpu_sm_87 = 87,
  nvidia_gpu_sm_89 = 89,
  nvidia_gpu_sm_90 = 90,
  nvidia_gpu_sm_90a = 0x2000,  // no device says that it is one: sm_90 is what it answers
  nvidia_gpu_sm_100 = 100,
  nvidia_gpu_sm_103 = 103,
  nvidia_gpu_sm_110 = 110,
  nvidia_gpu_sm_120 = 120,
  nvidia_gpu_sm_121 = 121
};

enum class arch_category { nvidia_gpu = 1 };

namespace info::device {
struct architecture {
  using return_type = experimental::architecture;
  static return_type tn_query(const tn_device *device);
};
}  // namespace info::device

}  // namespace ext::oneapi::experimental

#ifndef __SYCL_DEVICE_ONLY__
inline ext::oneapi::experimental::architecture
ext::oneapi::experimental::info::device::architecture::tn_query(const tn_device *device) {
  namespace experimental = ext::oneapi::experimental;
  const std::uint32_t backend = sycl::detail::device_backend(device);
  if (backend == TN_BACKEND_CPU) {
#ifdef __x86_64__
    return experimental::architecture::x86_64;
#endif
  }
  if (backend != TN_BACKEND_CUDA) {
    return experimental::architecture::unknown;
  }
  // "9.0"
  const std::string version =
      sycl::detail::info_text<tn_device>(device, TN_DEVICE_INFO_VERSION, tn_device_get_info);
  std::uint64_t number = 0;
  for (const char c : version) {
    number = c == '.' ? number : number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return static_cast<experimental::architecture>(number);
}

inline bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::architecture arch) const {
  return get_info<ext::oneapi::experimental::info::device::architecture>() == arch;
}
inline bool device::ext_oneapi_architecture_is(
    ext::oneapi::experimental::arch_category category) const {
  return category == ext::oneapi::experimental::arch_category::nvidia_gpu &&
         get_backend() == backend::ext_oneapi_cuda;
}
#endif

}  // namespace sycl

#endif
