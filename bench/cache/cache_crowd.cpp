// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of many processes that start on one cache: launches all kernels once and says what it took.
#include "cache_kernels.hpp"
#include <tenon/cache.h>

#include <cstdio>

int main() {
  sycl::queue q{sycl::property::queue::in_order{}};
  unsigned *out = sycl::malloc_shared<unsigned>(16, q);
  const int wrong = run_parts<0>(q, out);
  sycl::free(out, q);
  tn_cache_stats stats = {};
  stats.struct_size = sizeof(stats);
  tn_cache_get_stats(&stats);
  std::printf("wrong %d builds %llu hits %llu waits %llu\n", wrong,
              static_cast<unsigned long long>(stats.builds),
              static_cast<unsigned long long>(stats.disk_hits),
              static_cast<unsigned long long>(stats.disk_waits));
  return wrong != 0 ? 1 : 0;
}
