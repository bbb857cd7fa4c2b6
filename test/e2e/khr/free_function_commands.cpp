// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The draft sycl_khr_free_function_commands: numbers and braced lists as ranges, kernel objects,
// accessors that are placeholders, barriers; and nothing of it without the macro that asks for it.
// RUN: %tenonxx -fsycl -O0 %s -D__DPCPP_ENABLE_UNFINISHED_KHR_EXTENSIONS -o %t0 && %t0
// RUN: %tenonxx -fsycl -O2 %s -D__DPCPP_ENABLE_UNFINISHED_KHR_EXTENSIONS -o %t2 && %t2
// RUN: %tenonxx -fsycl -fsyntax-only %s
#include <sycl/sycl.hpp>

#ifndef __DPCPP_ENABLE_UNFINISHED_KHR_EXTENSIONS
#ifdef SYCL_KHR_FREE_FUNCTION_COMMANDS
#error "a draft is not asked for"
#endif
namespace sycl::khr {
struct launch {};
struct submit_tracked {};
}  // namespace sycl::khr
int main() {}
#else

#include "../headers/Inputs/expect.hpp"

#include <numeric>

#if SYCL_KHR_FREE_FUNCTION_COMMANDS != 1
#error "the feature-test macro is missing"
#endif

namespace khr = sycl::khr;
namespace syclex = sycl::ext::oneapi::experimental;

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void add_to(int *to, int value) { to[khr::this_nd_item<1>().get_global_linear_id()] += value; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void put(int *to, int value) { *to = value; }

// The same command on a queue and in a command group.
template <class F>
static void both(const sycl::queue &queue, const F &command) {
  command(queue);
  sycl::queue(queue).wait();
  khr::submit(queue, [&](sycl::handler &h) { command(h); });
  sycl::queue(queue).wait();
  khr::submit_tracked(queue, [&](sycl::handler &h) { command(h); }).wait();
}
constexpr int times = 3;

static void test_kernels(const sycl::queue &queue, int *out) {
  std::fill(out, out + 16, 0);
  both(queue, [=](auto &to) { khr::launch_task(to, [=] { out[15] += 1; }); });
  both(queue, [=](auto &to) { khr::launch(to, 8, [=](sycl::id<1> i) { out[i] += 1; }); });
  both(queue, [=](auto &to) {
    khr::launch(to, {2, 4}, [=](sycl::item<2> i) { out[i.get_linear_id()] += 2; });
  });
  both(queue, [=](auto &to) {
    khr::launch_grouped(to, 8, 4, [=](sycl::nd_item<1> i) { out[i.get_global_id(0)] += 4; });
  });
  both(queue, [=](auto &to) {
    khr::launch_grouped(to, {2, 2, 2}, {1, 2, 1},
                        [=](sycl::nd_item<3> i) { out[i.get_global_linear_id()] += 8; });
  });
  const sycl::kernel adds =
      syclex::get_kernel_bundle<add_to, sycl::bundle_state::executable>(queue.get_context())
          .ext_oneapi_get_kernel<add_to>();
  const sycl::kernel puts =
      syclex::get_kernel_bundle<put, sycl::bundle_state::executable>(queue.get_context())
          .ext_oneapi_get_kernel<put>();
  both(queue, [=](auto &to) { khr::launch_grouped(to, 8, 2, adds, out, 16); });
  both(queue, [=](auto &to) { khr::launch_task(to, puts, out + 9, 99); });
  for (int i = 0; i < 8; ++i) {
    EXPECT(out[i] == times * 31);
  }
  EXPECT(out[8] == 0 && out[9] == 99 && out[15] == times);
  out[0] = out[1] = 0;
  both(queue, [=](auto &to) {
    khr::launch_reduce(
        to, 10,
        [](sycl::id<1>, auto &a, auto &b) {
          a += 1;
          b += 2;
        },
        sycl::reduction(out, sycl::plus<>()), sycl::reduction(out + 1, sycl::plus<>()));
  });
  both(queue, [=](auto &to) {
    khr::launch_grouped_reduce(
        to, {4, 4}, {2, 2}, [](sycl::nd_item<2>, auto &a) { a += 1; },
        sycl::reduction(out, sycl::plus<>()));
  });
  EXPECT(out[0] == times * 26 && out[1] == times * 20);
}

static void test_accessors(const sycl::queue &queue) {
  int data[8] = {};
  int seen[8] = {};
  int numbers[8];
  std::iota(numbers, numbers + 8, 1);
  {
    sycl::buffer<int> buffer(data, 8);
    sycl::buffer<int> other(8);
    // Placeholders; a copy on a queue requires them.
    const sycl::accessor<int, 1, sycl::access_mode::read_write> all(buffer);
    const sycl::accessor<int, 1, sycl::access_mode::read_write> part(other);
    khr::copy(queue, numbers, all);
    khr::copy(queue, all, part);
    khr::fill(queue, all, 5);
    khr::copy(queue, part, seen);
    khr::submit(queue, [&](sycl::handler &h) {
      h.require(all);
      khr::update_host(h, all);
    });
    khr::update_host(queue, all);
    sycl::queue(queue).wait();
    EXPECT(seen[0] == 1 && seen[7] == 8);
    EXPECT(data[0] == 5 && data[7] == 5);
    std::shared_ptr<int> shared(new int[8](), std::default_delete<int[]>());
    khr::copy(queue, all, shared);
    sycl::queue(queue).wait();
    EXPECT(shared.get()[7] == 5);
    shared.get()[7] = 6;
    khr::copy(queue, shared, all);
  }
  EXPECT(data[6] == 5 && data[7] == 6);
}

static void test_memory(const sycl::queue &queue, int *out) {
  int *from = out + 8;
  std::iota(from, from + 8, 1);
  both(queue, [=](auto &to) { khr::memset(to, out, 0, 8 * sizeof(int)); });
  both(queue, [=](auto &to) { khr::memcpy(to, out, from, 4 * sizeof(int)); });
  EXPECT(out[3] == 4 && out[4] == 0);
  both(queue, [=](auto &to) { khr::copy(to, from, out, 6); });
  both(queue, [=](auto &to) { khr::fill(to, out, 9, 2); });
  both(queue, [=](auto &to) { khr::prefetch(to, out, 8 * sizeof(int)); });
  both(queue, [=](auto &to) { khr::mem_advise(to, out, 8 * sizeof(int), 1); });
  EXPECT(out[1] == 9 && out[5] == 6 && out[6] == 0);
}

static void test_barriers(const sycl::queue &queue, int *out) {
  for (int i = 0; i < 4; ++i) {
    *out = 0;
    const sycl::event first = khr::submit_tracked(queue, [=](sycl::handler &h) {
      khr::launch_task(h, [=] {
        volatile int waste = 0;
        for (int n = 0; n < 100000; ++n) {
          waste = n;
        }
        *out = waste;
      });
    });
    if (i == 0) {
      khr::command_barrier(queue);
    } else if (i == 1) {
      khr::event_barrier(queue, {first});
    } else {
      khr::submit(queue, [&](sycl::handler &h) {
        i == 2 ? khr::command_barrier(h) : khr::event_barrier(h, {first});
      });
    }
    khr::launch_task(queue, [=] { out[1] = *out; });
    sycl::queue(queue).wait();
    EXPECT(out[1] == 99999);
  }
}

int main() {
  const sycl::queue queue;
  int *out = sycl::malloc_shared<int>(16, queue);
  test_kernels(queue, out);
  test_accessors(queue);
  test_memory(queue, out);
  test_barriers(queue, out);
  sycl::free(out, queue);
  return failures != 0;
}
#endif
