// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose rounds go far in memory: in steps of as many elements as there are work-items, and
// through the rows of a matrix, for sizes that end within a strip and for steps back.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: env TENON_SUB_GROUP_SIZE=8 %t
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

template <class T>
void add_in_steps(sycl::queue q, int count, int groups, int group) {
  T *in = sycl::malloc_shared<T>(count + 1, q);
  T *out = sycl::malloc_shared<T>(count + 1, q);
  T *sums = sycl::malloc_shared<T>(groups * group, q);
  for (int i = 0; i <= count; ++i) {
    in[i] = T(i % 97);
    out[i] = T(-1);
  }
  q.parallel_for(sycl::nd_range<1>(groups * group, group), [=](sycl::nd_item<1> item) {
     T sum = 0;
     for (int i = int(item.get_global_id(0)); i < count; i += int(item.get_global_range(0))) {
       sum += in[i];
     }
     sums[item.get_global_id(0)] = sum;
   }).wait();
  q.parallel_for(sycl::nd_range<1>(groups * group, group), [=](sycl::nd_item<1> item) {
     const int step = int(item.get_local_range(0) * item.get_group_range(0));
     for (int i = int(item.get_group(0) * item.get_local_range(0) + item.get_local_id(0));
          i < count; i += step) {
       out[i] = in[i] * T(2) + T(1);
     }
   }).wait();
  int wrong = out[count] != T(-1);
  for (int i = 0; i < groups * group; ++i) {
    T sum = 0;
    for (int k = i; k < count; k += groups * group) {
      sum += in[k];
    }
    wrong += sums[i] != sum;
  }
  for (int i = 0; i < count; ++i) {
    wrong += out[i] != in[i] * T(2) + T(1);
  }
  if (wrong != 0) {
    std::printf("%d elements of %d bytes by %d groups of %d: %d differ\n", count, int(sizeof(T)),
                groups, group, wrong);
  }
  EXPECT(wrong == 0);
  sycl::free(in, q);
  sycl::free(out, q);
  sycl::free(sums, q);
}

template <class T>
void walk_columns(sycl::queue q, int rows, int columns, int local) {
  T *in = sycl::malloc_shared<T>(rows * columns, q);
  T *down = sycl::malloc_shared<T>(columns, q);
  T *up = sycl::malloc_shared<T>(columns, q);
  for (int i = 0; i < rows * columns; ++i) {
    in[i] = T(i * 7 % 101);
  }
  q.parallel_for(sycl::range<1>(columns), [=](sycl::id<1> at) {
     T sum = 0;
     for (int row = 0; row < rows; ++row) {
       sum = sum * T(3) / T(4) + in[row * columns + int(at[0])];
     }
     down[at] = sum;
   }).wait();
  q.parallel_for(sycl::nd_range<2>({1, size_t(columns)}, {1, size_t(local)}),
                 [=](sycl::nd_item<2> item) {
                   T sum = 0;
                   const T *p = in + (rows - 1) * columns + item.get_global_id(1);
                   for (int row = rows - 1; row >= 0; --row, p -= columns) {
                     sum = sum * T(3) / T(4) + *p;
                   }
                   up[item.get_global_id(1)] = sum;
                 })
      .wait();
  int wrong = 0;
  for (int c = 0; c < columns; ++c) {
    T sums[2] = {0, 0};
    for (int row = 0; row < rows; ++row) {
      sums[0] = sums[0] * T(3) / T(4) + in[row * columns + c];
      sums[1] = sums[1] * T(3) / T(4) + in[(rows - 1 - row) * columns + c];
    }
    wrong += down[c] != sums[0];
    wrong += up[c] != sums[1];
  }
  if (wrong != 0) {
    std::printf("%d x %d of %d bytes: %d differ\n", rows, columns, int(sizeof(T)), wrong);
  }
  EXPECT(wrong == 0);
  sycl::free(in, q);
  sycl::free(down, q);
  sycl::free(up, q);
}

}  // namespace

int main() {
  sycl::queue q;
  for (const int count : {0, 1, 255, 256, 5000, 70001}) {
    add_in_steps<float>(q, count, 3, 128);
    add_in_steps<double>(q, count, 2, 256);
    add_in_steps<int>(q, count, 5, 24);
    add_in_steps<short>(q, count, 2, 64);
  }
  walk_columns<int>(q, 33, 600, 200);
  walk_columns<unsigned char>(q, 9, 4096, 128);
  walk_columns<long>(q, 20, 1030, 103);
  return failures != 0;
}
