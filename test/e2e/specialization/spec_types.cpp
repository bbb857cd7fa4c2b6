// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants of every kind of type, where they may be declared, and what a launch
// sees: the default, what was set, and the default again.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -g %s -o %t.O0 && %t.O0
// Ahead of time: values are compiled from the bitcode beside it, and read from a buffer where there
// is no compiler.
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu %s -o %t.aot && %t.aot
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent %t.aot
#include "../headers/Inputs/expect.hpp"

#include <array>

enum class color : unsigned char { red = 1, green = 2 };
enum plain { plain_one = 1, plain_two = 70000 };

struct padded {
  char a;
  double b;
  bool c;
  short d[3];
  constexpr padded(char x, double y) : a(x), b(y), c(true), d{1, 2, 3} {}
  friend bool operator==(const padded &l, const padded &r) {
    return l.a == r.a && l.b == r.b && l.c == r.c && l.d[0] == r.d[0] && l.d[1] == r.d[1] &&
           l.d[2] == r.d[2];
  }
};
struct base {
  int x = 4;
  char y = 5;
};
struct derived : base {
  char z = 6;  // may lie in the base's tail padding
  padded inner{'q', 0.5};
  friend bool operator==(const derived &l, const derived &r) {
    return l.x == r.x && l.y == r.y && l.z == r.z && l.inner == r.inner;
  }
};
union either {
  int i;
  double d;
  constexpr either(int value) : i(value) {}
  constexpr either(double value) : d(value) {}
  friend bool operator==(const either &l, const either &r) { return l.d == r.d; }
};
struct alignas(64) aligned {
  int v = 9;
  friend bool operator==(const aligned &l, const aligned &r) { return l.v == r.v; }
};
struct bits {
  unsigned a : 3;
  unsigned b : 20;
  constexpr bits(unsigned x, unsigned y) : a(x), b(y) {}
  friend bool operator==(const bits &l, const bits &r) { return l.a == r.a && l.b == r.b; }
};
struct large {
  int values[300];
  constexpr large(int first) : values{} {
    for (int i = 0; i < 300; ++i) {
      values[i] = first + i;
    }
  }
  friend bool operator==(const large &l, const large &r) {
    return l.values[0] == r.values[0] && l.values[299] == r.values[299];
  }
};
struct elements {
  sycl::vec<double, 16> wide;
  sycl::float3 three;
  sycl::marray<int, 5> array;
  constexpr elements(double x)
      : wide(x), three(static_cast<float>(x)), array(static_cast<int>(x)) {}
  friend bool operator==(const elements &l, const elements &r) {
    return l.wide[0] == r.wide[0] && l.wide[15] == r.wide[15] && l.three[2] == r.three[2] &&
           l.array[4] == r.array[4];
  }
};
struct none {
  friend bool operator==(const none &, const none &) { return true; }
};

template <class T>
using id_of = sycl::specialization_id<T>;
constexpr id_of<bool> a_bool(true);
constexpr id_of<char> a_char('x');
constexpr id_of<signed char> a_schar(-5);
constexpr id_of<short> a_short(-300);
constexpr id_of<unsigned short> a_ushort(60000);
constexpr id_of<int> an_int(7);
constexpr id_of<unsigned> an_unsigned(0xfffffff0u);
constexpr id_of<long> a_long(-(1L << 40));
constexpr id_of<unsigned long long> a_ullong(~0ull);
inline constexpr id_of<float> a_float(1.5f);
constexpr id_of<double> a_double(-0.0);
constexpr id_of<sycl::half> a_half(1.5f);
constexpr id_of<sycl::ext::oneapi::bfloat16> a_bfloat(2.5f);
constexpr id_of<color> a_color(color::green);
constexpr id_of<plain> a_plain(plain_two);
namespace {
constexpr id_of<padded> a_padded('a', 2.5);
}
namespace outer::inner {
inline constexpr id_of<derived> a_derived{};
struct holder {
  static constexpr id_of<either> member{3};
};
}  // namespace outer::inner
constexpr id_of<aligned> an_aligned{};
constexpr id_of<bits> a_bits(5u, 70000u);
constexpr id_of<large> a_large(10);
constexpr id_of<elements> some_elements(3.0);
constexpr id_of<none> an_empty{};
constexpr id_of<std::array<int, 3>> an_array(std::array<int, 3>{1, 2, 3});
constexpr id_of<std::pair<char, long>> a_pair('p', 99L);
constexpr id_of<std::nullptr_t> a_null(nullptr);
constexpr id_of<const int *> a_pointer(nullptr);
template <int N>
inline constexpr id_of<int> of_template(N);
template <class T>
struct of_class {
  static constexpr id_of<T> member{T(11)};
};

template <auto &Id>
using type_of = typename std::remove_reference_t<decltype(Id)>::value_type;

// Plain == would do, but for the sign of zero.
template <class T>
bool same(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, double>) {
    return __builtin_signbit(a) == __builtin_signbit(b) && a == b;
  } else {
    return a == b;
  }
}

template <auto &Id>
type_of<Id> launch(sycl::queue &q, const type_of<Id> *value) {
  using type = type_of<Id>;
  auto *result = sycl::malloc_shared<type>(1, q);
  q.submit([&](sycl::handler &cgh) {
     if (value) {
       cgh.set_specialization_constant<Id>(*value);
       EXPECT(same(cgh.get_specialization_constant<Id>(), *value));
     }
     cgh.single_task(
         [=](sycl::kernel_handler kh) { *result = kh.get_specialization_constant<Id>(); });
   }).wait();
  const type copy = *result;
  sycl::free(result, q);
  return copy;
}

template <auto &Id>
void check(sycl::queue &q, const type_of<Id> &normal, const type_of<Id> &other) {
  EXPECT(same(launch<Id>(q, nullptr), normal));
  EXPECT(same(launch<Id>(q, &other), other));
  EXPECT(same(launch<Id>(q, &normal), normal));
  EXPECT(same(launch<Id>(q, nullptr), normal));
}

int main() {
  sycl::queue q;
  check<a_bool>(q, true, false);
  check<a_char>(q, 'x', '\0');
  check<a_schar>(q, -5, 127);
  check<a_short>(q, -300, 300);
  check<a_ushort>(q, 60000, 1);
  check<an_int>(q, 7, -7);
  check<an_unsigned>(q, 0xfffffff0u, 0);
  check<a_long>(q, -(1L << 40), 3);
  check<a_ullong>(q, ~0ull, 0x0123456789abcdefull);
  check<a_float>(q, 1.5f, -2.25f);
  check<a_double>(q, -0.0, 0.0);
  check<a_half>(q, 1.5f, -0.25f);
  check<a_bfloat>(q, 2.5f, -4.0f);
  check<a_color>(q, color::green, color::red);
  check<a_plain>(q, plain_two, plain_one);
  check<a_padded>(q, padded('a', 2.5), padded('b', 3.5));
  derived changed;
  changed.z = 77;
  changed.inner.d[1] = 78;
  check<outer::inner::a_derived>(q, derived(), changed);
  EXPECT(launch<outer::inner::holder::member>(q, nullptr).i == 3);
  const either pi(3.125);
  EXPECT(launch<outer::inner::holder::member>(q, &pi).d == 3.125);
  aligned other_aligned;
  other_aligned.v = 10;
  check<an_aligned>(q, aligned(), other_aligned);
  check<a_bits>(q, bits(5, 70000), bits(2, 1000000));
  check<a_large>(q, large(10), large(-400));
  elements others(4.0);
  others.wide[15] = 8.5;
  check<some_elements>(q, elements(3.0), others);
  check<an_empty>(q, none(), none());
  check<an_array>(q, {1, 2, 3}, {4, 5, 6});
  check<a_pair>(q, {'p', 99}, {'r', 98});
  check<a_null>(q, nullptr, nullptr);
  static const int pointed = 1;
  check<a_pointer>(q, nullptr, &pointed);
  check<of_template<31>>(q, 31, 32);
  check<of_template<32>>(q, 32, 33);
  check<of_class<short>::member>(q, 11, 12);
  return failures != 0;
}
