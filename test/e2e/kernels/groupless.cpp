// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of nd_ranges run in other groups than the program's where they cannot tell: places made
// of a group's id, its size and the id in it are those of the program, for all sizes, and whoever
// asks for more of the group gets what the program chose.
// RUN: %tenonxx -fsycl -O2 -Wno-deprecated-declarations %s -o %t && %t
// RUN: env TENON_SUB_GROUP_SIZE=8 %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t0 && %t0
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

struct sizes {
  size_t global[3];
  size_t local[3];
};

template <class F, class Expected>
void compare(sycl::queue q, const char *what, const sizes &s, const F &write,
             const Expected &expected) {
  const size_t total = s.global[0] * s.global[1] * s.global[2];
  long *out = sycl::malloc_shared<long>(total + 1, q);
  for (size_t i = 0; i <= total; ++i) {
    out[i] = -1;
  }
  q.parallel_for(sycl::nd_range<3>({s.global[0], s.global[1], s.global[2]},
                                   {s.local[0], s.local[1], s.local[2]}),
                 [=](sycl::nd_item<3> item) { write(item, out); })
      .wait();
  int wrong = out[total] != -1;
  for (size_t i = 0; i < total; ++i) {
    wrong += out[i] != expected(i, s);
  }
  if (wrong != 0) {
    std::printf("%s, %zu x %zu x %zu in %zu x %zu x %zu: %d differ\n", what, s.global[0],
                s.global[1], s.global[2], s.local[0], s.local[1], s.local[2], wrong);
  }
  EXPECT(wrong == 0);
  sycl::free(out, q);
}

long place(size_t i, const sizes &) { return long(i) * 3; }

void run(sycl::queue q, const sizes &s) {
  compare(
      q, "global ids", s,
      [](const sycl::nd_item<3> &item, long *out) {
        const size_t i = item.get_global_linear_id();
        out[i] = long(i) * 3;
      },
      place);
  compare(
      q, "group times size plus local, of int", s,
      [](const sycl::nd_item<3> &item, long *out) {
        const int z = item.get_group(0) * item.get_local_range(0) + item.get_local_id(0);
        const int y = item.get_local_id(1) + item.get_local_range(1) * item.get_group(1);
        const int x = item.get_group(2) * item.get_local_range(2) + item.get_local_id(2);
        const int i = (z * int(item.get_global_range(1)) + y) * int(item.get_global_range(2)) + x;
        out[i] = i * 3L;
      },
      place);
  compare(
      q, "sizes as groups times size", s,
      [](const sycl::nd_item<3> &item, long *out) {
        const size_t height = item.get_group_range(1) * item.get_local_range(1);
        const unsigned width = unsigned(item.get_local_range(2) * item.get_group_range(2));
        const size_t x = item.get_group(2) * item.get_local_range(2) + item.get_local_id(2);
        const size_t i =
            (item.get_global_id(0) * height + item.get_global_id(1)) * size_t(width) + x;
        out[i] = long(i) * 3;
      },
      place);
  compare(
      q, "local ids", s,
      [](const sycl::nd_item<3> &item, long *out) {
        const size_t x = item.get_group(2) * item.get_local_range(2) + item.get_local_id(2);
        const size_t i =
            (item.get_global_id(0) * item.get_global_range(1) + item.get_global_id(1)) *
                item.get_global_range(2) +
            x;
        out[i] = long(item.get_local_id(2) * 1000 + item.get_group(2));
      },
      [](size_t i, const sizes &of) {
        const size_t x = i % of.global[2];
        return long(x % of.local[2] * 1000 + x / of.local[2]);
      });
  compare(
      q, "a group's size, and how many there are", s,
      [](const sycl::nd_item<3> &item, long *out) {
        out[item.get_global_linear_id()] =
            long(item.get_local_range(2) * 1000 + item.get_group_range(2));
      },
      [](size_t, const sizes &of) {
        return long(of.local[2] * 1000 + of.global[2] / of.local[2]);
      });
  compare(
      q, "where the group begins", s,
      [](const sycl::nd_item<3> &item, long *out) {
        const size_t begin = item.get_group(2) * item.get_local_range(2);
        const size_t i =
            (item.get_global_id(0) * item.get_global_range(1) + item.get_global_id(1)) *
                item.get_global_range(2) +
            begin + item.get_local_id(2);
        out[i] = long(begin);
      },
      [](size_t i, const sizes &of) {
        const size_t x = i % of.global[2];
        return long(x - x % of.local[2]);
      });
}

// An nd_range that begins at 7: groups begin at 0 all the same.
void run_with_offset(sycl::queue q) {
  constexpr size_t total = 240;
  size_t *out = sycl::malloc_shared<size_t>(total, q);
  q.parallel_for(sycl::nd_range<1>({total}, {24}, {7}), [=](sycl::nd_item<1> item) {
     const size_t i = item.get_group(0) * item.get_local_range(0) + item.get_local_id(0);
     out[i] = item.get_global_id(0) * 1000 + item.get_offset()[0];
   }).wait();
  int wrong = 0;
  for (size_t i = 0; i < total; ++i) {
    wrong += out[i] != (i + 7) * 1000 + 7;
  }
  EXPECT(wrong == 0);
  sycl::free(out, q);
}

}  // namespace

int main() {
  sycl::queue q;
  for (const sizes &s : {sizes{{1, 1, 3000}, {1, 1, 24}}, sizes{{1, 1, 4096}, {1, 1, 64}},
                         sizes{{1, 96, 112}, {1, 16, 16}}, sizes{{6, 10, 21}, {2, 5, 7}},
                         sizes{{1, 1, 101}, {1, 1, 1}}, sizes{{3, 1, 70}, {3, 1, 70}}}) {
    run(q, s);
  }
  run_with_offset(q);
  return failures != 0;
}
