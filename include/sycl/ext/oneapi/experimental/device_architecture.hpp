// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processor a device is, and for which one code is compiled ahead of time. Source:
// sycl_ext_oneapi_device_architecture.
#ifndef TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_ARCHITECTURE_HPP
#define TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_ARCHITECTURE_HPP

#include <sycl/device.hpp>

namespace sycl {

namespace ext::oneapi::experimental {

// Within a maker's processors, later ones are greater.
enum class architecture : std::uint64_t {
  unknown = 0,
  x86_64 = 1,
  // Which of these a processor is, no device says: it answers x86_64.
  intel_cpu_spr,
  intel_cpu_gnr,
  intel_cpu_dmr,
  // Ten times the compute capability without its dot.
  nvidia_gpu_sm_50 = 0x1000000 + 500, nvidia_gpu_sm_52 = 0x1000000 + 520,
  nvidia_gpu_sm_53 = 0x1000000 + 530, nvidia_gpu_sm_60 = 0x1000000 + 600,
  nvidia_gpu_sm_61 = 0x1000000 + 610, nvidia_gpu_sm_62 = 0x1000000 + 620,
  nvidia_gpu_sm_70 = 0x1000000 + 700, nvidia_gpu_sm_72 = 0x1000000 + 720,
  nvidia_gpu_sm_75 = 0x1000000 + 750, nvidia_gpu_sm_80 = 0x1000000 + 800,
  nvidia_gpu_sm_86 = 0x1000000 + 860, nvidia_gpu_sm_87 = 0x1000000 + 870,
  nvidia_gpu_sm_89 = 0x1000000 + 890, nvidia_gpu_sm_90 = 0x1000000 + 900,
  nvidia_gpu_sm_90a = 0x1000000 + 901, nvidia_gpu_sm_100 = 0x1000000 + 1000,
  nvidia_gpu_sm_103 = 0x1000000 + 1030, nvidia_gpu_sm_110 = 0x1000000 + 1100,
  nvidia_gpu_sm_120 = 0x1000000 + 1200, nvidia_gpu_sm_121 = 0x1000000 + 1210,
  intel_gpu_bdw = 0x2000000, intel_gpu_skl, intel_gpu_kbl, intel_gpu_cfl, intel_gpu_apl,
  intel_gpu_bxt = intel_gpu_apl, intel_gpu_glk, intel_gpu_whl, intel_gpu_aml, intel_gpu_cml,
  intel_gpu_icllp, intel_gpu_icl = intel_gpu_icllp, intel_gpu_ehl, intel_gpu_jsl = intel_gpu_ehl,
  intel_gpu_tgllp, intel_gpu_tgl = intel_gpu_tgllp, intel_gpu_rkl, intel_gpu_adl_s,
  intel_gpu_rpl_s = intel_gpu_adl_s, intel_gpu_adl_p, intel_gpu_adl_n, intel_gpu_dg1,
  intel_gpu_acm_g10, intel_gpu_dg2_g10 = intel_gpu_acm_g10, intel_gpu_acm_g11,
  intel_gpu_dg2_g11 = intel_gpu_acm_g11, intel_gpu_acm_g12, intel_gpu_dg2_g12 = intel_gpu_acm_g12,
  intel_gpu_pvc, intel_gpu_pvc_vg, intel_gpu_mtl_u, intel_gpu_mtl_s = intel_gpu_mtl_u,
  intel_gpu_arl_u = intel_gpu_mtl_u, intel_gpu_arl_s = intel_gpu_mtl_u, intel_gpu_mtl_h,
  intel_gpu_arl_h, intel_gpu_bmg_g21, intel_gpu_bmg_g31, intel_gpu_lnl_m, intel_gpu_ptl_h,
  intel_gpu_ptl_u, intel_gpu_wcl, intel_gpu_nvl_s, intel_gpu_nvl_hx = intel_gpu_nvl_s,
  intel_gpu_nvl_ul = intel_gpu_nvl_s, intel_gpu_nvl_u, intel_gpu_nvl_h = intel_gpu_nvl_u,
  intel_gpu_nvl_p, intel_gpu_cri,
  // By the version of the graphics processor.
  intel_gpu_8_0_0 = intel_gpu_bdw, intel_gpu_9_0_9 = intel_gpu_skl,
  intel_gpu_9_1_9 = intel_gpu_kbl, intel_gpu_9_2_9 = intel_gpu_cfl,
  intel_gpu_9_3_0 = intel_gpu_apl, intel_gpu_9_4_0 = intel_gpu_glk,
  intel_gpu_9_5_0 = intel_gpu_whl, intel_gpu_9_6_0 = intel_gpu_aml,
  intel_gpu_9_7_0 = intel_gpu_cml, intel_gpu_11_0_0 = intel_gpu_icllp,
  intel_gpu_11_2_0 = intel_gpu_ehl, intel_gpu_12_0_0 = intel_gpu_tgllp,
  intel_gpu_12_1_0 = intel_gpu_rkl, intel_gpu_12_2_0 = intel_gpu_adl_s,
  intel_gpu_12_3_0 = intel_gpu_adl_p, intel_gpu_12_4_0 = intel_gpu_adl_n,
  intel_gpu_12_10_0 = intel_gpu_dg1, intel_gpu_12_55_8 = intel_gpu_acm_g10,
  intel_gpu_12_56_5 = intel_gpu_acm_g11, intel_gpu_12_57_0 = intel_gpu_acm_g12,
  intel_gpu_12_60_7 = intel_gpu_pvc, intel_gpu_12_61_7 = intel_gpu_pvc_vg,
  intel_gpu_12_70_4 = intel_gpu_mtl_u, intel_gpu_12_71_4 = intel_gpu_mtl_h,
  intel_gpu_12_74_4 = intel_gpu_arl_h, intel_gpu_20_1_4 = intel_gpu_bmg_g21,
  intel_gpu_20_2_0 = intel_gpu_bmg_g31, intel_gpu_20_4_4 = intel_gpu_lnl_m,
  intel_gpu_30_0_4 = intel_gpu_ptl_h, intel_gpu_30_1_1 = intel_gpu_ptl_u,
  intel_gpu_30_3_0 = intel_gpu_wcl, intel_gpu_30_4_0 = intel_gpu_nvl_s,
  intel_gpu_30_5_0 = intel_gpu_nvl_u, intel_gpu_35_10_0 = intel_gpu_nvl_p,
  intel_gpu_35_11_0 = intel_gpu_cri,
  amd_gpu_gfx700 = 0x3000000, amd_gpu_gfx701, amd_gpu_gfx702, amd_gpu_gfx703, amd_gpu_gfx704,
  amd_gpu_gfx705, amd_gpu_gfx801, amd_gpu_gfx802, amd_gpu_gfx803, amd_gpu_gfx805, amd_gpu_gfx810,
  amd_gpu_gfx900, amd_gpu_gfx902, amd_gpu_gfx904, amd_gpu_gfx906, amd_gpu_gfx908, amd_gpu_gfx909,
  amd_gpu_gfx90a, amd_gpu_gfx90c, amd_gpu_gfx940, amd_gpu_gfx941, amd_gpu_gfx942, amd_gpu_gfx1010,
  amd_gpu_gfx1011, amd_gpu_gfx1012, amd_gpu_gfx1013, amd_gpu_gfx1030, amd_gpu_gfx1031,
  amd_gpu_gfx1032, amd_gpu_gfx1033, amd_gpu_gfx1034, amd_gpu_gfx1035, amd_gpu_gfx1036,
  amd_gpu_gfx1100, amd_gpu_gfx1101, amd_gpu_gfx1102, amd_gpu_gfx1103, amd_gpu_gfx1150,
  amd_gpu_gfx1151, amd_gpu_gfx1200, amd_gpu_gfx1201
};

enum class arch_category { intel_gpu, nvidia_gpu, amd_gpu };

namespace info::device {
struct architecture {
  using return_type = experimental::architecture;
  static return_type tn_query(const tn_device *device);
};
}  // namespace info::device

}  // namespace ext::oneapi::experimental

namespace detail {

using ext::oneapi::experimental::arch_category;
using ext::oneapi::experimental::architecture;

// What the code being compiled is for; unknown where that is known at run time alone.
constexpr architecture code_architecture() noexcept {
#ifdef __SYCL_DEVICE_ONLY__
#if defined(__SYCL_TARGET_NVIDIA_GPU_SM_50__)
  return architecture::nvidia_gpu_sm_50;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_52__)
  return architecture::nvidia_gpu_sm_52;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_53__)
  return architecture::nvidia_gpu_sm_53;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_60__)
  return architecture::nvidia_gpu_sm_60;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_61__)
  return architecture::nvidia_gpu_sm_61;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_62__)
  return architecture::nvidia_gpu_sm_62;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_70__)
  return architecture::nvidia_gpu_sm_70;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_72__)
  return architecture::nvidia_gpu_sm_72;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_75__)
  return architecture::nvidia_gpu_sm_75;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_80__)
  return architecture::nvidia_gpu_sm_80;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_86__)
  return architecture::nvidia_gpu_sm_86;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_87__)
  return architecture::nvidia_gpu_sm_87;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_89__)
  return architecture::nvidia_gpu_sm_89;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_90__)
  return architecture::nvidia_gpu_sm_90;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_100__)
  return architecture::nvidia_gpu_sm_100;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_103__)
  return architecture::nvidia_gpu_sm_103;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_110__)
  return architecture::nvidia_gpu_sm_110;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_120__)
  return architecture::nvidia_gpu_sm_120;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_121__)
  return architecture::nvidia_gpu_sm_121;
#elif defined(__SYCL_TARGET_NVIDIA_GPU_SM_90A__)
  return architecture::nvidia_gpu_sm_90a;
#elif !TN_SYCL_ON_GPU && defined(__x86_64__)
  return architecture::x86_64;
#endif
#endif
  return architecture::unknown;
}

// The makers' numbers begin at multiples of this.
constexpr std::uint64_t architecture_maker(architecture arch) noexcept {
  return static_cast<std::uint64_t>(arch) >> 24;
}
constexpr bool architecture_is(architecture arch, arch_category category) noexcept {
  return architecture_maker(arch) == (category == arch_category::nvidia_gpu  ? 1
                                      : category == arch_category::intel_gpu ? 2
                                                                             : 3);
}
// Of one maker's, the one is before the other.
constexpr bool architecture_less(architecture one, architecture other) noexcept {
  return one != architecture::unknown && other != architecture::unknown && one < other &&
         architecture_maker(one) == architecture_maker(other);
}

// Conditions one after another: of the first that holds, the function is called.
template <bool IsOver>
class architecture_choice {
 public:
  template <architecture... Archs, class F>
  constexpr auto else_if_architecture_is(F fn) const {
    return take<(... || (own == Archs))>(fn);
  }
  template <arch_category... Categories, class F>
  constexpr auto else_if_architecture_is(F fn) const {
    return take<(... || detail::architecture_is(own, Categories))>(fn);
  }
  template <architecture Arch, class F>
  constexpr auto else_if_architecture_is_lt(F fn) const {
    return take<architecture_less(own, Arch)>(fn);
  }
  template <architecture Arch, class F>
  constexpr auto else_if_architecture_is_le(F fn) const {
    return take<own == Arch || architecture_less(own, Arch)>(fn);
  }
  template <architecture Arch, class F>
  constexpr auto else_if_architecture_is_gt(F fn) const {
    return take<architecture_less(Arch, own)>(fn);
  }
  template <architecture Arch, class F>
  constexpr auto else_if_architecture_is_ge(F fn) const {
    return take<own == Arch || architecture_less(Arch, own)>(fn);
  }
  template <architecture Least, architecture Most, class F>
  constexpr auto else_if_architecture_is_between(F fn) const {
    return take<own == Least || own == Most ||
                (architecture_less(Least, own) && architecture_less(own, Most))>(fn);
  }
  template <class F>
  constexpr void otherwise(F fn) const {
    (void)take<true>(fn);
  }

 private:
  static constexpr architecture own = code_architecture();

  template <bool Holds, class F>
  static constexpr auto take(F &fn) {
    if constexpr (!IsOver && Holds) {
      fn();
    }
    return architecture_choice<IsOver || Holds>{};
  }
};

}  // namespace detail

namespace ext::oneapi::experimental {

template <architecture... Archs, class F>
constexpr auto if_architecture_is(F fn) {
  return sycl::detail::architecture_choice<false>{}
      .template else_if_architecture_is<Archs...>(fn);
}
template <arch_category... Categories, class F>
constexpr auto if_architecture_is(F fn) {
  return sycl::detail::architecture_choice<false>{}
      .template else_if_architecture_is<Categories...>(fn);
}
template <architecture Arch, class F>
constexpr auto if_architecture_is_lt(F fn) {
  return sycl::detail::architecture_choice<false>{}
      .template else_if_architecture_is_lt<Arch>(fn);
}
template <architecture Arch, class F>
constexpr auto if_architecture_is_le(F fn) {
  return sycl::detail::architecture_choice<false>{}
      .template else_if_architecture_is_le<Arch>(fn);
}
template <architecture Arch, class F>
constexpr auto if_architecture_is_gt(F fn) {
  return sycl::detail::architecture_choice<false>{}
      .template else_if_architecture_is_gt<Arch>(fn);
}
template <architecture Arch, class F>
constexpr auto if_architecture_is_ge(F fn) {
  return sycl::detail::architecture_choice<false>{}
      .template else_if_architecture_is_ge<Arch>(fn);
}
template <architecture Least, architecture Most, class F>
constexpr auto if_architecture_is_between(F fn) {
  return sycl::detail::architecture_choice<false>{}
      .template else_if_architecture_is_between<Least, Most>(fn);
}

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
  return static_cast<experimental::architecture>(0x1000000 + 10 * number);
}

inline bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::architecture arch) const {
  return get_info<ext::oneapi::experimental::info::device::architecture>() == arch;
}
inline bool device::ext_oneapi_architecture_is(
    ext::oneapi::experimental::arch_category category) const {
  return detail::architecture_is(get_info<ext::oneapi::experimental::info::device::architecture>(),
                                 category);
}
#endif

}  // namespace sycl

#endif
