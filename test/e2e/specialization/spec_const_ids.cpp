// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids that are const but not constexpr, as DPC++ takes them: their defaults are copied from their
// own variables.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -g %s -o %t.O0 && %t.O0
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu %s -o %t.aot && %t.aot
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent %t.aot
#include "../headers/Inputs/expect.hpp"

struct point {
  int x;
  double y;
  constexpr point(int a, double b) : x(a), y(b) {}
};
static const sycl::specialization_id<float> zero;
const sycl::specialization_id<int> number(42);
static const sycl::specialization_id<point> place(7, 2.5);
const sycl::specialization_id<const int *> none;
namespace {
const sycl::specialization_id<int> local{5};
}
constexpr sycl::specialization_id<int> usual(9);
struct holder {
  static const sycl::specialization_id<short> member;
};
const sycl::specialization_id<short> holder::member(3);

int main() {
  sycl::queue q;
  double *out = sycl::malloc_shared<double>(8, q);
  for (const bool is_set : {false, true, false}) {
    q.submit([&](sycl::handler &cgh) {
      EXPECT(cgh.get_specialization_constant<number>() == 42);
      if (is_set) {
        cgh.set_specialization_constant<zero>(10.0f);
        cgh.set_specialization_constant<place>(point(1, 2));
        cgh.set_specialization_constant<local>(-5);
      }
      cgh.single_task([=](sycl::kernel_handler handler) {
        const point at = handler.get_specialization_constant<place>();
        out[0] = handler.get_specialization_constant<zero>();
        out[1] = handler.get_specialization_constant<number>();
        out[2] = at.x;
        out[3] = at.y;
        out[4] = handler.get_specialization_constant<none>() == nullptr;
        out[5] = handler.get_specialization_constant<local>();
        out[6] = handler.get_specialization_constant<usual>();
        out[7] = handler.get_specialization_constant<holder::member>();
      });
    });
    q.wait_and_throw();
    EXPECT(out[0] == (is_set ? 10.0 : 0.0) && out[1] == 42 && out[2] == (is_set ? 1 : 7));
    EXPECT(out[3] == (is_set ? 2 : 2.5) && out[4] == 1 && out[5] == (is_set ? -5 : 5));
    EXPECT(out[6] == 9 && out[7] == 3);
  }
  return failures;
}
