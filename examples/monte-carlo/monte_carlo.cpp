// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The price of a European call option by Monte Carlo. The random numbers are a function of the
// path's number (Philox 4x32, 10 rounds), so work-items share no state.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

constexpr std::size_t paths = 1 << 18;
constexpr float price = 100.0f, strike = 105.0f, years = 1.0f, rate = 0.03f, volatility = 0.25f;

struct quad {
  std::uint32_t at[4];
};

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
static quad philox(quad counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * counter.at[0];
    const std::uint64_t b = std::uint64_t(0xCD9E8D57u) * counter.at[2];
    counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.at[1] ^ key0,
                static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32) ^ counter.at[3] ^ key1,
                static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

// Above 0, and at most 1: its logarithm is finite.
static float to_unit(std::uint32_t bits) {
  return static_cast<float>((bits >> 8) + 1) * 0x1p-24f;
}

// What the option pays at the end of a path whose random step is `normal`, seen from today.
template <class Real, class Exp>
static Real payoff(Real normal, Exp exp) {
  const Real drift = (rate - volatility * volatility / 2) * years;
  const Real end = price * exp(drift + volatility * normal);  // sqrt(years) is 1
  return (end > strike ? end - strike : Real(0)) * exp(Real(-rate * years));
}

static float device_payoff(std::uint32_t path) {
  const quad random = philox({{path, 0, 0, 0}}, 2020, 11);
  const float radius = sycl::sqrt(-2.0f * sycl::log(to_unit(random.at[0])));
  const float normal = radius * sycl::cos(6.2831853f * to_unit(random.at[1]));
  return payoff(normal, [](float x) { return sycl::exp(x); });
}

static double host_payoff(std::uint32_t path) {
  const quad random = philox({{path, 0, 0, 0}}, 2020, 11);
  const double radius = std::sqrt(-2.0 * std::log(double(to_unit(random.at[0]))));
  const double normal = radius * std::cos(6.283185307179586 * to_unit(random.at[1]));
  return payoff(normal, [](double x) { return std::exp(x); });
}

static double black_scholes() {
  const auto normal_below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double d1 = (std::log(double(price) / strike) + rate + volatility * volatility / 2.0) /
                    volatility;
  const double d2 = d1 - volatility;
  return price * normal_below(d1) - strike * std::exp(-double(rate)) * normal_below(d2);
}

static int run() {
  sycl::queue q;
  double sum = 0;
  {
    sycl::buffer<double> sum_buffer(&sum, 1);
    q.submit([&](sycl::handler &h) {
      h.parallel_for(sycl::range<1>(paths),
                     sycl::reduction(sum_buffer, h, sycl::plus<>()),
                     [=](sycl::id<1> path, auto &total) {
                       total += device_payoff(static_cast<std::uint32_t>(path[0]));
                     });
    });
    q.wait_and_throw();
  }  // the sum is written back here
  double host_sum = 0, host_squares = 0;
  for (std::uint32_t path = 0; path < paths; ++path) {
    const double value = host_payoff(path);
    host_sum += value;
    host_squares += value * value;
  }
  const double mean = sum / paths, expected = host_sum / paths;
  const double deviation = std::sqrt((host_squares / paths - expected * expected) / paths);
  const bool same = std::fabs(mean - expected) < 1e-4 * expected;
  const bool near = std::fabs(mean - black_scholes()) < 4 * deviation;
  std::printf("monte-carlo: %s: %.4f; on the host %.4f, by formula %.4f, standard error %.4f\n",
              same && near ? "correct" : "WRONG", mean, expected, black_scholes(), deviation);
  return same && near ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "monte-carlo: %s\n", error.what());
    return 1;
  }
}
