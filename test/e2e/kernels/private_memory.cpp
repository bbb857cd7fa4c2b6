// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of work-items' own that are too long for a stack times the work-items that run at once.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

template <int N>
void across_barrier(sycl::queue &q, int local) {
  int *out = sycl::malloc_shared<int>(local, q);
  q.parallel_for(sycl::nd_range<1>(local, local), [=](sycl::nd_item<1> it) {
     const int l = static_cast<int>(it.get_global_id(0));
     int a[N];
     for (int i = 0; i < N; ++i) {
       a[i] = i ^ l;
     }
     sycl::group_barrier(it.get_group());
     out[l] = a[(l * 7) % N];
   }).wait();
  for (int l = 0; l < local; ++l) {
    EXPECT(out[l] == (((l * 7) % N) ^ l));
  }
  sycl::free(out, q);
}

template <int N>
void in_one_go(sycl::queue &q, int count) {
  int *out = sycl::malloc_shared<int>(count, q);
  q.parallel_for(count, [=](auto &i) {
     const int l = static_cast<int>(i[0]);
     int a[N];
     for (int k = 0; k < N; ++k) {
       a[k] = k ^ l;
     }
     out[l] = a[(l * 7) % N];
   }).wait();
  for (int l = 0; l < count; ++l) {
    EXPECT(out[l] == (((l * 7) % N) ^ l));
  }
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  across_barrier<64>(q, 100);
  across_barrier<2048>(q, 1024);  // 8 MiB
  across_barrier<4096>(q, 1024);
  in_one_go<1024>(q, 100);
  in_one_go<65536>(q, 100);  // 256 KiB each
  return failures != 0;
}
