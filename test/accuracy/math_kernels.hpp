// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL's functions on arrays: in a kernel, and on the host.
#ifndef TEST_ACCURACY_MATH_KERNELS_HPP
#define TEST_ACCURACY_MATH_KERNELS_HPP

#include "function_table.h"
#include <sycl/sycl.hpp>

#include <cstddef>

namespace accuracy {

// Of a chunk of work; the numbers are of the measured type, results of functions to int are ints.
struct math_arrays {
  const void *x, *y, *z;
  const int *k;
  void *results;
  std::size_t count;
};

// Runs a row's function on all elements and waits. With `queue` NULL the host computes.
// False where the type has no such function.
bool run_float(accuracy_row row, sycl::queue *queue, const math_arrays &arrays);
bool run_double(accuracy_row row, sycl::queue *queue, const math_arrays &arrays);
bool run_half(accuracy_row row, sycl::queue *queue, const math_arrays &arrays);

}  // namespace accuracy

#endif
