// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seven points in a volume, in CUDA: straight from memory, and plane by plane with the plane in
// shared memory.
#include "gpu_stencil.hpp"
#include "kernel_bench_cuda.hpp"

using namespace stencil;
constexpr int row = nx, plane = nx * ny;

__global__ void direct(float *to, const float *from) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
    const int i = (z * ny + y) * nx + x;
    to[i] = center * from[i] + side * (from[i - 1] + from[i + 1] + from[i - row] + from[i + row] +
                                       from[i - plane] + from[i + plane]);
  }
}

__global__ void tiled(float *to, const float *from) {
  __shared__ float shared[tile_y + 2][tile_x + 2];
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int begin = blockIdx.z * slab;
  const bool is_inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  int i = (begin * ny + y) * nx + x;
  float below = begin > 0 ? from[i - plane] : 0.0f;
  float here = from[i];
  for (int z = begin; z < begin + slab; ++z, i += plane) {
    const float above = z < nz - 1 ? from[i + plane] : 0.0f;
    shared[ly][lx] = here;
    if (lx == 1 && x > 0) {
      shared[ly][0] = from[i - 1];
    }
    if (lx == tile_x && x < nx - 1) {
      shared[ly][tile_x + 1] = from[i + 1];
    }
    if (ly == 1 && y > 0) {
      shared[0][lx] = from[i - row];
    }
    if (ly == tile_y && y < ny - 1) {
      shared[tile_y + 1][lx] = from[i + row];
    }
    __syncthreads();
    if (is_inside && z > 0 && z < nz - 1) {
      to[i] = center * here + side * (shared[ly][lx - 1] + shared[ly][lx + 1] + shared[ly - 1][lx] +
                                      shared[ly + 1][lx] + below + above);
    }
    __syncthreads();
    below = here;
    here = above;
  }
}

int main() {
  bench::device d;
  float *from = d.make<float>(size), *to = d.make<float>(size);
  d.fill_random(from, size, 0);
  const auto report = [&](const char *name, double seconds) {
    bench::check(name, is_right(d.read(to, size).data()));
    bench::print(name, seconds, bytes, "GB/s");
    bench::must(cudaMemset(to, 0, size * sizeof(float)));
  };
  bench::must(cudaMemset(to, 0, size * sizeof(float)));
  const dim3 block(tile_x, tile_y), grid(nx / tile_x, ny / tile_y, nz);
  for (const char *name : {"stencil", "stencil.range"}) {
    report(name, d.time([&] { direct<<<grid, block>>>(to, from); }));
  }
  const dim3 slabs(nx / tile_x, ny / tile_y, nz / slab);
  report("stencil.tiled", d.time([&] { tiled<<<slabs, block>>>(to, from); }));
}
