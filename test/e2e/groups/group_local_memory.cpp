// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// group_local_memory: each place of a kernel has memory of its own, which the group shares, also
// where work-items keep values across barriers and through functions.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t | FileCheck %s
// RUN: %tenonxx -fsycl -O0 -g %s -o %t && %t | FileCheck %s
// RUN: env TENON_JIT_OPT=0 %t | FileCheck %s
#include <cstdio>
#include <sycl/sycl.hpp>

namespace one = sycl::ext::oneapi;

constexpr int groups = 5, size = 24;

struct pair {
  int first;
  double second;
};

struct ready {
  int first = 7, second = 11;
};

template <int Which>
int *memory(sycl::nd_item<1> it) {
  return *one::group_local_memory_for_overwrite<int[size]>(it.get_group());
}

int rotated(sycl::nd_item<1> it, int value) {
  auto &cells = *one::group_local_memory_for_overwrite<int[size]>(it.get_group());
  cells[it.get_local_id(0)] = value;
  sycl::group_barrier(it.get_group());
  return cells[(it.get_local_id(0) + 1) % size];
}

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(groups * size, q);
  q.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> it) {
     const int lane = int(it.get_local_id(0));
     int *a = memory<0>(it);
     int *b = memory<1>(it);
     auto p = one::group_local_memory<pair>(it.get_group(), 7, 0.5);
     auto aligned = one::group_local_memory_for_overwrite<sycl::vec<float, 16>>(it.get_group());
     auto set = one::group_local_memory_for_overwrite<ready>(it.get_group());
     auto sets = one::group_local_memory_for_overwrite<ready[3]>(it.get_group());
     a[lane] = lane;
     b[lane] = 100 + lane;
     sycl::group_barrier(it.get_group());
     const int other = size - 1 - lane;
     int sum = a[other] + b[other] + p->first + int(p->second * 2);
     sum += rotated(it, lane) * 1000;
     sum += set->first + (*sets)[2].second == 18 ? 0 : 10000000;
     sum += a == b ? 1000000 : 0;
     sum += reinterpret_cast<std::uintptr_t>(aligned.get_raw()) % alignof(*aligned.get_raw()) != 0;
     out[it.get_global_id(0)] = sum;
   }).wait();
  int wrong = 0;
  for (int i = 0; i < groups * size; ++i) {
    const int lane = i % size, other = size - 1 - lane;
    wrong += out[i] != other + 100 + other + 7 + 1 + (lane + 1) % size * 1000;
  }
  std::printf("wrong: %d, macro: %d\n", wrong, SYCL_EXT_ONEAPI_LOCAL_MEMORY);
  // CHECK: wrong: 0, macro: 1

  // More than a group has is an error of the kernel's build.
  try {
    q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> it) {
       auto &all = *one::group_local_memory_for_overwrite<int[1 << 20]>(it.get_group());
       all[it.get_local_id(0)] = 1;
       sycl::group_barrier(it.get_group());
       out[it.get_local_id(0)] = all[7 - it.get_local_id(0)];
     }).wait();
    std::puts("no error");
  } catch (const sycl::exception &e) {
    std::printf("%s\n", e.what());
  }
  // CHECK: group_local_memory{{.*}}: a kernel asks for 4194304 bytes
  sycl::free(out, q);
}
