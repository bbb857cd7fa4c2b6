// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive prefix sums in three kernels (sums of chunks, their scan, scans of chunks), in CUDA.
#include "gpu_scan.hpp"
#include "kernel_bench_cuda.hpp"

using namespace scan;
using std::uint32_t;

__global__ void fill(uint32_t *to) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = bench::random_bits(i);
}

__device__ uint4 operator+(uint4 a, uint4 b) {
  return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ uint32_t shuffle_up(uint32_t value, unsigned distance) {
  return __shfl_up_sync(0xffffffffu, value, distance);
}
__device__ uint4 shuffle_up(uint4 v, unsigned distance) {
  return make_uint4(shuffle_up(v.x, distance), shuffle_up(v.y, distance), shuffle_up(v.z, distance),
                    shuffle_up(v.w, distance));
}

template <class T>
__device__ T scan_of_warp(T value) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const T other = shuffle_up(value, distance);
    if (lane >= distance) {
      value = value + other;
    }
  }
  return value;
}

// The inclusive scan of the block's values; `total` becomes the last.
template <unsigned Size, class T>
__device__ T scan_of_block(T value, T &total) {
  __shared__ T partial[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = scan_of_warp(value);
  if (lane == 31) {
    partial[warp] = value;
  }
  __syncthreads();
  if (warp == 0) {
    partial[lane] = scan_of_warp(lane < Size / 32 ? partial[lane] : T());
  }
  __syncthreads();
  total = partial[Size / 32 - 1];
  return warp > 0 ? partial[warp - 1] + value : value;
}

__global__ void sum_chunks(const uint32_t *from, uint32_t *sums) {
  __shared__ uint32_t partial[32];
  const uint4 *mine =
      reinterpret_cast<const uint4 *>(from + static_cast<std::size_t>(blockIdx.x) * chunk);
  uint32_t sum = 0;
#pragma unroll
  for (unsigned k = 0; k < per_item / 4; ++k) {
    const uint4 v = mine[k * block + threadIdx.x];
    sum += v.x + v.y + v.z + v.w;
  }
  const unsigned lane = threadIdx.x % 32;
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  if (lane == 0) {
    partial[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = lane < block / 32 ? partial[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_down_sync(0xffffffffu, sum, distance);
    }
    if (lane == 0) {
      sums[blockIdx.x] = sum;
    }
  }
}

__global__ void scan_sums(uint32_t *sums) {
  uint32_t *mine = sums + threadIdx.x * per_middle;
  uint32_t own = 0, total;
  for (unsigned k = 0; k < per_middle; ++k) {
    own += mine[k];
  }
  uint32_t sum = scan_of_block<middle>(own, total) - own;
  for (unsigned k = 0; k < per_middle; ++k) {
    const uint32_t value = mine[k];
    mine[k] = sum;
    sum += value;
  }
}

// A chunk is four strips, which are scanned together.
__global__ void scan_chunks(const uint32_t *from, const uint32_t *sums, uint32_t *to) {
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * (chunk / 4) + threadIdx.x;
  uint4 v[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    v[k] = reinterpret_cast<const uint4 *>(from)[at + k * block];
    v[k].y += v[k].x;
    v[k].z += v[k].y;
    v[k].w += v[k].z;
  }
  uint4 strips;
  const uint4 own = make_uint4(v[0].w, v[1].w, v[2].w, v[3].w);
  const uint4 sum = scan_of_block<block>(own, strips);
  const uint32_t offsets[4] = {sum.x - own.x, sum.y - own.y, sum.z - own.z, sum.w - own.w};
  const uint32_t totals[4] = {strips.x, strips.y, strips.z, strips.w};
  uint32_t before = sums[blockIdx.x];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const uint32_t add = before + offsets[k];
    reinterpret_cast<uint4 *>(to)[at + k * block] = v[k] + make_uint4(add, add, add, add);
    before += totals[k];
  }
}

int main() {
  bench::device d;
  uint32_t *from = d.make<uint32_t>(count), *to = d.make<uint32_t>(count);
  uint32_t *sums = d.make<uint32_t>(chunks);
  fill<<<count / 256, 256>>>(from);
  for (const char *name : {"scan", "scan.joint"}) {
    const double seconds = d.time([&] {
      sum_chunks<<<chunks, block>>>(from, sums);
      scan_sums<<<1, middle>>>(sums);
      scan_chunks<<<chunks, block>>>(from, sums, to);
    });
    bench::check(name, is_right(d.read(to, count).data()));
    bench::print(name, seconds, bytes, "GB/s");
    bench::must(cudaMemset(to, 0, count * sizeof(uint32_t)));
  }
}
