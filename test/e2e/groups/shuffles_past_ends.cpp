// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shuffle from a work-item that is not there has some value, and only that: what is computed from
// it and then not used stays out of the result. Shapes whose last sub-group is full or is not.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

template <class T>
static T of(unsigned number) {
  return T(static_cast<int>(number));
}

template <class T>
static bool same(const T &x, const T &y) {
  if constexpr (std::is_arithmetic_v<T>) {
    return x == y;
  } else {
    return sycl::all(x == y);
  }
}

template <class T, int Dimensions>
static void check(sycl::queue &queue, sycl::range<Dimensions> shape) {
  constexpr int ways = 5;
  const std::size_t size = shape.size();
  bool *good = sycl::malloc_shared<bool>(ways * size, queue);
  queue
      .parallel_for(sycl::nd_range<Dimensions>(shape, shape),
                    [=](sycl::nd_item<Dimensions> item) {
                      const sycl::sub_group group = item.get_sub_group();
                      const unsigned lane = group.get_local_linear_id();
                      const unsigned count = group.get_local_linear_range();
                      const T mine = of<T>(lane + 1);
                      bool *out = good + ways * item.get_local_linear_id();
                      out[0] = same(sycl::shift_group_left(group, mine), of<T>(lane + 2)) ||
                               lane + 1 >= count;
                      out[1] = same(sycl::shift_group_left(group, mine, 3), of<T>(lane + 4)) ||
                               lane + 3 >= count;
                      out[2] = same(sycl::shift_group_right(group, mine, 2), of<T>(lane - 1)) ||
                               lane < 2;
                      out[3] = same(sycl::permute_group_by_xor(group, mine, 4),
                                    of<T>((lane ^ 4) + 1)) ||
                               (lane ^ 4) >= count;
                      out[4] = same(sycl::select_from_group(group, mine, lane * 3),
                                    of<T>(lane * 3 + 1)) ||
                               lane * 3 >= count;
                    })
      .wait();
  for (std::size_t i = 0; i < ways * size; i++) {
    if (!good[i]) {
      std::printf("way %zu of work-item %zu of %zu is wrong\n", i % ways, i / ways, size);
      ++failures;
    }
  }
  sycl::free(good, queue);
}

template <class T>
static void check_shapes(sycl::queue &queue) {
  check<T>(queue, sycl::range<1>(64));
  check<T>(queue, sycl::range<1>(27));
  check<T>(queue, sycl::range<2>(16, 16));
  check<T>(queue, sycl::range<3>(3, 5, 7));
}

int main() {
  sycl::queue queue;
  check_shapes<unsigned>(queue);
  check_shapes<std::uint8_t>(queue);
  check_shapes<float>(queue);
  check_shapes<std::uint64_t>(queue);
  check_shapes<sycl::uint4>(queue);
  return failures;
}
