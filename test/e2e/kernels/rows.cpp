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

// Work-items that go on in steps of all work-items, and put what they find together in local
// memory: rows are found in the loop, of the number that it counts.
template <class Number>
void walk(sycl::queue q, const char *what, Number width, Number pitch, std::size_t groups,
          std::size_t size) {
  const auto rows = Number(total / width + 1);
  const auto count = std::size_t(rows) * std::size_t(pitch) + 1;
  int *from = sycl::malloc_shared<int>(count, q);
  int *to = sycl::malloc_shared<int>(count, q);
  int *of_rows = sycl::malloc_shared<int>(std::size_t(rows), q);
  long *sums = sycl::malloc_shared<long>(groups, q);
  for (std::size_t i = 0; i < count; ++i) {
    from[i] = int(i * 7 % 1000);
    to[i] = 0;
  }
  for (std::size_t i = 0; i < std::size_t(rows); ++i) {
    of_rows[i] = int(i * 3 % 100);
  }
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<long> local(sycl::range<1>(size), h);
     h.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> item) {
       const std::size_t here = item.get_local_id(0);
       local[here] = 0;
       for (auto n = Number(item.get_global_id(0)); n < Number(total);
            n += Number(item.get_global_range(0))) {
         const Number row = n / width;
         const Number column = n % width;
         const int found = from[row * pitch + column] + from[row * pitch + column + 1];
         to[row * pitch + column] = found - of_rows[row];
         if (found % 3 == 0) {
           local[here] += from[row * pitch + column] + long(column);
         }
       }
       for (std::size_t half = size / 2; half > 0; half /= 2) {
         sycl::group_barrier(item.get_group());
         if (here < half) {
           local[here] += local[here + half];
         }
       }
       if (here == 0) {
         sums[item.get_group(0)] = local[0];
       }
     });
   }).wait();
  long expected = 0;
  long sum = 0;
  int wrong = 0;
  for (Number n = 0; n < Number(total); ++n) {
    const auto at = std::size_t(n / width * pitch + n % width);
    const int found = from[at] + from[at + 1];
    wrong += to[at] == found - of_rows[n / width] ? 0 : 1;
    expected += found % 3 == 0 ? from[at] + long(n % width) : 0;
  }
  for (std::size_t g = 0; g < groups; ++g) {
    sum += sums[g];
  }
  if (wrong != 0 || sum != expected) {
    std::printf("%s, rows of %ld: %d differ, sum %ld, expected %ld\n", what, long(width), wrong,
                sum, expected);
  }
  EXPECT(wrong == 0 && sum == expected);
  sycl::free(from, q);
  sycl::free(to, q);
  sycl::free(of_rows, q);
  sycl::free(sums, q);
}

// The same of rows of a power of two, some of which are below zero.
template <int bits, class Number>
void shift(sycl::queue q) {
  constexpr int count = 3072;
  const Number first = -1504;
  const Number pitch = (Number(1) << bits) + 3;
  const auto place = [=](Number n) {
    return std::size_t(((n >> bits) - (first >> bits)) * pitch + (n & ((Number(1) << bits) - 1)));
  };
  int *to = sycl::malloc_shared<int>(place(count + first) + 1, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for(sycl::nd_range<1>(count, 64), [=](sycl::nd_item<1> item) {
       const int nothing = sycl::select_from_group(item.get_sub_group(), 0, 0);
       const Number n = Number(item.get_global_id(0)) + first;
       to[((n >> bits) - (first >> bits)) * pitch + (n & ((Number(1) << bits) - 1)) + nothing] =
           int(n);
     });
   }).wait();
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += to[place(i + first)] == i + int(first) ? 0 : 1;
  }
  EXPECT(wrong == 0);
  sycl::free(to, q);
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
  for (const unsigned width : {1u, 2u, 3u, 7u, 8u, 9u, 15u, 16u, 31u, 33u, 100u, 1000u, 2999u}) {
    for (const std::size_t size : {4u, 8u, 16u, 64u}) {
      walk<std::size_t>(q, "a walk, size_t", width, width + 3, 3, size);
      walk<int>(q, "a walk, int", int(width), int(width), 2, size);
      walk<unsigned>(q, "a walk, unsigned", width, width + 1, 5, size);
      walk<long>(q, "a walk, long", long(width), long(width), 1, size);
    }
  }
  shift<3, int>(q);
  shift<4, long>(q);
  shift<5, int>(q);
  shift<5, long>(q);
  shift<8, int>(q);
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
