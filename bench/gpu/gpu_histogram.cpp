// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each byte occurs, in SYCL: counted by atomics in local memory, added up by atomics in
// global memory.
#include "gpu_histogram.hpp"

#include "kernel_bench_sycl.hpp"

using namespace histogram;
using local_atomic =
    sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                     sycl::access::address_space::local_space>;
using global_atomic =
    sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device,
                     sycl::access::address_space::global_space>;

int main() {
  bench::device d;
  auto *from = d.make<std::uint32_t>(words);
  auto *to = d.make<unsigned>(bins);
  d.queue.parallel_for(sycl::range<1>(words), [=](sycl::id<1> i) {
    from[i] = bench::random_bits(static_cast<std::uint32_t>(i[0]));
  });
  const double seconds = d.time([&](auto) {
    d.queue.fill(to, 0u, bins);
    return d.queue.submit([&](sycl::handler &h) {
      sycl::local_accessor<unsigned> counts(bins, h);
      h.parallel_for(sycl::nd_range<1>(std::size_t{groups} * block, block),
                     [=](sycl::nd_item<1> item) {
                       const std::size_t here = item.get_local_id(0);
                       counts[here] = 0;
                       sycl::group_barrier(item.get_group());
                       const std::size_t step = item.get_global_range(0);
                       for (std::size_t i = item.get_global_id(0); i < words; i += step) {
                         const std::uint32_t v = from[i];
                         local_atomic(counts[v & 255])++;
                         local_atomic(counts[v >> 8 & 255])++;
                         local_atomic(counts[v >> 16 & 255])++;
                         local_atomic(counts[v >> 24])++;
                       }
                       sycl::group_barrier(item.get_group());
                       global_atomic(to[here]) += counts[here];
                     });
    });
  });
  bench::check("histogram", d.read(to, bins) == wanted());
  bench::print("histogram", seconds, bytes, "GB/s");
}
