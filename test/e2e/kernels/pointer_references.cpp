// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without optimization a pointer is a variable whose address functions get: it keeps its size,
// whatever they do with it.
// RUN: %tenonxx -fsycl -O0 %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <sycl/sycl.hpp>

template <class Pointer>
static void write(Pointer &to, int value) {
  to[0] = value;
  *(to + 1) = value + 1;
}
static void step(int *&at) { ++at; }

int main() {
  sycl::queue q;
  int values[6] = {};
  {
    sycl::buffer<int> buffer(values, 6);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor out(buffer, cgh, sycl::read_write);
      cgh.parallel_for(sycl::nd_range<1>{1, 1}, [=](sycl::nd_item<1>) {
        auto at = out.begin();
        write(at, 1);
        at += 2;
        write(at, 3);
        int *pointer = &out[4];
        write(pointer, 5);
        step(pointer);
        *pointer += 10;
      });
    });
  }
  EXPECT(values[0] == 1 && values[1] == 2 && values[2] == 3 && values[3] == 4);
  EXPECT(values[4] == 5 && values[5] == 16);
  return failures;
}
