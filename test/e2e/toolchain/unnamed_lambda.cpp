// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __SYCL_UNNAMED_LAMBDA__ is DPC++'s: libraries leave out the names of their kernels where it is
// defined, before any header as well.
// RUN: %tenonxx -fsycl %s -o %t && %t
// RUN: %tenonxx -fsycl -fno-sycl-unnamed-lambda %s -DNAMED -o %t && %t
// RUN: %tenonxx -fsycl -fno-sycl-unnamed-lambda -fsycl-unnamed-lambda %s -o %t && %t
// RUN: %tenonxx -fsycl -fsycl-host-compiler=g++ %s -DNAMED -o %t && %t
// RUN: %tenonxx -x c++ %s -DPLAIN -o %t && %t
#if defined(NAMED) || defined(PLAIN)
#ifdef __SYCL_UNNAMED_LAMBDA__
#error "kernels need names, and the macro says that they need none"
#endif
#elif __SYCL_UNNAMED_LAMBDA__ != 1
#error "kernels need no names, and the macro does not say so"
#endif

#ifdef PLAIN
int main() { return 0; }
#else
#include <sycl/sycl.hpp>

#ifdef NAMED
template <class Name>
struct library {
  template <class F>
  static void run(sycl::queue &q, F f) { q.single_task<Name>(f).wait(); }
};
class first;
class second;
#else
template <class Name>
struct library {
  template <class F>
  static void run(sycl::queue &q, F f) { q.single_task(f).wait(); }
};
class first;
using second = first;
#endif

int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 1;
  library<first>::run(q, [p] { *p += 1; });
  library<second>::run(q, [p] { *p *= 5; });
  const int result = *p;
  sycl::free(p, q);
  return result == 10 ? 0 : 1;
}
#endif
