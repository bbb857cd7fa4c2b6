// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of a reduction: buffers, spans, nd_ranges, events, queues of both kinds, errors.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t -pthread && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 -pthread && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

#include <array>
#include <thread>

static const sycl::property_list over{sycl::property::reduction::initialize_to_identity()};

static void check_buffers(sycl::queue q) {
  constexpr std::size_t count = 12345;
  std::vector<int> values(count);
  long want = 0;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<int>(i % 1000);
    want += values[i];
  }
  long sum = 11;
  int most = 5000;
  int fresh = 5000;
  {
    sycl::buffer<int> in(values);
    sycl::buffer<long> out(&sum, 1);
    sycl::buffer<int, 2> high(&most, {1, 1});
    sycl::buffer<int, 3> higher(&fresh, {1, 1, 1});
    for (int k = 0; k < 2; ++k) {
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor a(in, cgh, sycl::read_only);
        const auto sums = sycl::reduction(out, cgh, sycl::plus<>());
        cgh.parallel_for<class buffer_sum>(
            sycl::range<1>(count), sums, sycl::reduction(high, cgh, sycl::maximum<int>()),
            sycl::reduction(
                higher, cgh, -1, [](int x, int y) { return x < y ? y : x; }, over),
            [=](sycl::id<1> i, auto &add, auto &top, auto &up) {
              add += a[i];
              top.combine(a[i]);
              up.combine(a[i]);
            });
      });
    }
    // Through the same buffers, over an nd_range; the buffer orders the kernels.
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a(in, cgh, sycl::read_only);
      cgh.parallel_for<class buffer_nd>(sycl::nd_range<1>(12400, 100),
                                        sycl::reduction(out, cgh, sycl::plus<>()),
                                        [=](sycl::nd_item<1> i, auto &add) {
                                          const std::size_t at = i.get_global_id(0);
                                          add += at < count ? a[at] : 0;
                                        });
    });
    sycl::host_accessor now(out, sycl::read_only);
    EXPECT(now[0] == 11 + 3 * want);
  }
  EXPECT(sum == 11 + 3 * want);
  EXPECT(most == 5000);
  EXPECT(fresh == 999);
}

static void check_spans(sycl::queue q) {
  constexpr std::size_t bins = 16;
  constexpr std::size_t count = 40000;
  int *histogram = sycl::malloc_shared<int>(bins, q);
  for (std::size_t i = 0; i < bins; ++i) {
    histogram[i] = 1000;
  }
  q.parallel_for(sycl::range<1>(count),
                 sycl::reduction(sycl::span<int, bins>(histogram, bins), sycl::plus<>()),
                 [=](sycl::id<1> i, auto &bin) {
                   static_assert(std::remove_reference_t<decltype(bin)>::dimensions == 1);
                   bin[i % 13] += 1;
                   ++bin[15];
                   bin[15]++;
                   bin[14].combine(2).combine(1);
                 })
      .wait();
  for (std::size_t b = 0; b < 13; ++b) {
    EXPECT(std::size_t(histogram[b]) == 1000 + count / 13 + (b < count % 13));
  }
  EXPECT(histogram[13] == 1000);
  EXPECT(histogram[14] == 1000 + 3 * int(count));
  EXPECT(histogram[15] == 1000 + 2 * int(count));
  // From nothing, and without an identity; over an nd_range of two dimensions.
  float *pair = sycl::malloc_shared<float>(4, q);
  pair[0] = pair[1] = 7;
  pair[2] = pair[3] = 7;
  q.parallel_for(sycl::nd_range<2>({6, 64}, {2, 16}),
                 sycl::reduction(sycl::span<float, 2>(pair, 2), sycl::plus<float>(), over),
                 sycl::reduction(sycl::span<float, 2>(pair + 2, 2),
                                 [](float a, float b) { return a < b ? a : b; }),
                 [=](sycl::nd_item<2> i, auto &sum, auto &least) {
                   sum[0] += float(i.get_global_id(0));
                   sum[1] += float(i.get_local_id(1));
                   least[1].combine(float(i.get_global_linear_id()) - 3);
                 })
      .wait();
  EXPECT(pair[0] == 64 * 15 && pair[1] == 24 * 120);
  EXPECT(pair[2] == 7 && pair[3] == -3);
  sycl::free(pair, q);
  sycl::free(histogram, q);
}

// Every shape of group, sizes that are no multiple of anything.
static void check_nd_ranges(sycl::queue q) {
  long *r = sycl::malloc_shared<long>(3, q);
  for (std::size_t local : {1u, 3u, 16u, 37u, 128u}) {
    for (std::size_t groups : {1u, 2u, 61u}) {
      r[0] = 4;
      r[1] = r[2] = 1 << 30;
      const std::size_t total = local * groups;
      q.parallel_for(sycl::nd_range<1>(total, local), sycl::reduction(r, sycl::plus<>()),
                     sycl::reduction(r + 1, sycl::minimum<>()),
                     sycl::reduction(r + 2, [](long a, long b) { return a < b ? a : b; }),
                     [=](sycl::nd_item<1> i, auto &sum, auto &least, auto &lowest) {
                       const long n = static_cast<long>(i.get_global_id(0));
                       if (n % 5 == 4) {
                         return;
                       }
                       sum += n;
                       least.combine(n - 20);
                       lowest.combine(7 - n);
                     })
          .wait();
      long sum = 4;
      long low = 1 << 30;
      for (std::size_t n = 0; n < total; ++n) {
        if (n % 5 != 4) {
          sum += static_cast<long>(n);
          low = 7 - static_cast<long>(n);
        }
      }
      EXPECT(r[0] == sum);
      EXPECT(r[1] == -20);
      EXPECT(r[2] == low);
    }
  }
  q.parallel_for(
       sycl::nd_range<3>({4, 6, 40}, {2, 3, 8}), sycl::reduction(r, sycl::plus<>(), over),
       [=](sycl::nd_item<3> i, auto &sum) { sum += static_cast<long>(i.get_global_linear_id()); })
      .wait();
  EXPECT(r[0] == 960 * 959 / 2);
  // A large one, whose contributions are put together by many.
  q.parallel_for(
       sycl::nd_range<1>(1 << 18, 64), sycl::reduction(r, sycl::plus<>(), over),
       [=](sycl::nd_item<1> i, auto &sum) { sum += static_cast<long>(i.get_global_id(0)); })
      .wait();
  EXPECT(r[0] == (1L << 17) * ((1L << 18) - 1));
  sycl::free(r, q);
}

// Local memory and barriers beside a reduction.
static void check_local_memory(sycl::queue q) {
  int *r = sycl::malloc_shared<int>(1, q);
  r[0] = 7;
  q.submit([&](sycl::handler &cgh) {
     sycl::local_accessor<int, 1> turned(24, cgh);
     cgh.parallel_for(sycl::nd_range<1>(240, 24), sycl::reduction(r, sycl::plus<>()),
                      [=](sycl::nd_item<1> i, auto &sum) {
                        const int n = static_cast<int>(i.get_local_id(0));
                        turned[n] = n;
                        sycl::group_barrier(i.get_group());
                        sum += n % 2 == 0 ? turned[23 - n] : 0;
                      });
   }).wait();
  EXPECT(r[0] == 7 + 10 * 144);
  sycl::free(r, q);
}

static void check_events(sycl::queue q) {
  constexpr std::size_t count = 30000;
  int *values = sycl::malloc_shared<int>(count, q);
  long *r = sycl::malloc_shared<long>(2, q);
  r[0] = r[1] = 0;
  const auto add = [=](sycl::id<1> i, auto &sum) { sum += values[i]; };
  sycl::event filled = q.fill(values, 3, count);
  sycl::event first = q.parallel_for(count, filled, sycl::reduction(r, sycl::plus<>()), add);
  sycl::event second =
      q.parallel_for(sycl::range<1>(count), {first}, sycl::reduction(r, sycl::plus<>()), add);
  sycl::event third =
      q.parallel_for(sycl::nd_range<1>(count, 100), second, sycl::reduction(r, sycl::plus<>()),
                     [=](sycl::nd_item<1> i, auto &sum) { sum += values[i.get_global_id(0)]; });
  sycl::event copied = q.memcpy(r + 1, r, sizeof(long), third);
  q.parallel_for(sycl::nd_range<1>(count, 100), {first, copied}, sycl::reduction(r, sycl::plus<>()),
                 [=](auto i, auto &sum) { sum += values[i.get_global_id(0)]; })
      .wait();
  EXPECT(r[1] == 9 * long(count));
  EXPECT(r[0] == 12 * long(count));
  sycl::free(values, q);
  sycl::free(r, q);
}

// Many at once: each has memory of its own, or comes after the one that has it.
static void check_many(sycl::queue q) {
  constexpr int many = 200;
  long *r = sycl::malloc_shared<long>(2 * many, q);
  auto submit = [=](int from) mutable {
    for (int k = from; k < from + many; ++k) {
      r[k] = k;
      const std::size_t count = 1000 + 38 * static_cast<std::size_t>(k);
      if (k % 3 == 0) {
        q.parallel_for(sycl::nd_range<1>(count * 2, 4), sycl::reduction(r + k, sycl::plus<>()),
                       [=](sycl::nd_item<1>, auto &sum) { sum += 2; });
      } else {
        q.parallel_for(sycl::range<1>(count), sycl::reduction(r + k, sycl::plus<>()),
                       [=](sycl::id<1>, auto &sum) { sum += 4; });
      }
    }
  };
  std::thread other(submit, many);
  submit(0);
  other.join();
  q.wait();
  for (int k = 0; k < 2 * many; ++k) {
    EXPECT(r[k] == k + 4 * (1000 + 38 * k));
  }
  sycl::free(r, q);
}

static void check_large_contribution(sycl::queue q) {
  constexpr std::size_t bins = 3000;
  long *r = sycl::malloc_shared<long>(bins, q);
  q.parallel_for(sycl::range<1>(200000),
                 sycl::reduction(sycl::span<long, bins>(r, bins), sycl::plus<>(), over),
                 [=](sycl::id<1> i, auto &bin) { bin[i % bins] += static_cast<long>(i / bins); })
      .wait();
  bool right = true;
  for (std::size_t b = 0; b < bins; ++b) {
    const long rounds = static_cast<long>((200000 - b + bins - 1) / bins);
    right = right && r[b] == rounds * (rounds - 1) / 2;
  }
  EXPECT(right);
  sycl::free(r, q);
}

static void check_errors(sycl::queue q) {
  int two[2] = {1, 2};
  sycl::buffer<int> pair(two, 2);
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for(10, sycl::reduction(pair, cgh, sycl::plus<>()), [=](sycl::id<1>, auto &) {});
  }));
  int one = 1;
  const auto either = [](int a, int) { return a; };
  EXPECT_ERRC(invalid, (void)sycl::reduction(&one, either, over));
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    sycl::buffer<int> single(&one, 1);
    cgh.parallel_for(10, sycl::reduction(single, cgh, either, over), [=](sycl::id<1>, auto &) {});
  }));
  // Two actions in one command group; the queue works afterwards.
  int *r = sycl::malloc_shared<int>(1, q);
  r[0] = 0;
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for(10, sycl::reduction(r, sycl::plus<>()), [=](sycl::id<1>, auto &) {});
    cgh.parallel_for(10, sycl::reduction(r, sycl::plus<>()), [=](sycl::id<1>, auto &) {});
  }));
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(10, 3), sycl::reduction(r, sycl::plus<>()),
                                       [=](sycl::nd_item<1>, auto &) {}));
  q.parallel_for(10, sycl::reduction(r, sycl::plus<>()), [=](sycl::id<1>, auto &sum) {
     ++sum;
   }).wait();
  EXPECT(r[0] == 10);
  sycl::free(r, q);
}

static void check_span_class() {
  int a[4] = {1, 2, 3, 4};
  sycl::span fixed(a);
  static_assert(decltype(fixed)::extent == 4 && sizeof(fixed) == sizeof(int *));
  sycl::span<const int> any = fixed;
  static_assert(decltype(any)::extent == sycl::dynamic_extent);
  EXPECT(any.size() == 4 && any.size_bytes() == 16 && any.back() == 4 && !any.empty());
  EXPECT(fixed.first<2>().back() == 2 && fixed.last<1>().front() == 4);
  EXPECT(any.subspan(1, 2)[1] == 3 && (fixed.subspan<1, 2>()).size() == 2);
  std::vector<int> v{5, 6};
  sycl::span<int, 2> two(v.data(), 2);
  sycl::span of_vector(v);
  two[0] = 9;
  int sum = 0;
  for (const int value : of_vector) {
    sum += value;
  }
  EXPECT(sum == 15 && sycl::span<int>().empty());
  static_assert(!std::is_convertible_v<sycl::span<const int>, sycl::span<int>>);
}

int main() {
  check_span_class();
  for (const bool in_order : {true, false}) {
    sycl::queue q = in_order ? sycl::queue(sycl::property::queue::in_order()) : sycl::queue();
    check_buffers(q);
    check_spans(q);
    check_nd_ranges(q);
    check_local_memory(q);
    check_events(q);
    check_many(q);
    check_large_contribution(q);
    check_errors(q);
  }
  return failures != 0;
}
