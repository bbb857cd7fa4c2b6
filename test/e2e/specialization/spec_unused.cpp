// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant that a kernel reads counts as read when the kernel does nothing with its value: images
// and bundles know it, and it can be set.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 --offload-arch=x86-64-v2 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

struct pair {
  char first;
  long second;
};
constexpr sycl::specialization_id<pair> ignored(pair{1, 2});
constexpr sycl::specialization_id<int> added(3);
constexpr sycl::specialization_id<int> unknown(4);
class reader;

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(1, q);
  const auto launch = [&](int value) {
    q.submit([&](sycl::handler &h) {
       h.set_specialization_constant<added>(value);
       h.set_specialization_constant<ignored>(pair{5, 6});
       h.single_task<reader>([=](sycl::kernel_handler kernel) {
         kernel.get_specialization_constant<ignored>();
         *out = 10 + kernel.get_specialization_constant<added>();
       });
     }).wait();
  };
  launch(3);
  EXPECT(*out == 13);
  launch(7);
  EXPECT(*out == 17);
  auto bundle = sycl::get_kernel_bundle<reader, sycl::bundle_state::input>(q.get_context());
  EXPECT(bundle.has_specialization_constant<ignored>());
  EXPECT(bundle.has_specialization_constant<added>());
  EXPECT(!bundle.has_specialization_constant<unknown>());
  bundle.set_specialization_constant<ignored>(pair{7, 8});
  EXPECT(sycl::build(bundle).get_specialization_constant<ignored>().second == 8);
  sycl::free(out, q);
  return failures;
}
