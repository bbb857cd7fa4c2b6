// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimized device code of vec is scalars: no stack, no elements packed in pairs or integers,
// which would keep kernels from being vectorized over work-items.
// RUN: %clangxx -std=c++17 -I %include -D__SYCL_DEVICE_ONLY__ -D__TENON_UNIT_ID__=1 -O2 \
// RUN:   -fno-slp-vectorize -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | %FileCheck %s
#include <sycl/aliases.hpp>

// CHECK-LABEL: define{{.*}} @floats(
// CHECK-NOT: alloca
// CHECK-NOT: {{phi <|shufflevector|memcpy}}
// CHECK: phi float
// CHECK-NOT: {{alloca|phi <|shufflevector|memcpy}}
// CHECK: ret void
extern "C" void floats(sycl::float4 *a, const sycl::float4 *b, int n) {
  sycl::float4 v = a[0];
  for (int k = 0; k < n; ++k) {
    v = v * 0.5f + b[k].swizzle<1, 0, 3, 2>();
    v.lo() -= v.hi() / b[k].x();
  }
  a[0] = v;
}

// CHECK-LABEL: define{{.*}} @integers(
// CHECK-NOT: {{alloca|phi <|shl|lshr|trunc|memcpy}}
// CHECK: phi i32
// CHECK-NOT: {{alloca|phi <|shl|lshr|trunc|memcpy}}
// CHECK: ret void
extern "C" void integers(sycl::int4 *a, const sycl::int4 *b, int n) {
  sycl::int4 v = a[0];
  for (int k = 0; k < n; ++k) {
    v = ~(v ^ b[k]) + 3;
    v = (v < b[k]) & v;
  }
  a[0] = v;
}

// CHECK-LABEL: define{{.*}} @wide(
// CHECK-NOT: {{alloca|memcpy|memset}}
// CHECK: ret void
extern "C" void wide(sycl::double16 *a, const sycl::double16 *b) {
  *a = *a * *b + sycl::double16(b->hi(), b->lo());
}
