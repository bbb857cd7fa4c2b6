// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B of single precision through shared memory, in CUDA: one element a thread, and 8 x 8 of
// them.
#include "gpu_sgemm.hpp"
#include "kernel_bench_cuda.hpp"

using namespace sgemm;

__global__ void multiply_plain(const float *a, const float *b, float *c) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
  float sum = 0;
  for (int begin = 0; begin < n; begin += tile) {
    as[y][x] = a[row * n + begin + x];
    bs[y][x] = b[(begin + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) {
      sum += as[y][k] * bs[k][x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void multiply(const float *a, const float *b, float *c) {
  __shared__ __align__(16) float as[step][block], bs[step][block];
  const int here = threadIdx.x;
  const int row = blockIdx.y * block, column = blockIdx.x * block;
  const int x = here % (block / per_item) * per_item;
  const int y = here / (block / per_item) * per_item;
  const int a_row = here / 2, a_column = here % 2 * 4;
  const int b_row = here / 32, b_column = here % 32 * 4;
  float sums[per_item][per_item] = {};
  for (int begin = 0; begin < n; begin += step) {
    const float4 av = *reinterpret_cast<const float4 *>(&a[(row + a_row) * n + begin + a_column]);
    as[a_column][a_row] = av.x;
    as[a_column + 1][a_row] = av.y;
    as[a_column + 2][a_row] = av.z;
    as[a_column + 3][a_row] = av.w;
    *reinterpret_cast<float4 *>(&bs[b_row][b_column]) =
        *reinterpret_cast<const float4 *>(&b[(begin + b_row) * n + column + b_column]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < step; ++k) {
      float left[per_item], right[per_item];
#pragma unroll
      for (int i = 0; i < per_item; i += 4) {
        *reinterpret_cast<float4 *>(&left[i]) = *reinterpret_cast<const float4 *>(&as[k][y + i]);
        *reinterpret_cast<float4 *>(&right[i]) = *reinterpret_cast<const float4 *>(&bs[k][x + i]);
      }
#pragma unroll
      for (int i = 0; i < per_item; ++i) {
#pragma unroll
        for (int j = 0; j < per_item; ++j) {
          sums[i][j] += left[i] * right[j];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < per_item; ++i) {
#pragma unroll
    for (int j = 0; j < per_item; j += 4) {
      *reinterpret_cast<float4 *>(&c[(row + y + i) * n + column + x + j]) =
          make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
    }
  }
}

int main() {
  bench::device d;
  constexpr std::size_t size = std::size_t{n} * n;
  float *a = d.make<float>(size), *b = d.make<float>(size), *c = d.make<float>(size);
  d.fill_random(a, size, 0);
  d.fill_random(b, size, 99);
  const double seconds =
      d.time([&] { multiply<<<dim3(n / block, n / block), items>>>(a, b, c); }, 10);
  bench::check("sgemm", is_right(d.read(c, size).data()));
  bench::print("sgemm", seconds, flops, "GFLOP/s");
  bench::must(cudaMemset(c, 0, size * sizeof(float)));
  const double plain =
      d.time([&] { multiply_plain<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c); }, 10);
  bench::check("sgemm.plain", is_right(d.read(c, size).data()));
  bench::print("sgemm.plain", plain, flops, "GFLOP/s");
}
