// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over ranges: types, operations, sizes, dimensions, identities, old values.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

static sycl::queue q{sycl::property::queue::in_order()};
static const sycl::property_list over{sycl::property::reduction::initialize_to_identity()};

// The numbers are small integers, so that every order gives the same sum.
template <class T>
static T number(std::size_t i) {
  return static_cast<T>((i * 7 + 3) % 11);
}

template <class T>
struct shared {
  explicit shared(std::size_t count, T value = T()) : data(sycl::malloc_shared<T>(count, q)) {
    for (std::size_t i = 0; i < count; ++i) {
      data[i] = value;
    }
  }
  shared(const shared &) = delete;
  ~shared() { sycl::free(data, q); }
  T *const data;
};

template <class T, class Operation, class Expected>
static void check_operation(const char *what, T *values, std::size_t count, Operation operation,
                            Expected expected, T old) {
  shared<T> result(1, old);
  T *to = result.data;
  T want = old;
  for (std::size_t i = 0; i < count; ++i) {
    want = expected(want, values[i]);
  }
  q.parallel_for(sycl::range<1>(count), sycl::reduction(to, operation),
                 [=](sycl::id<1> i, auto &mine) { mine.combine(values[i]); })
      .wait();
  if (*to != want) {
    std::printf("%s over %zu: got %g, expected %g\n", what, count, double(*to), double(want));
    ++failures;
  }
}

template <class T>
static void check_type(const char *type, std::size_t count) {
  shared<T> memory(count + 1);
  T *values = memory.data;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = number<T>(i);
  }
  const auto plus = [](T a, T b) { return static_cast<T>(a + b); };
  const auto least = [](T a, T b) { return b < a ? b : a; };
  check_operation<T>(type, values, count, sycl::plus<T>(), plus, T(5));
  check_operation<T>(type, values, count, sycl::minimum<T>(), least, T(4));
  if constexpr (sizeof(T) == 8) {
    check_operation<T>(
        type, values, count, sycl::maximum<>(), [](T a, T b) { return a < b ? b : a; }, T(2));
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<T>(i % 50 == 7 ? 2 : 1);
    }
    check_operation<T>(
        type, values, count < 400 ? count : 400, sycl::multiplies<T>(),
        [](T a, T b) { return static_cast<T>(a * b); }, T(3));
  }
}

template <class T>
static void check_bits(const char *type) {
  constexpr std::size_t count = 1003;
  shared<T> memory(count);
  T *values = memory.data;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(~(T(1) << (i % 5)));
  }
  check_operation<T>(
      type, values, count, sycl::bit_and<T>(), [](T a, T b) { return static_cast<T>(a & b); },
      T(0x7f));
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(i % 37);
  }
  check_operation<T>(
      type, values, count, sycl::bit_or<T>(), [](T a, T b) { return static_cast<T>(a | b); },
      T(64));
  check_operation<T>(
      type, values, count, sycl::bit_xor<>(), [](T a, T b) { return static_cast<T>(a ^ b); },
      T(64));
}

static void check_operators() {
  shared<int> results(6, 1);
  int *r = results.data;
  r[2] = 0xff;
  q.parallel_for(
       300, sycl::reduction(r, sycl::plus<>()), sycl::reduction(r + 1, sycl::multiplies<int>()),
       sycl::reduction(r + 2, sycl::bit_and<int>()), sycl::reduction(r + 3, sycl::bit_or<>()),
       sycl::reduction(r + 4, sycl::bit_xor<int>()), sycl::reduction(r + 5, sycl::plus<int>()),
       [=](auto i, auto &sum, auto &product, auto &all, auto &any, auto &odd, auto &count) {
         const int n = static_cast<int>(i.get_id(0));
         sum += n;
         product *= n == 100 || n == 200 ? 3 : 1;
         all &= n == 17 ? 0x3f : 0xff;
         any |= n == 250 ? 0x100 : 2;
         odd ^= n == 299 ? 0x40 : 0;
         ++count;
       })
      .wait();
  EXPECT(r[0] == 1 + 299 * 150);
  EXPECT(r[1] == 9);
  EXPECT(r[2] == 0x3f);
  EXPECT(r[3] == 0x103);
  EXPECT(r[4] == 0x41);
  EXPECT(r[5] == 301);
  shared<bool> truths(2);
  bool *t = truths.data;
  t[0] = true;
  q.parallel_for(77, sycl::reduction(t, sycl::logical_and<>()),
                 sycl::reduction(t + 1, sycl::logical_or<bool>()),
                 [=](sycl::id<1> i, auto &all, auto &any) {
                   all.combine(i != 50);
                   any.combine(i == 50);
                 })
      .wait();
  EXPECT(!t[0] && t[1]);
}

// A type of the program's, with and without an identity.
struct extent_of {
  int low;
  int high;
};
struct widen {
  extent_of operator()(const extent_of &a, const extent_of &b) const {
    return {a.low < b.low ? a.low : b.low, a.high < b.high ? b.high : a.high};
  }
};
struct place_of_least {  // no default constructor
  double value;
  std::size_t at;
  place_of_least(double v, std::size_t i) : value(v), at(i) {}
};

static void check_user_types() {
  for (std::size_t count : {1u, 2u, 15u, 16u, 17u, 1000u, 70001u}) {
    shared<extent_of> result(2, extent_of{5, 5});
    extent_of *r = result.data;
    q.parallel_for(sycl::range<1>(count), sycl::reduction(r, widen()),
                   sycl::reduction(r + 1, extent_of{1000, -1000}, widen(), over),
                   [=](sycl::id<1> i, auto &old, auto &fresh) {
                     using reducer = std::remove_reference_t<decltype(old)>;
                     static_assert(std::is_same_v<typename reducer::value_type, extent_of>);
                     static_assert(std::is_same_v<typename reducer::binary_operation, widen>);
                     static_assert(reducer::dimensions == 0);
                     const int n = static_cast<int>(i);
                     if (n % 3 != 1) {
                       old.combine({n, n});
                     }
                     fresh.combine({n + 10, n + 10});
                     fresh.combine({n + 11, n + 11});
                   })
        .wait();
    const int last = static_cast<int>(count) - 1;
    const int used = last % 3 == 1 ? last - 1 : last;
    EXPECT(r[0].low == 0 && r[0].high == (used > 5 ? used : 5));
    EXPECT(r[1].low == 10 && r[1].high == last + 11);
  }
  auto *least = sycl::malloc_shared<place_of_least>(1, q);
  least[0] = {1e9, 0};
  q.parallel_for(
       sycl::range<1>(5000),
       sycl::reduction(least, [](const place_of_least &a,
                                 const place_of_least &b) { return a.value < b.value ? a : b; }),
       [=](sycl::id<1> i, auto &mine) {
         const double x = double(i[0]) - 3210.25;
         mine.combine(place_of_least(x * x, i));
       })
      .wait();
  EXPECT(least->at == 3210 && least->value == 0.0625);
  // Nobody contributes: the old value stays.
  least[0] = {7, 7};
  q.parallel_for(
       100,
       sycl::reduction(least, [](const place_of_least &a, const place_of_least &) { return a; }),
       [=](sycl::id<1>, auto &) {})
      .wait();
  EXPECT(least->at == 7 && least->value == 7);
  sycl::free(least, q);
}

static void check_dimensions() {
  shared<long> result(1);
  long *r = result.data;
  const auto want = [](std::size_t n) { return static_cast<long>(n * (n - 1) / 2); };
  for (std::size_t a : {1u, 3u, 40u}) {
    for (std::size_t b : {1u, 5u, 257u}) {
      q.parallel_for(sycl::range<2>(a, b), sycl::reduction(r, sycl::plus<>(), over),
                     [=](sycl::item<2> i, auto &sum) {
                       const bool right = i.get_range(0) == a && i.get_range(1) == b &&
                                          i.get_linear_id() == i[0] * b + i[1] && i[1] < b;
                       sum += right ? static_cast<long>(i.get_linear_id()) : -1000000;
                     })
          .wait();
      EXPECT(*r == want(a * b));
      q.parallel_for(sycl::range<3>(a, 7, b), sycl::reduction(r, sycl::plus<>(), over),
                     [=](sycl::id<3> i, auto &sum) {
                       const bool right = i[0] < a && i[1] < 7 && i[2] < b;
                       sum += right ? static_cast<long>((i[0] * 7 + i[1]) * b + i[2]) : -1000000;
                     })
          .wait();
      EXPECT(*r == want(a * 7 * b));
    }
  }
  q.parallel_for({200, 300}, sycl::reduction(r, sycl::plus<>(), over), [=](auto, auto &sum) {
     sum += 1;
   }).wait();
  EXPECT(*r == 60000);
}

static void check_old_values() {
  shared<int> result(3, 100);
  int *r = result.data;
  q.parallel_for(10, sycl::reduction(r, sycl::plus<>()),
                 sycl::reduction(r + 1, sycl::plus<>(), over),
                 sycl::reduction(
                     r + 2, 0, [](int a, int b) { return a + b; }, over),
                 [=](sycl::id<1>, auto &a, auto &b, auto &c) {
                   static_assert(std::is_same_v<decltype(a.identity()), int>, "identity");
                   a += 1 + a.identity();
                   b += 1;
                   c.combine(1);
                 })
      .wait();
  EXPECT(r[0] == 110 && r[1] == 10 && r[2] == 10);
  // No work-items.
  q.parallel_for(0, sycl::reduction(r, sycl::plus<>()),
                 sycl::reduction(r + 1, sycl::plus<>(), over),
                 [=](sycl::id<1>, auto &a, auto &b) {
                   a += 1;
                   b += 1;
                 })
      .wait();
  EXPECT(r[0] == 110 && r[1] == 0);
}

int main() {
  for (std::size_t count : {1u, 7u, 16u, 17u, 255u, 1000u, 100003u}) {
    check_type<int>("int", count);
    check_type<long>("long", count);
    check_type<float>("float", count);
    check_type<double>("double", count);
  }
  check_type<short>("short", 1000);
  check_bits<unsigned long>("unsigned long");
  check_bits<unsigned char>("unsigned char");
  check_operators();
  check_user_types();
  check_dimensions();
  check_old_values();
  return failures != 0;
}
