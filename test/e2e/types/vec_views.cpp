// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements and swizzles of vec, read and written, composed, and as operands.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#define SYCL_SIMPLE_SWIZZLES
#include "Inputs/both_sides.hpp"

using sycl::elem;

// The elements of a vec or swizzle.
template <class X, class... Values>
bool is(const X &v, Values... expected) {
  using T = typename X::element_type;
  static_assert(X::size() == sizeof...(Values), "as many values as elements");
  int i = 0;
  return ((v[i++] == static_cast<T>(expected)) && ...);
}

template <class T, int N>
sycl::vec<T, N> counted(const checks &c, int first) {
  sycl::vec<T, N> v;
  for (int i = 0; i < N; ++i) {
    v[i] = static_cast<T>(c.seed[first + i]);
  }
  return v;
}

template <class T>
[[gnu::noinline]] void names(checks &c) {
  c.type = type_number<T>();
  c.width = 0;
  auto v1 = counted<T, 1>(c, 1);
  auto v2 = counted<T, 2>(c, 1);
  auto v3 = counted<T, 3>(c, 1);
  auto v4 = counted<T, 4>(c, 1);
  auto v8 = counted<T, 8>(c, 1);
  auto v16 = counted<T, 16>(c, 1);
  CHECK(v1.x() == T(1) && v1.s0() == T(1));
  CHECK(v2.x() == T(1) && v2.y() == T(2) && v2.s1() == T(2));
  CHECK(v3.x() == T(1) && v3.y() == T(2) && v3.z() == T(3) && v3.s2() == T(3));
  CHECK(v4.x() == T(1) && v4.y() == T(2) && v4.z() == T(3) && v4.w() == T(4));
  CHECK(v4.r() == T(1) && v4.g() == T(2) && v4.b() == T(3) && v4.a() == T(4));
  CHECK(v8.s0() == T(1) && v8.s4() == T(5) && v8.s5() == T(6) && v8.s6() == T(7));
  CHECK(v8.s7() == T(8) && v16.s8() == T(9) && v16.s9() == T(10) && v16.sA() == T(11));
  CHECK(v16.sB() == T(12) && v16.sC() == T(13) && v16.sD() == T(14) && v16.sE() == T(15));
  CHECK(v16.sF() == T(16) && v16.s3() == T(4));
  v3.z() = T(9);
  v4.a() = T(8);
  v16.sF() = T(7);
  CHECK(v3[2] == T(9) && v4[3] == T(8) && v16[15] == T(7) && &v4.w() == &v4[3]);
  const auto fixed = v4;
  static_assert(std::is_same_v<decltype(fixed.x()), const T &>);
  static_assert(std::is_same_v<decltype(v4.x()), T &>);
  CHECK(fixed.w() == T(8) && fixed[0] == T(1));
  CHECK(v4.get_count() == 4 && v3.get_size() == 4 * sizeof(T));

  v4 = counted<T, 4>(c, 1);
  v16 = counted<T, 16>(c, 1);
  CHECK(is(v4.lo(), T(1), T(2)) && is(v4.hi(), T(3), T(4)));
  CHECK(is(v4.odd(), T(2), T(4)) && is(v4.even(), T(1), T(3)));
  CHECK(v2.lo() == T(1) && v2.hi() == T(2) && v2.odd() == T(2) && v2.even() == T(1));
  v3 = counted<T, 3>(c, 1);
  CHECK(is(v3.lo(), T(1), T(2)) && v3.hi()[0] == T(3) && v3.odd()[0] == T(2));
  CHECK(is(v3.even(), T(1), T(3)));
  CHECK(is(v16.hi().odd(), T(10), T(12), T(14), T(16)));
  CHECK(is(v16.lo().hi().even(), T(5), T(7)));
  v16.even() = v16.odd();
  v16.hi().hi() = T(5);
  CHECK(is(v16, T(2), T(2), T(4), T(4), T(6), T(6), T(8), T(8), T(10), T(10), T(12), T(12), T(5),
           T(5), T(5), T(5)));
}

template <class T>
[[gnu::noinline]] void views(checks &c) {
  c.type = type_number<T>();
  c.width = 4;
  const T s = static_cast<T>(c.seed[2]);
  auto v = counted<T, 4>(c, 1);
  using V2 = sycl::vec<T, 2>;
  using V4 = sycl::vec<T, 4>;
  const V4 k = v;
  V4 r = v.template swizzle<elem::s3, elem::s2, elem::s1, elem::s0>();
  CHECK(is(r, T(4), T(3), T(2), T(1)));
  r = k.template swizzle<0, 0, 3, 3>();
  CHECK(is(r, T(1), T(1), T(4), T(4)));
  r = v.wzyx().xxyy();
  CHECK(is(r, T(4), T(4), T(3), T(3)));
  sycl::vec<T, 8> wide = v.template swizzle<0, 1, 2, 3, 3, 2, 1, 0>();
  CHECK(wide[7] == T(1) && wide[4] == T(4));
  V4 joined(v.xy(), s, k.w());
  CHECK(is(joined, T(1), T(2), T(2), T(4)));

  v.xy() = v.yx();
  CHECK(is(v, T(2), T(1), T(3), T(4)));
  v.zw() = v.xy();
  CHECK(is(v, T(2), T(1), T(2), T(1)));
  v.xz() = s;
  v.yw() = V2(T(5), T(6));
  CHECK(is(v, T(2), T(5), T(2), T(6)));
  v.bgr() = {T(7), T(8), T(9)};
  CHECK(is(v, T(9), T(8), T(7), T(6)));
  v.wzyx().lo() = k.xy();
  CHECK(is(v, T(9), T(8), T(2), T(1)));
  v.zyxw()[0] = T(3);
  v.zyxw().y() = T(4);
  CHECK(is(v, T(9), T(4), T(3), T(1)));

  v = k;
  V2 two = v.xy() + v.zw();
  CHECK(is(two, T(4), T(6)));
  two = v.xy() + k.zw();
  CHECK(is(two, T(4), T(6)));
  two = k.xy() * v.zw() - V2(T(1));
  CHECK(is(two, T(2), T(7)));
  two = V2(s) * v.yx();
  CHECK(is(two, T(4), T(2)));
  two = v.xy() + s;
  CHECK(is(two, T(3), T(4)));
  two = s * k.xy();
  CHECK(is(two, T(2), T(4)));
  two = 2 * v.xy() / 2;
  CHECK(is(two, T(1), T(2)));
  v.xy() += v.zw();
  v.zw() -= s;
  v.yx() *= V2(T(2), T(3));
  CHECK(is(v, T(12), T(12), T(1), T(2)));
  v.xz() /= T(1);
  ++v.xw();
  two = v.zw()++;
  CHECK(is(v, T(13), T(12), T(2), T(4)) && is(two, T(1), T(3)));
  two = --v.xy();
  v.zw()--;
  CHECK(is(v, T(12), T(11), T(1), T(3)) && is(two, T(12), T(11)));
  CHECK((v.xy() == v.xy())[0] == -1 && (v.xy() < v.yx())[0] == 0 && (v.yx() < v.xy())[0] == -1);
  CHECK((v.xy() >= s)[1] == -1 && (s > k.xy())[1] == 0 && (v.xy() != V2(T(12)))[1] == -1);
  CHECK((v.xy() && v.zw())[1] == -1 && (!v.xy())[0] == 0 && (v.xy() || T(0))[0] == -1);
  CHECK(is(-(-v.xy()), T(12), T(11)) && is(+k.yx(), T(2), T(1)));
  if constexpr (std::is_integral_v<T>) {
    v.xy() <<= 1;
    v.xy() |= T(1);
    v.xy() ^= k.xy();
    CHECK(is(v.xy() & V2(T(0x7f)), T(24), T(21)));
    CHECK(is(~v.xy(), T(~24), T(~21)) && is(v.xy() % 5, T(4), T(1)));
    v.xy() >>= V2(T(1), T(2));
    v.xy() %= T(7);
    v.xy() &= v.xy();
    CHECK(is(v.xy(), T(5), T(5)));
  }

  T memory[16];
  for (int i = 0; i < 16; ++i) {
    memory[i] = static_cast<T>(c.seed[i]);
  }
  r.load(2, memory);
  CHECK(is(r, T(8), T(9), T(10), T(11)));
  const T *readable = memory;
  r.load(0, readable + 1);
  CHECK(is(r, T(1), T(2), T(3), T(4)));
  r.store(1, memory);
  r.wz().store(0, memory);
  CHECK(memory[4] == T(1) && memory[7] == T(4) && memory[0] == T(4) && memory[1] == T(3));
  r.zx().load(1, readable);
  CHECK(is(r, T(3), T(2), T(2), T(4)));
  sycl::vec<T, 3> three(T(1), T(2), T(3));
  three.store(1, memory);
  CHECK(memory[3] == T(1) && memory[5] == T(3) && memory[6] == T(3));
  three.load(0, memory + 4);
  CHECK(is(three, T(2), T(3), T(3)));

  namespace access = sycl::access;
  const auto global =
      sycl::address_space_cast<access::address_space::generic_space, access::decorated::no>(memory);
  r.load(1, global);
  CHECK(is(r, 2, 3, 3, 4));
  r.xx().store(7, global);
  CHECK(memory[14] == T(2) && memory[15] == T(2));

  const T first = k.template swizzle<2>();
  CHECK(first == T(3) && static_cast<double>(k.template swizzle<1>()) == 2.0);
  sycl::vec<T, 1> one = k.template swizzle<3>();
  CHECK(one == T(4) && one + 1 == T(5));
  v = k;
  v.template swizzle<1>() = 7;
  v.template swizzle<2>() += one;
  CHECK(is(v, T(1), T(7), T(7), T(4)));
  auto view = v.xw();
  view = k.yz();
  const auto &same = (view += T(1));
  CHECK(&same == &view && is(v, T(3), T(7), T(7), T(4)) && view.size() == 2);
  static_assert(decltype(view)::byte_size() == 2 * sizeof(T));
  static_assert(std::is_same_v<typename decltype(view)::element_type, T>);
  static_assert(!std::is_copy_constructible_v<decltype(view)> &&
                !std::is_default_constructible_v<decltype(view)>);
}

constexpr sycl::int4 swapped(sycl::int4 v) {
  v.lo() = v.hi();
  return v.zwxy();
}
static_assert(swapped({1, 2, 3, 4})[0] == 3 && swapped({1, 2, 3, 4})[3] == 4);

template <class T, class = void>
struct can_add_to : std::false_type {};
template <class T>
struct can_add_to<T, std::void_t<decltype(std::declval<T>() += 1)>> : std::true_type {};
static_assert(can_add_to<decltype(std::declval<sycl::int4 &>().xy())>());
static_assert(!can_add_to<decltype(std::declval<sycl::int4 &>().xx())>());
static_assert(!can_add_to<decltype(std::declval<const sycl::int4 &>().xy())>());

int main() {
  return on_both_sides(__FILE__, [](checks &c) {
    names<float>(c), names<std::int8_t>(c);
    views<float>(c), views<std::int32_t>(c), views<std::int16_t>(c), views<sycl::half>(c);
  });
}
