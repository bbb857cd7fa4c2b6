// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common, geometric, relational, native and half_precision functions against their definitions, in
// kernels and on the host.
// RUN: %tenonxx -fsycl -O2 -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "Inputs/ulp.hpp"

using real = long double;

template <class T>
struct arguments {
  T x, y, z;
};
template <class T>
struct answers {
  T degrees, radians, sign, mix, step, smoothstep, clamp, length[4], dot[3], distance, unit[4],
      cross[4];
  float native[14], rough[14], fast[3], fast_unit[3];
  bool relations[14];
};

template <class T>
void evaluate(const arguments<T> &in, answers<T> &out) {
  const T x = in.x, y = in.y, z = in.z;
  out.degrees = sycl::degrees(x);
  out.radians = sycl::radians(x);
  out.sign = sycl::sign(x);
  out.mix = sycl::mix(x, y, T(0.375f));
  out.step = sycl::step(x, y);
  out.smoothstep = sycl::smoothstep(T(-1), T(3), x);
  out.clamp = sycl::clamp(x, T(-2), T(3));
  const sycl::vec<T, 2> two(x, y);
  const sycl::vec<T, 3> three(x, y, z), other(z, x, y);
  const sycl::vec<T, 4> four(x, y, z, x), four_other(z, x, y, y);
  out.length[0] = sycl::length(x);
  out.length[1] = sycl::length(two);
  out.length[2] = sycl::length(three);
  out.length[3] = sycl::length(four);
  out.dot[0] = sycl::dot(x, y);
  out.dot[1] = sycl::dot(two, two);
  out.dot[2] = sycl::dot(three, other);
  out.distance = sycl::distance(three, other);
  const auto unit = sycl::normalize(three);
  const auto cross3 = sycl::cross(three, other);
  const auto cross4 = sycl::cross(four, four_other);
  for (int i = 0; i < 3; ++i) {
    out.unit[i] = unit[i];
    out.cross[i] = cross4[i] == cross3[i] || cross4[i] != cross4[i] ? cross3[i] : T(12345);
  }
  out.unit[3] = sycl::normalize(x);
  out.cross[3] = cross4[3];

  const float f = static_cast<float>(x), g = static_cast<float>(y);
#define NATIVE(space, result)            \
  result[0] = sycl::space::cos(f);       \
  result[1] = sycl::space::divide(f, g); \
  result[2] = sycl::space::exp(f);       \
  result[3] = sycl::space::exp2(f);      \
  result[4] = sycl::space::exp10(f);     \
  result[5] = sycl::space::log(f);       \
  result[6] = sycl::space::log2(f);      \
  result[7] = sycl::space::log10(f);     \
  result[8] = sycl::space::powr(f, g);   \
  result[9] = sycl::space::recip(f);     \
  result[10] = sycl::space::rsqrt(f);    \
  result[11] = sycl::space::sin(f);      \
  result[12] = sycl::space::sqrt(f);     \
  result[13] = sycl::space::tan(f);
  NATIVE(native, out.native)
  NATIVE(half_precision, out.rough)
  const sycl::vec<float, 3> single(f, g, 0.5f);
  out.fast[0] = sycl::fast_length(single);
  out.fast[1] = sycl::fast_distance(single, sycl::vec<float, 3>(0.25f));
  out.fast[2] = sycl::fast_length(f);
  const auto fast_unit = sycl::fast_normalize(single);
  for (int i = 0; i < 3; ++i) {
    out.fast_unit[i] = fast_unit[i];
  }

  bool *r = out.relations;
  *r++ = sycl::isequal(x, y);
  *r++ = sycl::isnotequal(x, y);
  *r++ = sycl::isgreater(x, y);
  *r++ = sycl::isgreaterequal(x, y);
  *r++ = sycl::isless(x, y);
  *r++ = sycl::islessequal(x, y);
  *r++ = sycl::islessgreater(x, y);
  *r++ = sycl::isordered(x, y);
  *r++ = sycl::isunordered(x, y);
  *r++ = sycl::isfinite(x);
  *r++ = sycl::isinf(x);
  *r++ = sycl::isnan(x);
  *r++ = sycl::isnormal(x);
  *r++ = sycl::signbit(x);
}

// One error of `unit` for a sum whose largest term is `largest`.
template <class T>
bool near(T got, real exact, real largest, real units) {
  const real one = std::ldexp(largest, -format<T>::digits) +
                   std::ldexp(1.0L, format<T>::least - format<T>::digits);
  return !(std::fabs(exact) < format<T>::most && largest < format<T>::most) ||
         std::fabs(wide(got) - exact) <= units * one;
}

template <class T>
void judge(const char *where, const arguments<T> &in, const answers<T> &out) {
  const real x = wide(in.x), y = wide(in.y), z = wide(in.z);
  const real pi = 3.14159265358979323846264338327950288L;
#define CHECK(...)                                                                               \
  if (!(__VA_ARGS__)) {                                                                          \
    std::printf("%s, %s, of (%.17Lg, %.17Lg, %.17Lg): expected %s\n", where, format<T>::text, x, \
                y, z, #__VA_ARGS__);                                                             \
    ++failures;                                                                                  \
  }
  const bool are_numbers = std::isfinite(x) && std::isfinite(y) && std::isfinite(z);
  CHECK(ulps<T>(out.degrees, x * (180 / pi)) <= 2);
  CHECK(ulps<T>(out.radians, x * (pi / 180)) <= 2);
  CHECK(ulps<T>(out.sign, x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0) == 0);
  CHECK(ulps<T>(out.step, y < x ? 0 : 1) == 0);
  CHECK(ulps<T>(out.clamp, std::fmin(std::fmax(x, -2), 3)) == 0);
  const real t = x <= -1 ? 0 : x >= 3 ? 1 : (x + 1) / 4;
  CHECK(std::isnan(x) || near(out.smoothstep, t * t * (3 - 2 * t), 1, 16));
  if (are_numbers) {
    CHECK(near(out.mix, x + (y - x) * 0.375L, std::fmax(std::fabs(x), std::fabs(y)), 8));
    const real l2 = std::hypot(x, y), l3 = std::sqrt(x * x + y * y + z * z);
    const real l4 = std::sqrt(2 * x * x + y * y + z * z);
    CHECK(ulps<T>(out.length[0], std::fabs(x)) <= 3);
    CHECK(ulps<T>(out.length[1], l2) <= 3.75);
    CHECK(ulps<T>(out.length[2], l3) <= 4.25);
    CHECK(ulps<T>(out.length[3], l4) <= 4.75);
    const real largest = std::fmax(std::fabs(x), std::fmax(std::fabs(y), std::fabs(z)));
    CHECK(ulps<T>(out.dot[0], x * y) <= 1);
    CHECK(near(out.dot[1], x * x + y * y, x * x + y * y, 8));
    CHECK(near(out.dot[2], x * z + y * x + z * y, largest * largest, 16));
    const real a = x - z, b = y - x, c = z - y;
    CHECK(near(out.distance, std::sqrt(a * a + b * b + c * c), largest, 12) ||
          std::fabs(largest) > format<T>::most / 2);
    const real expected[] = {x, y, z};
    for (int i = 0; i < 3; ++i) {
      CHECK(l3 == 0 ? out.unit[i] == T(0) : ulps<T>(out.unit[i], expected[i] / l3) <= 5);
    }
    CHECK(ulps<T>(out.unit[3], x == 0 ? x : std::copysign(1.0L, x)) <= 3);
    const real cross[] = {y * y - z * x, z * z - x * y, x * x - y * z};
    for (int i = 0; i < 3; ++i) {
      CHECK(near(out.cross[i], cross[i], largest * largest, 16));
    }
    CHECK(out.cross[3] == T(0));
  } else if (!std::isnan(x) && !std::isnan(y)) {
    CHECK(!std::isinf(x) || wide(out.length[1]) == HUGE_VALL);
    CHECK(!std::isinf(x) || wide(out.unit[3]) == std::copysign(1.0L, x));
  }

  const real f = static_cast<float>(x), g = static_cast<float>(y);
  const real exact[14] = {std::cos(f),      f / g,        std::exp(f),   std::exp2(f),   exp10l(f),
                          std::log(f),      std::log2(f), std::log10(f), std::pow(f, g), 1 / f,
                          1 / std::sqrt(f), std::sin(f),  std::sqrt(f),  std::tan(f)};
  // How exact native functions are, and where, is the implementation's choice: here they are near.
  const bool is_tame = std::fabs(f) <= 1.5L && std::fabs(f) >= 0x1p-100L &&
                       std::fabs(g) <= 0x1p20L && std::fabs(g) >= 0x1p-20L;
  for (int i = 0; i < 14; ++i) {
    const bool is_defined = std::fabs(f) <= 65536 && (i != 8 || (f > 0 && std::fabs(g) < 100));
    CHECK(!is_tame || !is_defined || !(std::fabs(exact[i]) < 0x1p110L) ||
          std::fabs(out.native[i] - exact[i]) <= 1e-3L * std::fabs(exact[i]) + 2e-6L);
    CHECK(!is_defined || ulps<float>(out.rough[i], exact[i]) <= 8192);
  }
  if (std::fabs(f) < 0x1p60L && std::fabs(g) < 0x1p60L) {
    const real l = std::sqrt(f * f + g * g + 0.25L);
    CHECK(ulps<float>(out.fast[0], l) <= 8192);
    CHECK(ulps<float>(out.fast[1], std::hypot(std::hypot(f - 0.25L, g - 0.25L), 0.25L)) <= 8192);
    CHECK(std::fabs(f) < 0x1p-60L || ulps<float>(out.fast[2], std::fabs(f)) <= 8192);
    CHECK(ulps<float>(out.fast_unit[0], f / l) <= 8192 &&
          ulps<float>(out.fast_unit[2], 0.5L / l) <= 8192);
  }

  const bool is_normal =
      std::fabs(x) >= std::ldexp(1.0L, format<T>::least) && std::fabs(x) < HUGE_VALL;
  const bool relations[14] = {x == y,
                              x != y,
                              x > y,
                              x >= y,
                              x < y,
                              x <= y,
                              x < y || x > y,
                              !std::isnan(x) && !std::isnan(y),
                              std::isnan(x) || std::isnan(y),
                              std::isfinite(x) != 0,
                              std::isinf(x) != 0,
                              std::isnan(x) != 0,
                              is_normal,
                              std::signbit(x) != 0};
  for (int i = 0; i < 14; ++i) {
    CHECK((i == 13 && std::isnan(x)) || out.relations[i] == relations[i]);
  }
#undef CHECK
}

template <class T>
void check(sycl::queue &q) {
  const std::size_t count = 1000;
  const auto x = samples<T>(count, -5, 5, 1);
  const auto y = samples<T>(count, -5, 5, 2);
  const auto z = samples<T>(count, -5, 5, 3);
  auto *in = sycl::malloc_shared<arguments<T>>(count, q);
  auto *out = sycl::malloc_shared<answers<T>>(count, q);
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = i < 25 * 25 ? arguments<T>{x[i % 25], y[i / 25], z[i * 7 % 25]}
                        : arguments<T>{x[i], y[i], z[i]};
  }
  q.parallel_for(count, [=](sycl::id<1> i) { evaluate(in[i[0]], out[i[0]]); }).wait();
  for (std::size_t i = 0; i < count && failures < 50; ++i) {
    answers<T> on_host;
    evaluate(in[i], on_host);
    judge("on the host", in[i], on_host);
    judge("in a kernel", in[i], out[i]);
  }
  sycl::free(in, q);
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  check<float>(q);
  check<double>(q);
  check<sycl::half>(q);
  return failures != 0;
}
