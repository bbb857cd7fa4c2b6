// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What vec and its swizzles do not have does not compile, with words that say why.
// RUN: not %tenonxx -fsycl -ferror-limit=0 %s -c -o %t.o 2>&1 | %FileCheck %s
#include <sycl/vec.hpp>

void f(sycl::vec<int, 4> v, const sycl::vec<int, 4> k, sycl::vec<int, 2> w) {
  // CHECK-DAG: error: {{.*}}a vec has 1, 2, 3, 4, 8 or 16 elements
  sycl::vec<int, 5> five;
  // CHECK-DAG: error: {{.*}}the elements of a vec are neither const nor volatile
  sycl::vec<const int, 2> constant(1);
  // CHECK-DAG: error: {{.*}}a swizzle has 1, 2, 3, 4, 8 or 16 elements
  v.swizzle<0, 1, 2, 3, 0>();
  // CHECK-DAG: error: {{.*}}no such element in this vec{{$}}
  w.swizzle<2>();
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}note: in instantiation of {{.*}}::z'
  w.z();
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}note: in instantiation of {{.*}}::r'
  w.r();
  // CHECK-DAG: error: {{.*}}a swizzle of a constant or with repeated elements is read-only
  v.swizzle<0, 0>() = w;
  // CHECK-DAG: refused_vec.cpp:[[#@LINE+1]]:{{.*}}note: in instantiation of
  k.swizzle<0, 1>() = w;
  // CHECK-DAG: refused_vec.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}deleted
  auto copy = sycl::vec<int, 2>(w).lo(), again = copy;
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: error: invalid operands to binary expression
  v + w;
}
