// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processor a device is, and for which one code is compiled ahead of time. Source:
// sycl_ext_oneapi_device_architecture.
#ifndef TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_ARCHITECTURE_HPP
#define TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_DEVICE_ARCHITECTURE_HPP

#include <sycl/device.hpp>

namespace sycl {

namespace ext::oneapi::experimental {

// Names without their makers', ascending. The first of Intel's and of AMD's are in the enum, which
// counts up from them.
#define TN_SYCL_NVIDIA_MAP(X)                                                                \
  X(50) X(52) X(53) X(60) X(61) X(62) X(70) X(72) X(75) X(80) X(86) X(87) X(89) X(90) X(100) \
  X(103) X(110) X(120) X(121)
#define TN_SYCL_INTEL_MAP(X)                                                                   \
  X(skl) X(kbl) X(cfl) X(apl) X(glk) X(whl) X(aml) X(cml) X(icllp) X(ehl) X(tgllp) X(rkl)      \
  X(adl_s) X(adl_p) X(adl_n) X(dg1) X(acm_g10) X(acm_g11) X(acm_g12) X(pvc) X(pvc_vg) X(mtl_u) \
  X(mtl_h) X(arl_h) X(bmg_g21) X(bmg_g31) X(lnl_m) X(ptl_h) X(ptl_u) X(wcl) X(nvl_s) X(nvl_u)  \
  X(nvl_p) X(cri)
// Other names of one processor, and the versions of the graphics in it.
#define TN_SYCL_INTEL_ALIAS_MAP(X)                                                            \
  X(bxt, apl) X(icl, icllp) X(jsl, ehl) X(tgl, tgllp) X(rpl_s, adl_s) X(dg2_g10, acm_g10)     \
  X(dg2_g11, acm_g11) X(dg2_g12, acm_g12) X(mtl_s, mtl_u) X(arl_u, mtl_u) X(arl_s, mtl_u)     \
  X(nvl_hx, nvl_s) X(nvl_ul, nvl_s) X(nvl_h, nvl_u) X(8_0_0, bdw) X(9_0_9, skl) X(9_1_9, kbl) \
  X(9_2_9, cfl) X(9_3_0, apl) X(9_4_0, glk) X(9_5_0, whl) X(9_6_0, aml) X(9_7_0, cml)         \
  X(11_0_0, icllp) X(11_2_0, ehl) X(12_0_0, tgllp) X(12_1_0, rkl) X(12_2_0, adl_s)            \
  X(12_3_0, adl_p) X(12_4_0, adl_n) X(12_10_0, dg1) X(12_55_8, acm_g10) X(12_56_5, acm_g11)   \
  X(12_57_0, acm_g12) X(12_60_7, pvc) X(12_61_7, pvc_vg) X(12_70_4, mtl_u) X(12_71_4, mtl_h)  \
  X(12_74_4, arl_h) X(20_1_4, bmg_g21) X(20_2_0, bmg_g31) X(20_4_4, lnl_m) X(30_0_4, ptl_h)   \
  X(30_1_1, ptl_u) X(30_3_0, wcl) X(30_4_0, nvl_s) X(30_5_0, nvl_u) X(35_10_0, nvl_p)         \
  X(35_11_0, cri)
#define TN_SYCL_AMD_MAP(X)                                                                  \
  X(gfx701) X(gfx702) X(gfx703) X(gfx704) X(gfx705) X(gfx801) X(gfx802) X(gfx803) X(gfx805) \
  X(gfx810) X(gfx900) X(gfx902) X(gfx904) X(gfx906) X(gfx908) X(gfx909) X(gfx90a) X(gfx90c) \
  X(gfx940) X(gfx941) X(gfx942) X(gfx1010) X(gfx1011) X(gfx1012) X(gfx1013) X(gfx1030)      \
  X(gfx1031) X(gfx1032) X(gfx1033) X(gfx1034) X(gfx1035) X(gfx1036) X(gfx1100) X(gfx1101)   \
  X(gfx1102) X(gfx1103) X(gfx1150) X(gfx1151) X(gfx1200) X(gfx1201)
#define TN_SYCL_NVIDIA(number) nvidia_gpu_sm_##number = 0x2000000 + 10 * number,
#define TN_SYCL_INTEL(name) intel_gpu_##name,
#define TN_SYCL_INTEL_ALIAS(name, other) intel_gpu_##name = intel_gpu_##other,
#define TN_SYCL_AMD(name) amd_gpu_##name,

// Within a maker's processors, later ones are greater.
enum class architecture : std::uint64_t {
  unknown = 0,
  x86_64 = 1,
  // Which of these a processor is, no device says: it answers x86_64.
  intel_cpu_spr,
  intel_cpu_gnr,
  intel_cpu_dmr,
  // Ten times the compute capability without its dot.
  TN_SYCL_NVIDIA_MAP(TN_SYCL_NVIDIA)
  nvidia_gpu_sm_90a = nvidia_gpu_sm_90 + 1,
  intel_gpu_bdw = 0x1000000,
  TN_SYCL_INTEL_MAP(TN_SYCL_INTEL)
  TN_SYCL_INTEL_ALIAS_MAP(TN_SYCL_INTEL_ALIAS)
  amd_gpu_gfx700 = 0x3000000,
  TN_SYCL_AMD_MAP(TN_SYCL_AMD)
};

#undef TN_SYCL_AMD
#undef TN_SYCL_AMD_MAP
#undef TN_SYCL_INTEL_ALIAS
#undef TN_SYCL_INTEL_ALIAS_MAP
#undef TN_SYCL_INTEL
#undef TN_SYCL_INTEL_MAP
#undef TN_SYCL_NVIDIA
#undef TN_SYCL_NVIDIA_MAP

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

// The numbers of a category's processors begin at the next multiple of 2^24 than its own.
constexpr int architecture_category(architecture arch) noexcept {
  return static_cast<int>(static_cast<std::uint64_t>(arch) >> 24) - 1;
}
constexpr bool architecture_is(architecture arch, arch_category category) noexcept {
  return architecture_category(arch) == static_cast<int>(category);
}
// Of one maker's, the one is before the other.
constexpr bool architecture_less(architecture one, architecture other) noexcept {
  return one != architecture::unknown && one < other &&
         architecture_category(one) == architecture_category(other);
}

// Conditions on what code is for: the end of a name, its parameters, these as arguments, and when
// it holds.
#define TN_SYCL_ARCHITECTURE_MAP(X)                                                            \
  X(, architecture... Arch, Arch..., (... || (own == Arch)))                                   \
  X(, arch_category... Category, Category..., (... || detail::architecture_is(own, Category))) \
  X(_lt, architecture Arch, Arch, architecture_less(own, Arch))                                \
  X(_le, architecture Arch, Arch, own == Arch || architecture_less(own, Arch))                 \
  X(_gt, architecture Arch, Arch, architecture_less(Arch, own))                                \
  X(_ge, architecture Arch, Arch, own == Arch || architecture_less(Arch, own))                 \
  X(_between, architecture Least TN_SYCL_AND architecture Most, Least TN_SYCL_AND Most,        \
    own == Least || own == Most || (architecture_less(Least, own) && architecture_less(own, Most)))
#define TN_SYCL_AND ,
#define TN_SYCL_ELSE_IF(suffix, parameters, arguments, condition) \
  template <parameters, class F>                                  \
  constexpr auto else_if_architecture_is##suffix(F fn) const {    \
    return take<(condition)>(fn);                                 \
  }
#define TN_SYCL_IF(suffix, parameters, arguments, condition)      \
  template <parameters, class F>                                  \
  constexpr auto if_architecture_is##suffix(F fn) {               \
    return sycl::detail::architecture_choice<false>{}             \
        .template else_if_architecture_is##suffix<arguments>(fn); \
  }

// Conditions one after another: of the first that holds, the function is called.
template <bool IsOver>
class architecture_choice {
 public:
  TN_SYCL_ARCHITECTURE_MAP(TN_SYCL_ELSE_IF)
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
TN_SYCL_ARCHITECTURE_MAP(TN_SYCL_IF)
}  // namespace ext::oneapi::experimental

#undef TN_SYCL_IF
#undef TN_SYCL_ELSE_IF
#undef TN_SYCL_AND
#undef TN_SYCL_ARCHITECTURE_MAP

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
  return static_cast<experimental::architecture>(0x2000000 + 10 * number);
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
