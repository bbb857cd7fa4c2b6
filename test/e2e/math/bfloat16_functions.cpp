// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of bfloat16, vec and marray of it, on the host and in a kernel.
// Source: the SYCL extension sycl_ext_oneapi_bfloat16_math_functions.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <cmath>
#include <limits>

namespace ex = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::bfloat16;
static_assert(SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS == 1);

static bool is_near(bfloat16 found, double expected) {
  return std::fabs(static_cast<float>(found) - expected) <= std::fabs(expected) / 256 + 1e-3;
}

// How many of the groups of answers are right.
static int count_right(float seed) {
  const bfloat16 x = 2.5f * seed;
  const bfloat16 y = -1.25f * seed;
  const bfloat16 nan = std::numeric_limits<float>::quiet_NaN() * seed;
  int right = 0;
  right += ex::fabs(y) == bfloat16(1.25f);
  right += ex::ceil(x) == 3 && ex::floor(y) == -2 && ex::trunc(y) == -1 && ex::rint(x) == 2;
  right += is_near(ex::cos(x), -0.80114f) && is_near(ex::sin(x), 0.59847f);
  right += is_near(ex::tanh(y), -0.84828f) && is_near(ex::exp(x), 12.18249f);
  right += is_near(ex::exp2(x), 5.65685f) && is_near(ex::exp10(y), 0.05623f);
  right += is_near(ex::log(x), 0.91629f) && is_near(ex::log2(x), 1.32193f);
  right += is_near(ex::log10(x), 0.39794f) && is_near(ex::sqrt(x), 1.58114f);
  right += is_near(ex::rsqrt(x), 0.63246f);
  right +=
      ex::fmin(x, y) == y && ex::fmax(x, y) == x && ex::fmin(nan, y) == y && ex::fmax(x, nan) == x;
  right += ex::isnan(nan) && !ex::isnan(x) && ex::isnan(ex::fmax(nan, nan));
  // 129 * 129 = 16641 lies between 16640 and 16768, which is nearer to the first; and half way
  // between them, 16704, the third operand decides, however small.
  const bfloat16 many = 129.0f * seed;
  right += ex::fma(many, many, bfloat16(0.0f)) == 16640;
  const bfloat16 half_way = 144.0f * seed;  // 144 * 116 = 16704
  const bfloat16 other = 116.0f * seed;
  const bfloat16 least = 0x1p-100f * seed;
  right += ex::fma(half_way, other, bfloat16(0.0f)) == 16640;
  right += ex::fma(half_way, other, least) == 16768 && ex::fma(half_way, other, -least) == 16640;
  right +=
      ex::fma(-half_way, other, least) == -16640 && ex::fma(-half_way, other, -least) == -16768;

  const sycl::vec<bfloat16, 4> v(x, y, nan, bfloat16(16.0f));
  const sycl::vec<bfloat16, 4> roots = ex::sqrt(ex::fabs(v));
  right += is_near(roots[0], 1.58114f) && is_near(roots[1], 1.11803f) && roots[3] == 4;
  const sycl::vec<std::int16_t, 4> where = ex::isnan(v);
  right += where[0] == 0 && where[2] == -1;
  const sycl::vec<bfloat16, 2> least_two = ex::fmin(v.lo(), sycl::vec<bfloat16, 2>(bfloat16(0.0f)));
  right += least_two[0] == 0 && least_two[1] == y;
  const sycl::marray<bfloat16, 3> m{x, y, nan};
  const sycl::marray<bfloat16, 3> twice = ex::fma(m, sycl::marray<bfloat16, 3>(bfloat16(2.0f)), m);
  right += twice[0] == 7.5f && twice[1] == -3.75f && ex::isnan(twice)[2] && !ex::isnan(m)[0];
  return right;
}

int main() {
  constexpr int all = 18;
  sycl::queue q;
  float *seed = sycl::malloc_shared<float>(1, q);
  int *right = sycl::malloc_shared<int>(1, q);
  *seed = 1;
  q.single_task([=] { *right = count_right(*seed); }).wait();
  EXPECT(count_right(*seed) == all && *right == all);
  sycl::free(right, q);
  sycl::free(seed, q);
  return failures;
}
