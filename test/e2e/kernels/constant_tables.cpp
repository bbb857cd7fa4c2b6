// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables in device code that look like what the compiler writes about a kernel for the CPU, before
// it knows the size of its stack: they stay as they are.
// RUN: %tenonxx -fsycl %s -o %t && %t | %FileCheck %s
// RUN: %tenonxx -fsycl -O0 %s -o %t.0 && %t.0 | %FileCheck %s
// CHECK: 0 wrong
#include <sycl/sycl.hpp>
#include <cstdint>
#include <cstdio>

constexpr std::uint64_t widths[] = {1, 2, 4, 8, 16, 32, 64};
constexpr std::size_t count = sizeof(widths) / sizeof(widths[0]);

__attribute__((noinline)) std::uint64_t at(const std::uint64_t *table, std::size_t i) {
  return table[i];
}

template <std::uint64_t Width>
void copy_table(std::size_t i, std::uint64_t *to) {
  const std::uint64_t table[4] = {0, 0, Width, 0};
  to[i] = at(table, i);
}

int main() {
  sycl::queue q;
  auto *out = sycl::malloc_shared<std::uint64_t>(count * 4, q);
  q.parallel_for(sycl::range<1>(4), [=](sycl::id<1> id) {
     const std::size_t i = id;
     copy_table<1>(i, out);
     copy_table<2>(i, out + 4);
     copy_table<4>(i, out + 8);
     copy_table<8>(i, out + 12);
     copy_table<16>(i, out + 16);
     copy_table<32>(i, out + 20);
     copy_table<64>(i, out + 24);
   }).wait();
  int wrong = 0;
  for (std::size_t k = 0; k < count; k++) {
    for (std::size_t i = 0; i < 4; i++) {
      wrong += out[k * 4 + i] != (i == 2 ? widths[k] : 0);
    }
  }
  std::printf("%d wrong\n", wrong);
  sycl::free(out, q);
}
