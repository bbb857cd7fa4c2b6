// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiered compilation: kernels run in the quick tier until the full tier is built, with the same
// results; running launches switch. Kernels that the quick tier does not support are built in full
// at once, and kernel info descriptors are answered from the full tier.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror -fsycl-device-code-split=per_kernel %s -o %t
// RUN: env -u TENON_TIERED TENON_LOG=program %t 2> %t.log && %FileCheck %s < %t.log
// RUN: %FileCheck %s --check-prefix=FULL < %t.log
// RUN: env TENON_TIERED=0 TENON_LOG=program %t > %t.full 2> %t.0 && not grep "quick tier" %t.0
// RUN: env TENON_TIERED=1 %t > %t.quick && cmp %t.full %t.quick
// RUN: env TENON_TIERED=1 TENON_CPU_THREADS=1 %t | cmp - %t.full
// RUN: env TENON_TIERED=1 TENON_JIT_OPT=0 %t

// A process that ends before it has built the full tier leaves the quick tier on disk.
// RUN: rm -rf %t.cache
// RUN: env TENON_TIERED=1 TENON_CACHE=1 TENON_CACHE_DIR=%t.cache TENON_LOG=program %t short 2> %t.1
// RUN: env TENON_TIERED=1 TENON_CACHE=1 TENON_CACHE_DIR=%t.cache TENON_LOG=program %t short 2> %t.2
// RUN: grep "bytes of code, quick tier" %t.1 && grep "bytes of code from disk" %t.2
// RUN: grep "full tier of" %t.1 || grep "from disk, quick tier" %t.2
// A longer one stores the full tier, from which later ones start; one full tier for processes that
// start together.
// RUN: env TENON_TIERED=1 TENON_CACHE=1 TENON_CACHE_DIR=%t.cache bash -c "%t > %t.a & %t > %t.b & %t > %t.c & wait"
// RUN: cmp %t.full %t.a && cmp %t.full %t.b && cmp %t.full %t.c
// RUN: env TENON_TIERED=1 TENON_CACHE=1 TENON_CACHE_DIR=%t.cache TENON_LOG=program %t 2> %t.again
// RUN: grep "bytes of code from disk" %t.again && not grep "quick tier" %t.again
// CHECK-DAG: bytes of code, quick tier
// CHECK-DAG: full tier of program {{.*}}: loaded
// CHECK-DAG: kernel walk on
// FULL: _ZTS3one: first launch
// FULL: tn_program_build: program {{.*}} bytes of code{{$}}
// FULL: _ZTS7swapped: first launch
// FULL: tn_program_build: program {{.*}} bytes of code{{$}}
#include "../headers/Inputs/expect.hpp"

#include <cstring>
#include <thread>
#include <vector>

class walk;
class many;
class one;
class swapped;
constexpr std::size_t count = 20000;

static float walked(std::size_t i, unsigned rounds) {
  float x = static_cast<float>(i) * 0.001f, y = 0.5f;
  for (unsigned k = 0; k < rounds + i % 7; k++) {
    const float next = x * x - y * y + 0.3f;
    y = 2 * x * y + 0.1f;
    x = next > 4 ? next - 4 : next;
  }
  return x + y;
}

static void launch_walk(sycl::queue &q, float *out, unsigned rounds) {
  q.parallel_for<walk>(count, [=](sycl::id<1> i) { out[i] = walked(i[0], rounds); });
}

int main(int argc, char **argv) {
  sycl::queue q;
  float *out = sycl::malloc_shared<float>(count, q);
  if (argc > 1 && std::strcmp(argv[1], "short") == 0) {
    launch_walk(q, out, 1);
    q.wait();
    return 0;
  }
  // The tier differs from launch to launch, and within one of them.
  unsigned sum = 0;
  for (const unsigned rounds : {1u, 3000u, 2u, 2u, 1000u}) {
    launch_walk(q, out, rounds);
    q.wait();
    for (std::size_t i = 0; i < count; i++) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &out[i], sizeof(bits));
      sum = sum * 31 + bits;
    }
  }
  std::printf("%x\n", sum);

  // By several threads at once, for each of which it is the first launch.
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); t++) {
    threads.emplace_back([&wrong, t] {
      sycl::queue queue;
      int *seen = sycl::malloc_shared<int>(1000, queue);
      for (int turn = 0; turn < 50; turn++) {
        queue.parallel_for<many>(1000, [=](sycl::id<1> i) {
               seen[i] = static_cast<int>(i) * turn;
             }).wait();
        for (int i = 0; i < 1000; i++) {
          wrong[t] += seen[i] != i * turn;
        }
      }
      sycl::free(seen, queue);
    });
  }
  for (std::size_t t = 0; t < wrong.size(); t++) {
    threads[t].join();
    EXPECT(wrong[t] == 0);
  }

  // A single work-item with a loop, and a barrier.
  q.single_task<one>([=] {
     for (std::size_t i = 0; i < count; i++) {
       out[i] = static_cast<float>(i % 100);
     }
   }).wait();
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<float> kept(16, h);
     h.parallel_for<swapped>(sycl::nd_range<1>(count, 16), [=](sycl::nd_item<1> item) {
       const std::size_t at = item.get_local_linear_id();
       kept[at] = out[item.get_global_linear_id()];
       sycl::group_barrier(item.get_group());
       out[item.get_global_linear_id()] = kept[15 - at];
     });
   }).wait();
  int different = 0;
  for (std::size_t i = 0; i < count; i++) {
    different += out[i] != static_cast<float>((i / 16 * 16 + 15 - i % 16) % 100);
  }
  EXPECT(different == 0);

  // Answered from the full tier.
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  for (const sycl::kernel_id &id : {sycl::get_kernel_id<walk>(), sycl::get_kernel_id<many>()}) {
    const sycl::kernel kernel = bundle.get_kernel(id);
    std::printf("%u\n", kernel.get_info<sycl::info::kernel_device_specific::max_sub_group_size>(
                            q.get_device()));
  }
  sycl::free(out, q);
  return failures != 0;
}
