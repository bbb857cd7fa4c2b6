// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_khr_default_context, sycl_khr_queue_empty_query, sycl_khr_queue_flush and
// sycl_khr_max_work_group_queries.
// RUN: %tenonxx -fsycl -O0 %s -o %t0 && %t0
// RUN: %tenonxx -fsycl -O2 %s -o %t2 && %t2
#include "../headers/Inputs/expect.hpp"

#include <sycl/khr/max_work_group_queries.hpp>
#include <sycl/sycl.hpp>

#include <atomic>
#include <future>
#include <thread>

#if SYCL_KHR_DEFAULT_CONTEXT != 1 || SYCL_KHR_QUEUE_EMPTY_QUERY != 1 || \
    SYCL_KHR_QUEUE_FLUSH != 1 || SYCL_KHR_MAX_WORK_GROUP_QUERIES != 1
#error "a feature-test macro is missing"
#endif

static void test_default_context() {
  for (const sycl::platform &platform : sycl::platform::get_platforms()) {
    const sycl::context context = platform.khr_get_default_context();
    EXPECT(context == platform.khr_get_default_context());
    EXPECT(std::hash<sycl::context>()(context) ==
           std::hash<sycl::context>()(platform.khr_get_default_context()));
    EXPECT(context.get_platform() == platform);
    EXPECT(context.get_devices() == platform.get_devices());
    for (const sycl::device &device : platform.get_devices()) {
      EXPECT(sycl::queue(device).get_context() == context);
      EXPECT(sycl::queue(device, sycl::property::queue::in_order()).get_context() == context);
      EXPECT(sycl::queue(sycl::context(device), device).get_context() != context);
    }
  }
  const sycl::queue queue;
  EXPECT(queue.get_device().get_platform().khr_get_default_context() == queue.get_context());
}

static void test_empty(const sycl::property_list &properties) {
  sycl::queue queue(properties);
  EXPECT(queue.khr_empty());
  int *value = sycl::malloc_shared<int>(1, queue);
  *value = 0;
  std::promise<void> opened;
  std::shared_future<void> gate = opened.get_future().share();
  // A host task that is held up, and a kernel that depends on it.
  const sycl::event held =
      queue.submit([&](sycl::handler &cgh) { cgh.host_task([gate] { gate.wait(); }); });
  EXPECT(!queue.khr_empty());
  queue.submit([&](sycl::handler &cgh) {
    cgh.depends_on(held);
    cgh.single_task([=] { *value = 1; });
  });
  const sycl::queue copy = queue;
  EXPECT(!copy.khr_empty());
  EXPECT(sycl::queue(properties).khr_empty());
  opened.set_value();
  // Without wait: what the commands did is visible once the queue is empty.
  while (!copy.khr_empty()) {
    std::this_thread::yield();
  }
  EXPECT(*value == 1);
  // After a kernel, a copy and a barrier.
  queue.single_task([=] { *value += 4; });
  int seen = 0;
  queue.wait();
  queue.memcpy(&seen, value, sizeof(seen)).wait();
  queue.ext_oneapi_submit_barrier();
  queue.wait();
  EXPECT(queue.khr_empty());
  EXPECT(seen == 5);
  sycl::free(value, queue);
}

// As soon as the last event is complete the queue is empty.
static void test_empty_after_events(const sycl::property_list &properties) {
  int wrong = 0;
  for (int i = 0; i < 300; ++i) {
    sycl::queue queue(properties);
    const sycl::event first =
        queue.submit([&](sycl::handler &cgh) { cgh.host_task([] { std::this_thread::yield(); }); });
    queue.single_task(first, [] {}).wait();
    wrong += !queue.khr_empty();
    while (first.get_info<sycl::info::event::command_execution_status>() !=
           sycl::info::event_command_status::complete) {
    }
    queue.submit([&](sycl::handler &cgh) { cgh.host_task([] {}); }).wait();
    wrong += !queue.khr_empty();
  }
  EXPECT(wrong == 0);
}

static void test_flush(const sycl::property_list &properties) {
  const sycl::queue empty(properties);
  empty.khr_flush();
  sycl::queue queue(properties);
  std::atomic<int> stage{0};
  int *value = sycl::malloc_shared<int>(1, queue);
  *value = 0;
  const sycl::event first = queue.single_task([=] { *value = 2; });
  const sycl::event second = queue.submit([&](sycl::handler &cgh) {
    cgh.depends_on(first);
    cgh.host_task([&stage, value] { stage = *value; });
  });
  const sycl::event third = queue.submit([&](sycl::handler &cgh) {
    cgh.depends_on(second);
    cgh.single_task([=] { *value += 1; });
  });
  queue.khr_flush();
  // No thread waits for these.
  while (third.get_info<sycl::info::event::command_execution_status>() !=
         sycl::info::event_command_status::complete) {
    std::this_thread::yield();
  }
  EXPECT(stage == 2);
  EXPECT(*value == 3);
  // It returns while a command cannot go on yet.
  std::promise<void> opened;
  std::future<void> gate = opened.get_future();
  queue.submit([&](sycl::handler &cgh) { cgh.host_task([&gate] { gate.wait(); }); });
  queue.khr_flush();
  EXPECT(!queue.khr_empty());
  opened.set_value();
  queue.wait();
  sycl::free(value, queue);
}

static void test_work_group_counts() {
  namespace limits = sycl::khr::info::device;
  const sycl::device device;
  const sycl::range<1> one = device.get_info<limits::max_work_group_range<1>>();
  const sycl::range<2> two = device.get_info<limits::max_work_group_range<2>>();
  const sycl::range<3> three = device.get_info<limits::max_work_group_range<>>();
  const std::size_t all = device.get_info<limits::max_work_group_range_size>();
  for (std::size_t each : {one[0], two[0], two[1], three[0], three[1], three[2], all}) {
    EXPECT(each >= 1);
  }
  static_assert(std::is_same_v<limits::max_work_group_range<2>::return_type, sycl::range<2>>);
  static_assert(std::is_same_v<limits::max_work_group_range_size::return_type, std::size_t>);
}

int main() {
  test_default_context();
  test_empty({});
  test_empty(sycl::property::queue::in_order());
  test_empty_after_events({});
  test_empty_after_events(sycl::property::queue::in_order());
  test_flush({});
  test_flush(sycl::property::queue::in_order());
  test_work_group_counts();
  return failures != 0;
}
