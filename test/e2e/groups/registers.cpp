// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups as large as the device allows, of a kernel that keeps many values in each work-item:
// on GPUs more than the registers of so many work-items, unless its code is made for them.
// RUN: %tenonxx -fsycl %s -o %t && %t | %FileCheck %s
#include <sycl/sycl.hpp>

#include <cstdio>
#include <vector>

constexpr int values = 96;
constexpr size_t groups = 3;
sycl::ext::oneapi::experimental::device_global<int> launches;

struct Keeps {
  const int *in;
  unsigned long *out;
  size_t stride;
  void operator()(sycl::nd_item<1> item) const {
    const size_t i = item.get_global_id(0);
    int kept[values];
#pragma unroll
    for (int v = 0; v < values; v++) {
      kept[v] = in[i + v * stride];
    }
    sycl::group_barrier(item.get_group());
    unsigned long sum = 0;
#pragma unroll
    for (int v = 0; v < values; v++) {
      sum = sum * 3 + static_cast<unsigned long>(kept[values - 1 - v] * kept[(v * 7) % values]);
    }
    out[i] = sum;
    if (i == 0) {
      launches = launches + 1;
    }
  }
};

static unsigned long expected(const std::vector<int> &in, size_t i, size_t stride) {
  unsigned long sum = 0;
  for (int v = 0; v < values; v++) {
    sum = sum * 3 + static_cast<unsigned long>(in[i + (values - 1 - v) * stride] *
                                               in[i + (v * 7) % values * stride]);
  }
  return sum;
}

static bool run(sycl::queue &q, size_t local, const std::vector<int> &in, size_t stride) {
  const size_t count = local * groups;
  int *data = sycl::malloc_device<int>(in.size(), q);
  unsigned long *out = sycl::malloc_shared<unsigned long>(count, q);
  q.copy(in.data(), data, in.size()).wait();
  q.parallel_for(sycl::nd_range<1>(count, local), Keeps{data, out, stride}).wait();
  bool is_right = true;
  for (size_t i = 0; i < count; i++) {
    is_right = is_right && out[i] == expected(in, i, stride);
  }
  sycl::free(data, q);
  sycl::free(out, q);
  return is_right;
}

int main() {
  sycl::queue q;
  const size_t largest = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  const size_t most = largest < 1024 ? largest : 1024;
  const size_t stride = most * groups;
  std::vector<int> in(stride * values);
  for (size_t i = 0; i < in.size(); i++) {
    in[i] = static_cast<int>(static_cast<unsigned>(i) * 2654435761u >> 20);
  }
  // CHECK: right
  const bool is_right = run(q, most, in, stride) && run(q, most / 4, in, stride) &&
                        run(q, most, in, stride) && run(q, most - most / 8, in, stride);
  std::printf("%s\n", is_right ? "right" : "wrong");
  // The code that was made last counts where the first did.
  // CHECK: 4 launches
  int count = 0;
  q.copy(launches, &count).wait();
  std::printf("%d launches\n", count);
}
