// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The built-in functions' overload sets: result types, what is not callable, and that vec, marray
// and swizzles get for each element what a scalar gets; on the host and in kernels.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "Inputs/ulp.hpp"

using sycl::half;
using sycl::marray;
using sycl::vec;

template <class A, class B>
inline constexpr bool is = std::is_same_v<A, B>;
#define RESULT(type, ...) static_assert(is<decltype(__VA_ARGS__), type>)
using f4 = vec<float, 4>;
using d2 = vec<double, 2>;
using h3 = vec<half, 3>;
using i4 = vec<std::int32_t, 4>;
using l2 = vec<std::int64_t, 2>;
using s3 = vec<std::int16_t, 3>;
using mf = marray<float, 5>;
using mi = marray<int, 5>;
using mb = marray<bool, 5>;
using fm2 = marray<float, 2>;
#define COMMA ,

template <class T>
const T &of() noexcept;
#define SWIZZLE(T) (of<T>().template swizzle<3, 2, 1, 0>())

RESULT(float, sycl::sin(1.0f));
RESULT(double, sycl::sin(1.0));
RESULT(half, sycl::sin(half(1.0f)));
RESULT(f4, sycl::sin(of<f4>()));
RESULT(mf, sycl::sin(of<mf>()));
RESULT(f4, sycl::sin(SWIZZLE(f4)));
RESULT(float, sycl::pow(1.0f, 2));
RESULT(double, sycl::pow(1.0, 2));
RESULT(f4, sycl::pow(of<f4>(), SWIZZLE(f4)));
RESULT(f4, sycl::fmax(of<f4>(), 1.0f));
RESULT(f4, sycl::fmax(SWIZZLE(f4), 1));
RESULT(int, sycl::ilogb(1.0));
RESULT(vec<int COMMA 2>, sycl::ilogb(of<d2>()));
RESULT(mi, sycl::ilogb(of<mf>()));
RESULT(f4, sycl::ldexp(of<f4>(), 3));
RESULT(f4, sycl::ldexp(of<f4>(), of<i4>()));
RESULT(mf, sycl::rootn(of<mf>(), of<mi>()));
RESULT(float, sycl::nan(std::uint32_t(1)));
RESULT(double, sycl::nan(std::uint64_t(1)));
RESULT(half, sycl::nan(std::uint16_t(1)));
RESULT(vec<double COMMA 2>, sycl::nan(of<vec<std::uint64_t, 2>>()));
RESULT(float, sycl::native::sin(1.0f));
RESULT(f4, sycl::native::divide(SWIZZLE(f4), of<f4>()));
RESULT(mf, sycl::half_precision::exp(of<mf>()));

RESULT(int, sycl::min(1, 2));
RESULT(unsigned char, sycl::max(static_cast<unsigned char>(1), static_cast<unsigned char>(2)));
RESULT(long long, sycl::clamp(1ll, 2ll, 3ll));
RESULT(std::size_t, sycl::min(std::size_t(1), std::size_t(2)));
RESULT(float, sycl::max(1.0f, 2.0f));
RESULT(half, sycl::clamp(half(1.0f), half(2.0f), half(3.0f)));
RESULT(i4, sycl::min(of<i4>(), 3));
RESULT(i4, sycl::min(SWIZZLE(i4), of<i4>()));
RESULT(f4, sycl::clamp(of<f4>(), 0, 1));
RESULT(f4, sycl::clamp(SWIZZLE(f4), of<f4>(), of<f4>()));
RESULT(f4, sycl::mix(of<f4>(), SWIZZLE(f4), 0.5f));
RESULT(f4, sycl::step(0.5f, of<f4>()));
RESULT(f4, sycl::smoothstep(0.0f, 1.0f, SWIZZLE(f4)));
RESULT(i4, sycl::abs(of<i4>()));
RESULT(char, sycl::abs('a'));
RESULT(vec<std::uint16_t COMMA 4>,
       sycl::upsample(of<vec<std::uint8_t, 4>>(), of<vec<std::uint8_t, 4>>()));
RESULT(vec<std::int64_t COMMA 4>, sycl::upsample(SWIZZLE(i4), of<vec<std::uint32_t, 4>>()));
RESULT(marray<std::int16_t COMMA 2>,
       sycl::upsample(of<marray<std::int8_t, 2>>(), of<marray<std::uint8_t, 2>>()));

RESULT(float, sycl::dot(of<f4>(), SWIZZLE(f4)));
RESULT(double, sycl::length(of<d2>()));
RESULT(half, sycl::distance(of<h3>(), of<h3>()));
RESULT(float, sycl::length(2.0f));
RESULT(f4, sycl::cross(SWIZZLE(f4), of<f4>()));
RESULT(fm2, sycl::normalize(of<fm2>()));
RESULT(float, sycl::fast_length(of<fm2>()));

RESULT(bool, sycl::isnan(1.0f));
RESULT(i4, sycl::isnan(of<f4>()));
RESULT(l2, sycl::isless(of<d2>(), of<d2>()));
RESULT(s3, sycl::isequal(of<h3>(), of<h3>()));
RESULT(mb, sycl::isgreater(of<mf>(), of<mf>()));
RESULT(int, sycl::any(of<i4>()));
RESULT(int, sycl::all(SWIZZLE(i4)));
RESULT(bool, sycl::any(of<mb>()));
RESULT(bool, sycl::all(-1));
RESULT(float, sycl::select(1.0f, 2.0f, true));
RESULT(f4, sycl::select(of<f4>(), SWIZZLE(f4), of<i4>()));
RESULT(f4, sycl::select(of<f4>(), of<f4>(), of<vec<std::uint32_t, 4>>()));
RESULT(mf, sycl::select(of<mf>(), of<mf>(), of<mb>()));
RESULT(f4, sycl::bitselect(of<f4>(), of<f4>(), SWIZZLE(f4)));

// What the constraints keep out.
#define CALLABLE(name)                         \
  template <class Void, class... A>            \
  struct name##_callable : std::false_type {}; \
  template <class... A>                        \
  struct name##_callable<std::void_t<decltype(sycl::name(of<A>()...))>, A...> : std::true_type {};
CALLABLE(sin)
CALLABLE(min)
CALLABLE(abs)
CALLABLE(dot)
CALLABLE(cross)
CALLABLE(any)
CALLABLE(select) CALLABLE(mul24) CALLABLE(frexp) CALLABLE(upsample) CALLABLE(fast_length)
    CALLABLE(clamp) CALLABLE(isnan)
#define TAKES(name, ...) static_assert(name##_callable<void, __VA_ARGS__>::value)
#define REFUSES(name, ...) static_assert(!name##_callable<void, __VA_ARGS__>::value)
        REFUSES(sin, i4);
REFUSES(sin, const char *);
REFUSES(sin, marray<int, 2>);
REFUSES(min, int, long);
REFUSES(min, f4, vec<float, 2>);
REFUSES(min, f4, vec<double, 4>);
REFUSES(min, bool, bool);
REFUSES(clamp, int, int, float);
REFUSES(abs, float);
TAKES(dot, f4, f4);
REFUSES(dot, vec<float, 8>, vec<float, 8>);
REFUSES(dot, i4, i4);
REFUSES(cross, d2, d2);
REFUSES(fast_length, d2);
REFUSES(any, vec<unsigned, 4>);
REFUSES(select, f4, f4, l2);
REFUSES(select, f4, f4, vec<std::int64_t, 4>);
TAKES(mul24, int, int);
REFUSES(mul24, long, long);
TAKES(frexp, float, int *);
REFUSES(frexp, float, const int *);
REFUSES(frexp, float, long *);
REFUSES(frexp, f4, int *);
TAKES(upsample, signed char, unsigned char);
REFUSES(upsample, unsigned char, signed char);
REFUSES(upsample, int, std::uint64_t);
REFUSES(isnan, int *);

// One function of each form, with all kinds of arguments, gives what it gives for scalars.
// (Within 8 units of the last place; device code has no long double.)
template <class T>
bool close(T a, T b) {
  using real = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const double x = static_cast<real>(a), y = static_cast<real>(b);
  if (x == y || (x != x && y != y)) {
    return true;
  }
  const double size = std::max(std::fabs(y), std::ldexp(1.0, format<T>::least));
  return std::fabs(x - y) <= 8 * std::ldexp(size, 1 - format<T>::digits);
}
template <class T, class V>
struct element_checks {
  static constexpr std::size_t size = V::size();
  using I = std::conditional_t<is<V, marray<T, size>>, marray<int, size>, vec<int, int(size)>>;

  // How many are wrong; `order` is where the elements of `swizzled` are in v.
  template <class S>
  static int run(const V &v, const V &w, const S &swizzled, const int *order) {
    int wrong = 0;
// (x, y and s are the elements of v, w and swizzled)
#define SAME(expression, of_element)                                \
  {                                                                 \
    const auto result = expression;                                 \
    for (std::size_t i = 0; i < size; ++i) {                        \
      [[maybe_unused]] const T x = v[i], y = w[i], s = v[order[i]]; \
      [[maybe_unused]] T out;                                       \
      wrong += !close<T>(result[i], of_element);                    \
    }                                                               \
  }
    SAME(sycl::exp(v), sycl::exp(x))
    SAME(sycl::sinpi(swizzled), sycl::sinpi(s))
    SAME(sycl::sqrt(swizzled), sycl::sqrt(s))
    SAME(sycl::hypot(v, w), sycl::hypot(x, y))
    SAME(sycl::hypot(swizzled, w), sycl::hypot(s, y))
    SAME(sycl::fmin(v, w[1]), sycl::fmin(x, w[1]))
    SAME(sycl::fmax(swizzled, T(1)), sycl::fmax(s, T(1)))
    SAME(sycl::fma(v, swizzled, w), sycl::fma(x, s, y))
    SAME(sycl::mad(v, swizzled, w), sycl::mad(x, s, y))
    SAME(sycl::min(swizzled, v), sycl::min(s, x))
    SAME(sycl::max(v, T(2)), sycl::max(x, T(2)))
    SAME(sycl::clamp(v, T(1), T(2)), sycl::clamp(x, T(1), T(2)))
    SAME(sycl::clamp(swizzled, v, w), sycl::clamp(s, x, y))
    SAME(sycl::mix(swizzled, w, T(0.25f)), sycl::mix(s, y, T(0.25f)))
    SAME(sycl::mix(v, swizzled, w), sycl::mix(x, s, y))
    SAME(sycl::step(v, swizzled), sycl::step(x, s))
    SAME(sycl::step(T(1), v), sycl::step(T(1), x))
    SAME(sycl::smoothstep(T(0), T(3), v), sycl::smoothstep(T(0), T(3), x))
    SAME(sycl::degrees(v), sycl::degrees(x))
    SAME(sycl::nextafter(v, w), sycl::nextafter(x, y))
    SAME(sycl::ldexp(v, 3), sycl::ldexp(x, 3))
    V other;
    SAME(sycl::fract(v, &other), sycl::fract(x, &out))
    SAME(sycl::sincos(swizzled, &other), sycl::sin(s))
    SAME(other, sycl::cos(s))
    I ints;
    SAME(sycl::frexp(swizzled, &ints), sycl::frexp(s, &ints[i]))
    SAME(sycl::ldexp(sycl::frexp(v, &ints), ints), x)
    SAME(sycl::remquo(v, w, &ints), sycl::remainder(x, y))
    SAME(sycl::bitselect(v, w, swizzled), sycl::bitselect(x, y, s))
    const auto less = sycl::isless(swizzled, w);
    SAME(sycl::select(v, w, less), s < y ? y : x)
    for (std::size_t i = 0; i < size; ++i) {
      wrong += (less[i] != 0) != (v[order[i]] < w[i]);
      wrong += !is<V, marray<T, size>> && less[i] != 0 && less[i] != -1;
    }
    auto all_set = sycl::isequal(v, v);
    wrong += !sycl::all(all_set) || !sycl::any(all_set);
    all_set[1] = 0;
    wrong += sycl::all(all_set) || !sycl::any(all_set);
    wrong += sycl::any(sycl::isnan(v));
    wrong += !sycl::all(sycl::isfinite(w));
    wrong += !sycl::all(sycl::isnormal(v));
    wrong += !sycl::any(sycl::signbit(-v));
#undef SAME
    return wrong;
  }
};

template <class V, class T>
V filled(T first, T step) {
  V v;
  for (std::size_t i = 0; i < V::size(); ++i) {
    v[i] = static_cast<T>(static_cast<float>(first) + static_cast<float>(step) * i);
  }
  return v;
}

// Bits of the kinds of arguments with wrong results.
static int run_all() {
  const int reverse[] = {3, 2, 1, 0}, same[] = {0, 1, 2, 3, 4, 5, 6};
  const int pair[] = {1, 0};
  const auto v4 = filled<f4>(0.5f, 0.75f), w4 = filled<f4>(3.0f, 0.5f);
  const auto v2 = filled<d2>(0.5, 0.75), w2 = filled<d2>(3.0, 0.5);
  const auto vh = filled<vec<half, 4>>(half(0.5f), half(0.75f));
  const auto wh = filled<vec<half, 4>>(half(3.0f), half(0.5f));
  const auto vm = filled<marray<float, 7>>(0.5f, 0.75f), wm = filled<marray<float, 7>>(7.0f, 0.5f);
  int wrong = 0;
  wrong |= element_checks<float, f4>::run(v4, w4, v4.swizzle<3, 2, 1, 0>(), reverse) != 0;
  wrong |= (element_checks<double, d2>::run(v2, w2, v2.swizzle<1, 0>(), pair) != 0) << 1;
  wrong |= (element_checks<half, vec<half, 4>>::run(vh, wh, vh.swizzle<3, 2, 1, 0>(), reverse) != 0)
           << 2;
  wrong |= (element_checks<float, marray<float, 7>>::run(vm, wm, vm, same) != 0) << 3;
  return wrong;
}

// Integers, one-element vecs, pointers of all kinds and calls that mix them.
static int run_more() {
  int wrong = 0;
  const i4 v(1, -2, 3, -4);
  wrong += !sycl::all(sycl::abs(v) == i4(1, 2, 3, 4));
  wrong += !sycl::all(sycl::add_sat(v, i4(0x7fffffff)) ==
                      i4(0x7fffffff, 0x7ffffffd, 0x7fffffff, 0x7ffffffb));
  wrong += !sycl::all(sycl::clamp(v.swizzle<3, 2, 1, 0>(), -2, 2) == i4(-2, 2, -2, 1));
  wrong += !sycl::all(sycl::popcount(vec<std::uint8_t, 2>(255, 16)) == vec<std::uint8_t, 2>(8, 1));
  const auto mul =
      sycl::mul_hi(marray<std::uint64_t, 2>(~0ull, 5), marray<std::uint64_t, 2>(~0ull, 7));
  wrong += mul[0] != ~0ull - 1 || mul[1] != 0;
  const vec<float, 1> one(2.25f);
  wrong += sycl::sqrt(one)[0] != 1.5f || sycl::fmax(one, 1.0f)[0] != 2.25f;
  wrong += sycl::max(one, one)[0] != 2.25f || sycl::max(one, 5.0f)[0] != 5.0f;
  f4 w(4.0f, 9.0f, 16.0f, 25.0f);
  wrong += sycl::sqrt(w.y()) != 3.0f || sycl::min(w.x(), 5.0f) != 4.0f;
  w.swizzle<1, 0>() = sycl::sqrt(w.swizzle<2, 3>());
  wrong += w[1] != 4.0f || w[0] != 5.0f;
  float whole;
  auto pointer = sycl::address_space_cast<sycl::access::address_space::private_space,
                                          sycl::access::decorated::no>(&whole);
  wrong += sycl::modf(2.75f, pointer) != 0.75f || whole != 2.0f;
  f4 cosines;
  auto vector_pointer = sycl::address_space_cast<sycl::access::address_space::generic_space,
                                                 sycl::access::decorated::yes>(&cosines);
  wrong += sycl::sincos(f4(0.0f), vector_pointer)[3] != 0.0f || cosines[2] != 1.0f;
  wrong += !sycl::isnan(sycl::nan(7u));
  wrong += !sycl::any(sycl::isnan(sycl::nan(vec<std::uint16_t, 2>(1))));
  wrong += sycl::all(-1) != true || sycl::any(1) != false;
  return wrong;
}

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(2, q);
  q.single_task([=] {
     out[0] = run_all();
     out[1] = run_more();
   }).wait();
  EXPECT(run_all() == 0);
  EXPECT(run_more() == 0);
  EXPECT(out[0] == 0);
  EXPECT(out[1] == 0);
  sycl::free(out, q);
  return failures != 0;
}
