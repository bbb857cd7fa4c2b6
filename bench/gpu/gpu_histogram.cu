// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each byte occurs, in CUDA: counted by atomics in shared memory, added up by atomics in
// global memory.
#include "gpu_histogram.hpp"
#include "kernel_bench_cuda.hpp"

using namespace histogram;

__global__ void fill(std::uint32_t *to) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = bench::random_bits(i);
}

__global__ void count(unsigned *to, const std::uint32_t *from) {
  __shared__ unsigned counts[bins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += step) {
    const std::uint32_t v = from[i];
    atomicAdd(&counts[v & 255], 1u);
    atomicAdd(&counts[v >> 8 & 255], 1u);
    atomicAdd(&counts[v >> 16 & 255], 1u);
    atomicAdd(&counts[v >> 24], 1u);
  }
  __syncthreads();
  atomicAdd(&to[threadIdx.x], counts[threadIdx.x]);
}

int main() {
  bench::device d;
  auto *from = d.make<std::uint32_t>(words);
  auto *to = d.make<unsigned>(bins);
  fill<<<words / 256, 256>>>(from);
  std::vector<double> seconds;
  for (int i = 0; i < 20; ++i) {
    bench::must(cudaMemset(to, 0, bins * sizeof(unsigned)));
    seconds.push_back(d.time([&] { count<<<groups, block>>>(to, from); }, 1));
  }
  bench::must(cudaMemset(to, 0, bins * sizeof(unsigned)));
  count<<<groups, block>>>(to, from);
  bench::check("histogram", d.read(to, bins) == wanted());
  bench::print("histogram", bench::median(seconds), bytes, "GB/s");
}
