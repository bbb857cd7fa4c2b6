// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TENON_CHECK=1: a barrier that not all work-items of a group come to is the command's failure,
// with kernel, line and a work-item that stayed away.
// RUN: %tenonxx -fsycl -O2 %s -o %t
// RUN: env TENON_CHECK=1 %t | %FileCheck %s
// RUN: %tenonxx -fsycl -g -O0 %s -o %t.O0
// RUN: env TENON_CHECK=1 %t.O0 | %FileCheck %s
#include <sycl/sycl.hpp>

#include <cstdio>

using item = sycl::nd_item<1>;
class ended;
class other_barrier;
class loop;
class even;

template <class F>
static void show(const char *what, F f) {
  sycl::queue q([](sycl::exception_list errors) {
    for (const std::exception_ptr &error : errors) {
      std::rethrow_exception(error);
    }
  });
  int *p = sycl::malloc_shared<int>(16, q);
  std::fill(p, p + 16, 0);
  try {
    f(q, p);
    q.wait_and_throw();
    std::printf("%s: fine\n", what);
  } catch (const sycl::exception &e) {
    std::printf("%s: %s\n", what, e.what());
  }
  sycl::free(p, q);
}

static void test_ended(sycl::queue &q, int *p) {
  q.parallel_for<ended>(sycl::nd_range<1>(16, 8), [=](item it) {
    if (it.get_global_id(0) == 13) {
      return;
    }
    sycl::group_barrier(it.get_group());
    p[it.get_global_id(0)] = 2;
  });
}
// CHECK: ended: kernel ended at {{.*}}uneven_barriers.cpp:[[@LINE-4]]:
// CHECK-SAME: work-item {13} does not come to this barrier,
// CHECK-SAME: where others of its work-group wait: it has ended

static void test_other_barrier(sycl::queue &q, int *p) {
  q.parallel_for<other_barrier>(sycl::nd_range<1>(16, 8), [=](item it) {
    if (it.get_local_id(0) < 4) {
      sycl::group_barrier(it.get_group());
    } else {
      p[it.get_global_id(0)] = 4;
      sycl::group_barrier(it.get_group());
    }
  });
}
// CHECK-NEXT: other barrier: kernel other_barrier at {{.*}}.cpp:[[@LINE-7]]:
// CHECK-SAME: work-item {{[{](4|12)[}]}} does not come to this barrier,
// CHECK-SAME: where others of its work-group wait: it waits at another one,
// CHECK-SAME: at {{.*}}.cpp:[[@LINE-7]]

static void test_loop(sycl::queue &q, int *p) {
  q.parallel_for<loop>(sycl::nd_range<2>({2, 8}, {2, 4}), [=](sycl::nd_item<2> it) {
    const int turns = it.get_global_id(0) == 1 && it.get_local_id(1) == 2 ? 3 : 4;
    for (int i = 0; i < turns; ++i) {
      p[it.get_local_linear_id()] = i;
      sycl::group_barrier(it.get_group());
    }
  });
}
// CHECK-NEXT: loop: kernel loop at {{.*}}.cpp:[[@LINE-4]]:
// CHECK-SAME: work-item {1,{{[26]}}} does not come to this barrier,
// CHECK-SAME: where others of its work-group wait: it has ended

static void test_even(sycl::queue &q, int *p) {
  q.parallel_for<even>(sycl::nd_range<1>(16, 8), [=](item it) {
    if (it.get_group(0) == 1) {
      return;
    }
    for (int i = 0; i < 3; ++i) {
      sycl::group_barrier(it.get_group());
      p[it.get_global_id(0)] += i;
    }
  });
  q.wait();
  std::printf("values %d %d\n", p[7], p[8]);
}
// CHECK-NEXT: values 3 0
// CHECK-NEXT: even: fine

int main() {
  show("ended", test_ended);
  show("other barrier", test_other_barrier);
  show("loop", test_loop);
  show("even", test_even);
  return 0;
}
