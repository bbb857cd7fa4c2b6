// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vec::convert in every rounding mode, as, bit_cast, and the aliases.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/both_sides.hpp"

using sycl::rounding_mode;

// One value through a vec, each element: the same result in all.
template <class To, rounding_mode Mode = rounding_mode::automatic, class From>
[[gnu::noinline]] To through(From value) {
  const sycl::vec<From, 3> v(value);
  const sycl::vec<To, 3> all = v.template convert<To, Mode>();
  const sycl::vec<To, 2> two = v.hi().template convert<To, Mode>();
  return all[0] == all[1] && all[1] == all[2] ? all[0] : two[0];
}

template <class To, class From>
[[gnu::noinline]] void modes(checks &c, From value, To rte, To rtz, To rtp, To rtn) {
  c.type = type_number<To>();
  CHECK(through<To>(value) == rte);
  CHECK((through<To, rounding_mode::automatic>(value) == rte));
  CHECK((through<To, rounding_mode::rte>(value) == rte));
  CHECK((through<To, rounding_mode::rtz>(value) == rtz));
  CHECK((through<To, rounding_mode::rtp>(value) == rtp));
  CHECK((through<To, rounding_mode::rtn>(value) == rtn));
}

template <class From>
[[gnu::noinline]] void to_integers(checks &c) {
  const From one = static_cast<From>(c.seed[1]);
  modes<int>(c, one * 2.5f, 2, 2, 3, 2);
  modes<int>(c, one * 3.5f, 4, 3, 4, 3);
  modes<int>(c, one * -2.5f, -2, -2, -2, -3);
  modes<int>(c, one * -3.5f, -4, -3, -3, -4);
  modes<int>(c, one * 2.25f, 2, 2, 3, 2);
  modes<int>(c, one * -2.75f, -3, -2, -2, -3);
  modes<int>(c, one * 7.0f, 7, 7, 7, 7);
  modes<std::int8_t>(c, one * -0.5f, std::int8_t(0), std::int8_t(0), std::int8_t(0),
                     std::int8_t(-1));
  modes<std::uint16_t>(c, one * 1000.75f, std::uint16_t(1001), std::uint16_t(1000),
                       std::uint16_t(1001), std::uint16_t(1000));
  modes<std::int64_t>(c, one * -1.5f, std::int64_t(-2), std::int64_t(-1), std::int64_t(-1),
                      std::int64_t(-2));
  modes<std::uint64_t>(c, one * 0.5f, std::uint64_t(0), std::uint64_t(0), std::uint64_t(1),
                       std::uint64_t(0));
}

[[gnu::noinline]] void to_floats(checks &c) {
  const int one = c.seed[1];
  const float f = 16777216.0f;
  modes<float>(c, 16777217 * one, f, f, f + 2, f);
  modes<float>(c, 16777219 * one, f + 4, f + 2, f + 4, f + 2);
  modes<float>(c, -16777217 * one, -f, -f, -f, -(f + 2));
  modes<float>(c, 16777216 * one, f, f, f, f);
  const auto most = static_cast<std::int64_t>(one) * 0x7fffffffffffffff;
  modes<float>(c, most, 0x1p63f, 0x1.fffffep62f, 0x1p63f, 0x1.fffffep62f);
  const auto all = ~static_cast<std::uint64_t>(one - 1);
  modes<double>(c, all, 0x1p64, 0x1.fffffffffffffp63, 0x1p64, 0x1.fffffffffffffp63);
  modes<double>(c, -most - 1, -0x1p63, -0x1p63, -0x1p63, -0x1p63);
  modes<float>(c, 1.0 / 3 * one, 0x1.555556p-2f, 0x1.555554p-2f, 0x1.555556p-2f, 0x1.555554p-2f);
  modes<float>(c, -1.0 / 3 * one, -0x1.555556p-2f, -0x1.555554p-2f, -0x1.555554p-2f,
               -0x1.555556p-2f);
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  const float least = std::numeric_limits<float>::denorm_min();
  modes<float>(c, 1e300 * one, infinity, largest, infinity, largest);
  modes<float>(c, -1e300 * one, -infinity, -largest, -largest, -infinity);
  modes<float>(c, 1e-300 * one, 0.0f, 0.0f, least, 0.0f);
  modes<float>(c, -1e-300 * one, 0.0f, 0.0f, 0.0f, -least);
  modes<double>(c, 1.5f * static_cast<float>(one), 1.5, 1.5, 1.5, 1.5);
  using sycl::half;
  modes<half>(c, 2049 * one, half(2048), half(2048), half(2050), half(2048));
  modes<half>(c, 70000 * one, half(infinity), half(65504), half(infinity), half(65504));
  modes<half>(c, -70000 * one, half(-infinity), half(-65504), half(-65504), half(-infinity));
  modes<half>(c, 0.1 * one, half(0x1.998p-4), half(0x1.998p-4), half(0x1.99cp-4), half(0x1.998p-4));
  modes<half>(c, 0.1f * static_cast<float>(one), half(0x1.998p-4), half(0x1.998p-4),
              half(0x1.99cp-4), half(0x1.998p-4));
  modes<float>(c, half(0.5f * static_cast<float>(one)), 0.5f, 0.5f, 0.5f, 0.5f);
  CHECK(through<float>(std::numeric_limits<double>::quiet_NaN() * one) != 0.0f);
  CHECK((through<float, rounding_mode::rtp>(static_cast<double>(infinity) * one) == infinity));
}

[[gnu::noinline]] void others(checks &c) {
  const int one = c.seed[1];
  c.width = 4;
  CHECK(through<std::uint8_t>(one * 300) == 44 &&
        through<int>(static_cast<std::int8_t>(-one)) == -1);
  CHECK(through<bool>(one * 0.5f) && !through<bool>(one - 1) && through<float>(one == 1) == 1.0f);
  CHECK(through<int>(static_cast<std::byte>(one)) == 1);
  CHECK(through<std::byte>(one) == std::byte{1});
  const sycl::float4 f(static_cast<float>(one), -0.0f, 2, 0.5f);
  const auto bits = f.as<sycl::int4>();
  CHECK(bits[0] == 0x3f800000 && bits[1] == INT32_MIN && bits[2] == 0x40000000);
  CHECK(f.as<sycl::uchar16>()[3] == 0x3f && f.as<sycl::short8>()[1] == 0x3f80);
  CHECK(f.hi().as<sycl::int2>()[1] == 0x3f000000 && bits.as<sycl::float4>()[3] == 0.5f);
  CHECK((sycl::bit_cast<sycl::int4>(f) == bits)[2] == -1);
  CHECK(sycl::bit_cast<std::uint32_t>(f.x()) == 0x3f800000u);
  CHECK(f.as<sycl::double2>().as<sycl::float4>()[2] == 2.0f);
}

static_assert(sycl::bit_cast<std::uint32_t>(1.0f) == 0x3f800000u);

#define SAME(name, type)                                                   \
  static_assert(std::is_same_v<sycl::name##2, sycl::vec<type, 2>> &&       \
                std::is_same_v<sycl::name##3, sycl::vec<type, 3>> &&       \
                std::is_same_v<sycl::name##4, sycl::vec<type, 4>> &&       \
                std::is_same_v<sycl::name##8, sycl::vec<type, 8>> &&       \
                std::is_same_v<sycl::name##16, sycl::vec<type, 16>> &&     \
                std::is_same_v<sycl::m##name##2, sycl::marray<type, 2>> && \
                std::is_same_v<sycl::m##name##16, sycl::marray<type, 16>>);
SAME(char, std::int8_t)
SAME(uchar, std::uint8_t)
SAME(short, std::int16_t)
SAME(ushort, std::uint16_t)
SAME(int, std::int32_t)
SAME(uint, std::uint32_t)
SAME(long, std::int64_t)
SAME(ulong, std::uint64_t)
SAME(half, sycl::half)
SAME(float, float)
SAME(double, double)
static_assert(std::is_same_v<sycl::mbool3, sycl::marray<bool, 3>>);
static_assert(std::is_same_v<sycl::uchar, unsigned char> &&
              std::is_same_v<sycl::longlong, long long>);

int main() {
  return on_both_sides(__FILE__, [](checks &c) {
    c.width = 3;
    to_integers<float>(c);
    to_integers<double>(c);
    to_floats(c);
    others(c);
  });
}
