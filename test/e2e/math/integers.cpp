// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer functions of all widths against 128-bit arithmetic, in kernels and on the host.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/ulp.hpp"

using big = __int128;

// name, exact result; a, b and c are big, T their type and bits its width
#define INTEGER(X)                                                 \
  X(abs, sycl::abs(x), a < 0 ? -a : a)                             \
  X(abs_diff, sycl::abs_diff(x, y), a > b ? a - b : b - a)         \
  X(add_sat, sycl::add_sat(x, y), saturated<T>(a + b))             \
  X(sub_sat, sycl::sub_sat(x, y), saturated<T>(a - b))             \
  X(hadd, sycl::hadd(x, y), (a + b) >> 1)                          \
  X(rhadd, sycl::rhadd(x, y), (a + b + 1) >> 1)                    \
  X(clamp, sycl::clamp(x, sycl::min(y, z), sycl::max(y, z)),       \
    a < least(b, c) ? least(b, c) : least(a, b > c ? b : c))       \
  X(clz, sycl::clz(x), leading<T>(x))                              \
  X(ctz, sycl::ctz(x), trailing<T>(x))                             \
  X(popcount, sycl::popcount(x), ones<T>(x))                       \
  X(mad_hi, sycl::mad_hi(x, y, z), (product >> bits) + c)          \
  X(mul_hi, sycl::mul_hi(x, y), product >> bits)                   \
  X(mad_sat, sycl::mad_sat(x, y, z), saturated_sum<T>(product, c)) \
  X(max, sycl::max(x, y), a > b ? a : b)                           \
  X(min, sycl::min(x, y), a < b ? a : b)                           \
  X(rotate, sycl::rotate(x, y), rotated<T>(x, y))                  \
  X(bitselect, sycl::bitselect(x, y, z), (a & ~c) | (b & c))       \
  X(select, sycl::select(x, y, z < 5), z < 5 ? b : a)
#define ENTRY(name, ...) id_##name,
enum function_id : std::size_t { INTEGER(ENTRY) function_count };

template <class T>
struct limits {
  static constexpr big least = std::is_signed_v<T> ? -(big(1) << (sizeof(T) * 8 - 1)) : 0;
  static constexpr big most = (big(1) << (sizeof(T) * 8 - std::is_signed_v<T>)) - 1;
};
static big least(big a, big b) { return a < b ? a : b; }
template <class T>
big saturated(big x) {
  return x < limits<T>::least ? limits<T>::least : x > limits<T>::most ? limits<T>::most : x;
}
// The product of 64-bit unsigned numbers fills a big's bits, sign included.
template <class T>
big saturated_sum(big product, big c) {
  if (sizeof(T) == 8 && !std::is_signed_v<T>) {
    const auto p = static_cast<unsigned __int128>(product) + static_cast<unsigned __int128>(c);
    return p > static_cast<unsigned __int128>(limits<T>::most) ? limits<T>::most : big(p);
  }
  return saturated<T>(product + c);
}
template <class T>
int bit(T x, int place) {
  return static_cast<int>((static_cast<std::uint64_t>(x) >> place) & 1);
}
template <class T>
int leading(T x) {
  int count = 0;
  for (int i = sizeof(T) * 8 - 1; i >= 0 && !bit(x, i); --i) {
    ++count;
  }
  return count;
}
template <class T>
int trailing(T x) {
  int count = 0;
  for (int i = 0; i < static_cast<int>(sizeof(T) * 8) && !bit(x, i); ++i) {
    ++count;
  }
  return count;
}
template <class T>
int ones(T x) {
  int count = 0;
  for (std::size_t i = 0; i < sizeof(T) * 8; ++i) {
    count += bit(x, static_cast<int>(i));
  }
  return count;
}
template <class T>
big rotated(T x, T count) {
  const int width = sizeof(T) * 8;
  const int by = static_cast<int>(static_cast<std::uint64_t>(count) % width);
  std::uint64_t result = 0;
  for (int i = 0; i < width; ++i) {
    result |= std::uint64_t(bit(x, i)) << ((i + by) % width);
  }
  return big(result);
}

template <class T>
struct numbers3 {
  T x, y, z;
};
template <class T>
struct answers {
  T of[function_count];
};

template <class T>
void evaluate(const numbers3<T> &in, answers<T> &out) {
  const T x = in.x, y = in.y, z = in.z;
#define CALL(name, call, exact) out.of[id_##name] = call;
  INTEGER(CALL)
#undef CALL
}

template <class T>
void judge(const char *where, const numbers3<T> &in, const answers<T> &out) {
  const T x = in.x, y = in.y;
  [[maybe_unused]] const T z = in.z;
  const big a = in.x, b = in.y, c = in.z;
  using unsigned_big = unsigned __int128;
  const big product = big(static_cast<unsigned_big>(a) * static_cast<unsigned_big>(b));
  [[maybe_unused]] const int bits = sizeof(T) * 8;
#define JUDGE(name, call, exact)                                                               \
  if (id_##name == id_abs_diff && a - b != static_cast<T>(a - b) &&                            \
      b - a != static_cast<T>(b - a)) {                                                        \
    /* undefined */                                                                            \
  } else if (out.of[id_##name] != static_cast<T>(exact)) {                                     \
    std::printf(#name "<%s%d> %s of (%lld, %lld, %lld): got %lld, expected %lld\n",            \
                std::is_signed_v<T> ? "int" : "uint", bits, where, (long long)a, (long long)b, \
                (long long)c, (long long)out.of[id_##name], (long long)static_cast<T>(exact)); \
    ++failures;                                                                                \
  }
  INTEGER(JUDGE)
#undef JUDGE
}

template <class T>
void check(sycl::queue &q) {
  const std::size_t count = 4096;
  std::vector<numbers3<T>> in(count);
  numbers random{sizeof(T)};
  const T edges[] = {0,
                     1,
                     2,
                     3,
                     5,
                     7,
                     static_cast<T>(-1),
                     static_cast<T>(-2),
                     T(limits<T>::least),
                     T(limits<T>::least + 1),
                     T(limits<T>::most),
                     T(limits<T>::most - 1)};
  const auto next = [&] {
    const std::uint64_t bits = random.next();
    return bits % 3 == 0 ? edges[(bits >> 8) % 12] : static_cast<T>(random.next() >> bits % 60);
  };
  for (auto &i : in) {
    i = {next(), next(), next()};
  }
  auto *device_in = sycl::malloc_shared<numbers3<T>>(count, q);
  auto *device_out = sycl::malloc_shared<answers<T>>(count, q);
  q.memcpy(device_in, in.data(), count * sizeof in[0]).wait();
  q.parallel_for(count, [=](sycl::id<1> i) { evaluate(device_in[i[0]], device_out[i[0]]); }).wait();
  for (std::size_t i = 0; i < count && failures < 50; ++i) {
    answers<T> out;
    evaluate(in[i], out);
    judge("on the host", in[i], out);
    judge("in a kernel", in[i], device_out[i]);
  }
  sycl::free(device_in, q);
  sycl::free(device_out, q);
}

// Functions of some widths only.
static void check_widths(sycl::queue &q) {
  struct result {
    std::int16_t up8;
    std::uint16_t up8u;
    std::int32_t up16;
    std::uint32_t up16u;
    std::int64_t up32;
    std::uint64_t up32u;
    std::int32_t mul24, mad24;
    std::uint32_t mul24u, mad24u;
  };
  const auto evaluate_widths = [](int i, result &out) {
    const auto low = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15;
    out.up8 = sycl::upsample(static_cast<std::int8_t>(i), static_cast<std::uint8_t>(low));
    out.up8u = sycl::upsample(static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(low));
    out.up16 = sycl::upsample(static_cast<std::int16_t>(i), static_cast<std::uint16_t>(low));
    out.up16u = sycl::upsample(static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(low));
    out.up32 = sycl::upsample(i, static_cast<std::uint32_t>(low));
    out.up32u = sycl::upsample(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(low));
    const int x = i * 83, y = 0x7fffff - i;
    out.mul24 = sycl::mul24(x, y);
    out.mad24 = sycl::mad24(x, y, i);
    out.mul24u = sycl::mul24(0xffffffu - static_cast<unsigned>(i & 255), 0xfff000u);
    out.mad24u = sycl::mad24(0xffffffu, 0xffffffu - static_cast<unsigned>(i & 255), 77u);
  };
  const int count = 1000;
  auto *out = sycl::malloc_shared<result>(count, q);
  q.parallel_for(count, [=](sycl::id<1> i) {
     evaluate_widths(static_cast<int>(i[0]) - 500, out[i[0]]);
   }).wait();
  for (int at = 0; at < 2 * count && failures < 50; ++at) {
    const int i = at % count - 500;
    result r = out[at % count];
    if (at >= count) {
      evaluate_widths(i, r);
    }
    const auto low = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15;
    const auto u = static_cast<std::uint64_t>(i & 255);
    EXPECT(r.up8 == static_cast<std::int16_t>(static_cast<std::int8_t>(i) * 256 + (low & 0xff)));
    EXPECT(r.up8u == ((i & 0xff) * 256 + (low & 0xff)));
    EXPECT(r.up16 == static_cast<std::int32_t>(i * 65536 + static_cast<int>(low & 0xffff)));
    EXPECT(r.up16u == (std::uint32_t(i) << 16 | (low & 0xffff)));
    EXPECT(r.up32 == static_cast<std::int64_t>(i * 4294967296 + (low & 0xffffffff)));
    EXPECT(r.up32u == (std::uint64_t(std::uint32_t(i)) << 32 | (low & 0xffffffff)));
    const std::int64_t product = std::int64_t(i) * 83 * (0x7fffff - i);
    EXPECT(r.mul24 == static_cast<std::int32_t>(product));
    EXPECT(r.mad24 == static_cast<std::int32_t>(product + i));
    EXPECT(r.mul24u == static_cast<std::uint32_t>((0xffffffu - u) * 0xfff000u));
    EXPECT(r.mad24u == static_cast<std::uint32_t>(0xffffffull * (0xffffffull - u) + 77));
  }
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  check<std::int8_t>(q);
  check<std::uint8_t>(q);
  check<std::int16_t>(q);
  check<std::uint16_t>(q);
  check<std::int32_t>(q);
  check<std::uint32_t>(q);
  check<std::int64_t>(q);
  check<std::uint64_t>(q);
  check_widths(q);
  return failures != 0;
}
