// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs may define any letter before they include SYCL: -DN=1024 is what benchmarks do; and
// some short words.
// RUN: %tenonxx -fsycl -DA=3 -DB=3 -DC=3 -DD=3 -DE=3 -DF=3 -DI=3 -DK=3 -DL=3 -DM=3 -DN=1024 -DO=3 \
// RUN:   -DP=3 -DR=3 -DS=3 -DT=3 -DU=3 -DV=3 -DW=3 -DX=3 -DVL=3 -DVR=3 -DT0=3 -DT1=3 -DT2=3 \
// RUN:   -DDIM=3 -DDIMS=3 -DNDIMS=3 %s -o %t && %t
#include <sycl/sycl.hpp>

#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  int *numbers = sycl::malloc_shared<int>(N, queue);
  queue.parallel_for(N, [=](sycl::id<1> i) { numbers[i] = T + V; }).wait();
  const bool is_right = numbers[0] == T + V && numbers[N - 1] == 2 * X;
  sycl::free(numbers, queue);
  return is_right ? 0 : 1;
}
