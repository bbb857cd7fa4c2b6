// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All pairs of bodies, tile by tile through shared memory, in CUDA.
#include "gpu_nbody.hpp"
#include "kernel_bench_cuda.hpp"

using namespace nbody;

__global__ void accelerate(float4 *a, const float4 *p) {
  __shared__ float4 shared[tile];
  const int here = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + here;
  const float4 mine = p[i];
  float x = 0, y = 0, z = 0;
  for (int begin = 0; begin < bodies; begin += tile) {
    shared[here] = p[begin + here];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < tile; ++j) {
      const float4 other = shared[j];
      const float dx = other.x - mine.x;
      const float dy = other.y - mine.y;
      const float dz = other.z - mine.z;
      const float r2 = dx * dx + dy * dy + dz * dz + softening;
      const float inverse = rsqrtf(r2);
      const float s = other.w * inverse * inverse * inverse;
      x += dx * s;
      y += dy * s;
      z += dz * s;
    }
    __syncthreads();
  }
  a[i] = make_float4(x, y, z, 0);
}

int main() {
  bench::device d;
  float4 *p = d.make<float4>(bodies), *a = d.make<float4>(bodies);
  d.fill_random(reinterpret_cast<float *>(p), 4 * bodies, 0);
  const double seconds = d.time([&] { accelerate<<<bodies / tile, tile>>>(a, p); }, 10);
  bench::check("nbody", is_right(reinterpret_cast<float *>(d.read(a, bodies).data())));
  bench::print("nbody", seconds, flops, "GFLOP/s");
}
