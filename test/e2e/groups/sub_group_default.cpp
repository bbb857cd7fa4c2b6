// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size of sub-groups in kernels that require none: Tenon's 32 on the CPU, the option's, or
// TENON_SUB_GROUP_SIZE's; queries say what the kernels see, whether they were compiled ahead of
// time or not. A size in the source always wins.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %tenonxx -fsycl %s -o plain
// RUN: env TENON_CACHE_DIR=%t/cache ./plain | %FileCheck %s -DSIZE=32 -DFIXED=0
// RUN: env TENON_CACHE_DIR=%t/cache TENON_SUB_GROUP_SIZE=4 ./plain | %FileCheck %s -DSIZE=4 -DFIXED=0
// RUN: env TENON_CACHE_DIR=%t/cache ./plain | %FileCheck %s -DSIZE=32 -DFIXED=0
// RUN: env TENON_JIT_OPT=0 ./plain | %FileCheck %s -DSIZE=32 -DFIXED=0
// RUN: env TENON_SUB_GROUP_SIZE=24 ./plain | %FileCheck %s --check-prefix=ERROR
// RUN: env TENON_SUB_GROUP_SIZE=wide ./plain | %FileCheck %s -DSIZE=32 -DFIXED=0
// RUN: %tenonxx -fsycl -fsycl-default-sub-group-size=16 %s -o option
// RUN: env TENON_SUB_GROUP_SIZE=4 ./option | %FileCheck %s -DSIZE=16 -DFIXED=16
// RUN: %tenonxx -fsycl -fsycl-default-sub-group-size=24 -fsycl-device-code-split=off %s -o odd
// RUN: ./odd | %FileCheck %s --check-prefix=ODD
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu %s -o native
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent ./native | %FileCheck %s -DSIZE=32 -DFIXED=0
// RUN: env TENON_SUB_GROUP_SIZE=8 ./native | %FileCheck %s -DSIZE=8 -DFIXED=0
// CHECK: default: [[SIZE]]
// CHECK-NEXT: required: 8
// CHECK-NEXT: max [[SIZE]] compile [[FIXED]] multiple [[SIZE]]
// CHECK-NEXT: required: max 8 compile 8
// ERROR: default: {{.*}}TENON_SUB_GROUP_SIZE is 24, which device {{.*}} does not have; it has 4, 8
// ERROR-NEXT: required: 8
// ODD: default: {{.*}}sub-group-size=) is 24, which device {{.*}} does not have; it has 4, 8
// ODD-NEXT: required: 8
#include <sycl/sycl.hpp>

#include <cstdio>

namespace info = sycl::info::kernel_device_specific;

class plain_kernel;
class required_kernel;

template <class Launch>
static void run(const char *what, const Launch &launch) {
  sycl::queue queue;
  unsigned *size = sycl::malloc_shared<unsigned>(1, queue);
  try {
    launch(queue, size).wait();
    (void)std::printf("%s: %u\n", what, *size);
  } catch (const sycl::exception &e) {
    (void)std::printf("%s: %s\n", what, e.what());
  }
  sycl::free(size, queue);
}

template <class Name>
static void ask(const char *what, bool has_multiple) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  try {
    const auto bundle =
        sycl::get_kernel_bundle<Name, sycl::bundle_state::executable>(queue.get_context());
    const sycl::kernel kernel = bundle.get_kernel(sycl::get_kernel_id<Name>());
    (void)std::printf("%smax %zu compile %zu", what,
                      std::size_t{kernel.get_info<info::max_sub_group_size>(device)},
                      std::size_t{kernel.get_info<info::compile_sub_group_size>(device)});
    if (has_multiple) {
      (void)std::printf(" multiple %zu",
                        kernel.get_info<info::preferred_work_group_size_multiple>(device));
    }
    (void)std::puts("");
  } catch (const sycl::exception &e) {
    (void)std::printf("%s%s\n", what, e.what());
  }
}

int main() {
  const sycl::nd_range<1> range(64, 64);
  run("default", [&](sycl::queue &queue, unsigned *size) {
    return queue.parallel_for<plain_kernel>(range, [=](sycl::nd_item<1> item) {
      *size = static_cast<unsigned>(item.get_sub_group().get_max_local_range()[0]);
    });
  });
  run("required", [&](sycl::queue &queue, unsigned *size) {
    return queue.parallel_for<required_kernel>(
        range, [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(8)]] {
          const sycl::sub_group group = item.get_sub_group();
          const auto last = sycl::reduce_over_group(group, group.get_local_linear_id(),
                                                    sycl::maximum<>());
          *size = last + 1;
        });
  });
  ask<plain_kernel>("", true);
  ask<required_kernel>("required: ", false);
  return 0;
}
