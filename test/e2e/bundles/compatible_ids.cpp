// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether kernels are compatible with a device is read from the module's images once, however
// often and for however many kernels it is asked: a program of a thousand kernels asks for each.
// RUN: %tenonxx -fsycl -O2 %s -o %t && env TENON_LOG=registry %t 2> %t.log
// RUN: sed -n '/^begin/,$p' %t.log | grep -c "module .*: .* images" | grep -x 2
#include "../headers/Inputs/expect.hpp"

#include <algorithm>
#include <sycl/sycl.hpp>
#include <vector>

template <int N>
struct each {
  int *out;
  void operator()() const { *out = N; }
};

template <int... N>
static void launch(sycl::queue &q, int *out, std::integer_sequence<int, N...>) {
  (q.single_task(each<N>{out}).wait(), ...);
}

int main() {
  sycl::queue q;
  const sycl::device device = q.get_device();
  int *out = sycl::malloc_shared<int>(1, q);
  launch(q, out, std::make_integer_sequence<int, 20>());
  EXPECT(*out == 19);
  const std::vector<sycl::kernel_id> ids = sycl::get_kernel_ids();
  EXPECT(ids.size() == 20);
  std::fprintf(stderr, "begin\n");
  for (int turn = 0; turn < 10; turn++) {
    for (const sycl::kernel_id &id : ids) {
      EXPECT(sycl::is_compatible({id}, device));
      EXPECT((sycl::has_kernel_bundle<sycl::bundle_state::input>(q.get_context(), {device}, {id})));
    }
    EXPECT(sycl::is_compatible(ids, device));
  }
  sycl::free(out, q);
  return failures;
}
