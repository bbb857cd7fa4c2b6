// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library with one kernel.
#include <sycl/sycl.hpp>

#ifdef TABLE
static constexpr unsigned char table[] = {
#embed TABLE
};
static constexpr int table_size = sizeof(table);
#else
static constexpr unsigned char table[] = {0};
static constexpr int table_size = 1;
#endif

struct thrice {
  int *out;
  void operator()(sycl::id<1> i) const {
    const int number = static_cast<int>(i[0]);
    out[i] = 3 * number + 1 + table[number * 5003 % table_size];
  }
};

void launch_thrice(sycl::queue &q, const thrice &kernel) {
  q.parallel_for(sycl::range<1>(100), kernel);
}
