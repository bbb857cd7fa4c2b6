// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort. Comparisons over long distances are kernels of their own; all that happen within a
// block are done by one work-group in local memory, with a barrier between the rounds.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

constexpr std::size_t count = 1 << 16;  // a power of two
constexpr std::size_t group_size = 128, block = 2 * group_size;
using key = std::uint32_t;

// The first of the pair that work-item `item` compares; the second stands `distance` to its right.
static std::size_t first_of_pair(std::size_t item, std::size_t distance) {
  return 2 * item - (item & (distance - 1));
}

// Runs of `run` keys are sorted up and down in turn, so that two of them make a bitonic run.
static void order(key &left, key &right, std::size_t index, std::size_t run) {
  const bool up = (index & run) == 0;
  if ((left > right) == up) {
    const key kept = left;
    left = right;
    right = kept;
  }
}

// The rounds from distance block/2 down to 1 for runs of `from` to `to` keys, block by block.
static void sort_in_blocks(sycl::queue &q, key *keys, std::size_t from, std::size_t to) {
  q.submit([&](sycl::handler &h) {
    const sycl::local_accessor<key> ours(block, h);
    h.parallel_for(sycl::nd_range<1>(count / 2, group_size), [=](sycl::nd_item<1> item) {
      const auto group = item.get_group();
      const std::size_t at = item.get_local_id(0), base = item.get_group(0) * block;
      ours[at] = keys[base + at];
      ours[at + group_size] = keys[base + at + group_size];
      for (std::size_t run = from; run <= to; run *= 2) {
        for (std::size_t distance = run < block ? run / 2 : group_size; distance > 0;
             distance /= 2) {
          sycl::group_barrier(group);
          const std::size_t i = first_of_pair(at, distance);
          order(ours[i], ours[i + distance], base + i, run);
        }
      }
      sycl::group_barrier(group);
      keys[base + at] = ours[at];
      keys[base + at + group_size] = ours[at + group_size];
    });
  });
}

static void sort(sycl::queue &q, key *keys) {
  sort_in_blocks(q, keys, 2, block);
  for (std::size_t run = 2 * block; run <= count; run *= 2) {
    for (std::size_t distance = run / 2; distance >= block; distance /= 2) {
      q.parallel_for(sycl::range<1>(count / 2), [=](sycl::id<1> item) {
        const std::size_t i = first_of_pair(item, distance);
        order(keys[i], keys[i + distance], i, run);
      });
    }
    sort_in_blocks(q, keys, run, run);
  }
}

static int run() {
  sycl::queue q{sycl::property::queue::in_order{}};
  std::mt19937 random(1);
  std::vector<key> expected(count);
  std::generate(expected.begin(), expected.end(), std::ref(random));
  key *const keys = sycl::malloc_device<key>(count, q);
  if (keys == nullptr) {
    std::fprintf(stderr, "sort: no memory for %zu keys\n", count);
    return 1;
  }
  std::vector<key> sorted(count);
  q.copy(expected.data(), keys, count);
  sort(q, keys);
  q.copy(keys, sorted.data(), count);
  q.wait_and_throw();
  sycl::free(keys, q);

  std::sort(expected.begin(), expected.end());
  const bool good = sorted == expected;
  std::printf("sort: %s: %zu keys\n", good ? "correct" : "WRONG", count);
  return good ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "sort: %s\n", error.what());
    return 1;
  }
}
