// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of European options by the formula of Black and Scholes, in SYCL.
#include "gpu_black_scholes.hpp"

#include "kernel_bench_sycl.hpp"

using namespace black_scholes;

static float normal(float x) { return 0.5f + 0.5f * sycl::erf(x * root_half); }

int main() {
  bench::device d;
  float *prices = d.make<float>(count), *strikes = d.make<float>(count);
  float *times = d.make<float>(count), *calls = d.make<float>(count), *puts = d.make<float>(count);
  d.queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
    const auto n = static_cast<std::uint32_t>(i[0]);
    prices[i] = price(bench::random_float(n));
    strikes[i] = strike(bench::random_float(n + 11));
    times[i] = years(bench::random_float(n + 22));
  });
  const double seconds = d.time([&](auto) {
    return d.queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
      const float s = prices[i], x = strikes[i], t = times[i];
      const float width = volatility * sycl::sqrt(t);
      const float d1 = (sycl::log(s / x) + (rate + 0.5f * volatility * volatility) * t) / width;
      const float d2 = d1 - width;
      const float discount = x * sycl::exp(-rate * t);
      const float n1 = normal(d1), n2 = normal(d2);
      calls[i] = s * n1 - discount * n2;
      puts[i] = discount * (1.0f - n2) - s * (1.0f - n1);
    });
  });
  bench::check("black_scholes", is_right(d.read(calls, count).data(), d.read(puts, count).data()));
  bench::print("black_scholes", seconds, bytes, "GB/s");
}
