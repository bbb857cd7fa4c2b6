// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::span's bytes, on the host and in kernels, of spans whose type says the extent and of
// others.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

template <class From, class To>
constexpr bool gives = std::is_same_v<decltype(sycl::as_bytes(std::declval<From>())), To>;
static_assert(gives<sycl::span<int, 3>, sycl::span<const std::byte, 12>>);
static_assert(gives<sycl::span<int, 0>, sycl::span<const std::byte, 0>>);
static_assert(gives<sycl::span<double>, sycl::span<const std::byte>>);
using two_shorts = sycl::span<short, 2>;
static_assert(std::is_same_v<decltype(sycl::as_writable_bytes(std::declval<two_shorts>())),
                             sycl::span<std::byte, 4>>);

template <class Span, class = void>
constexpr bool is_writable = false;
template <class Span>
constexpr bool
    is_writable<Span, std::void_t<decltype(sycl::as_writable_bytes(std::declval<Span>()))>> = true;
static_assert(is_writable<sycl::span<int>> && !is_writable<sycl::span<const int>>);

int main() {
  sycl::queue q;
  std::uint32_t *values = sycl::malloc_shared<std::uint32_t>(4, q);
  const sycl::span<std::uint32_t> all(values, 4);
  const sycl::span<std::uint32_t, 2> two(values, 2);
  std::fill(all.begin(), all.end(), 0u);
  q.single_task([=] {
     for (std::byte &byte : sycl::as_writable_bytes(all)) {
       byte = std::byte{1};
     }
     sycl::as_writable_bytes(two)[7] = std::byte{2};
   }).wait();
  EXPECT(values[0] == 0x01010101 && values[1] == 0x02010101 && values[3] == 0x01010101);
  const auto bytes = sycl::as_bytes(all);
  EXPECT(bytes.size() == 16 && bytes[7] == std::byte{2} && bytes[15] == std::byte{1});
  EXPECT(sycl::as_bytes(sycl::span<std::uint32_t>()).empty());
  sycl::free(values, q);
  return failures;
}
