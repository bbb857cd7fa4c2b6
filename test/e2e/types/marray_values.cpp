// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// marray: construction, iteration, operators against scalars, elements of users' types.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/both_sides.hpp"

#include <array>
#include <string>

#define AT static_cast<std::size_t>(i)
#define BINARY(op)                              \
  r = CALL(a op b);                             \
  EACH(r[AT] == static_cast<T>(a[AT] op b[AT])) \
  r = CALL(a op s);                             \
  EACH(r[AT] == static_cast<T>(a[AT] op s))     \
  r = CALL(s op b);                             \
  EACH(r[AT] == static_cast<T>(s op b[AT]))     \
  r = a;                                        \
  CHECK(CALL(&(r op## = b) == &r));             \
  EACH(r[AT] == static_cast<T>(a[AT] op b[AT])) \
  CALL((r = a) op## = s);                       \
  EACH(r[AT] == static_cast<T>(a[AT] op s))
#define MASK(op)                  \
  m = CALL(a op b);               \
  EACH(m[AT] == (a[AT] op b[AT])) \
  m = CALL(a op s);               \
  EACH(m[AT] == (a[AT] op s))     \
  m = CALL(s op b);               \
  EACH(m[AT] == (s op b[AT]))

template <class T, std::size_t N>
[[gnu::noinline]] void all(checks &c) {
  c.type = type_number<T>();
  c.width = N;
  using A = sycl::marray<T, N>;
  A a, b, r;
  sycl::marray<bool, N> m;
  const T s = static_cast<T>(c.seed[2]);
  for (std::size_t i = 0; i < N; ++i) {
    a[i] = static_cast<T>(c.seed[(3 * i + 5) % 11]);
    b[i] = static_cast<T>(c.seed[i % 5 + 1]);
  }
  BINARY(+)
  BINARY(-)
  BINARY(*)
  BINARY(/)
  MASK(==) MASK(!=) MASK(<) MASK(>) MASK(<=) MASK(>=) MASK(&&)
      MASK(||) if constexpr (std::is_integral_v<T>) {
    BINARY(%) BINARY(&) BINARY(|) BINARY(^) BINARY(<<) BINARY(>>) r = ~a;
    EACH(r[AT] == static_cast<T>(~a[AT]))
  }
  m = !a;
  EACH(m[AT] == !a[AT])
  r = -a;
  EACH(r[AT] == static_cast<T>(-a[AT]))
  r = +a;
  A &up = ++r;
  CHECK(&up == &r);
  EACH(r[AT] == static_cast<T>(a[AT] + T(1)))
  r = a;
  const A before = r--;
  EACH(before[AT] == a[AT] && r[AT] == static_cast<T>(a[AT] - T(1)))
  --r;
  EACH(r[AT] == static_cast<T>(a[AT] - T(2)))
  r = s;
  EACH(r[AT] == s)
  std::size_t count = 0;
  for (T &element : r) {
    element = static_cast<T>(c.seed[count++]);
  }
  const A fixed = r;
  CHECK(count == N && fixed.end() - fixed.begin() == static_cast<std::ptrdiff_t>(N));
  EACH(fixed.begin()[AT] == static_cast<T>(c.seed[AT]))
  static_assert(sizeof(A) == sizeof(std::array<T, N>) && alignof(A) == alignof(std::array<T, N>));
  static_assert(std::is_trivially_copyable_v<A> && sycl::is_device_copyable_v<A>);
  static_assert(A::size() == N && std::is_same_v<typename A::iterator, T *>);
}

// A number of a user's: its operators are used, and it need not be trivial to copy.
struct fixed_point {
  int value = 7;
  fixed_point() = default;
  fixed_point(int v) : value(v) {}
  fixed_point(const fixed_point &other) : value(other.value) {}
  fixed_point &operator=(const fixed_point &) = default;
  friend fixed_point operator+(fixed_point a, fixed_point b) { return a.value + b.value; }
  friend bool operator<(fixed_point a, fixed_point b) { return a.value < b.value; }
};
template <>
struct sycl::is_device_copyable<fixed_point> : std::true_type {};
static_assert(sycl::is_device_copyable_v<sycl::marray<fixed_point, 3>> &&
              !sycl::is_device_copyable_v<sycl::marray<std::string, 2>>);

[[gnu::noinline]] void others(checks &c) {
  const int one = c.seed[1];
  const sycl::marray<fixed_point, 3> u(fixed_point(one), 2, fixed_point(3));
  const auto sum = u + u + fixed_point(1);
  CHECK(sum[0].value == 3 && sum[2].value == 7 && (u < fixed_point(2))[0] && !(u < 2)[1]);
  const sycl::marray<fixed_point, 2> defaults;
  CHECK(defaults[0].value == 7 && defaults[1].value == 7);
  const sycl::mfloat2 pair(1, 2.5);
  const sycl::marray<float, 5> five(pair, one, pair);
  CHECK(five[0] == 1 && five[1] == 2.5f && five[2] == 1 && five[4] == 2.5f);
  const sycl::marray<int, 1> single = one;
  const int scalar = single;
  const double wide = single;
  CHECK(scalar == 1 && wide == 1.0 && single + 1 == 2);
  const sycl::mint3 filled(5);
  CHECK(filled[0] == 5 && filled[2] == 5 && (filled * 2)[1] == 10 && (1 - filled)[1] == -4);
  sycl::mint3 list{1, 2, 3};
  list = {4, 5, 6};
  CHECK(list[0] == 4 && list[2] == 6);
}

constexpr sycl::mint4 folded = sycl::mint4(1, 2, 3, 4) * 2 + sycl::mint4(1);
static_assert(folded[0] == 3 && folded[3] == 9 && (folded < 4)[0] && !(folded < 4)[1]);
static_assert(!std::is_constructible_v<sycl::mint4, int, int> &&
              !std::is_convertible_v<int, sycl::mint4>);
static_assert(std::is_same_v<decltype(sycl::marray(1.0f, 2.0f)), sycl::mfloat2>);

int main() {
  return on_both_sides(__FILE__, [](checks &c) {
    all<int, 3>(c), all<float, 7>(c), all<std::uint8_t, 1>(c), all<sycl::half, 2>(c);
    others(c);
  });
}
