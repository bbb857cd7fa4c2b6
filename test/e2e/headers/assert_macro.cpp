// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each header of classes brings assert, as with DPC++: programs use it without <cassert>.
// RUN: %tenonxx -fsycl -fsyntax-only -include sycl/usm.hpp %s
// RUN: %tenonxx -fsycl -fsyntax-only -include sycl/buffer.hpp %s
// RUN: %tenonxx -fsycl -fsyntax-only -include sycl/queue.hpp %s
// RUN: %tenonxx -fsycl -fsyntax-only -include sycl/vector.hpp %s
// RUN: %tenonxx -fsycl -fsyntax-only -include sycl/marray.hpp %s
// RUN: %tenonxx -fsycl -fsyntax-only -include sycl/builtins.hpp %s
int positive(int x) {
  assert(x > 0);
  return x;
}
