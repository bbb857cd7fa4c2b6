// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_over_group and joint_reduce of a group with scratch memory: operations of the program,
// types of the program, with and without bytes that may be copied; work-groups and sub-groups.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

#include <numeric>
#include <vector>

#include <sycl/ext/oneapi/experimental/user_defined_reductions.hpp>

namespace ex = sycl::ext::oneapi::experimental;

#if SYCL_EXT_ONEAPI_USER_DEFINED_REDUCTIONS != 1
#error "the feature-test macro is missing"
#endif

static_assert(ex::is_group_helper_v<ex::group_with_scratchpad<sycl::group<2>, 64>>);
static_assert(!ex::is_group_helper_v<sycl::group<2>> && !ex::is_group_helper_v<int>);

// Not const, as in the extension's document.
template <class T>
struct plain_sum {
  T operator()(T a, T b) { return a + b; }
};
struct point {
  int x;
  double y;
};
struct largest_of_each {
  point operator()(const point &a, const point &b) const {
    return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y};
  }
};
// Its bytes alone are no copy: it refers to itself.
class pinned {
 public:
  pinned(long value) : value_(value), self_(this) {}
  pinned(const pinned &other) : value_(other.get()), self_(this) {}
  pinned(pinned &&other) : value_(other.get()), self_(this) {}
  ~pinned() { self_ = nullptr; }
  long get() const { return self_ == this ? value_ : -1000000; }

 private:
  long value_;
  pinned *self_;
};
template <>
struct sycl::is_device_copyable<pinned> : std::false_type {};
struct sum_pinned {
  pinned operator()(const pinned &a, const pinned &b) const { return pinned(a.get() + b.get()); }
};

static void in_work_groups(sycl::queue q, std::size_t size, std::size_t count) {
  constexpr std::size_t checks = 10;
  std::vector<long> results(checks, -1);
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  {
    sycl::buffer<long> out(results);
    sycl::buffer<int> in(values);
    q.submit([&](sycl::handler &h) {
      sycl::accessor result(out, h);
      sycl::accessor value(in, h, sycl::read_only);
      const std::size_t bytes = size * sizeof(pinned);
      sycl::local_accessor<std::byte> scratch(bytes, h);
      h.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
        const auto group = it.get_group();
        const ex::group_with_scratchpad helper(group, sycl::span(&scratch[0], bytes));
        const long mine = static_cast<long>(it.get_local_id(0)) + 1;
        const int *first = &value[0];
        const int *last = first + count;
        const long r0 = ex::reduce_over_group(helper, mine, plain_sum<long>{});
        const long r1 = ex::reduce_over_group(helper, static_cast<int>(mine), 100L,
                                              plain_sum<long>{});
        const point p = ex::reduce_over_group(helper, point{static_cast<int>(mine), -1.0 * mine},
                                              largest_of_each());
        const long r3 = ex::reduce_over_group(helper, pinned(mine), sum_pinned()).get();
        const long r4 = ex::reduce_over_group(helper, mine, sycl::plus<>());
        const long r5 = ex::joint_reduce(helper, first, last, plain_sum<int>{});
        const long r6 = ex::joint_reduce(helper, first, last, 1000L, plain_sum<long>{});
        const long r7 = ex::joint_reduce(helper, first, first, 7L, plain_sum<long>{});
        const long r8 =
            ex::joint_reduce(helper, first, last, pinned(5), sum_pinned()).get();
        const long r9 = ex::joint_reduce(helper, first, last, [](int a, int b) {
          return a > b ? a : b;
        });
        // The last work-item: all have the results.
        if (it.get_local_id(0) == size - 1) {
          const long all[checks] = {r0, r1, p.x + static_cast<long>(p.y), r3, r4,
                                    r5, r6, r7, r8, r9};
          for (std::size_t i = 0; i < checks; ++i) {
            result[i] = all[i];
          }
        }
      });
    });
  }
  const long n = static_cast<long>(size), m = static_cast<long>(count);
  const long sum = n * (n + 1) / 2, of_range = m * (m + 1) / 2;
  const long expected[checks] = {sum,      sum + 100,       n - 1, sum,          sum,
                                 of_range, of_range + 1000, 7,     of_range + 5, m};
  for (std::size_t i = 0; i < checks; ++i) {
    if (results[i] != expected[i]) {
      std::printf("%zu of %zu, check %zu: expected %ld, got %ld\n", size, count, i, expected[i],
                  results[i]);
      ++failures;
    }
  }
}

static void in_sub_groups(sycl::queue q) {
  constexpr std::size_t size = 24;
  std::vector<int> wrong(1, 0);
  {
    sycl::buffer<int> out(wrong);
    q.submit([&](sycl::handler &h) {
      sycl::accessor result(out, h);
      // A sub-group may have fewer work-items than the device's sub-groups: here one, at least.
      const std::size_t bytes = size * 64 * sizeof(pinned);
      sycl::local_accessor<std::byte> scratch(bytes, h);
      h.parallel_for(sycl::nd_range<2>({4, 6}, {4, 6}), [=](sycl::nd_item<2> it) {
        const auto lanes = it.get_sub_group();
        const std::size_t all = lanes.get_local_linear_range();
        const std::size_t first =
            lanes.get_group_linear_id() * lanes.get_max_local_range()[0] * sizeof(pinned);
        const ex::group_with_scratchpad helper(lanes,
                                               sycl::span(&scratch[first], all * sizeof(pinned)));
        const long mine = static_cast<long>(lanes.get_local_linear_id());
        const long expected = static_cast<long>(all * (all - 1) / 2);
        if (ex::reduce_over_group(helper, mine, plain_sum<long>{}) != expected ||
            ex::reduce_over_group(helper, pinned(mine), sum_pinned()).get() != expected) {
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(
              result[0])++;
        }
      });
    });
  }
  EXPECT(wrong[0] == 0);
}

int main() {
  sycl::queue q;
  for (std::size_t size : {1, 7, 32, 61}) {
    for (std::size_t count : {1, 5, 64, 333}) {
      in_work_groups(q, size, count);
    }
  }
  in_sub_groups(q);
  return failures;
}
