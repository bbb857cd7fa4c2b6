// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in loops, branches and functions; what work-items keep across them.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <array>
#include <vector>

using item = sycl::nd_item<1>;
enum { GROUPS = 5 };

struct data {
  explicit data(sycl::queue &queue, int local) : q(queue), size(local * GROUPS) {
    in = sycl::malloc_shared<int>(size, q);
    out = sycl::malloc_shared<int>(size, q);
    shared = sycl::malloc_shared<int>(size, q);
    for (int i = 0; i < size; ++i) {
      in[i] = i * 3 + 1;
      out[i] = shared[i] = 0;
    }
  }
  data(const data &) = delete;
  ~data() {
    sycl::free(in, q);
    sycl::free(out, q);
    sycl::free(shared, q);
  }
  sycl::queue &q;
  int size;
  int *in, *out, *shared;
};

static void test_exchange(sycl::queue &q, int local) {
  data d(q, local);
  int *in = d.in, *out = d.out, *shared = d.shared;
  q.parallel_for(sycl::nd_range<1>(d.size, local), [=](item it) {
     const int l = it.get_local_id(0), g = it.get_group(0) * local;
     const int mine = in[g + l];
     shared[g + l] = mine * 2;
     sycl::group_barrier(it.get_group());
     out[g + l] = shared[g + local - 1 - l] + mine;
   }).wait();
  for (int i = 0; i < d.size; ++i) {
    EXPECT(out[i] == in[i / local * local + local - 1 - i % local] * 2 + in[i]);
  }
}

static int halve(item it, int *t, int l, int length) {
  const int half = (length + 1) / 2;
  if (l + half < length) {
    t[l] += t[l + half];
  }
  sycl::group_barrier(it.get_group());
  return half;
}

static void test_tree(sycl::queue &q, int local) {
  data d(q, local);
  int *in = d.in, *out = d.out, *shared = d.shared;
  q.parallel_for(sycl::nd_range<1>(d.size, local), [=](item it) {
     const int l = it.get_local_id(0), g = it.get_group(0) * local;
     shared[g + l] = in[g + l];
     sycl::group_barrier(it.get_group());
     for (int length = local; length > 1;) {
       length = halve(it, shared + g, l, length);
     }
     if (l == 0) {
       out[it.get_group(0)] = shared[g];
     }
   }).wait();
  for (int k = 0; k < GROUPS; ++k) {
    int sum = 0;
    for (int i = 0; i < local; ++i) {
      sum += in[k * local + i];
    }
    EXPECT(out[k] == sum);
  }
}

// Arrays of the work-items' own, barriers in a branch that depends on the group, two loops.
static void test_private_arrays(sycl::queue &q, int local) {
  data d(q, local);
  int *out = d.out, *shared = d.shared;
  q.parallel_for(sycl::nd_range<1>(d.size, local), [=](item it) {
     const int l = it.get_local_id(0), g = it.get_group(0) * local;
     int p[4];
     for (int k = 0; k < 4; ++k) {
       p[k] = l * k;
     }
     if (it.get_group(0) % 2 == 0) {
       for (int k = 0; k < 3; ++k) {
         shared[g + l] = p[k] + k;
         sycl::group_barrier(it.get_group());
         p[(l + k) % 4] += shared[g + (l + 1) % local];
         sycl::group_barrier(it.get_group());
       }
     } else {
       sycl::group_barrier(it.get_group());
       p[0] = 9;
     }
     int sum = 0;
     for (int k = 0; k < 4; ++k) {
       sum = sum * 7 + p[k];
     }
     out[g + l] = sum;
   }).wait();
  for (int g = 0; g < GROUPS; ++g) {
    std::vector<std::array<int, 4>> p(local);
    std::vector<int> t(local);
    for (int l = 0; l < local; ++l) {
      for (int k = 0; k < 4; ++k) {
        p[l][k] = l * k;
      }
      p[l][0] = g % 2 ? 9 : p[l][0];
    }
    for (int k = 0; k < 3 && g % 2 == 0; ++k) {
      for (int l = 0; l < local; ++l) {
        t[l] = p[l][k] + k;
      }
      for (int l = 0; l < local; ++l) {
        p[l][(l + k) % 4] += t[(l + 1) % local];
      }
    }
    for (int l = 0; l < local; ++l) {
      int sum = 0;
      for (int k = 0; k < 4; ++k) {
        sum = sum * 7 + p[l][k];
      }
      EXPECT(out[g * local + l] == sum);
    }
  }
}

// Rows of a two-dimensional work-group that are no multiple of anything.
static void test_plane(sycl::queue &q, int rows, int columns) {
  const int height = rows * 2, width = columns * 3;
  int *out = sycl::malloc_shared<int>(height * width, q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int, 2> tile({std::size_t(columns), std::size_t(rows)}, h);
     h.parallel_for(sycl::nd_range<2>({std::size_t(height), std::size_t(width)},
                                      {std::size_t(rows), std::size_t(columns)}),
                    [=](sycl::nd_item<2> it) {
                      const int y = it.get_local_id(0), x = it.get_local_id(1);
                      tile[x][y] = static_cast<int>(it.get_global_linear_id());
                      sycl::group_barrier(it.get_group());
                      out[it.get_global_linear_id()] = tile[columns - 1 - x][rows - 1 - y];
                    });
   }).wait();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int from_y = y / rows * rows + rows - 1 - y % rows;
      const int from_x = x / columns * columns + columns - 1 - x % columns;
      EXPECT(out[y * width + x] == from_y * width + from_x);
    }
  }
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  for (int local : {1, 4, 16, 64, 100, 256}) {
    test_exchange(q, local);
    test_tree(q, local);
    test_private_arrays(q, local);
  }
  test_plane(q, 16, 16);
  test_plane(q, 5, 7);
  test_plane(q, 3, 40);
  return failures != 0;
}
