// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of work-groups in kernels of plain ranges, whose groups the device makes, in single
// tasks and in hierarchical kernels; at the caller and on threads.
// RUN: %tenonxx -fsycl -O2 -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
// RUN: env TENON_JIT_OPT=0 %t
#include "../headers/Inputs/expect.hpp"

namespace ex = sycl::ext::oneapi::experimental;

ex::work_group_static<int> one;
ex::work_group_static<int[1000]> many;

static void plain(sycl::queue q, int *x, std::size_t count) {
  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
     one = 3;  // all work-items write the same
     x[i] = one;
   }).wait();
  bool is_right = true;
  for (std::size_t i = 0; i < count; ++i) {
    is_right = is_right && x[i] == 3;
  }
  EXPECT(is_right);
}

int main() {
  sycl::queue q;
  constexpr std::size_t large = 1 << 20;
  int *x = sycl::malloc_shared<int>(large, q);
  plain(q, x, 1);
  plain(q, x, 64);
  plain(q, x, large);
  q.single_task([=] {
     for (int i = 0; i < 1000; ++i) {
       many[i] = i;
     }
     one = 0;
     for (int i = 0; i < 1000; ++i) {
       one += many[i];
     }
     x[0] = one;
   }).wait();
  EXPECT(x[0] == 499500);
  q.submit([&](sycl::handler &cgh) {
     cgh.parallel_for_work_group(sycl::range<1>(4), sycl::range<1>(16), [=](sycl::group<1> group) {
       one = static_cast<int>(group.get_group_id(0));
       group.parallel_for_work_item([&](sycl::h_item<1> i) { x[i.get_global_id(0)] = one; });
     });
   }).wait();
  EXPECT(x[0] == 0 && x[15] == 0 && x[16] == 1 && x[63] == 3);
  sycl::free(x, q);
  return failures;
}
