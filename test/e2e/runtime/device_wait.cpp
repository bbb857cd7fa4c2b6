// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_device_wait: kernels, copies and host tasks of all queues on a device, those of
// queues that are gone and of other threads too, and the failures of each to its own handler.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <atomic>
#include <chrono>
#include <thread>

static_assert(SYCL_EXT_ONEAPI_DEVICE_WAIT == 1);
using sycl::property::queue::in_order;

static std::atomic<int> done{0};

static void submit_slow_task(sycl::queue q) {
  q.submit([](sycl::handler &h) {
    h.host_task([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++done;
    });
  });
}

static void kernels_and_copies(const sycl::device &dev) {
  constexpr int count = 4096;
  sycl::queue ordered(dev, in_order()), other(ordered.get_context(), dev);
  int *from = sycl::malloc_device<int>(count, ordered);
  int *to = sycl::malloc_host<int>(count, ordered);
  ordered.parallel_for(count, [=](sycl::id<1> i) { from[i] = static_cast<int>(i[0]) * 3; });
  const sycl::event copied = ordered.memcpy(to, from, count * sizeof(int));
  submit_slow_task(other);
  submit_slow_task(sycl::queue(dev));  // nobody has the queue when it runs
  std::thread([&] { submit_slow_task(other); }).join();
  sycl::device(dev).ext_oneapi_wait();
  EXPECT(done == 3 && to[count - 1] == (count - 1) * 3);
  EXPECT(copied.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete);
  EXPECT(other.khr_empty());
  sycl::free(from, ordered);
  sycl::free(to, ordered);
}

static void own_handlers(const sycl::device &dev) {
  int first = 0, second = 0;
  const auto counter = [](int &count) {
    return [&count](sycl::exception_list list) { count += static_cast<int>(list.size()); };
  };
  sycl::queue a(dev, counter(first)), b(dev, counter(second));
  const auto fail = [](sycl::handler &h) { h.host_task([] { throw 1; }); };
  a.submit(fail);
  b.submit(fail);
  b.submit(fail);
  sycl::device of = dev;
  of.ext_oneapi_wait();
  EXPECT(first == 0 && second == 0);
  of.ext_oneapi_throw_asynchronous();
  EXPECT(first == 1 && second == 2);
  a.submit(fail);
  of.ext_oneapi_wait_and_throw();
  EXPECT(first == 2 && second == 2);
}

// A queue that records a graph runs nothing more, but what it had before.
static void recording(const sycl::device &dev) {
  sycl::queue q(dev, in_order());
  const int before = done;
  submit_slow_task(q);
  sycl::ext::oneapi::experimental::command_graph graph(q);
  graph.begin_recording(q);
  submit_slow_task(q);
  EXPECT_ERRC(invalid, q.wait());
  sycl::device(dev).ext_oneapi_wait();
  EXPECT(done == before + 1);
  graph.end_recording(q);
}

// Queues that come and go while a device is waited for.
static void many_threads(const sycl::device &dev) {
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) {
        sycl::queue q(dev);
        q.submit([&](sycl::handler &h) { h.host_task([&] { ++ran; }); });
        sycl::device(dev).ext_oneapi_wait();
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  EXPECT(ran == 100);
}

int main() {
  const sycl::device dev = sycl::queue().get_device();
  EXPECT(dev.has(sycl::aspect::ext_oneapi_device_wait));
  sycl::device(dev).ext_oneapi_wait();  // no queue at all
  kernels_and_copies(dev);
  own_handlers(dev);
  recording(dev);
  many_threads(dev);
  return failures;
}
