// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// complex of half, float and double, marray of it, their functions in kernels and on the host, and
// group algorithms on complex numbers.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %if sanitizer %{ -DLIGHT %} %s -o %t && %t | FileCheck %s
// CHECK: stream (1.5,-2)
#include "../headers/Inputs/expect.hpp"

#include <sstream>
#include <vector>

#include <sycl/ext/oneapi/experimental/complex/complex.hpp>

namespace ex = sycl::ext::oneapi::experimental;
template <class T>
using complex = ex::complex<T>;

#if SYCL_EXT_ONEAPI_COMPLEX != 1 || SYCL_EXT_ONEAPI_COMPLEX_ALGORITHMS != 2
#error "a feature-test macro is missing"
#endif

static_assert(sycl::is_device_copyable_v<complex<sycl::half>> &&
              std::is_trivially_copyable_v<complex<double>> &&
              sycl::is_device_copyable_v<sycl::marray<complex<float>, 3>>);
static_assert(complex<float>(1, 2).imag() == 2 && complex<float>(1) == 1.0f &&
              complex<double>(complex<float>(1, 2)) == complex<double>(1, 2) &&
              complex<float>(std::complex<double>(3, 4)).real() == 3);
static_assert(std::is_same_v<decltype(ex::pow(complex<float>(), 2.0)), complex<double>> &&
              std::is_same_v<decltype(ex::pow(sycl::half(), complex<float>())), complex<float>> &&
              std::is_same_v<decltype(ex::real(1)), double> &&
              std::is_same_v<decltype(ex::conj(1.0f)), complex<float>>);
template <class T>
static constexpr bool known =
    sycl::known_identity_v<sycl::plus<T>, T> == T() &&
    sycl::known_identity_v<sycl::multiplies<>, T> == T(1);
static_assert(known<std::complex<float>> && known<complex<double>> && known<int>);
static_assert(!sycl::has_known_identity_v<sycl::minimum<>, std::complex<float>>);

template <class V, class = void>
static constexpr bool has_less = false;
template <class V>
static constexpr bool has_less<V, std::void_t<decltype(std::declval<V>() < std::declval<V>())>> =
    true;
static_assert(!has_less<sycl::marray<complex<float>, 2>> && has_less<sycl::marray<float, 2>>);

template <class T>
static bool near(const complex<T> &got, const std::complex<double> &expected) {
  const double size = std::abs(expected) + 1e-3;
  const double limit = std::is_same_v<T, double> ? 1e-14 : std::is_same_v<T, float> ? 1e-5 : 4e-3;
  return std::abs(static_cast<std::complex<double>>(got) - expected) <= limit * size;
}

#define FUNCTIONS(of)                                                                         \
  of(log) of(log10) of(sqrt) of(exp) of(asinh) of(acosh) of(atanh) of(sinh) of(cosh) of(tanh) \
      of(asin) of(acos) of(atan) of(sin) of(cos) of(tan)

template <class T>
struct results {
  complex<T> values[40];
  T numbers[8];
};

template <class T>
static void compute(results<T> &out, complex<T> z, complex<T> w) {
  int n = 0;
  out.values[n++] = z + w;
  out.values[n++] = z - w;
  out.values[n++] = z * w;
  out.values[n++] = z / w;
  out.values[n++] = T(2) - z * T(3) + w / T(4);
  out.values[n] = z;
  out.values[n] += w;
  out.values[n] *= complex<float>(0.5f, 1);
  out.values[n++] -= T(1);
  out.values[n++] = T(1) / -z;
  out.values[n++] = ex::conj(z);
  out.values[n++] = ex::proj(z);
  out.values[n++] = ex::polar(T(0.75), T(0.5));
  out.values[n++] = ex::pow(z, w);
#define CALL(name) out.values[n++] = ex::name(z);
  FUNCTIONS(CALL)
#undef CALL
  out.numbers[0] = ex::abs(z);
  out.numbers[1] = ex::arg(z);
  out.numbers[2] = ex::norm(z);
  out.numbers[3] = ex::real(z) + ex::imag(z);
}

template <class T>
static void check(const results<T> &got, std::complex<double> z, std::complex<double> w) {
  std::vector<std::complex<double>> expected = {
      z + w, z - w, z * w, z / w, 2.0 - z * 3.0 + w / 4.0,
      (z + w) * std::complex<double>(0.5, 1) - 1.0, -1.0 / z, std::conj(z), std::proj(z),
      std::polar(0.75, 0.5), std::pow(z, w)};
#define CALL(name) expected.push_back(std::name(z));
  FUNCTIONS(CALL)
#undef CALL
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!near(got.values[i], expected[i])) {
      std::printf("%zu bytes, value %zu of (%g,%g): expected (%g,%g), got (%g,%g)\n", sizeof(T), i,
                  z.real(), z.imag(), expected[i].real(), expected[i].imag(),
                  static_cast<double>(got.values[i].real()),
                  static_cast<double>(got.values[i].imag()));
      ++failures;
    }
  }
  const double numbers[] = {std::abs(z), std::arg(z), std::norm(z), z.real() + z.imag()};
  for (int i = 0; i < 4; ++i) {
    EXPECT(std::fabs(static_cast<double>(got.numbers[i]) - numbers[i]) < 4e-3);
  }
}

template <class T>
static void functions(sycl::queue q) {
  auto *out = sycl::malloc_shared<results<T>>(1, q);
  const std::complex<double> tried[] = {{0.5, -0.25}, {-1.5, 0.75}, {0.125, 1}};
  for (const std::complex<double> &z : tried) {
    const complex<T> mine(z), other(T(0.5), T(-1.25));
    q.single_task([=] { compute<T>(*out, mine, other); }).wait();
    check<T>(*out, z, {0.5, -1.25});
    results<T> on_host;
    compute<T>(on_host, mine, other);
    check<T>(on_host, z, {0.5, -1.25});
  }
  sycl::free(out, q);
}

// As far as the same expression has the same value twice: one may be computed by the compiler, the
// other with contracted operations.
template <class T>
static bool same(T x, T y) {
  return sycl::fabs(x - y) <= 16 * std::numeric_limits<T>::epsilon() * (1 + sycl::fabs(y));
}
template <class T>
static bool same(const complex<T> &x, const complex<T> &y) {
  return same(x.real(), y.real()) && same(x.imag(), y.imag());
}
template <class T>
static bool same(bool x, bool y) {
  return x == y;
}

template <class T>
static void arrays(sycl::queue q) {
  using array = sycl::marray<complex<T>, 3>;
  using reals = sycl::marray<T, 3>;
  constexpr int count = 20;
  auto *out = sycl::malloc_shared<bool>(count, q);
  q.single_task([=] {
     const complex<T> a(1, 2), b(T(-0.5), 1), c(0, T(0.25));
     const array x(a, b, c), all(a);
     const reals y(T(1), T(2), T(0.5));
     bool ok[count] = {};
     const auto is = [](const auto &v, const auto &first, const auto &second, const auto &third) {
       return same<T>(v[0], first) && same<T>(v[1], second) && same<T>(v[2], third);
     };
     ok[0] = is(x + all, a + a, b + a, c + a) && is(x - a, a - a, b - a, c - a);
     ok[1] = is(a * x, a * a, a * b, a * c) && is(x / x, a / a, b / b, c / c);
     ok[2] = is(-x, -a, -b, -c) && is(+x, a, b, c);
     array sum = x;
     sum += x;
     sum *= a;
     ok[3] = is(sum, (a + a) * a, (b + b) * a, (c + c) * a);
     ok[4] = is(x == all, true, false, false) && is(x != a, false, true, true) &&
             is(b == x, false, true, false);
     ok[5] = is(ex::real(x), a.real(), b.real(), c.real()) &&
             is(ex::imag(x), a.imag(), b.imag(), c.imag());
     ok[6] = is(ex::abs(x), ex::abs(a), ex::abs(b), ex::abs(c)) &&
             is(ex::arg(x), ex::arg(a), ex::arg(b), ex::arg(c)) &&
             is(ex::norm(x), ex::norm(a), ex::norm(b), ex::norm(c));
     ok[7] = is(ex::exp(x), ex::exp(a), ex::exp(b), ex::exp(c)) &&
             is(ex::conj(x), ex::conj(a), ex::conj(b), ex::conj(c));
     ok[8] = is(ex::proj(y), ex::proj(y[0]), ex::proj(y[1]), ex::proj(y[2]));
     ok[9] = is(ex::polar(y), ex::polar(y[0]), ex::polar(y[1]), ex::polar(y[2]));
     ok[10] = is(ex::polar(y, y), ex::polar(y[0], y[0]), ex::polar(y[1], y[1]),
                 ex::polar(y[2], y[2]));
     ok[11] = is(ex::polar(T(2), y), ex::polar(T(2), y[0]), ex::polar(T(2), y[1]),
                 ex::polar(T(2), y[2]));
     ok[12] = is(ex::pow(x, y), ex::pow(a, y[0]), ex::pow(b, y[1]), ex::pow(c, y[2]));
     ok[13] = is(ex::pow(x, T(2)), ex::pow(a, T(2)), ex::pow(b, T(2)), ex::pow(c, T(2)));
     ok[14] = is(ex::pow(a, y), ex::pow(a, y[0]), ex::pow(a, y[1]), ex::pow(a, y[2]));
     ok[15] = is(ex::pow(x, x), ex::pow(a, a), ex::pow(b, b), ex::pow(c, c));
     ok[16] = is(ex::pow(x, b), ex::pow(a, b), ex::pow(b, b), ex::pow(c, b)) &&
              is(ex::pow(b, x), ex::pow(b, a), ex::pow(b, b), ex::pow(b, c));
     ok[17] = is(ex::pow(y, x), ex::pow(y[0], a), ex::pow(y[1], b), ex::pow(y[2], c));
     ok[18] = is(ex::pow(y, a), ex::pow(y[0], a), ex::pow(y[1], a), ex::pow(y[2], a));
     ok[19] = is(ex::pow(T(2), x), ex::pow(T(2), a), ex::pow(T(2), b), ex::pow(T(2), c));
     for (int i = 0; i < count; ++i) {
       out[i] = ok[i];
     }
   }).wait();
  for (int i = 0; i < count; ++i) {
    if (!out[i]) {
      std::printf("arrays of %zu bytes: check %d\n", sizeof(T), i);
      ++failures;
    }
  }
  sycl::free(out, q);
}

static void special_values() {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT(ex::norm(complex<double>(nan, -infinity)) == infinity);
  EXPECT(ex::abs(complex<double>(-infinity, nan)) == infinity);
  EXPECT(ex::proj(complex<double>(1, -infinity)) == complex<double>(infinity, -0.0));
  EXPECT(std::isinf((complex<double>(infinity, nan) * complex<double>(1, 1)).real()));
  EXPECT(ex::arg(-1) > 3.14 && ex::norm(3) == 9 && ex::imag(2.0f) == 0);
  EXPECT(ex::exp(complex<double>(-infinity, nan)).real() == 0);
}

static void text(sycl::queue q) {
  std::stringstream words;
  words << complex<float>(1.5f, -2);
  EXPECT(words.str() == "(1.5,-2)");
  complex<sycl::half> read;
  words >> read;
  EXPECT(read == complex<sycl::half>(sycl::half(1.5f), sycl::half(-2)));
  q.submit([&](sycl::handler &h) {
     sycl::stream out(1024, 80, h);
     h.single_task([=] { out << "stream " << complex<float>(1.5f, -2) << sycl::endl; });
   }).wait();
}

template <class C>
static void group_algorithms(sycl::queue q) {
  constexpr std::size_t size = 21;
  using part = typename C::value_type;
  C *out = sycl::malloc_shared<C>(3 * size + 4, q);
  q.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
     const auto g = it.get_group();
     const std::size_t i = it.get_local_id(0);
     const C mine(static_cast<part>(static_cast<float>(i)), part(1));
     out[i] = mine;
     out[size + i] = sycl::inclusive_scan_over_group(g, mine, sycl::plus<>());
     out[2 * size + i] = sycl::exclusive_scan_over_group(g, mine, sycl::plus<C>());
     const C unit = i % 4 == 1 ? C(part(0), part(1)) : C(part(1));
     const C sum = sycl::reduce_over_group(g, mine, sycl::plus<C>());
     const C product = sycl::reduce_over_group(g, unit, sycl::multiplies<>());
     const C joint = sycl::joint_reduce(g, out, out + size, sycl::plus<>());
     const C zero = sycl::joint_reduce(g, out, out, C(part(7)), sycl::multiplies<>());
     if (i == 3) {
       out[3 * size] = sum;
       out[3 * size + 1] = product;
       out[3 * size + 2] = joint;
       out[3 * size + 3] = zero;
     }
   }).wait();
  const auto whole = [](int re, int im) {
    return C(static_cast<part>(static_cast<float>(re)), static_cast<part>(static_cast<float>(im)));
  };
  for (int i = 0; i < static_cast<int>(size); ++i) {
    EXPECT(out[size + static_cast<unsigned>(i)] == whole(i * (i + 1) / 2, i + 1));
    EXPECT(out[2 * size + static_cast<unsigned>(i)] == whole(i * (i - 1) / 2, i));
  }
  EXPECT(out[3 * size] == whole(210, 21) && out[3 * size + 2] == whole(210, 21));
  EXPECT(out[3 * size + 1] == whole(0, 1) && out[3 * size + 3] == whole(7, 0));
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  functions<float>(q);
  arrays<float>(q);
#ifndef LIGHT
  functions<sycl::half>(q);
  functions<double>(q);
  arrays<double>(q);
#endif
  special_values();
  text(q);
  group_algorithms<std::complex<float>>(q);
  group_algorithms<std::complex<double>>(q);
  group_algorithms<complex<sycl::half>>(q);
  group_algorithms<complex<float>>(q);
  return failures;
}
