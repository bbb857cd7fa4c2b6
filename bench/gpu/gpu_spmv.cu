// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix (compressed rows) times a vector, in CUDA: a warp a row, and a thread a row.
#include "gpu_spmv.hpp"
#include "kernel_bench_cuda.hpp"

using spmv::rows;

__global__ void fill_columns(int *columns, const int *begins) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = begins[row]; i < begins[row + 1]; ++i) {
    columns[i] = spmv::column(row, i);
  }
}

__global__ void by_warps(float *y, const int *begins, const int *columns, const float *values,
                         const float *x) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  const int end = begins[row + 1];
  float sum = 0;
  for (int i = begins[row] + lane; i < end; i += 32) {
    sum += values[i] * x[columns[i]];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}

__global__ void by_threads(float *y, const int *begins, const int *columns, const float *values,
                           const float *x) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  const int end = begins[row + 1];
  float sum = 0;
  for (int i = begins[row]; i < end; ++i) {
    sum += values[i] * x[columns[i]];
  }
  y[row] = sum;
}

int main() {
  bench::device d;
  const spmv::matrix m = spmv::make();
  int *begins = d.make<int>(rows + 1), *columns = d.make<int>(m.elements);
  float *values = d.make<float>(m.elements), *x = d.make<float>(rows), *y = d.make<float>(rows);
  bench::must(
      cudaMemcpy(begins, m.begins.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice));
  d.fill_random(values, m.elements, 0);
  d.fill_random(x, rows, 3);
  fill_columns<<<rows / 256, 256>>>(columns, begins);
  const auto report = [&](const char *name, double seconds) {
    bench::check(name, spmv::is_right(m, d.read(y, rows).data()));
    bench::print(name, seconds, spmv::bytes(m), "GB/s");
    bench::must(cudaMemset(y, 0, rows * sizeof(float)));
  };
  report("spmv", d.time([&] { by_warps<<<rows / 8, 256>>>(y, begins, columns, values, x); }));
  report("spmv.scalar",
         d.time([&] { by_threads<<<rows / 256, 256>>>(y, begins, columns, values, x); }));
}
