// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_device_architecture: names and their order, categories, and conditions in device
// code, which know what it is compiled for.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

namespace syclex = sycl::ext::oneapi::experimental;
using syclex::arch_category;
using syclex::architecture;

static_assert(architecture::intel_gpu_skl < architecture::intel_gpu_pvc);
static_assert(architecture::intel_gpu_12_60_7 == architecture::intel_gpu_pvc);
static_assert(architecture::intel_gpu_bmg_g21 > architecture::intel_gpu_arl_h);
static_assert(architecture::nvidia_gpu_sm_90 < architecture::nvidia_gpu_sm_90a);
static_assert(architecture::nvidia_gpu_sm_90a < architecture::nvidia_gpu_sm_100);
static_assert(architecture::amd_gpu_gfx90a < architecture::amd_gpu_gfx942);

enum { NONE, FIRST, SECOND, OTHER };

static int choose_of_cpu() {
  int taken = NONE;
  syclex::if_architecture_is<architecture::nvidia_gpu_sm_80, architecture::x86_64>(
      [&] { taken = FIRST; })
      .else_if_architecture_is<architecture::x86_64>([&] { taken = SECOND; })
      .otherwise([&] { taken = OTHER; });
  return taken;
}
static int choose_of_gpus() {
  int taken = NONE;
  syclex::if_architecture_is<arch_category::nvidia_gpu, arch_category::amd_gpu>([&] {
    taken = FIRST;
  }).else_if_architecture_is<arch_category::intel_gpu>([&] {
      taken = SECOND;
    }).otherwise([&] { taken = OTHER; });
  return taken;
}
static int choose_of_order() {
  int taken = NONE;
  syclex::if_architecture_is_lt<architecture::nvidia_gpu_sm_80>([&] { taken = FIRST; })
      .else_if_architecture_is_gt<architecture::intel_gpu_skl>([&] { taken = FIRST; })
      .else_if_architecture_is_between<architecture::amd_gpu_gfx900, architecture::amd_gpu_gfx942>(
          [&] { taken = FIRST; })
      .else_if_architecture_is_le<architecture::x86_64>([&] { taken = SECOND; })
      .else_if_architecture_is_ge<architecture::x86_64>([&] { taken = FIRST; })
      .otherwise([&] { taken = OTHER; });
  return taken;
}

int main() {
  sycl::queue q;
  const sycl::device dev = q.get_device();
  const bool is_native = dev.ext_oneapi_architecture_is(architecture::x86_64);
  EXPECT(!dev.ext_oneapi_architecture_is(arch_category::intel_gpu) &&
         !dev.ext_oneapi_architecture_is(arch_category::amd_gpu));
  int *out = sycl::malloc_shared<int>(3, q);
  q.single_task([=] {
     out[0] = choose_of_cpu();
     out[1] = choose_of_gpus();
     out[2] = choose_of_order();
   }).wait();
  // Code for GPUs that is not for one processor has the conditions' last part.
  EXPECT(out[0] == (is_native ? FIRST : OTHER));
  EXPECT(out[1] == OTHER);
  EXPECT(out[2] == (is_native ? SECOND : OTHER));
  sycl::free(out, q);
  return failures != 0;
}
