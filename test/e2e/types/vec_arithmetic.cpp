// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vec's operators for its element types and widths, against the same operators on scalars.
// All of it at -O0; optimizing so many functions takes long, so the types that differ do at -O2.
// RUN: %tenonxx -fsycl -O0 -DALL_TYPES -Wall -Wextra -Werror %s -o %t.O0 && %t.O0
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
#include "Inputs/both_sides.hpp"

template <class T, int N>
struct values {
  sycl::vec<T, N> a, b;
  T s;
  explicit values(const checks &c) : s(static_cast<T>(c.seed[2])) {
    for (int i = 0; i < N; ++i) {
      a[i] = static_cast<T>(c.seed[(3 * i + 5) % 11]);
      b[i] = static_cast<T>(c.seed[i % 5 + 1]);
    }
  }
};

template <class T>
using mask_of = std::conditional_t<
    sizeof(T) == 1, std::int8_t,
    std::conditional_t<sizeof(T) == 2, std::int16_t,
                       std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

#define BINARY(op)                             \
  {                                            \
    V r;                                       \
    r = CALL(a op b);                          \
    EACH(r[i] == static_cast<T>(a[i] op b[i])) \
    r = CALL(a op s);                          \
    EACH(r[i] == static_cast<T>(a[i] op s))    \
    r = CALL(s op b);                          \
    EACH(r[i] == static_cast<T>(s op b[i]))    \
    r = a;                                     \
    CHECK(CALL(&(r op## = b) == &r));          \
    EACH(r[i] == static_cast<T>(a[i] op b[i])) \
    r = a;                                     \
    CALL(r op## = s);                          \
    EACH(r[i] == static_cast<T>(a[i] op s))    \
  }
#define MASK(op)                            \
  {                                         \
    sycl::vec<mask_of<T>, N> r;             \
    r = CALL(a op b);                       \
    EACH(r[i] == ((a[i] op b[i]) ? -1 : 0)) \
    r = CALL(a op s);                       \
    EACH(r[i] == ((a[i] op s) ? -1 : 0))    \
    r = CALL(s op b);                       \
    EACH(r[i] == ((s op b[i]) ? -1 : 0))    \
  }

template <class T, int N>
[[gnu::noinline]] void relations(checks &c) {
  using V = sycl::vec<T, N>;
  c.type = type_number<T>();
  c.width = N;
  const values<T, N> v(c);
  const V &a = v.a, &b = v.b;
  const T s = v.s;
  MASK(==)
  MASK(!=)
  MASK(<)
  MASK(>)
  MASK(<=) MASK(>=) static_assert(std::is_trivially_copyable_v<V> && sycl::is_device_copyable_v<V>);
  static_assert(V::size() == N && V::byte_size() == sizeof(T) * (N == 3 ? 4 : N));
  static_assert(sizeof(V) == V::byte_size());
  static_assert(alignof(V) == (sizeof(V) < 64 ? sizeof(V) : 64));
  static_assert(std::is_same_v<typename V::element_type, T> &&
                std::is_same_v<typename V::value_type, T>);
}

template <class T, int N>
[[gnu::noinline]] void numbers(checks &c) {
  using V = sycl::vec<T, N>;
  relations<T, N>(c);
  const values<T, N> v(c);
  const V &a = v.a, &b = v.b;
  const T s = v.s;
  BINARY(+) BINARY(-) BINARY(*) BINARY(/) MASK(&&) MASK(||) V r = -a;
  EACH(r[i] == static_cast<T>(-a[i]))
  r = +a;
  EACH(r[i] == a[i])
  sycl::vec<mask_of<T>, N> m = !a;
  EACH(m[i] == (a[i] == T(0) ? -1 : 0))
  r = a;
  V &up = ++r;
  CHECK(&up == &r);
  EACH(r[i] == static_cast<T>(a[i] + T(1)))
  V before = r--;
  EACH(before[i] == static_cast<T>(a[i] + T(1)) && r[i] == a[i])
  before = r++;
  --r;
  EACH(before[i] == a[i] && r[i] == a[i])
  r = V(a);
  r += r;
  EACH(r[i] == static_cast<T>(a[i] + a[i]))
  r = a;
  r += r[0];
  EACH(r[i] == static_cast<T>(a[i] + a[0]))
  r = s;
  EACH(r[i] == s)
  r = a;
  r = r[N - 1];
  EACH(r[i] == a[N - 1])
}

template <class T, int N>
[[gnu::noinline]] void integers(checks &c) {
  using V = sycl::vec<T, N>;
  numbers<T, N>(c);
  const values<T, N> v(c);
  const V &a = v.a, &b = v.b;
  const T s = v.s;
  BINARY(%) BINARY(&) BINARY(|) BINARY(^) BINARY(<<) BINARY(>>) V r = ~a;
  EACH(r[i] == static_cast<T>(~a[i]))
  if (std::is_signed_v<T>) {
    r = -a >> T(1);
    EACH(r[i] == static_cast<T>(static_cast<T>(-a[i]) >> 1))
  }
}

template <int N>
[[gnu::noinline]] void bytes(checks &c) {
  using T = std::byte;
  using V = sycl::vec<T, N>;
  relations<T, N>(c);
  const values<T, N> v(c);
  const V &a = v.a, &b = v.b;
  const T s = v.s;
  BINARY(&) BINARY(|) BINARY(^) V r = ~a;
  EACH(r[i] == ~a[i])
}

struct to_float4 {
  sycl::float4 value;
  operator sycl::float4() const { return value; }
};
struct to_float {
  operator float() const { return 3.0f; }
};

// Operands of other types; what does not compile must not.
template <class L, class R, class = void>
struct can_add : std::false_type {};
template <class L, class R>
struct can_add<L, R, std::void_t<decltype(std::declval<L>() + std::declval<R>())>>
    : std::true_type {};
template <class L, class R, class = void>
struct can_mod : std::false_type {};
template <class L, class R>
struct can_mod<L, R, std::void_t<decltype(std::declval<L>() % std::declval<R>())>>
    : std::true_type {};
static_assert(can_add<sycl::float4, int>() && can_add<double, sycl::float4>());
static_assert(!can_add<sycl::float4, sycl::int4>() && !can_add<sycl::float4, sycl::float3>());
static_assert(!can_add<sycl::float4, const char *>());
static_assert(!can_add<sycl::vec<std::byte, 2>, sycl::vec<std::byte, 2>>());
static_assert(can_mod<sycl::int4, int>() && !can_mod<sycl::float4, sycl::float4>());
static_assert(!std::is_convertible_v<float, sycl::float4> &&
              std::is_constructible_v<sycl::float4, float>);
static_assert(std::is_convertible_v<float, sycl::vec<float, 1>>);
static_assert(!std::is_constructible_v<sycl::float4, float, float> &&
              !std::is_constructible_v<sycl::float4, sycl::float3, sycl::float2> &&
              !std::is_constructible_v<sycl::float4, sycl::int4> &&
              std::is_constructible_v<sycl::float4, int, sycl::float2, double>);
static_assert(std::is_same_v<decltype(sycl::vec(1.0f, 2.0f, 3.0f)), sycl::float3>);

constexpr sycl::float4 folded = sycl::float4(1, 2, 3, 4) * 2 + sycl::float4(1.0f);
static_assert(folded[0] == 3 && folded[3] == 9 && (folded < 8.0f)[3] == 0);

void other_operands(checks &c) {
  const float x = static_cast<float>(c.seed[3]);
  sycl::float4 a(x, x + 1, x + 2, x + 3);
  const to_float4 converts{a};
  a = a + converts + to_float();
  CHECK(a[0] == 9 && a[3] == 15);
  a = converts - a;
  CHECK(a[0] == -6);
  const sycl::vec<float, 1> one(x);
  const float scalar = one + 1;
  CHECK(scalar == 4 && one == 3.0f && static_cast<int>(one) == 3);
  double wide = one;
  CHECK(wide == 3.0);
  a = one;
  CHECK(a[2] == 3);
  a = a * one + sycl::vec<int, 1>(2);
  CHECK(a[1] == 11);
  const sycl::float2 two(1, 2);
  const sycl::float8 eight(a, two, 7, one);
  CHECK(eight[0] == 11 && eight[4] == 1 && eight[5] == 2 && eight[6] == 7 && eight[7] == 3);
  const sycl::float16 sixteen(eight, two, two, a);
  CHECK(sixteen[8] == 1 && sixteen[12] == 11 && sixteen[15] == 11);
  sycl::float3 three{1, 2, 3};
  three = {4, 5, 6};
  CHECK(three[2] == 6);
  CHECK((sycl::float2(0.0f / (x - 3), 1) != sycl::float2(0, 1))[0] == -1);
  CHECK((sycl::float2(0.0f / (x - 3), 1) == sycl::float2(0, 1))[0] == 0);
}

int main() {
  return on_both_sides(__FILE__, [](checks &c) {
    integers<std::int32_t, 4>(c), numbers<float, 3>(c), relations<double, 16>(c), bytes<4>(c);
#ifdef ALL_TYPES
    integers<std::int8_t, 8>(c), integers<std::uint16_t, 1>(c), integers<std::uint32_t, 2>(c);
    integers<std::int64_t, 3>(c), relations<std::uint8_t, 16>(c), relations<std::int16_t, 3>(c);
    relations<std::uint64_t, 8>(c), relations<char, 3>(c), relations<bool, 4>(c), bytes<1>(c);
    numbers<float, 1>(c), numbers<float, 16>(c), numbers<double, 2>(c), numbers<sycl::half, 4>(c);
#endif
    other_operands(c);
  });
}
