// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive prefix sums in three kernels (sums of chunks, their scan, scans of chunks), in SYCL: by
// the algorithms over a group's values, and by the joint ones over ranges of memory.
#include "gpu_scan.hpp"

#include "kernel_bench_sycl.hpp"

using namespace scan;
using std::uint32_t;
using sycl::uint4;

static const sycl::nd_range<1> all(std::size_t{chunks} * block, block);

static sycl::event sum_chunks(sycl::queue &q, const uint32_t *from, uint32_t *sums) {
  return q.parallel_for(all, [=](sycl::nd_item<1> item) {
    const auto *mine = reinterpret_cast<const uint4 *>(from + item.get_group(0) * chunk);
    uint32_t sum = 0;
#pragma unroll
    for (unsigned k = 0; k < per_item / 4; ++k) {
      const uint4 v = mine[k * block + item.get_local_id(0)];
      sum += v.x() + v.y() + v.z() + v.w();
    }
    sum = sycl::reduce_over_group(item.get_group(), sum, sycl::plus<>());
    if (item.get_local_id(0) == 0) {
      sums[item.get_group(0)] = sum;
    }
  });
}

static void scan_sums(sycl::queue &q, uint32_t *sums) {
  q.parallel_for(sycl::nd_range<1>(middle, middle), [=](sycl::nd_item<1> item) {
    uint32_t *mine = sums + item.get_local_id(0) * per_middle;
    uint32_t sum = 0;
    for (unsigned k = 0; k < per_middle; ++k) {
      sum += mine[k];
    }
    sum = sycl::exclusive_scan_over_group(item.get_group(), sum, sycl::plus<>());
    for (unsigned k = 0; k < per_middle; ++k) {
      const uint32_t value = mine[k];
      mine[k] = sum;
      sum += value;
    }
  });
}

// A chunk is four strips, which are scanned together.
static sycl::event scan_chunks(sycl::queue &q, const uint32_t *from, const uint32_t *sums,
                               uint32_t *to) {
  return q.parallel_for(all, [=](sycl::nd_item<1> item) {
    const std::size_t at = item.get_group(0) * (chunk / 4) + item.get_local_id(0);
    uint4 v[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      v[k] = reinterpret_cast<const uint4 *>(from)[at + k * block];
      v[k].y() += v[k].x();
      v[k].z() += v[k].y();
      v[k].w() += v[k].z();
    }
    const uint4 mine(v[0].w(), v[1].w(), v[2].w(), v[3].w());
    const uint4 sum = sycl::inclusive_scan_over_group(item.get_group(), mine, sycl::plus<>());
    const uint4 strips = sycl::group_broadcast(item.get_group(), sum, block - 1);
    uint32_t before = sums[item.get_group(0)];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      reinterpret_cast<uint4 *>(to)[at + static_cast<unsigned>(k) * block] =
          v[k] + (before + sum[k] - mine[k]);
      before += strips[k];
    }
  });
}

int main() {
  bench::device d;
  float *raw = d.make<float>(count);
  auto *from = reinterpret_cast<uint32_t *>(raw);
  uint32_t *to = d.make<uint32_t>(count), *sums = d.make<uint32_t>(chunks);
  d.queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
    from[i] = bench::random_bits(static_cast<uint32_t>(i[0]));
  });
  const auto report = [&](const char *name, double seconds) {
    bench::check(name, is_right(d.read(to, count).data()));
    bench::print(name, seconds, bytes, "GB/s");
    d.queue.fill(to, 0u, count).wait();
  };

  report("scan", d.time([&](auto first) {
    first(sum_chunks(d.queue, from, sums));
    scan_sums(d.queue, sums);
    return scan_chunks(d.queue, from, sums, to);
  }));
  report("scan.joint", d.time([&](auto first) {
    first(d.queue.parallel_for(all, [=](sycl::nd_item<1> item) {
      const uint32_t *begin = from + item.get_group(0) * chunk;
      const uint32_t sum =
          sycl::joint_reduce(item.get_group(), begin, begin + chunk, sycl::plus<>());
      if (item.get_local_id(0) == 0) {
        sums[item.get_group(0)] = sum;
      }
    }));
    d.queue.parallel_for(sycl::nd_range<1>(middle, middle), [=](sycl::nd_item<1> item) {
      sycl::joint_exclusive_scan(item.get_group(), sums, sums + chunks, sums, sycl::plus<>());
    });
    return d.queue.parallel_for(all, [=](sycl::nd_item<1> item) {
      const std::size_t begin = item.get_group(0) * chunk;
      sycl::joint_inclusive_scan(item.get_group(), from + begin, from + begin + chunk, to + begin,
                                 sycl::plus<>(), sums[item.get_group(0)]);
    });
  }));
}
