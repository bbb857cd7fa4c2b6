// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of many floats, in CUDA: shuffles, shared memory, one atomic addition a block.
#include "gpu_reduction.hpp"
#include "kernel_bench_cuda.hpp"

using namespace reduction;

__device__ float sum_of_warp(float sum) {
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  return sum;
}

__global__ void add_up(float *to, const float *from) {
  __shared__ float partial[32];
  const unsigned step = gridDim.x * blockDim.x;
  const float4 *vectors = reinterpret_cast<const float4 *>(from);
  float sum = 0;
#pragma unroll 4
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count / 4; i += step) {
    const float4 v = vectors[i];
    sum += v.x + v.y + v.z + v.w;
  }
  sum = sum_of_warp(sum);
  const unsigned lane = threadIdx.x % 32;
  if (lane == 0) {
    partial[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = sum_of_warp(lane < block / 32 ? partial[lane] : 0.0f);
    if (lane == 0) {
      atomicAdd(to, sum);
    }
  }
}

int main() {
  bench::device d;
  float *from = d.make<float>(count), *to = d.make<float>(1);
  d.fill_random(from, count, 0);
  for (const char *name :
       {"reduction", "reduction.group", "reduction.range", "reduction.nd_range"}) {
    // The sum starts at 0 outside of the time, as in the SYCL program.
    std::vector<double> seconds;
    for (int i = 0; i < 20; ++i) {
      bench::must(cudaMemset(to, 0, sizeof(float)));
      seconds.push_back(d.time([&] { add_up<<<groups, block>>>(to, from); }, 1));
    }
    bench::must(cudaMemset(to, 0, sizeof(float)));
    add_up<<<groups, block>>>(to, from);
    bench::check(name, is_right(d.read_one(to)));
    bench::print(name, bench::median(seconds), bytes, "GB/s");
  }
}
