// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2 and exp10 of float over all exponents: within 3 ulp, infinite and 0 where they have to
// be, and subnormal where the device has such numbers.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <algorithm>
#include <cmath>
#include <sycl/sycl.hpp>
#include <vector>

constexpr std::uint32_t step = 4093;
constexpr std::size_t count = 0xffffffffu / step + 1;

static float argument(std::size_t i) {
  return sycl::bit_cast<float>(static_cast<std::uint32_t>(i * step));
}

// In units of the last place of a float near `expected`.
static double distance(float found, double expected) {
  int exponent = 0;
  (void)std::frexp(expected, &exponent);
  return std::abs(found - expected) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

static bool is_right(float found, double expected, bool has_subnormals) {
  constexpr double most = 0x1.ffffffp127;  // from there on it rounds to infinity
  if (std::isnan(expected)) {
    return std::isnan(found);
  }
  if (expected >= most * (1 + 0x1p-22)) {
    return std::isinf(found) && found > 0;
  }
  if (expected >= most * (1 - 0x1p-22)) {
    return found >= 0x1.fffff0p127f;
  }
  return distance(found, expected) <= 3 || (!has_subnormals && expected < 0x1p-126 && found == 0);
}

int main() {
  sycl::queue q;
  const auto config = q.get_device().get_info<sycl::info::device::single_fp_config>();
  const bool has_subnormals =
      std::find(config.begin(), config.end(), sycl::info::fp_config::denorm) != config.end();
  std::vector<sycl::float3> values(count);
  {
    sycl::buffer<sycl::float3> all(values.data(), sycl::range<1>(count));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor out(all, cgh, sycl::write_only, sycl::no_init);
      cgh.parallel_for(count, [=](sycl::id<1> i) {
        const float x = sycl::bit_cast<float>(static_cast<std::uint32_t>(i[0] * step));
        out[i] = sycl::float3(sycl::exp(x), sycl::exp2(x), sycl::exp10(x));
      });
    });
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; i++) {
    const double x = argument(i);
    const double expected[3] = {std::exp(x), std::exp2(x), std::pow(10.0, x)};
    for (int f = 0; f < 3; f++) {
      if (!is_right(values[i][f], expected[f], has_subnormals) && wrong++ < 5) {
        std::printf("function %d of %a: %a, expected %a\n", f, x, values[i][f], expected[f]);
      }
    }
  }
  EXPECT(wrong == 0);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT(sycl::exp(-infinity) == 0 && sycl::exp2(-infinity) == 0 && sycl::exp10(-infinity) == 0);
  EXPECT(sycl::exp(infinity) == infinity && sycl::exp(0.0f) == 1 && sycl::exp2(-3.0f) == 0.125f);
  return failures;
}
