// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half and bfloat16: every value, conversions' rounding, arithmetic and mixed operands.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/both_sides.hpp"

#include <cmath>
#include <cstring>
#include <unordered_set>
#include <vector>

using sycl::half;
using sycl::ext::oneapi::bfloat16;
using limits = std::numeric_limits<half>;

// The value of a format's bits, and the nearest value's bits, by arithmetic on doubles.
static double value_of(unsigned bits, int fraction, int bias) {
  const unsigned exponent = (bits & 0x7fffu) >> fraction;
  const unsigned rest = bits & ((1u << fraction) - 1u);
  const unsigned top = 0x7fffu >> fraction;
  double value = 0;
  if (exponent == top) {
    value = rest != 0 ? std::nan("") : HUGE_VAL;
  } else if (exponent == 0) {
    value = std::ldexp(rest, 1 - bias - fraction);
  } else {
    value = std::ldexp((1u << fraction) + rest, static_cast<int>(exponent) - bias - fraction);
  }
  return (bits & 0x8000u) != 0 ? -value : value;
}
static unsigned bits_of(double value, int fraction, int bias) {
  const unsigned sign = std::signbit(value) ? 0x8000u : 0u;
  const double size = std::fabs(value);
  const unsigned infinity = 0x7fffu >> fraction << fraction;
  if (size == 0) {
    return sign;
  }
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = std::max(exponent - 1, 1 - bias);
  const double steps = std::nearbyint(std::ldexp(size, fraction - exponent));
  const double rounded = std::ldexp(steps, exponent - fraction);
  if (std::isinf(size) || rounded >= std::ldexp(1, bias + 1)) {
    return sign | infinity;
  }
  // Bits of floats count their values: as many as up to this exponent, and steps.
  const double before = std::ldexp(exponent + bias - 1, fraction);
  return sign | static_cast<unsigned>(before + steps);
}

constexpr int arithmetic_count = 256;

struct results {
  std::uint16_t from_float[arithmetic_count];
  std::uint16_t from_double[arithmetic_count];
  std::uint16_t sum[arithmetic_count], difference[arithmetic_count];
  std::uint16_t product[arithmetic_count], quotient[arithmetic_count];
};

template <class T>
void compute(std::size_t i, const double *inputs, results *out) {
  const double x = inputs[i];
  const T a(static_cast<float>(x));
  const T b(static_cast<float>(inputs[(i * 7 + 3) % arithmetic_count]));
  out->from_float[i] = sycl::bit_cast<std::uint16_t>(a);
  if constexpr (std::is_same_v<T, half>) {
    out->from_double[i] = sycl::bit_cast<std::uint16_t>(half(x));
  }
  out->sum[i] = sycl::bit_cast<std::uint16_t>(a + b);
  out->difference[i] = sycl::bit_cast<std::uint16_t>(a - b);
  out->product[i] = sycl::bit_cast<std::uint16_t>(a * b);
  out->quotient[i] = sycl::bit_cast<std::uint16_t>(a / b);
}

static int failures;

static void expect(unsigned got, unsigned expected, const char *what, double input) {
  if (got != expected && ++failures < 20) {
    std::printf("%s of %a: expected bits %04x, got %04x\n", what, input, expected, got);
  }
}

template <class T>
void arithmetic(sycl::queue &q, int fraction, int bias, const char *name) {
  double *inputs = sycl::malloc_shared<double>(arithmetic_count, q);
  results *out = sycl::malloc_shared<results>(2, q);
  unsigned random = 12345;
  for (int i = 0; i < arithmetic_count; ++i) {
    random = random * 1664525u + 1013904223u;
    inputs[i] = std::ldexp(1.0 + random / 0x1p32, static_cast<int>(random >> 7 & 31u) - 20);
    inputs[i] = (random & 4096u) != 0 ? -inputs[i] : inputs[i];
  }
  // Where rounding to float first would decide otherwise, and the ends of the range.
  const double special[] = {1 + 0x1p-11 + 0x1p-40,
                            1 + 0x1p-11,
                            1 + 0x3p-11,
                            65520.0,
                            65519.999999,
                            0x1p-25,
                            0x1.8p-24,
                            0x1p-25 + 0x1p-60,
                            0x1.ffep-15,
                            0x1p-14 - 0x1p-26,
                            1e300,
                            -1e-300,
                            0.0,
                            -0.0,
                            65504.0,
                            -1 - 0x1p-11 - 0x1p-45};
  std::memcpy(inputs, special, sizeof special);
  q.parallel_for(arithmetic_count, [=](sycl::id<1> i) { compute<T>(i, inputs, &out[0]); }).wait();
  for (int i = 0; i < arithmetic_count; ++i) {
    compute<T>(static_cast<std::size_t>(i), inputs, &out[1]);
  }
  for (int i = 0; i < arithmetic_count; ++i) {
    const auto rounded = [&](double x) { return bits_of(x, fraction, bias); };
    const auto value = [&](int at) {
      return value_of(rounded(static_cast<float>(inputs[at])), fraction, bias);
    };
    const double a = value(i), b = value((i * 7 + 3) % arithmetic_count);
    for (const results *r : {&out[0], &out[1]}) {
      expect(r->from_float[i], rounded(static_cast<float>(inputs[i])), name, inputs[i]);
      if (std::is_same_v<T, half>) {
        expect(r->from_double[i], rounded(inputs[i]), "half from double", inputs[i]);
      }
      if (std::isinf(a) || std::isinf(b) || b == 0) {
        continue;
      }
      // Double is wide enough that rounding its result gives the correctly rounded one.
      expect(r->sum[i], rounded(a + b), "a sum", a);
      expect(r->difference[i], rounded(a - b), "a difference", a);
      expect(r->product[i], rounded(a * b), "a product", a);
      expect(r->quotient[i], rounded(a / b), "a quotient", a);
    }
  }
  sycl::free(inputs, q);
  sycl::free(out, q);
}

static void every_value(sycl::queue &q) {
  constexpr unsigned count = 65536;
  float *h = sycl::malloc_shared<float>(count, q);
  float *b = sycl::malloc_shared<float>(count, q);
  std::uint16_t *back = sycl::malloc_shared<std::uint16_t>(2 * count, q);
  q.parallel_for(count, [=](sycl::id<1> i) {
     const auto bits = static_cast<std::uint16_t>(i[0]);
     h[i] = sycl::bit_cast<half>(bits);
     b[i] = sycl::bit_cast<bfloat16>(bits);
     back[i] = sycl::bit_cast<std::uint16_t>(half(h[i]));
     back[count + i] = sycl::bit_cast<std::uint16_t>(bfloat16(b[i]));
   }).wait();
  for (unsigned i = 0; i < count; ++i) {
    const double half_value = value_of(i, 10, 15), bfloat_value = value_of(i, 7, 127);
    const bool is_nan = std::isnan(half_value), is_bfloat_nan = std::isnan(bfloat_value);
    const bool same = is_nan ? std::isnan(h[i]) : h[i] == half_value;
    const bool same_bfloat = is_bfloat_nan ? std::isnan(b[i]) : b[i] == bfloat_value;
    if (!same || !same_bfloat) {
      expect(i, ~i, "the value of bits", half_value);
    }
    if (!is_nan) {
      expect(back[i], i, "half from its float", half_value);
    }
    if (!is_bfloat_nan) {
      expect(back[count + i], i, "bfloat16 from its float", bfloat_value);
    }
    const float on_host = sycl::bit_cast<half>(static_cast<std::uint16_t>(i));
    if (!is_nan && on_host != static_cast<float>(half_value)) {
      expect(i, ~i, "the value of bits on the host", half_value);
    }
  }
  sycl::free(h, q);
  sycl::free(b, q);
  sycl::free(back, q);
}

template <class T>
[[gnu::noinline]] void operators(checks &c) {
  c.type = type_number<T>();
  c.width = 1;
  const T two = static_cast<float>(c.seed[2]), three = static_cast<float>(c.seed[3]);
  T x = two;
  CHECK((x += three) == T(5.0f) && (x -= two) == three && (x *= two) == T(6.0f));
  CHECK((x /= three) == two && ++x == three && x++ == three && x == T(4.0f));
  CHECK(--x == three && x-- == three && x == two && -x == T(-2.0f) && +x == two);
  CHECK(two < three && three > two && two <= two && two >= two && two != three && !(two == three));
  CHECK(two + 1 == 3 && 1 + two == three && two < 2.5f && 2.5 > two && two * 2.0f == 4.0f);
  CHECK(static_cast<int>(three) == 3 && static_cast<double>(three) == 3.0 && static_cast<bool>(x));
  float f = three;
  double d = three;
  f += two;
  CHECK(f == 5.0f && d == 3.0 && !static_cast<bool>(T(0.0f)));
  x = 1.5f;
  CHECK(x == 1.5f);
  const T nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(!(nan == nan) && nan != nan && !(nan < two) && !(nan >= two));
}

enum number { forty_two = 42 };
enum class letter { a };
[[gnu::noinline]] void mixed(checks &c) {
  const half h = static_cast<float>(c.seed[3]);
  const bfloat16 b = static_cast<float>(c.seed[2]);
  half x = h;
  x += 1;
  x *= 2.0;
  CHECK(x == 8 && h * 0.5f == 1.5f && 1.0 / (h + 1) == 0.25 && h + 1u == 4u);
  CHECK(half(b) == 2.0f && bfloat16(h) == 3.0f && b + h == 5.0f &&
        static_cast<float>(half(b)) == 2);
  half from_bfloat = b;
  bfloat16 from_half = h;
  from_half = h;
  CHECK(from_bfloat == 2 && from_half == 3);
  CHECK(half(2049) == 2048 && half(70000) == limits::infinity() && half(true) == 1);
  CHECK(half(-5L) == -5 && half(static_cast<std::uint8_t>(200)) == 200);
  CHECK(half(sycl::id<1>(static_cast<std::size_t>(c.seed[9]))) == 9);
  const half from_number = forty_two;
  CHECK(from_number == 42 && half(forty_two) + 1 == 43);
  CHECK((std::is_constructible_v<half, sycl::id<1>> && !std::is_convertible_v<sycl::id<1>, half> &&
         !std::is_constructible_v<half, sycl::id<2>> && !std::is_constructible_v<half, letter>));
  CHECK(std::is_trivially_copyable_v<half> && std::is_trivially_copyable_v<bfloat16>);
  CHECK(limits::max() == 65504 && limits::lowest() == -65504 && limits::min() == 0x1p-14);
  CHECK(limits::epsilon() == half(1) + limits::epsilon() - 1 && limits::denorm_min() == 0x1p-24);
  CHECK(limits::quiet_NaN() != limits::quiet_NaN() && limits::infinity() > limits::max());
  CHECK(limits::round_error() == 0.5f && limits::signaling_NaN() != limits::signaling_NaN());
}

static_assert(std::is_same_v<decltype(half() + half()), half> &&
              std::is_same_v<decltype(half() + 1), half> &&
              std::is_same_v<decltype(half() + 1.0f), float> &&
              std::is_same_v<decltype(1.0 - half()), double> &&
              std::is_same_v<decltype(bfloat16() * bfloat16()), bfloat16> &&
              std::is_same_v<decltype(bfloat16() * 2.0f), bfloat16>);
static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(bfloat16) == 2);
static_assert(limits::is_specialized && limits::digits == 11 && limits::is_iec559);
constexpr half folded = half(1.5) * half(2) - 1;
static_assert(folded == 2 && folded < 2.5f && bfloat16(1.0f) + bfloat16(2.0f) == 3.0f);

// What there is is float's; what lies beside it is not there.
static void bfloat16_limits(checks &c) {
  using limits = std::numeric_limits<bfloat16>;
  const auto after = [](bfloat16 x) {
    return sycl::bit_cast<bfloat16>(
        static_cast<std::uint16_t>(sycl::bit_cast<std::uint16_t>(x) + 1));
  };
  CHECK(limits::is_specialized && limits::digits == 8 && limits::digits10 == 2 &&
        limits::max_digits10 == 4 && limits::max_exponent == 128 && limits::min_exponent == -125);
  CHECK(after(limits::max()) == limits::infinity() && limits::lowest() == -limits::max());
  CHECK(after(bfloat16(1.0f)) - bfloat16(1.0f) == limits::epsilon());
  CHECK(limits::min() == std::numeric_limits<float>::min() && limits::round_error() == 0.5f);
  CHECK(limits::quiet_NaN() != limits::quiet_NaN() &&
        limits::signaling_NaN() != limits::signaling_NaN());
  CHECK(after(bfloat16(0.0f)) == limits::denorm_min() && limits::denorm_min() > 0.0f);
}

int main() {
  sycl::queue q;
  every_value(q);
  arithmetic<half>(q, 10, 15, "half from float");
  arithmetic<bfloat16>(q, 7, 127, "bfloat16 from float");
  failures += on_both_sides(__FILE__, [](checks &c) {
    operators<half>(c);
    operators<bfloat16>(c);
    mixed(c);
    bfloat16_limits(c);
  });
  const std::unordered_set<half> set{half(1.5f), half(0.0f), half(-0.0f)};
  failures += set.size() != 2 || set.count(half(1.5f)) != 1 || set.count(half(-0.0f)) != 1;
  const std::unordered_set<bfloat16> others{bfloat16(1.5f), bfloat16(0.0f), bfloat16(-0.0f)};
  failures += others.size() != 2 || others.count(bfloat16(1.5f)) != 1;
  return failures != 0;
}
