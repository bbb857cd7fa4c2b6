// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_enqueue_functions: each command on a queue and in a command group, launch_config
// with properties, reductions, kernel objects and functions, barriers, graphs.
// RUN: %tenonxx -fsycl -O0 %s -o %t0 && %t0
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t2 && %t2
#include <sycl/detail/core.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/reduction.hpp>

#include <cstdio>
#include <numeric>

namespace syclex = sycl::ext::oneapi::experimental;

static int failures = 0;
#define EXPECT(condition)                                 \
  do {                                                    \
    if (!(condition)) {                                   \
      ++failures;                                         \
      std::printf("line %d: %s\n", __LINE__, #condition); \
    }                                                     \
  } while (0)

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void add_to(int *to, int value) {
  to[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] += value;
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void put(int *to, int value) { *to = value; }

struct launch_hint_key {};
using launch_hint = syclex::property_value<launch_hint_key>;
template <>
struct sycl::ext::oneapi::experimental::is_property_key<launch_hint_key> : std::true_type {};

static_assert(std::is_same_v<decltype(syclex::launch_config{sycl::range<2>(1, 1)}),
                             syclex::launch_config<sycl::range<2>>>);
static_assert(
    std::is_same_v<decltype(syclex::launch_config{sycl::nd_range<1>(1, 1),
                                                  syclex::properties{launch_hint()}}),
                   syclex::launch_config<sycl::nd_range<1>, syclex::properties<launch_hint>>>);
template <class Range, class Properties, class = void>
inline constexpr bool is_config = false;
template <class Range, class Properties>
inline constexpr bool
    is_config<Range, Properties, std::void_t<syclex::launch_config<Range, Properties>>> = true;
static_assert(is_config<sycl::range<3>, syclex::empty_properties_t> &&
              !is_config<sycl::id<3>, syclex::empty_properties_t> && !is_config<int, int> &&
              !is_config<sycl::range<1>, int>);

// The same commands on a queue and in a command group each.
template <class F>
static void both(sycl::queue &queue, const F &command) {
  command(queue);
  queue.wait();
  syclex::submit(queue, [&](sycl::handler &h) { command(h); });
  queue.wait();
  syclex::submit(queue, syclex::empty_properties_t(), [&](sycl::handler &h) { command(h); });
  queue.wait();
  sycl::event done = syclex::submit_with_event(queue, [&](sycl::handler &h) { command(h); });
  done.wait();
  EXPECT(done.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete);
  syclex::submit_with_event(queue, syclex::properties{launch_hint()}, [&](sycl::handler &h) {
    command(h);
  }).wait();
}
constexpr int times = 5;

static void test_kernels(sycl::queue &queue, int *out) {
  *out = 0;
  both(queue, [=](auto &to) { syclex::single_task(to, [=] { *out += 1; }); });
  EXPECT(*out == times);
  std::fill(out, out + 24, 0);
  both(queue, [=](auto &to) { syclex::parallel_for(to, 8, [=](sycl::id<1> i) { out[i] += 1; }); });
  both(queue, [=](auto &to) {
    syclex::parallel_for(to, {2, 4}, [=](sycl::item<2> i) { out[i.get_linear_id()] += 2; });
  });
  both(queue, [=](auto &to) {
    syclex::parallel_for(to, sycl::range<3>(2, 2, 2),
                         [=](sycl::item<3> i) { out[i.get_linear_id()] += 4; });
  });
  both(queue, [=](auto &to) {
    syclex::parallel_for(to, syclex::launch_config{sycl::range<2>(2, 4)},
                         [=](sycl::item<2> i) { out[i.get_linear_id()] += 8; });
  });
  both(queue, [=](auto &to) {
    syclex::nd_launch(to, sycl::nd_range<2>({2, 4}, {1, 2}),
                      [=](sycl::nd_item<2> i) { out[i.get_global_linear_id()] += 16; });
  });
  both(queue, [=](auto &to) {
    syclex::nd_launch(
        to, syclex::launch_config(sycl::nd_range<1>(8, 4), syclex::properties{launch_hint()}),
        [=](sycl::nd_item<1> i) { out[i.get_global_linear_id()] += 32; });
  });
  for (int i = 0; i < 8; ++i) {
    EXPECT(out[i] == times * 63);
  }
  EXPECT(out[8] == 0);
}

static void test_reductions(sycl::queue &queue, int *out) {
  out[0] = out[1] = 0;
  out[2] = 1000;
  const auto sum = [=] { return sycl::reduction(out, sycl::plus<>()); };
  const auto count = [=] { return sycl::reduction(out + 1, sycl::plus<int>()); };
  const auto least = [=] { return sycl::reduction(out + 2, sycl::minimum<int>()); };
  both(queue, [&](auto &to) {
    syclex::parallel_for(
        to, 10, [](sycl::id<1> i, auto &a) { a += static_cast<int>(i[0]); }, sum());
  });
  EXPECT(out[0] == times * 45);
  both(queue, [&](auto &to) {
    syclex::parallel_for(
        to, syclex::launch_config{sycl::range<1>(10)},
        [](sycl::id<1> i, auto &a, auto &b, auto &c) {
          a += static_cast<int>(i[0]);
          b += 1;
          c.combine(static_cast<int>(i[0]) + 5);
        },
        sum(), count(), least());
  });
  EXPECT(out[0] == 2 * times * 45 && out[1] == times * 10 && out[2] == 5);
  const auto reduction = sum();  // an lvalue
  both(queue, [&](auto &to) {
    syclex::nd_launch(
        to, sycl::nd_range<1>(12, 4), [](sycl::nd_item<1>, auto &a) { a += 1; }, reduction);
  });
  EXPECT(out[0] == 2 * times * 45 + times * 12);
  both(queue, [&](auto &to) {
    syclex::nd_launch(
        to, syclex::launch_config{sycl::nd_range<2>({4, 4}, {2, 2})},
        [](sycl::nd_item<2>, auto &a, auto &b) {
          a += 1;
          b += 1;
        },
        reduction, count());
  });
  EXPECT(out[0] == 2 * times * 45 + times * 28 && out[1] == times * (10 + 16));
}

static void test_objects(sycl::queue &queue, int *out) {
  const auto bundle =
      syclex::get_kernel_bundle<add_to, sycl::bundle_state::executable>(queue.get_context());
  const sycl::kernel adds = bundle.ext_oneapi_get_kernel<add_to>();
  const sycl::kernel puts =
      syclex::get_kernel_bundle<put, sycl::bundle_state::executable>(queue.get_context())
          .ext_oneapi_get_kernel<put>();
  std::fill(out, out + 8, 0);
  both(queue, [=](auto &to) { syclex::nd_launch(to, sycl::nd_range<1>(8, 4), adds, out, 1); });
  both(queue, [=](auto &to) {
    syclex::nd_launch(to, syclex::launch_config{sycl::nd_range<1>(8, 2)}, adds, out, 2);
  });
  both(queue, [=](auto &to) {
    syclex::nd_launch(to, sycl::nd_range<1>(8, 4), syclex::kernel_function<add_to>, out, 4);
  });
  both(queue, [=](auto &to) {
    syclex::nd_launch(to, syclex::launch_config{sycl::nd_range<1>(8, 4)},
                      syclex::kernel_function<add_to>, out, 8);
  });
  for (int i = 0; i < 8; ++i) {
    EXPECT(out[i] == times * 15);
  }
  both(queue, [=](auto &to) { syclex::single_task(to, puts, out + 3, 77); });
  EXPECT(out[3] == 77);
  both(queue,
       [=](auto &to) { syclex::single_task(to, syclex::kernel_function<put>, out + 4, 78); });
  EXPECT(out[4] == 78);
}

static void test_memory(sycl::queue &queue, int *out) {
  int *from = out + 12;
  std::iota(from, from + 8, 1);
  both(queue, [=](auto &to) { syclex::memset(to, out, 0xff, 8 * sizeof(int)); });
  EXPECT(out[0] == -1 && out[7] == -1);
  both(queue, [=](auto &to) { syclex::memcpy(to, out, from, 4 * sizeof(int)); });
  EXPECT(out[3] == 4 && out[4] == -1);
  both(queue, [=](auto &to) { syclex::copy(to, from, out, 8); });
  EXPECT(out[7] == 8);
  both(queue, [=](auto &to) { syclex::fill(to, out, 9, 5); });
  EXPECT(out[0] == 9 && out[4] == 9 && out[5] == 6);
  both(queue, [=](auto &to) { syclex::prefetch(to, out, 8 * sizeof(int)); });
  both(queue,
       [=](auto &to) { syclex::prefetch(to, out, 8 * sizeof(int), syclex::prefetch_type::host); });
  both(queue, [=](auto &to) { syclex::mem_advise(to, out, 8 * sizeof(int), 1); });
  EXPECT(out[0] == 9 && out[5] == 6);
}

static void test_host_tasks_and_barriers(sycl::queue &queue, int *out) {
  int runs = 0;
  both(queue, [&](auto &to) { syclex::host_task(to, [&] { ++runs; }); });
  both(queue,
       [&](auto &to) { syclex::host_task(to, [&](const sycl::interop_handle &) { ++runs; }); });
  EXPECT(runs == 2 * times);
  *out = 0;
  const auto slow = [=] {
    volatile int waste = 0;
    for (int i = 0; i < 100000; ++i) {
      waste = i;
    }
    *out = waste;
  };
  for (int i = 0; i < 3; ++i) {
    *out = 0;
    syclex::single_task(queue, slow);
    i == 0 ? syclex::barrier(queue)
           : syclex::submit(queue, [](sycl::handler &h) { syclex::barrier(h); });
    syclex::single_task(queue, [=] { out[1] = *out; });
    queue.wait();
    EXPECT(out[1] == 99999);
  }
  for (int i = 0; i < 2; ++i) {
    *out = 0;
    const sycl::event first =
        syclex::submit_with_event(queue, [&](sycl::handler &h) { syclex::single_task(h, slow); });
    if (i == 0) {
      syclex::partial_barrier(queue, {first});
    } else {
      syclex::submit(queue, [&](sycl::handler &h) { syclex::partial_barrier(h, {first}); });
    }
    syclex::partial_barrier(queue, {});
    syclex::single_task(queue, [=] { out[1] = *out; });
    queue.wait();
    EXPECT(out[1] == 99999);
  }
}

static void test_graphs(sycl::queue &queue, int *out) {
  *out = 0;
  syclex::command_graph graph(queue.get_context(), queue.get_device());
  graph.begin_recording(queue);
  syclex::single_task(queue, [=] { *out += 3; });
  graph.end_recording(queue);
  auto ready = graph.finalize();
  both(queue, [&](auto &to) { syclex::execute_graph(to, ready); });
  EXPECT(*out == 3 * times);
}

int main() {
  for (const bool in_order : {false, true}) {
    const sycl::property_list properties =
        in_order ? sycl::property_list(sycl::property::queue::in_order()) : sycl::property_list();
    sycl::queue queue(properties);
    int *out = sycl::malloc_shared<int>(24, queue);
    test_kernels(queue, out);
    test_reductions(queue, out);
    test_objects(queue, out);
    test_memory(queue, out);
    test_host_tasks_and_barriers(queue, out);
    test_graphs(queue, out);
    sycl::free(out, queue);
  }
  return failures != 0;
}
