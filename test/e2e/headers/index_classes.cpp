// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// id, range, nd_range and item: construction, operators, conversions; on host and device.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/expect.hpp"

#include <type_traits>

using sycl::id;
using sycl::range;

template <class I>
static void check_operators() {
  I a(6, 9), b(4, 2);
  EXPECT((a + b == I(10, 11)) && (a - b == I(2, 7)) && (a * b == I(24, 18)));
  EXPECT((a / b == I(1, 4)) && (a % b == I(2, 1)) && (a << b == I(96, 36)) && (a >> b == I(0, 2)));
  EXPECT(((a & b) == I(4, 0)) && ((a | b) == I(6, 11)) && ((a ^ b) == I(2, 11)));
  EXPECT(((a && b) == I(1, 1)) && ((a || b) == I(1, 1)));
  EXPECT(((a < b) == I(0, 0)) && ((a > b) == I(1, 1)) && ((a <= b) == I(0, 0)) &&
         ((a >= b) == I(1, 1)));
  EXPECT((a + 1 == I(7, 10)) && (1 + a == I(7, 10)) && (20 - a == I(14, 11)) &&
         (a * 2u == I(12, 18)));
  EXPECT(((a > 7) == I(0, 1)) && ((7 > a) == I(1, 0)));
  I c = a;
  c += b;
  EXPECT(c == I(10, 11));
  c -= 1;
  EXPECT(c == I(9, 10));
  c *= 2;
  c /= 3;
  c %= 4;
  EXPECT(c == I(2, 2));
  c <<= 2;
  c >>= 1;
  c |= 1;
  c &= I(7, 4);
  c ^= 2;
  EXPECT(c == I(7, 6));
  EXPECT(++c == I(8, 7) && c++ == I(8, 7) && c == I(9, 8) && --c == I(8, 7) && c-- == I(8, 7));
  EXPECT(+c == I(7, 6) && -I(1, 0) == I(~std::size_t(0), 0));
  EXPECT(a != b && !(a == b) && a.get(1) == 9 && a[0] == 6);
  a[1] = 3;
  EXPECT(a == I(6, 3));
}

int main() {
  check_operators<id<2>>();
  check_operators<range<2>>();
  static_assert(std::is_same_v<decltype(id(1, 2, 3)), id<3>>);
  static_assert(std::is_same_v<decltype(range(1)), range<1>>);
  static_assert(!std::is_convertible_v<range<1>, std::size_t>);
  static_assert(std::is_convertible_v<id<1>, std::size_t>);
  static_assert(!std::is_convertible_v<id<2>, std::size_t>);
  static_assert(!std::is_default_constructible_v<sycl::item<1>>);
  static_assert(std::is_trivially_copyable_v<id<3>> && sizeof(id<3>) == 3 * sizeof(std::size_t));
  static_assert(std::is_trivially_copyable_v<range<2>> &&
                std::is_trivially_copyable_v<sycl::item<2>>);
  id<1> one = 5;
  int data[] = {0, 1, 2, 3, 4, 5, 6};
  EXPECT(data[one] == 5 && one == 5 && 5u == one && one != 4 && one + 1 == 6);
  EXPECT(id<3>() == id<3>(0, 0, 0) && range<3>(2, 3, 4).size() == 24 &&
         id<2>(range<2>(3, 4))[1] == 4);
  sycl::nd_range<2> nd({8, 6}, {4, 2});
  EXPECT(nd.get_global_range() == range<2>(8, 6) && nd.get_local_range() == range<2>(4, 2));
  EXPECT(nd.get_group_range() == range<2>(2, 3) && nd == sycl::nd_range<2>({8, 6}, {4, 2}));

  sycl::queue q;
  auto *out = sycl::malloc_shared<std::size_t>(64, q);
  q.parallel_for(range<3>(2, 3, 4), [=](sycl::item<3> i) {
     id<3> here = i;
     range<3> r = i.get_range();
     out[i.get_linear_id()] = here[0] * 100 + here[1] * 10 + here[2] +
                              (r == range<3>(2, 3, 4) ? 0 : 1000) + (i.get_range(1) - 3);
   }).wait();
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t y = 0; y < 3; ++y) {
      for (std::size_t z = 0; z < 4; ++z) {
        EXPECT(out[(x * 3 + y) * 4 + z] == x * 100 + y * 10 + z);
      }
    }
  }
  sycl::free(out, q);
  return failures;
}
