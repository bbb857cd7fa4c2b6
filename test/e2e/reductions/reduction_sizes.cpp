// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of values and spans of many sizes, over ranges of one to three dimensions.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

static sycl::queue q{sycl::property::queue::in_order()};
static const sycl::property_list over{sycl::property::reduction::initialize_to_identity()};

template <std::size_t Size>
struct numbers {
  std::uint64_t each[Size] = {};
  numbers operator+(const numbers &other) const {
    numbers sum = *this;
    for (std::size_t i = 0; i < Size; ++i) {
      sum.each[i] += other.each[i];
    }
    return sum;
  }
};

static std::uint64_t expected(std::size_t count, std::size_t which) {
  return count * (count - 1) / 2 * (which + 1) + count * which;
}

template <std::size_t Size, int Dimensions>
static void sum_of_values(sycl::range<Dimensions> extent) {
  auto *sum = sycl::malloc_shared<numbers<Size>>(1, q);
  q.parallel_for(extent, sycl::reduction(sum, numbers<Size>(), sycl::plus<numbers<Size>>(), over),
                 [=](sycl::item<Dimensions> at, auto &total) {
                   numbers<Size> mine;
                   for (std::size_t i = 0; i < Size; ++i) {
                     mine.each[i] = at.get_linear_id() * (i + 1) + i;
                   }
                   total += mine;
                 })
      .wait();
  for (std::size_t i = 0; i < Size; ++i) {
    EXPECT(sum->each[i] == expected(extent.size(), i));
  }
  sycl::free(sum, q);
}

// Without an identity, and with what was there before.
template <std::size_t Size>
static void sum_without_identity(std::size_t count) {
  auto *sum = sycl::malloc_shared<numbers<Size>>(1, q);
  *sum = numbers<Size>();
  sum->each[Size - 1] = 5;
  const auto add = [](const numbers<Size> &a, const numbers<Size> &b) { return a + b; };
  q.parallel_for(sycl::range<1>(count), sycl::reduction(sum, add),
                 [=](sycl::id<1> at, auto &total) {
                   if (at % 3 == 0) {
                     numbers<Size> mine;
                     mine.each[Size - 1] = at;
                     total.combine(mine);
                   }
                 })
      .wait();
  const std::uint64_t some = (count + 2) / 3;
  EXPECT(sum->each[Size - 1] == 3 * (some * (some - 1) / 2) + 5);
  sycl::free(sum, q);
}

template <std::size_t Extent, int Dimensions>
static void sum_of_spans(sycl::range<Dimensions> extent) {
  auto *sums = sycl::malloc_shared<std::uint64_t>(Extent, q);
  auto span = sycl::span<std::uint64_t, Extent>(sums, Extent);
  q.parallel_for(extent, sycl::reduction(span, sycl::plus<>(), over),
                 [=](sycl::item<Dimensions> at, auto &totals) {
                   const std::size_t place = at.get_linear_id();
                   totals[place % Extent] += place;
                 })
      .wait();
  for (std::size_t i = 0; i < Extent; ++i) {
    const std::uint64_t some = (extent.size() - i + Extent - 1) / Extent;
    EXPECT(sums[i] == some * i + Extent * (some * (some - 1) / 2));
  }
  sycl::free(sums, q);
}

template <class Check>
static void of_every_shape(const Check &check) {
  for (const std::size_t count : {1u, 100u, 2048u, 2049u, 1000003u}) {
    check(sycl::range<1>(count));
  }
  check(sycl::range<2>(3, 100007));
  check(sycl::range<2>(100007, 3));
  check(sycl::range<2>(1500, 1500));
  check(sycl::range<3>(7, 301, 523));
}

int main() {
  of_every_shape([](auto extent) {
    sum_of_values<2>(extent);
    sum_of_values<5>(extent);
    sum_of_values<32>(extent);
    sum_of_values<33>(extent);
    if (extent.size() > 16) {
      sum_of_spans<3>(extent);
      sum_of_spans<8>(extent);
      sum_of_spans<9>(extent);
    }
  });
  for (const std::size_t count : {1u, 5u, 2049u, 1000003u}) {
    sum_without_identity<4>(count);
    sum_without_identity<6>(count);
    sum_without_identity<40>(count);
  }
  return failures;
}
