// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of European options by the formula of Black and Scholes, in CUDA.
#include "gpu_black_scholes.hpp"
#include "kernel_bench_cuda.hpp"

using namespace black_scholes;

__global__ void fill(float *prices, float *strikes, float *times) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  prices[i] = price(bench::random_float(i));
  strikes[i] = strike(bench::random_float(i + 11));
  times[i] = years(bench::random_float(i + 22));
}

__device__ float normal(float x) { return 0.5f + 0.5f * erff(x * root_half); }

__global__ void evaluate(float *calls, float *puts, const float *prices, const float *strikes,
                         const float *times) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) {
    return;
  }
  const float s = prices[i], x = strikes[i], t = times[i];
  const float width = volatility * sqrtf(t);
  const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / width;
  const float d2 = d1 - width;
  const float discount = x * expf(-rate * t);
  const float n1 = normal(d1), n2 = normal(d2);
  calls[i] = s * n1 - discount * n2;
  puts[i] = discount * (1.0f - n2) - s * (1.0f - n1);
}

int main() {
  bench::device d;
  float *prices = d.make<float>(count), *strikes = d.make<float>(count);
  float *times = d.make<float>(count), *calls = d.make<float>(count), *puts = d.make<float>(count);
  fill<<<count / 256, 256>>>(prices, strikes, times);
  const double seconds =
      d.time([&] { evaluate<<<count / 256, 256>>>(calls, puts, prices, strikes, times); });
  bench::check("black_scholes", is_right(d.read(calls, count).data(), d.read(puts, count).data()));
  bench::print("black_scholes", seconds, bytes, "GB/s");
}
