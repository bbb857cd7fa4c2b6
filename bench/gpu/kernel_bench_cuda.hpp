// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times CUDA kernels by events.
#ifndef TENON_BENCH_KERNEL_BENCH_CUDA_HPP
#define TENON_BENCH_KERNEL_BENCH_CUDA_HPP

#include "kernel_bench.hpp"

#include <cuda_runtime.h>

namespace bench {

inline void must(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

__global__ void fill_kernel(float *to, std::size_t count, std::uint32_t seed) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    to[i] = random_float(static_cast<std::uint32_t>(i) + seed);
  }
}

struct device {
  cudaEvent_t begin, end;

  device() {
    must(cudaEventCreate(&begin));
    must(cudaEventCreate(&end));
  }
  template <class T>
  T *make(std::size_t count) {
    T *made = nullptr;
    must(cudaMalloc(&made, count * sizeof(T)));
    return made;
  }
  template <class T>
  std::vector<T> read(const T *from, std::size_t count) {
    std::vector<T> to(count);
    must(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
  template <class T>
  T read_one(const T *from) {
    return read(from, 1)[0];
  }
  void fill_random(float *to, std::size_t count, std::uint32_t seed) {
    fill_kernel<<<static_cast<unsigned>((count + 255) / 256), 256>>>(to, count, seed);
    must(cudaGetLastError());
  }

  template <class Submit>
  double time(Submit submit, int repeats = 20) {
    std::vector<double> seconds;
    for (int i = 0; i < repeats + 3; ++i) {
      must(cudaEventRecord(begin));
      submit();
      must(cudaEventRecord(end));
      must(cudaEventSynchronize(end));
      must(cudaGetLastError());
      float milliseconds = 0;
      must(cudaEventElapsedTime(&milliseconds, begin, end));
      if (i >= 3) {
        seconds.push_back(milliseconds * 1e-3);
      }
    }
    return median(seconds);
  }
};

}  // namespace bench

#endif
