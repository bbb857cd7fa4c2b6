// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of a few kernels, one of which uses a library's function: computes, compares with the
// host, and says what the caches did. Exits 3 when a result is wrong, 4 for an exception.
#include <sycl/sycl.hpp>
#include <tenon/cache.h>

#include <cmath>
#include <cstdio>

SYCL_EXTERNAL int library_step(int x, int step);

constexpr int count = 64;

struct square {
  int *out;
  void operator()(sycl::id<1> i) const { out[i] = static_cast<int>(i[0] * i[0]) + 7; }
};
struct through_library {
  int *out;
  void operator()(sycl::id<1> i) const { out[i] = library_step(static_cast<int>(i[0]), 5); }
};
struct with_local_memory {
  int *out;
  sycl::local_accessor<int, 1> local;
  void operator()(sycl::nd_item<1> item) const {
    const size_t l = item.get_local_id(0);
    local[l] = static_cast<int>(item.get_global_id(0)) * 3;
    sycl::group_barrier(item.get_group());
    out[item.get_global_id(0)] = local[15 - l];
  }
};
struct with_math {
  int *out;
  void operator()(sycl::id<1> i) const {
    const float x = static_cast<float>(i[0]) * 0.125f;
    out[i] = static_cast<int>(1000.0f * (sycl::sin(x) + sycl::exp(-x) + sycl::sqrt(x)));
  }
};

static int wrong;

static void compare(const char *what, const int *out, int (*expected)(int), int slack) {
  for (int i = 0; i < count; i++) {
    const int difference = out[i] - expected(i);
    if (difference < -slack || difference > slack) {
      std::printf("%s: %d at %d, expected %d\n", what, out[i], i, expected(i));
      wrong++;
      return;
    }
  }
}

static void run() {
  sycl::queue q{sycl::property::queue::in_order{}};
  int *out = sycl::malloc_shared<int>(count, q);
  q.parallel_for(sycl::range<1>(count), square{out}).wait();
  compare("square", out, [](int i) { return i * i + 7; }, 0);
  q.parallel_for(sycl::range<1>(count), through_library{out}).wait();
  compare("library", out, [](int i) { return (i + 5) * 11; }, 0);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int, 1> local(16, h);
     h.parallel_for(sycl::nd_range<1>(count, 16), with_local_memory{out, local});
   }).wait();
  compare("local memory", out, [](int i) { return (i / 16 * 16 + 15 - i % 16) * 3; }, 0);
  q.parallel_for(sycl::range<1>(count), with_math{out}).wait();
  compare(
      "math", out,
      [](int i) {
        const double x = i * 0.125;
        return static_cast<int>(1000 * (std::sin(x) + std::exp(-x) + std::sqrt(x)));
      },
      1);
  sycl::free(out, q);
}

int main() {
  try {
    run();
  } catch (const std::exception &error) {
    std::printf("exception: %s\n", error.what());
    return 4;
  }
  tn_cache_stats stats = {};
  stats.struct_size = sizeof(stats);
  tn_cache_get_stats(&stats);
  std::printf("builds %llu hits %llu misses %llu waits %llu writes %llu\n",
              static_cast<unsigned long long>(stats.builds),
              static_cast<unsigned long long>(stats.disk_hits),
              static_cast<unsigned long long>(stats.disk_misses),
              static_cast<unsigned long long>(stats.disk_waits),
              static_cast<unsigned long long>(stats.disk_writes));
  return wrong != 0 ? 3 : 0;
}
