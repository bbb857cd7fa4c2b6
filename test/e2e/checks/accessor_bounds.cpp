// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TENON_CHECK=1: an index outside of an accessor is the command's failure, with kernel, line and
// work-item; what is outside stays as it was, and the queue goes on. Without it nothing is said.
// RUN: %tenonxx -fsycl -O2 %s -o %t
// RUN: env TENON_CHECK=1 %t | %FileCheck %s
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0
// RUN: env TENON_CHECK=1 %t.O0 | %FileCheck %s
// RUN: %t harmless | %FileCheck %s --check-prefix=OFF
#include <sycl/sycl.hpp>

#include <cstdio>

class one_dimension;
class two_dimensions;
class three_dimensions;
class in_function;
class in_local;
class in_rows;
class with_sub_group;
class right;

template <class F>
static void show(const char *what, F f) {
  sycl::queue q([](sycl::exception_list errors) {
    for (const std::exception_ptr &error : errors) {
      std::rethrow_exception(error);
    }
  });
  try {
    f(q);
    q.wait_and_throw();
    std::printf("%s: fine\n", what);
  } catch (const sycl::exception &e) {
    std::printf("%s: %s: %s\n", what, e.code() == sycl::errc::accessor ? "accessor" : "other",
                e.what());
  }
}

static int helper(const sycl::accessor<int, 1> &from, int at) {
  return from[at];
}

static void test_one_dimension(sycl::queue &q) {
  int memory[12] = {};
  {
    sycl::buffer<int> b(memory, 12);
    sycl::buffer<int> part(b, 0, 10);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(part, h);
      h.parallel_for<one_dimension>(11, [=](sycl::id<1> i) {
        a[i] = 7;
      });
    });
    q.wait();
  }
  std::printf("behind the end: %d\n", memory[10]);
  q.throw_asynchronous();
}
// CHECK: behind the end: 0
// CHECK-NEXT: one: accessor: kernel one_dimension at {{.*}}accessor_bounds.cpp:[[@LINE-9]]:
// CHECK-SAME: work-item {10}: index 10 is outside of an accessor of 10 elements in dimension 0

static void test_two_dimensions(sycl::queue &q) {
  sycl::buffer<int, 2> b(sycl::range<2>(4, 5));
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for<two_dimensions>(sycl::range<2>(4, 5), [=](sycl::item<2> i) {
      a[i[0]][i[1] + (i[0] == 2)] = 3;
    });
  });
}
// CHECK-NEXT: two: accessor: kernel two_dimensions at {{.*}}.cpp:[[@LINE-4]]:
// CHECK-SAME: work-item {2,4}: index 5 is outside of an accessor of 5 elements in dimension 1

static void test_three_dimensions(sycl::queue &q) {
  sycl::buffer<int, 3> b(sycl::range<3>(2, 3, 4));
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h, sycl::range<3>(1, 2, 4), sycl::id<3>(1, 1, 0));
    h.parallel_for<three_dimensions>(sycl::range<3>(1, 3, 1), [=](sycl::id<3> i) {
      a[i] = 3;
    });
  });
}
// CHECK-NEXT: three: accessor: kernel three_dimensions at {{.*}}.cpp:[[@LINE-4]]:
// CHECK-SAME: work-item {0,2,0}: index 2 is outside of an accessor of 2 elements in dimension 1

static void test_function(sycl::queue &q) {
  sycl::buffer<int> b(10), o(10);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    sycl::accessor out(o, h);
    h.parallel_for<in_function>(10, [=](sycl::id<1> i) {
      out[i] = helper(a, static_cast<int>(i[0]) - (i[0] == 4 ? 1000000000 : 0));
    });
  });
}
// CHECK-NEXT: function: accessor: kernel in_function at {{.*}}.cpp:40:
// CHECK-SAME: work-item {4}: index 18446744072709551{{[0-9]+}} is outside of an accessor of 10

static void test_local(sycl::queue &q) {
  sycl::buffer<int> b(16);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    sycl::local_accessor<int> l(8, h);
    h.parallel_for<in_local>(sycl::nd_range<1>(16, 8), [=](sycl::nd_item<1> it) {
      l[it.get_local_id(0)] = 1;
      sycl::group_barrier(it.get_group());
      a[it.get_global_id()] = l[it.get_local_id(0) + (it.get_global_id(0) == 15)];
    });
  });
}
// CHECK-NEXT: local: accessor: kernel in_local at {{.*}}.cpp:[[@LINE-4]]:
// CHECK-SAME: work-item {15}: index 8 is outside of a local accessor of 8 elements in dimension 0

static void test_local_rows(sycl::queue &q) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int, 2> l({4, 3}, h);
    h.parallel_for<in_rows>(sycl::nd_range<1>(5, 5), [=](sycl::nd_item<1> it) {
      l[it.get_local_id(0)][2] = 1;
    });
  });
}
// CHECK-NEXT: local rows: accessor: kernel in_rows at {{.*}}.cpp:[[@LINE-4]]:
// CHECK-SAME: work-item {4}: index 4 is outside of a local accessor of 4 elements in dimension 0

static void test_sub_group(sycl::queue &q) {
  sycl::buffer<int> b(10);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for<with_sub_group>(sycl::nd_range<1>(16, 8), [=](sycl::nd_item<1> it) {
      const int sum = sycl::reduce_over_group(it.get_sub_group(), 1, sycl::plus<int>());
      a[it.get_global_id()] = sum;
    });
  });
}
// CHECK-NEXT: sub-group: accessor: kernel with_sub_group at {{.*}}.cpp:[[@LINE-4]]:
// CHECK-SAME: work-item {1{{[0-5]}}}: index

static void test_right(sycl::queue &q) {
  sycl::buffer<int> b(16);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    sycl::local_accessor<int> l(8, h);
    h.parallel_for<right>(sycl::nd_range<1>(16, 8), [=](sycl::nd_item<1> it) {
      for (int i = 0; i < 4; ++i) {
        l[it.get_local_id(0)] = i + static_cast<int>(it.get_local_id(0));
        sycl::group_barrier(it.get_group());
        a[it.get_global_id()] = l[(it.get_local_id(0) + 1) % 8];
        sycl::group_barrier(it.get_group());
      }
    });
  });
  sycl::host_accessor values(b);
  std::printf("values %d %d %d\n", values[0], values[7], values[14]);
}
// CHECK-NEXT: values 4 3 10
// CHECK-NEXT: right: fine
// OFF: values 4 3 10
// OFF-NEXT: right: fine

int main(int argc, char **) {
  if (argc == 1) {
    show("one", test_one_dimension);
    show("two", test_two_dimensions);
    show("three", test_three_dimensions);
    show("function", test_function);
    show("local", test_local);
    show("local rows", test_local_rows);
    show("sub-group", test_sub_group);
  }
  show("right", test_right);
  return 0;
}
