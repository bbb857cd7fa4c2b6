// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math functions of one to three arguments: no further from the exact result than OpenCL's
// table of errors allows, edge cases included; in kernels and on the host.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/ulp.hpp"

#include <cstdlib>

using real = long double;

static const real pi = 3.14159265358979323846264338327950288L;

static real sinpi_exact(real x) {
  const real r = std::fmod(x, 2.0L);
  const real a = std::fabs(r);
  const real t = a <= 0.25L   ? std::sin(pi * a)
                 : a <= 0.75L ? std::cos(pi * (0.5L - a))
                 : a <= 1.25L ? std::sin(pi * (1.0L - a))
                 : a <= 1.75L ? -std::cos(pi * (1.5L - a))
                              : std::sin(pi * (a - 2.0L));
  return t == 0 ? std::copysign(0.0L, x) : std::copysign(1.0L, r) * t;
}
static real cospi_exact(real x) {
  const real a = std::fmod(std::fabs(x), 2.0L);
  const real t = a <= 0.25L   ? std::cos(pi * a)
                 : a <= 0.75L ? std::sin(pi * (0.5L - a))
                 : a <= 1.25L ? -std::cos(pi * (1.0L - a))
                 : a <= 1.75L ? std::sin(pi * (a - 1.5L))
                              : std::cos(pi * (2.0L - a));
  return t == 0 ? 0.0L : t;
}
static real tanpi_exact(real x) {
  const real s = sinpi_exact(x), c = cospi_exact(x);
  const bool is_odd = std::fabs(std::fmod(x, 2.0L)) == 1;
  return s == 0 ? std::copysign(0.0L, is_odd ? -x : x) : c == 0 ? HUGE_VALL * s : s / c;
}
static real powr_exact(real x, real y) {
  const bool is_edge = x == 0 || std::isinf(x);
  const bool has_none =
      x < 0 || std::isnan(x) || std::isnan(y) || (is_edge && y == 0) || (x == 1 && std::isinf(y));
  return has_none ? std::nanl("") : std::pow(std::fabs(x), y);
}
static real rootn_exact(real x, int n) {
  const real root = std::pow(std::fabs(x), 1.0L / n);
  return n == 0 || (x < 0 && n % 2 == 0) ? std::nanl("") : n % 2 ? std::copysign(root, x) : root;
}
static real fract_exact(real x, real below_one) {
  if (x == 0 || std::isinf(x)) {
    return std::copysign(0.0L, x);
  }
  const real part = x - std::floor(x);
  return part > below_one ? below_one : part;
}
static real maxmag_exact(real x, real y) {
  return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y);
}
static real minmag_exact(real x, real y) {
  return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y);
}
// OpenCL leaves its error open, which is without bounds where the result crosses zero.
static real gamma_of(real got, real x) { return x < 3 ? got : std::lgamma(x); }
// Of two zeros either is the larger.
static real either_zero(real got, real exact) { return got == 0 && exact == 0 ? got : exact; }

// name, exact result, low, high, ulps allowed for float and double, and for half
#define UNARY(X)                              \
  X(acos, std::acos(x), -1, 1, 4, 2)          \
  X(acosh, std::acosh(x), 1, 50, 4, 2)        \
  X(acospi, std::acos(x) / pi, -1, 1, 5, 2)   \
  X(asin, std::asin(x), -1, 1, 4, 2)          \
  X(asinh, std::asinh(x), -50, 50, 4, 2)      \
  X(asinpi, std::asin(x) / pi, -1, 1, 5, 2)   \
  X(atan, std::atan(x), -10, 10, 5, 2)        \
  X(atanh, std::atanh(x), -1, 1, 5, 2)        \
  X(atanpi, std::atan(x) / pi, -10, 10, 5, 2) \
  X(cbrt, std::cbrt(x), -1000, 1000, 2, 2)    \
  X(ceil, std::ceil(x), -9, 9, 0, 0)          \
  X(cos, std::cos(x), -100, 100, 4, 2)        \
  X(cosh, std::cosh(x), -12, 12, 4, 2)        \
  X(cospi, cospi_exact(x), -9, 9, 4, 2)       \
  X(erf, std::erf(x), -4, 4, 16, 4)           \
  X(erfc, std::erfc(x), -4, 10, 16, 4)        \
  X(exp, std::exp(x), -80, 80, 3, 2)          \
  X(exp2, std::exp2(x), -120, 120, 3, 2)      \
  X(exp10, exp10l(x), -37, 37, 3, 2)          \
  X(expm1, std::expm1(x), -10, 10, 3, 2)      \
  X(fabs, std::fabs(x), -9, 9, 0, 0)          \
  X(floor, std::floor(x), -9, 9, 0, 0)        \
  X(lgamma, gamma_of(got, x), 3, 100, 16, 4)  \
  X(log, std::log(x), 0, 50, 3, 2)            \
  X(log2, std::log2(x), 0, 50, 3, 2)          \
  X(log10, std::log10(x), 0, 50, 3, 2)        \
  X(log1p, std::log1p(x), -1, 10, 2, 2)       \
  X(logb, std::logb(x), -9, 9, 0, 0)          \
  X(rint, std::rint(x), -9, 9, 0, 0)          \
  X(round, std::round(x), -9, 9, 0, 0)        \
  X(rsqrt, 1 / std::sqrt(x), 0, 100, 2, 1)    \
  X(sin, std::sin(x), -100, 100, 4, 2)        \
  X(sinh, std::sinh(x), -12, 12, 4, 2)        \
  X(sinpi, sinpi_exact(x), -9, 9, 4, 2)       \
  X(sqrt, std::sqrt(x), 0, 100, 0.5, 0.5)     \
  X(tan, std::tan(x), -100, 100, 5, 2)        \
  X(tanh, std::tanh(x), -4, 4, 5, 2)          \
  X(tanpi, tanpi_exact(x), -9, 9, 6, 2)       \
  X(tgamma, std::tgamma(x), 0.1L, 20, 16, 4)  \
  X(trunc, std::trunc(x), -9, 9, 0, 0)
#define BINARY(X)                                              \
  X(atan2, std::atan2(x, y), -9, 9, 6, 2)                      \
  X(atan2pi, std::atan2(x, y) / pi, -9, 9, 6, 2)               \
  X(copysign, std::copysign(x, y), -9, 9, 0, 0)                \
  X(fdim, std::fdim(x, y), -9, 9, 0.5, 0.5)                    \
  X(fmax, either_zero(got, std::fmax(x, y)), -9, 9, 0, 0)      \
  X(fmin, either_zero(got, std::fmin(x, y)), -9, 9, 0, 0)      \
  X(fmod, std::fmod(x, y), -99, 99, 0, 0)                      \
  X(hypot, std::hypot(x, y), -9, 9, 4, 2)                      \
  X(maxmag, either_zero(got, maxmag_exact(x, y)), -9, 9, 0, 0) \
  X(minmag, either_zero(got, minmag_exact(x, y)), -9, 9, 0, 0) \
  X(pow, std::pow(x, y), 0, 20, 16, 4)                         \
  X(powr, powr_exact(x, y), 0, 20, 16, 4)                      \
  X(remainder, std::remainder(x, y), -99, 99, 0, 0)
// The second argument is an int.
#define WITH_INT(X)                                        \
  X(ldexp, std::ldexp(x, y), -9, 9, 0.5, 0.5)              \
  X(pown, std::pow(x, static_cast<real>(y)), -9, 9, 16, 4) \
  X(rootn, rootn_exact(x, y), -999, 999, 16, 4)

#define ENTRY(name, ...) id_##name,
enum function_id : std::size_t { UNARY(ENTRY) BINARY(ENTRY) WITH_INT(ENTRY) function_count };
#undef ENTRY

template <class T>
struct arguments {
  T x, y, z;
  int k;
};
template <class T>
struct extras {
  T fma, mad, next, fract, fract_out, modf, modf_out, sin, cos, frexp, lgamma_r, remquo;
  int exponent, sign, quotient, ilogb;
};

// The function is the same for neighbors, so that a kernel's work-items may share a vector.
template <class T>
T evaluate(std::size_t function, const arguments<T> &in) {
  switch (function) {
#define CALL(name, ...) \
  case id_##name:       \
    return sycl::name(in.x);
    UNARY(CALL)
#undef CALL
#define CALL(name, ...) \
  case id_##name:       \
    return sycl::name(in.x, in.y);
    BINARY(CALL)
#undef CALL
#define CALL(name, ...) \
  case id_##name:       \
    return sycl::name(in.x, in.k);
    WITH_INT(CALL)
#undef CALL
  }
  return in.x;
}
template <class T>
void evaluate_more(const arguments<T> &in, extras<T> &out) {
  out.fma = sycl::fma(in.x, in.y, in.z);
  out.mad = sycl::mad(in.x, in.y, in.z);
  out.next = sycl::nextafter(in.x, in.y);
  out.fract = sycl::fract(in.x, &out.fract_out);
  out.modf = sycl::modf(in.x, &out.modf_out);
  out.sin = sycl::sincos(in.x, &out.cos);
  out.frexp = sycl::frexp(in.x, &out.exponent);
  out.lgamma_r = sycl::lgamma_r(in.x, &out.sign);
  out.remquo = sycl::remquo(in.x, in.y, &out.quotient);
  out.ilogb = sycl::ilogb(in.x);
}

// Of results on the host and in a kernel.
template <class T>
void judge(const std::vector<arguments<T>> &in, const std::vector<T> (&out)[2]) {
  const bool is_half = std::is_same_v<T, sycl::half>;
  const std::size_t count = in.size() / function_count;
#define JUDGE(name, exact, low, high, limit, half_limit)                                  \
  {                                                                                       \
    worst result[2];                                                                      \
    for (std::size_t i = 0; i < count; ++i) {                                             \
      const std::size_t at = id_##name * count + i;                                       \
      const real x = wide(in[at].x);                                                      \
      [[maybe_unused]] const auto y = SECOND(in[at]);                                     \
      for (int place = 0; place < 2; ++place) {                                           \
        const T value = out[place][at];                                                   \
        [[maybe_unused]] const real got = wide(value);                                    \
        const real reference = exact;                                                     \
        result[place].add(ulps<T>(value, reference), x, y, wide(value), reference);       \
      }                                                                                   \
    }                                                                                     \
    result[0].judge("on the host", format<T>::text, #name, is_half ? half_limit : limit); \
    result[1].judge("in a kernel", format<T>::text, #name, is_half ? half_limit : limit); \
  }
#define SECOND(arguments) wide(arguments.y)
  UNARY(JUDGE)
  BINARY(JUDGE)
#undef SECOND
#define SECOND(arguments) arguments.k
  WITH_INT(JUDGE)
#undef SECOND
}

template <class T>
bool same(T a, long double b) {
  return ulps<T>(a, b) == 0;
}

// The low seven bits of the nearest quotient, by long division.
template <class T>
int quotient_exact(real x, real y) {
  int sign = 0;
  real a = std::fabs(x);
  const real b = std::fabs(y);
  if (!(std::fabs(x) < HUGE_VALL) || y == 0 || !(b < HUGE_VALL)) {
    return 0;
  }
  a = std::fmod(a, 128 * b);
  int q = 0;
  for (int bit = 6; bit >= 0; --bit) {
    if (a >= std::ldexp(b, bit)) {
      a -= std::ldexp(b, bit);
      q |= 1 << bit;
    }
  }
  q += a > b / 2 || (a == b / 2 && (q & 1));
  sign = std::signbit(x) != std::signbit(y) ? -1 : 1;
  return sign * (q & 127);
}

template <class T>
void judge_more(const char *where, const arguments<T> &in, const extras<T> &out) {
  const real x = wide(in.x), y = wide(in.y), z = wide(in.z);
  const bool is_half = std::is_same_v<T, sycl::half>;
  real fused = x * y + z;  // exact enough for half
  real next = 0;
  if constexpr (std::is_same_v<T, sycl::half>) {
    auto bits = sycl::bit_cast<std::uint16_t>(in.x);
    bits = static_cast<std::uint16_t>((x < y) == (x > 0) ? bits + 1 : bits - 1);
    const real tiny = std::copysign(std::ldexp(1.0L, -24), y);
    next = std::isnan(x) || std::isnan(y) ? x + y
           : x == y                       ? y
           : x == 0                       ? tiny
                                          : wide(sycl::bit_cast<sycl::half>(bits));
  } else {
    fused = std::fma(in.x, in.y, in.z);
    next = std::nextafter(in.x, in.y);
  }
  real whole = 0;
  const real below_one = 1 - std::ldexp(1.0L, -format<T>::digits);
  const real part = std::modf(x, &whole);
  int exponent = 0, sign = 0;
  const real mantissa = std::frexp(x, &exponent);
  const real gamma = lgammal_r(x, &sign);
  const int quotient = quotient_exact<T>(x, y);
  const bool is_pole = x <= 0 && x == std::floor(x);
  const bool is_number = std::fabs(x) < HUGE_VALL;
#define CHECK(condition)                                                                         \
  if (!(condition)) {                                                                            \
    std::printf("%s, %s, of (%.17Lg, %.17Lg, %.17Lg): expected %s\n", where, format<T>::text, x, \
                y, z, #condition);                                                               \
    ++failures;                                                                                  \
  }
  CHECK(ulps<T>(out.fma, fused) <= (is_half ? 0.5 : 0));
  CHECK(!(std::fabs(x * y + z) < format<T>::most) || std::fabs(x * y) > format<T>::most ||
        std::fabs(wide(out.mad) - (x * y + z)) <=
            2 * std::fabs(x * y) * std::ldexp(1.0L, -format<T>::digits) +
                std::fabs(x * y + z) * std::ldexp(1.0L, -format<T>::digits) +
                std::ldexp(1.0L, format<T>::least - format<T>::digits + 1));
  CHECK(same(out.next, next));
  CHECK(ulps<T>(out.fract, fract_exact(x, below_one)) <= 0.5 &&
        wide(out.fract) <= below_one == !std::isnan(x));
  CHECK(same(out.fract_out, std::floor(x)));
  CHECK(same(out.modf, part) && same(out.modf_out, whole));
  CHECK(ulps<T>(out.sin, std::sin(x)) <= (is_half ? 2 : 4));
  CHECK(ulps<T>(out.cos, std::cos(x)) <= (is_half ? 2 : 4));
  CHECK(same(out.frexp, mantissa) && (!is_number || out.exponent == exponent));
  CHECK(is_pole || !is_number || out.sign == sign);
  CHECK(x < 3 || !is_number || ulps<T>(out.lgamma_r, gamma) <= 16);
  CHECK(same(out.remquo, std::remainder(x, y)));
  CHECK(out.quotient == quotient);
  CHECK(out.ilogb == std::ilogb(x));
#undef CHECK
}

template <class T>
void check(sycl::queue &q, std::size_t count) {
  std::vector<arguments<T>> in(count * function_count);
  const auto fill = [&](std::size_t function, real low, real high) {
    const bool has_pairs = function >= id_atan2;
    const auto xs = samples<T>(count, low, high, 7 * function + 1);
    auto ys = samples<T>(count, low, high, 7 * function + 2);
    for (std::size_t i = 0; i < count; ++i) {
      // Edge cases meet each other and then other numbers.
      const T y = has_pairs && i < 25 * 25 ? ys[i / 25] : ys[i];
      const T x = has_pairs && i < 25 * 25 ? xs[i % 25] : xs[i];
      int k = static_cast<int>(i % 41) - 20;
      k = i % 37 == 0 ? 100000001 : i % 5 == 0 ? static_cast<int>(i * 7919 % 5000) - 2500 : k;
      in[function * count + i] = {x, y, xs[count - 1 - i], k};
      if (function == id_ldexp && i % 5 == 1) {
        // Rounding twice on the way to a subnormal number would show.
        const real fraction = 1 + std::fabs(std::fmod(wide(ys[i]), 1.0L));
        const int places = static_cast<int>(i / 5 % (format<T>::digits - 2));
        in[function * count + i].x = narrow<T>(std::ldexp(fraction, -places));
        in[function * count + i].k = format<T>::least - 1 - static_cast<int>(i / 5 % 4);
      }
    }
  };
#define FILL(name, exact, low, high, ...) fill(id_##name, low, high);
  UNARY(FILL)
  BINARY(FILL)
  WITH_INT(FILL)

  std::vector<T> out[2] = {std::vector<T>(in.size()), std::vector<T>(in.size())};
  std::vector<extras<T>> more[2] = {std::vector<extras<T>>(count), std::vector<extras<T>>(count)};
  for (std::size_t at = 0; at < in.size(); ++at) {
    out[0][at] = evaluate(at / count, in[at]);
  }
  // Pairs of all magnitudes.
  const arguments<T> *pairs = &in[id_fmod * count];
  for (std::size_t i = 0; i < count; ++i) {
    evaluate_more(pairs[i], more[0][i]);
  }
  auto *device_in = sycl::malloc_device<arguments<T>>(in.size(), q);
  auto *device_out = sycl::malloc_device<T>(in.size(), q);
  auto *device_more = sycl::malloc_device<extras<T>>(count, q);
  q.memcpy(device_in, in.data(), in.size() * sizeof in[0]).wait();
  q.parallel_for(sycl::range(function_count, count), [=](sycl::id<2> item) {
     const std::size_t at = item[0] * count + item[1];
     device_out[at] = evaluate(item[0], device_in[at]);
   }).wait();
  q.parallel_for(count, [=](sycl::id<1> item) {
     evaluate_more(device_in[id_fmod * count + item[0]], device_more[item[0]]);
   }).wait();
  q.memcpy(out[1].data(), device_out, out[1].size() * sizeof(T)).wait();
  q.memcpy(more[1].data(), device_more, count * sizeof(extras<T>)).wait();

  judge(in, out);
  for (std::size_t i = 0; i < count && failures < 50; ++i) {
    judge_more("on the host", pairs[i], more[0][i]);
    judge_more("in a kernel", pairs[i], more[1][i]);
  }
  sycl::free(device_in, q);
  sycl::free(device_out, q);
  sycl::free(device_more, q);
}

// More numbers take longer: give their count to look for errors by hand.
int main(int argc, char **argv) {
  sycl::queue q;
  const std::size_t count = argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 1000;
  check<float>(q, count);
  check<double>(q, count);
  check<sycl::half>(q, count);
  return failures != 0;
}
