// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector forms of mathematical functions get and give whole vectors in kernels with group
// functions too, whose code keeps the attributes of the source: on processors that prefer vectors
// of half their size, every second half was wrong.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t && env TENON_JIT_OPT=0 %t
#include <sycl/sycl.hpp>

#include "Inputs/ulp.hpp"

template <class T, class F>
static void check(sycl::queue q, F f) {
  constexpr int count = 64;
  T *in = sycl::malloc_shared<T>(count, q);
  T *out = sycl::malloc_shared<T>(count, q);
  for (int i = 0; i < count; i++) {
    in[i] = T(i + 1) / 70;
  }
  q.parallel_for(sycl::nd_range<1>(count, count), [=](sycl::nd_item<1> it) {
     const int i = int(it.get_local_id(0));
     const T value = f(in[i]);
     const T sum = sycl::reduce_over_group(it.get_group(), value, sycl::plus<T>());
     const T most = sycl::reduce_over_group(it.get_sub_group(), value, sycl::maximum<T>());
     out[i] = most <= sum ? value : T(-100);
   }).wait();
  for (int i = 0; i < count; i++) {
    EXPECT(sycl::fabs(out[i] - f(in[i])) < T(1e-5));
  }
  sycl::free(in, q);
  sycl::free(out, q);
}

template <class T>
static void check_all(sycl::queue q) {
  check<T>(q, [](T x) { return sycl::exp(x); });
  check<T>(q, [](T x) { return sycl::log(1 + x); });
  check<T>(q, [](T x) { return sycl::pow(x, T(1.5)); });
  check<T>(q, [](T x) { return sycl::sin(x) + sycl::atan(x); });
  check<T>(q, [](T x) { return sycl::erf(x); });
}

int main() {
  sycl::queue q;
  check_all<float>(q);
  if (q.get_device().has(sycl::aspect::fp64)) {
    check_all<double>(q);
  }
  return failures != 0;
}
