// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer's destructor waits and writes back although something else still holds an accessor: here
// the function object of a host task, which the runtime lets go of only after the buffer is gone.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "Inputs/expect.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

int main() {
  sycl::queue q;
  std::atomic<bool> buffer_is_gone{false};
  std::atomic<bool> functor_is_gone{false};
  std::atomic<bool> may_run{false};
  std::unique_ptr<int[]> cells(new int[4]{1, 2, 3, 4});
  {
    // The last copy of this pointer is the host task's; letting go of it waits for the flag.
    std::shared_ptr<int> late(new int(5), [&](int *p) {
      while (!buffer_is_gone) {
        std::this_thread::yield();
      }
      delete p;
      functor_is_gone = true;
    });
    std::mutex guard;
    sycl::buffer<int> whole(cells.get(), 4, {sycl::property::buffer::use_mutex(guard)});
    sycl::buffer<int> part(whole, sycl::id<1>(0), sycl::range<1>(2));
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(whole, h);
      h.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { a[i] *= 10; });
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(part, h, sycl::read_write_host_task);
      h.host_task([=, &may_run] {
        while (!may_run) {
          std::this_thread::yield();
        }
        a[0] += *late;
      });
    });
    late.reset();
    may_run = true;
  }
  EXPECT(cells[0] == 15 && cells[3] == 40);
  EXPECT(!functor_is_gone);
  cells.reset();
  buffer_is_gone = true;
  q.wait();
  while (!functor_is_gone) {
    std::this_thread::yield();
  }
  return failures;
}
