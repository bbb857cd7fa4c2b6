// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code ahead of time, each kind of kernel: no compiler is there, and none is loaded. For a
// processor that this one is not, for TENON_JIT_OPT and for TENON_CHECK there is still the bitcode.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu -O2 %s -o fast
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent ./fast alone
// RUN: env TENON_JIT_OPT=1 TENON_LOG=program ./fast 2>&1 | %FileCheck %s --check-prefix=JIT
// RUN: env TENON_CHECK=1 TENON_LOG=program ./fast 2>&1 | %FileCheck %s --check-prefix=JIT
// JIT-NOT: machine code of module
// JIT: images for native_cpu
// JIT-NOT: machine code of module
// JIT: all good
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu -O0 -g %s -o slow
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent ./slow alone
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu -march=native -fsycl-device-code-split=per_kernel \
// RUN:   %s -o own
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent ./own alone
// RUN: %tenonxx -fsycl --offload-arch=diamondrapids %s -o other
// RUN: env TENON_LOG=program ./other 2>&1 | %FileCheck %s --check-prefix=OTHER
// OTHER: {{machine code is left out: it needs a|machine code of module}}
// OTHER: all good
#include "../headers/Inputs/expect.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

enum { N = 1000, LOCAL = 16, GROUPS = 8 };

static void ranges(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(N, q);
  q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) {
     p[i] = static_cast<int>(i[0]) * 3;
   }).wait();
  EXPECT(p[0] == 0 && p[999] == 2997);
  q.parallel_for(sycl::range<3>(5, 10, 20), [=](sycl::item<3> i) {
     p[i.get_linear_id()] = static_cast<int>(i[0] * 10000 + i[1] * 100 + i[2]);
   }).wait();
  EXPECT(p[0] == 0 && p[999] == 40919 && p[21] == 101);
  q.single_task([=] { p[0] = 77; }).wait();
  EXPECT(p[0] == 77);
  sycl::free(p, q);
}

// Reverses each group by local memory.
static void barriers(sycl::queue &q) {
  std::vector<int> data(LOCAL * GROUPS);
  {
    sycl::buffer<int> b(data.data(), data.size());
    q.submit([&](sycl::handler &h) {
      sycl::accessor out(b, h, sycl::write_only);
      sycl::local_accessor<int, 1> local(LOCAL, h);
      h.parallel_for(sycl::nd_range<1>(LOCAL * GROUPS, LOCAL), [=](sycl::nd_item<1> it) {
        const size_t l = it.get_local_id(0);
        local[l] = static_cast<int>(it.get_global_id(0));
        sycl::group_barrier(it.get_group());
        out[it.get_global_id(0)] = local[LOCAL - 1 - l];
      });
    });
  }
  EXPECT(data[0] == 15 && data[15] == 0 && data[16] == 31 && data[127] == 112);
}

static void reductions(sycl::queue &q) {
  int *sum = sycl::malloc_shared<int>(1, q);
  float *most = sycl::malloc_shared<float>(1, q);
  *sum = 5;
  *most = 0;
  q.parallel_for(sycl::range<1>(N), sycl::reduction(sum, sycl::plus<int>()),
                 sycl::reduction(most, sycl::maximum<float>()),
                 [=](sycl::id<1> i, auto &s, auto &m) {
                   s += static_cast<int>(i[0]);
                   m.combine(static_cast<float>(i[0] ^ 5));
                 }).wait();
  EXPECT(*sum == 499505);
  EXPECT(*most == 999.0f || *most == 998.0f);
  sycl::free(sum, q);
  sycl::free(most, q);
}

static void sub_groups(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(64, q);
  q.parallel_for(sycl::nd_range<1>(64, 32), [=](sycl::nd_item<1> it) {
     auto sg = it.get_sub_group();
     const int total = sycl::reduce_over_group(sg, 1, sycl::plus<int>());
     const int first = sycl::group_broadcast(sg, static_cast<int>(it.get_global_id(0)), 0);
     p[it.get_global_id(0)] =
         total == static_cast<int>(sg.get_local_linear_range()) ? first : -1;
   }).wait();
  bool good = true;
  for (int i = 0; i < 64; ++i) {
    good = good && p[i] >= 0 && p[i] <= i;
  }
  EXPECT(good && p[0] == 0);
  sycl::free(p, q);
}

static void math(sycl::queue &q) {
  float *f = sycl::malloc_shared<float>(N, q);
  double *d = sycl::malloc_shared<double>(N, q);
  sycl::half *h = sycl::malloc_shared<sycl::half>(N, q);
  q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) {
     const float x = static_cast<float>(i[0]) / 64.0f;
     f[i] = sycl::sin(x) + sycl::pow(x, 1.5f) + sycl::cbrt(x);
     d[i] = sycl::exp(static_cast<double>(x) / 4) + sycl::lgamma(static_cast<double>(x) + 1);
     h[i] = sycl::half(x) * sycl::half(2.0f);
   }).wait();
  bool good = true;
  for (int i = 0; i < N; ++i) {
    const float x = static_cast<float>(i) / 64.0f;
    const double y = std::exp(x / 4.0) + std::lgamma(x + 1.0);
    good = good && std::fabs(f[i] - (std::sin(x) + std::pow(x, 1.5f) + std::cbrt(x))) < 1e-3f &&
           std::fabs(d[i] - y) < 1e-9 * (1 + std::fabs(y)) &&
           std::fabs(static_cast<float>(h[i]) - 2 * x) <= x / 512;
  }
  EXPECT(good);
  sycl::free(f, q);
  sycl::free(d, q);
  sycl::free(h, q);
}

static void atomics(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(4, q);
  std::memset(p, 0, 4 * sizeof(int));
  q.parallel_for(sycl::range<1>(N), [=](sycl::id<1> i) {
     sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(p[i[0] % 4])
         .fetch_add(static_cast<int>(i[0]));
   }).wait();
  EXPECT(p[0] + p[1] + p[2] + p[3] == 499500 && p[3] - p[0] == 750);
  sycl::free(p, q);
}

// The names of what the process has loaded.
static bool is_loaded(const char *part) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

int main(int argc, char **) {
  sycl::queue q;
  for (int round = 0; round < 2; ++round) {
    ranges(q);
    barriers(q);
    reductions(q);
    sub_groups(q);
    math(q);
    atomics(q);
  }
  if (argc > 1) {
    EXPECT(is_loaded("libtenon.so"));
    EXPECT(!is_loaded("libtenon-compiler") && !is_loaded("libLLVM"));
  }
  if (failures == 0) {
    std::puts("all good");
  }
  return failures;
}
