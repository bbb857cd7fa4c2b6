// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram of bytes. Each work-group counts in local memory, where atomics are cheap, and adds
// its counts to everybody's once at its end.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

constexpr std::size_t count = 1 << 20, bins = 256;
constexpr std::size_t group_size = 256, groups = 16;
using counter = std::uint32_t;

static void count_bytes(sycl::queue &q, sycl::buffer<std::uint8_t> &data_buffer,
                        sycl::buffer<counter> &counts_buffer) {
  q.submit([&](sycl::handler &h) {
    const sycl::accessor data(data_buffer, h, sycl::read_only);
    const sycl::accessor counts(counts_buffer, h, sycl::read_write);
    const sycl::local_accessor<counter> ours(bins, h);
    const sycl::nd_range<1> shape(groups * group_size, group_size);
    h.parallel_for(shape, [=](sycl::nd_item<1> item) {
      const std::size_t first = item.get_local_id(0);
      for (std::size_t bin = first; bin < bins; bin += group_size) {
        ours[bin] = 0;
      }
      sycl::group_barrier(item.get_group());
      for (std::size_t i = item.get_global_id(0); i < count; i += groups * group_size) {
        sycl::atomic_ref<counter, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                         sycl::access::address_space::local_space>(ours[data[i]]) += 1;
      }
      sycl::group_barrier(item.get_group());
      for (std::size_t bin = first; bin < bins; bin += group_size) {
        sycl::atomic_ref<counter, sycl::memory_order::relaxed, sycl::memory_scope::device,
                         sycl::access::address_space::global_space>(counts[bin]) += ours[bin];
      }
    });
  });
}

static int run() {
  std::mt19937 random(1);
  std::normal_distribution<float> around(128.0f, 40.0f);
  std::vector<std::uint8_t> data(count);
  std::vector<counter> expected(bins), counts(bins);
  for (std::uint8_t &byte : data) {
    const float value = around(random);
    byte = static_cast<std::uint8_t>(value < 0 ? 0.0f : value > 255 ? 255.0f : value);
    ++expected[byte];
  }
  {
    sycl::queue q;
    sycl::buffer<std::uint8_t> data_buffer(data);
    sycl::buffer<counter> counts_buffer(counts);
    count_bytes(q, data_buffer, counts_buffer);
    q.wait_and_throw();
  }  // the counts are written back here
  std::size_t wrong = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    wrong += counts[bin] != expected[bin];
  }
  std::printf("histogram: %s: %zu of %zu bins differ, for %zu bytes\n",
              wrong == 0 ? "correct" : "WRONG", wrong, bins, count);
  return wrong == 0 ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "histogram: %s\n", error.what());
    return 1;
  }
}
