// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums that loops keep in memory, with pointers that alias and with ones that do not: buffers,
// parts of them, USM, a pointer into the middle, to the end, and one that is null.
// Each work-item sees what it wrote itself, through whichever pointer.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t && env TENON_TIERED=1 %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

using numbers_t = std::vector<unsigned>;

constexpr int count = 200;
constexpr int rounds = 40;

// Reads what it has written when `from` and `to` are the same.
template <class To, class From>
void add(To to, From from, std::size_t i) {
  for (int k = 0; k < rounds; ++k) {
    to[i] += from[i] + unsigned(k);
  }
}

numbers_t numbers(unsigned first) {
  numbers_t all(count * 2);
  for (int i = 0; i < count * 2; ++i) {
    all[i] = first + unsigned(i) % 17;
  }
  return all;
}

numbers_t expected(numbers_t to, const numbers_t &from) {
  for (int i = 0; i < count; ++i) {
    add(to.data(), from.data(), std::size_t(i));
  }
  return to;
}

numbers_t expected_same(numbers_t to) {
  for (int i = 0; i < count; ++i) {
    add(to.data(), to.data(), std::size_t(i));
  }
  return to;
}

void same(const char *what, const numbers_t &got, const numbers_t &wanted) {
  if (got != wanted) {
    std::printf("wrong: %s\n", what);
  }
  EXPECT(got == wanted);
}

void usm(sycl::queue q) {
  unsigned *a = sycl::malloc_shared<unsigned>(count * 2, q);
  unsigned *b = sycl::malloc_shared<unsigned>(count * 2, q);
  const auto set = [&] {
    const auto x = numbers(1), y = numbers(5);
    for (int i = 0; i < count * 2; ++i) {
      a[i] = x[i];
      b[i] = y[i];
    }
  };
  const auto run = [&](unsigned *to, const unsigned *from) {
    q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { add(to, from, i[0]); }).wait();
  };
  set();
  run(a, b);
  same("apart", numbers_t(a, a + count * 2), expected(numbers(1), numbers(5)));
  set();
  run(a, a);
  same("the same", numbers_t(a, a + count * 2), expected_same(numbers(1)));
  set();
  run(a, a + count);
  const auto all = numbers(1);
  numbers_t second(all.begin() + count, all.end());
  same("halves of one", numbers_t(a, a + count * 2), expected(numbers(1), second));
  // Each work-item reads what it wrote last, by way of a pointer to the end.
  set();
  unsigned *end = a + count * 2;
  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
     for (int k = 0; k < rounds; ++k) {
       a[i] += end[int(i[0]) - count * 2] + unsigned(k);
     }
   }).wait();
  same("from the end", numbers_t(a, a + count * 2), expected_same(numbers(1)));
  set();
  numbers_t own = numbers(5);
  if (q.get_device().has(sycl::aspect::usm_system_allocations)) {
    run(a, own.data());
    same("host memory", numbers_t(a, a + count * 2), expected(numbers(1), numbers(5)));
    run(own.data(), own.data());
    same("host memory twice", own, expected_same(numbers(5)));
  }
  // A pointer that no work-item uses.
  set();
  const unsigned *none = nullptr;
  q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
     for (int k = 0; k < rounds; ++k) {
       a[i] += b[i] + unsigned(k) + (none != nullptr ? none[k] : 0u);
     }
   }).wait();
  same("none", numbers_t(a, a + count * 2), expected(numbers(1), numbers(5)));
  sycl::free(a, q);
  sycl::free(b, q);
}

void buffers(sycl::queue q) {
  const auto run = [&](sycl::buffer<unsigned> to, sycl::buffer<unsigned> from) {
    q.submit([&](sycl::handler &h) {
      sycl::accessor x{to, h, sycl::read_write};
      sycl::accessor y{from, h, sycl::read_only};
      h.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { add(x, y, i[0]); });
    });
  };
  numbers_t a = numbers(1), b = numbers(5);
  {
    sycl::buffer<unsigned> x(a.data(), a.size()), y(b.data(), b.size());
    run(x, y);
  }
  same("two buffers", a, expected(numbers(1), numbers(5)));
  a = numbers(1);
  {
    sycl::buffer<unsigned> x(a.data(), a.size());
    run(x, x);
  }
  same("one buffer", a, expected_same(numbers(1)));
  a = numbers(1);
  {
    sycl::buffer<unsigned> x(a.data(), a.size());
    sycl::buffer<unsigned> low(x, sycl::id<1>(0), sycl::range<1>(256));
    sycl::buffer<unsigned> again(x, sycl::id<1>(0), sycl::range<1>(320));
    run(low, again);
  }
  same("parts that overlap", a, expected_same(numbers(1)));
}

}  // namespace

int main() {
  sycl::queue q;
  usm(q);
  buffers(q);
  return failures != 0;
}
