// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All of a kernel's local memory counts: more than the device has is an error of the launch.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

namespace ex = sycl::ext::oneapi::experimental;

constexpr std::size_t variables = 40000;
ex::work_group_static<char[variables / 2]> shared;
static const sycl::nd_range<1> some(16, 8);

// With `size` bytes of a local accessor, or of scratch memory.
template <bool is_scratch>
static void launch(sycl::queue q, std::size_t size, int *x) {
  q.submit([&](sycl::handler &cgh) {
     const auto kernel = [x](sycl::nd_item<1> i, char *more, char *made) {
       const std::size_t place = i.get_local_id(0);
       more[place] = 1;
       made[place] = 10;
       shared[place] = 100;
       sycl::group_barrier(i.get_group());
       x[i.get_global_id(0)] = more[7 - place] + made[7 - place] + shared[7 - place];
     };
     if constexpr (is_scratch) {
       cgh.parallel_for(some, ex::properties{ex::work_group_scratch_size(size)},
                        [=](sycl::nd_item<1> i) {
                          auto &made =
                              *sycl::ext::oneapi::group_local_memory_for_overwrite<
                                  char[variables / 2]>(i.get_group());
                          kernel(i, static_cast<char *>(ex::get_work_group_scratch_memory()), made);
                        });
     } else {
       sycl::local_accessor<char> local(size, cgh);
       cgh.parallel_for(some, [=](sycl::nd_item<1> i) {
         auto &made = *sycl::ext::oneapi::group_local_memory_for_overwrite<char[variables / 2]>(
             i.get_group());
         kernel(i, &local[0], made);
       });
     }
   }).wait();
}

int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(16, q);
  const std::size_t all = q.get_device().get_info<sycl::info::device::local_mem_size>();
  launch<false>(q, all - variables - 1024, x);
  EXPECT(x[0] == 111 && x[15] == 111);
  x[0] = x[15] = 0;
  launch<true>(q, all - variables - 1024, x);
  EXPECT(x[0] == 111 && x[15] == 111);
  EXPECT_ERRC(memory_allocation, launch<false>(q, all - variables / 2, x));
  EXPECT_ERRC(memory_allocation, launch<true>(q, all - variables / 2, x));
  sycl::free(x, q);
  return failures;
}
