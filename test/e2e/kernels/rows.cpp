// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that take their row and column from one number, by divisions, shifts and masks, of
// signed and unsigned numbers: rows of all lengths, shorter than a strip too, compute what a loop
// does.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: env TENON_SUB_GROUP_SIZE=8 %t
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

constexpr int total = 3000;

// `index(i)` is where work-item i writes; -1: nowhere.
template <class Index>
void compare(sycl::queue q, const char *what, long width, const Index &index) {
  int *out = sycl::malloc_shared<int>(total, q);
  std::vector<int> expected(total, -1);
  for (int i = 0; i < total; ++i) {
    out[i] = -1;
    const long at = index(i, width);
    if (at >= 0) {
      expected[at % total] = i;
    }
  }
  q.parallel_for(sycl::range<1>(total), [=](sycl::id<1> id) {
     const long at = index(int(id[0]), width);
     if (at >= 0) {
       out[at % total] = int(id[0]);
     }
   }).wait();
  int wrong = 0;
  for (int i = 0; i < total; ++i) {
    wrong += out[i] == expected[i] ? 0 : 1;
  }
  if (wrong != 0) {
    std::printf("%s, rows of %ld: %d of %d differ\n", what, width, wrong, total);
  }
  EXPECT(wrong == 0);
  sycl::free(out, q);
}

}  // namespace

int main() {
  sycl::queue q;
  for (const long width : {1, 2, 3, 7, 8, 9, 15, 16, 31, 33, 100, 1000, 2999, 3000, 5000}) {
    compare(q, "unsigned", width, [](int i, long w) {
      const std::size_t x = std::size_t(i) % std::size_t(w);
      const std::size_t y = std::size_t(i) / std::size_t(w);
      return long(y * w + x);
    });
    compare(q, "int, from the last row up", width, [](int i, long w) {
      const int x = i % int(w);
      const int y = i / int(w);
      return long(total / int(w) - y) * w + x < total ? long(total / int(w) - y) * w + x : -1L;
    });
    compare(q, "behind a guard, and shifted", width, [](int i, long w) {
      if (i >= total - 13) {
        return -1L;
      }
      const unsigned x = unsigned(i + 5) % unsigned(w);
      const unsigned y = unsigned(i + 5) / unsigned(w);
      return long(y) * w + x;
    });
    compare(q, "three dimensions", width, [](int i, long w) {
      const int x = i % int(w);
      const int y = i / int(w) % 5;
      const int z = i / (int(w) * 5);
      return (long(z) * 5 + y) * w + x;
    });
    compare(q, "numbers below zero", width, [](int i, long w) {
      const int n = i - 1500;
      return long(n / int(w)) * w + n % int(w) + 1500;
    });
    compare(q, "numbers that lanes outside of a guard have not", width, [](int i, long w) {
      if (i < 5 || i > total - 7) {
        return -1L;
      }
      const unsigned n = unsigned(i) - 5u;
      return long(n / unsigned(w)) * w + n % unsigned(w);
    });
    compare(q, "the same, made wider", width, [](int i, long w) {
      const int n = i - 5;
      if (n < 0) {
        return -1L;
      }
      return long(std::size_t(n) / std::size_t(w) * w + std::size_t(n) % std::size_t(w));
    });
    compare(q, "a condition on the column", width, [](int i, long w) {
      const long x = i % w;
      return x == 0 || x + 1 == w ? -1L : i / w * w + x;
    });
  }
  compare(q, "shift and mask, 64", 64, [](int i, long) {
    const unsigned n = unsigned(i);
    return long((n >> 6) * 64 + (n & 63));
  });
  compare(q, "shift and mask, from 20 on, 32", 32, [](int i, long) {
    const int n = i + 20;
    return long((n >> 5) * 32 + (n & 31)) - 20;
  });
  return failures != 0;
}
