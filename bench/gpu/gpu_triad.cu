// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a = b + s * c over arrays of many times the cache, in CUDA.
#include "kernel_bench_cuda.hpp"

constexpr std::size_t count = std::size_t{1} << 27;
constexpr float scale = 3.0f;

__global__ void triad(float *a, const float *b, const float *c, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = b[i] + scale * c[i];
  }
}

int main() {
  bench::device d;
  float *a = d.make<float>(count), *b = d.make<float>(count), *c = d.make<float>(count);
  d.fill_random(b, count, 0);
  d.fill_random(c, count, 77);
  for (const char *name : {"triad", "triad.nd_range", "triad.accessor"}) {
    const double seconds = d.time([&] { triad<<<(count + 255) / 256, 256>>>(a, b, c, count); });
    const std::vector<float> got = d.read(a, count);
    for (std::uint32_t k = 0; k < bench::samples; ++k) {
      const std::size_t i = bench::sample(count, k);
      const auto n = static_cast<std::uint32_t>(i);
      bench::check(name, got[i] == bench::random_float(n) + scale * bench::random_float(n + 77));
    }
    bench::print(name, seconds, 3.0 * sizeof(float) * count, "GB/s");
  }
}
