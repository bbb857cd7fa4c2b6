// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch cost of an empty kernel on an in-order queue, USM path: a batch waited for once, and one
// by one. Prints `name value` lines in nanoseconds; heap allocations are counted through operator
// new and malloc of the whole process.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

static unsigned long allocations;
extern "C" void *__libc_malloc(size_t);
extern "C" void *__libc_calloc(size_t, size_t);
extern "C" void *malloc(size_t size) {
  __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_malloc(size);
}
extern "C" void *calloc(size_t count, size_t size) {
  __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_calloc(count, size);
}

struct empty {
  void operator()(sycl::id<1>) const {}
};

using steady = std::chrono::steady_clock;
static double since(steady::time_point start, int count) {
  return std::chrono::duration<double, std::nano>(steady::now() - start).count() / count;
}
static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main() {
  sycl::queue q{sycl::property::queue::in_order{}};
  for (int i = 0; i < 2000; i++) {
    q.parallel_for(sycl::range<1>(1), empty{}).wait();
  }
  std::vector<double> batch, single, buffers;
  const int launches = 20000;
  for (int round = 0; round < 15; round++) {
    auto start = steady::now();
    for (int i = 0; i < launches; i++) {
      q.parallel_for(sycl::range<1>(1), empty{});
    }
    q.wait();
    batch.push_back(since(start, launches));
    start = steady::now();
    for (int i = 0; i < launches; i++) {
      q.parallel_for(sycl::range<1>(1), empty{});
      q.wait();
    }
    single.push_back(since(start, launches));
  }
  unsigned long before = allocations;
  for (int i = 0; i < launches; i++) {
    q.parallel_for(sycl::range<1>(1), empty{});
  }
  q.wait();
  unsigned long after = allocations;
  std::vector<int> host(16);
  {
    sycl::buffer<int, 1> buffer(host.data(), sycl::range<1>(16));
    for (int round = 0; round < 15; round++) {
      auto start = steady::now();
      for (int i = 0; i < 2000; i++) {
        q.submit([&](sycl::handler &h) {
          sycl::accessor a(buffer, h, sycl::read_write);
          h.parallel_for(sycl::range<1>(1), [=](sycl::id<1> i) { a[i] = 1; });
        });
      }
      q.wait();
      buffers.push_back(since(start, 2000));
    }
  }
  std::printf("batch_ns %.0f\nsingle_ns %.0f\naccessor_ns %.0f\nallocations_per_launch %.4f\n",
              median(batch), median(single), median(buffers),
              static_cast<double>(after - before) / launches);
}
