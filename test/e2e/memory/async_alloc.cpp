// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools, and memory that is allocated and given back in the order of queues
// (sycl_ext_oneapi_async_memory_alloc).
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/experimental/async_alloc/async_alloc.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>

namespace ex = sycl::ext::oneapi::experimental;
using sycl::usm::alloc;

#if SYCL_EXT_ONEAPI_ASYNC_MEMORY_ALLOC != 1
#error "the feature-test macro is missing"
#endif

template <class F>
static bool fails(sycl::errc code, const F &f) {
  try {
    f();
  } catch (const sycl::exception &e) {
    return e.code() == code;
  }
  return false;
}

// A queue in order uses again what it gave back; others when the command is complete.
static void in_order(sycl::queue q) {
  constexpr std::size_t count = 1000;
  ex::memory_pool pool(q, alloc::device);
  int *sums = sycl::malloc_shared<int>(count, q);
  std::memset(sums, 0, count * sizeof(int));
  for (int round = 0; round < 20; ++round) {
    int *const part =
        static_cast<int *>(ex::async_malloc_from_pool(q, count * sizeof(int), pool));
    q.parallel_for(count, [=](sycl::id<1> i) { part[i] = round * static_cast<int>(i[0]); });
    q.parallel_for(count, [=](sycl::id<1> i) { sums[i] += part[i]; });
    ex::async_free(q, part);
  }
  EXPECT(pool.get_reserved_size_current() < 20 * count * sizeof(int) + (4u << 20));
  q.wait();
  EXPECT(pool.get_used_size_current() == 0 && pool.get_reserved_size_current() == 0);
  bool is_right = true;
  for (std::size_t i = 0; i < count; ++i) {
    is_right = is_right && sums[i] == 190 * static_cast<int>(i);
  }
  EXPECT(is_right);
  sycl::free(sums, q);
}

// Each command by its event.
static void out_of_order(const sycl::context &ctx, const sycl::device &dev) {
  sycl::queue q(ctx, dev);
  ex::memory_pool pool(ctx, dev, alloc::shared);
  int result = 0;
  sycl::event last;
  for (int round = 0; round < 10; ++round) {
    int *part = nullptr;
    const sycl::event made = ex::submit_with_event(q, [&](sycl::handler &h) {
      h.depends_on(last);
      part = static_cast<int *>(ex::async_malloc_from_pool(h, 64 * sizeof(int), pool));
    });
    const sycl::event written = q.submit([&](sycl::handler &h) {
      h.depends_on(made);
      h.parallel_for(64, [=](sycl::id<1> i) { part[i] = round; });
    });
    q.copy(part + 63, &result, 1, written).wait();
    EXPECT(result == round);
    last = ex::submit_with_event(q, [&](sycl::handler &h) {
      h.depends_on(written);
      ex::async_free(h, part);
    });
  }
  q.wait();
  EXPECT(pool.get_used_size_current() == 0);
  // Not from a pool of one's own.
  void *const host = ex::async_malloc(q, alloc::host, 100);
  void *const shared = ex::async_malloc(q, alloc::shared, 100);
  EXPECT(sycl::get_pointer_type(host, ctx) == alloc::host &&
         sycl::get_pointer_type(shared, ctx) == alloc::shared);
  ex::async_free(q, host);
  q.submit([&](sycl::handler &h) { ex::async_free(h, shared); }).wait();
  EXPECT(ctx.ext_oneapi_get_default_memory_pool(alloc::host).get_used_size_current() == 0);
}

static void facts(sycl::queue q) {
  const sycl::context ctx = q.get_context();
  const sycl::device dev = q.get_device();
  EXPECT(dev.has(sycl::aspect::ext_oneapi_async_memory_alloc) ==
         dev.has(sycl::aspect::usm_device_allocations));
  ex::memory_pool pool(ctx, dev, alloc::device, ex::properties{ex::initial_threshold(5u << 20)});
  ex::memory_pool other(ctx, alloc::host), copy = pool;
  EXPECT(copy == pool && pool != other);
  EXPECT(std::hash<ex::memory_pool>()(copy) == std::hash<ex::memory_pool>()(pool));
  EXPECT(pool.get_context() == ctx && pool.get_device() == dev);
  EXPECT(pool.get_alloc_kind() == alloc::device && other.get_alloc_kind() == alloc::host);
  EXPECT(pool.get_threshold() == 5u << 20 && other.get_threshold() == 0);
  pool.increase_threshold_to(1000);
  EXPECT(copy.get_threshold() == 5u << 20);
  copy.increase_threshold_to(6u << 20);
  EXPECT(pool.get_threshold() == 6u << 20);
  // What is free stays reserved up to the threshold.
  void *const a = ex::async_malloc_from_pool(q, 3000000, pool);
  void *const b = ex::async_malloc_from_pool(q, 1000, pool);
  EXPECT(pool.get_used_size_current() == 3001000 && pool.get_reserved_size_current() >= 3001000);
  ex::async_free(q, a);
  ex::async_free(q, b);
  q.wait();
  EXPECT(pool.get_used_size_current() == 0 && pool.get_reserved_size_current() >= 3000000);
  void *const again = ex::async_malloc_from_pool(q, 3000000, pool);
  EXPECT(again == a);
  ex::async_free(q, again);
  EXPECT(ex::async_malloc_from_pool(q, 0, pool) == nullptr);
  ex::async_free(q, nullptr);
  // One for each device and kind.
  const ex::memory_pool own = ctx.ext_oneapi_get_default_memory_pool(dev, alloc::device);
  EXPECT(own == ctx.ext_oneapi_get_default_memory_pool(dev, alloc::device));
  EXPECT(own != ctx.ext_oneapi_get_default_memory_pool(dev, alloc::shared) && own != pool);
  EXPECT(ctx.ext_oneapi_get_default_memory_pool(alloc::host).get_alloc_kind() == alloc::host);
}

static void sizes(sycl::queue q) {
  ex::memory_pool limited(q, alloc::device, ex::properties{ex::maximum_size(4096)});
  void *const first = ex::async_malloc_from_pool(q, 3000, limited);
  EXPECT(fails(sycl::errc::memory_allocation,
               [&] { static_cast<void>(ex::async_malloc_from_pool(q, 2000, limited)); }));
  void *const rest = ex::async_malloc_from_pool(q, 1000, limited);
  EXPECT(limited.get_reserved_size_current() == 4096);
  ex::async_free(q, first);
  ex::async_free(q, rest);
  q.wait();
  void *const all = ex::async_malloc_from_pool(q, 4096, limited);
  ex::async_free(q, all);
  // Zeros when it is reserved.
  ex::memory_pool zeroed(q, alloc::device, ex::properties{ex::zero_init()});
  char *const zeros = static_cast<char *>(ex::async_malloc_from_pool(q, 5000, zeroed));
  std::vector<char> got(5000, 'x');
  q.copy(zeros, got.data(), got.size()).wait();
  EXPECT(got == std::vector<char>(5000, '\0'));
  ex::async_free(q, zeros);
  // In memory of the program's.
  constexpr std::size_t size = 10000;
  char *const memory = sycl::malloc_device<char>(size, q);
  {
    ex::memory_pool fixed(q.get_context(), memory, size);
    EXPECT(fixed.get_threshold() == size && fixed.get_reserved_size_current() == size);
    EXPECT(fixed.get_alloc_kind() == alloc::device && fixed.get_device() == q.get_device());
    char *const a = static_cast<char *>(ex::async_malloc_from_pool(q, 6000, fixed));
    char *const b = static_cast<char *>(ex::async_malloc_from_pool(q, 3500, fixed));
    EXPECT(a == memory && b > a && b + 3500 <= memory + size);
    EXPECT(fails(sycl::errc::memory_allocation,
                 [&] { static_cast<void>(ex::async_malloc_from_pool(q, 1000, fixed)); }));
    ex::async_free(q, a);
    ex::async_free(q, b);
    q.wait();
    EXPECT(ex::async_malloc_from_pool(q, size, fixed) == memory);
    ex::async_free(q, memory);
  }
  q.wait();
  sycl::free(memory, q);
}

static void mistakes(sycl::queue q) {
  const sycl::context ctx = q.get_context();
  const sycl::device dev = q.get_device();
  const auto invalid = [](const auto &f) { return fails(sycl::errc::invalid, f); };
  EXPECT(invalid([&] { ex::memory_pool(ctx, alloc::device); }));
  EXPECT(invalid([&] { ex::memory_pool(ctx, dev, alloc::host); }));
  EXPECT(invalid([&] { ex::memory_pool(q, alloc::unknown); }));
  EXPECT(invalid([&] { ctx.ext_oneapi_get_default_memory_pool(alloc::shared); }));
  EXPECT(invalid([&] { ctx.ext_oneapi_get_default_memory_pool(dev, alloc::host); }));
  EXPECT(invalid([&] { static_cast<void>(ex::async_malloc(q, alloc::unknown, 1)); }));
  const sycl::context elsewhere(dev);
  ex::memory_pool pool(elsewhere, dev, alloc::device);
  EXPECT(invalid([&] { static_cast<void>(ex::async_malloc_from_pool(q, 1, pool)); }));
  int on_stack = 0;
  EXPECT(invalid([&] { ex::async_free(q, &on_stack); }));
  EXPECT(invalid([&] { ex::memory_pool(ctx, &on_stack, sizeof(int)); }));
  void *const once = ex::async_malloc(q, alloc::device, 10);
  ex::async_free(q, once);
  EXPECT(invalid([&] { ex::async_free(q, once); }));
  ex::command_graph graph(ctx, dev);
  graph.begin_recording(q);
  EXPECT(fails(sycl::errc::feature_not_supported,
               [&] { static_cast<void>(ex::async_malloc(q, alloc::device, 10)); }));
  graph.end_recording();
}

// Memory that is pending to be freed is reused by its own queue alone, if that is in order.
static void pending(const sycl::context &ctx, const sycl::device &dev) {
  for (const bool is_ordered : {true, false}) {
    const sycl::property_list order =
        is_ordered ? sycl::property_list{sycl::property::queue::in_order()} : sycl::property_list{};
    sycl::queue q(ctx, dev, order), other(ctx, dev, sycl::property::queue::in_order());
    ex::memory_pool pool(ctx, dev, alloc::device);
    std::atomic<bool> may_end{false};
    void *const first = ex::async_malloc_from_pool(q, 1000, pool);
    q.submit([&](sycl::handler &h) {
      h.host_task([&] {
        while (!may_end) {
          std::this_thread::yield();
        }
      });
    });
    q.ext_oneapi_submit_barrier();
    ex::async_free(q, first);
    EXPECT(pool.get_used_size_current() == 1000);
    void *const elsewhere = ex::async_malloc_from_pool(other, 1000, pool);
    void *const same = ex::async_malloc_from_pool(q, 1000, pool);
    EXPECT(elsewhere != first && (same == first) == is_ordered);
    may_end = true;
    q.wait();
    ex::async_free(other, elsewhere);
    ex::async_free(q, same);
  }
}

// The pool goes while memory is out, and the memory behind a running command.
static void outlived(sycl::queue q) {
  int *memory = nullptr, result = 0;
  {
    ex::memory_pool pool(q, alloc::device);
    memory = static_cast<int *>(ex::async_malloc_from_pool(q, 100 * sizeof(int), pool));
  }
  q.parallel_for(100, [=](sycl::id<1> i) { memory[i] = static_cast<int>(i[0]); });
  q.copy(memory + 99, &result, 1);
  ex::async_free(q, memory);
  q.wait();
  EXPECT(result == 99);
}

static void threads(const sycl::context &ctx, const sycl::device &dev) {
  ex::memory_pool pool(ctx, dev, alloc::shared, ex::properties{ex::initial_threshold(1u << 20)});
  std::vector<std::thread> workers;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    workers.emplace_back([&, t] {
      sycl::queue q(ctx, dev, sycl::property::queue::in_order());
      for (int round = 0; round < 50; ++round) {
        const std::size_t count = 10 + t * 500 + static_cast<std::size_t>(round) * 7;
        int *const part =
            static_cast<int *>(ex::async_malloc_from_pool(q, count * sizeof(int), pool));
        const int value = static_cast<int>(t * 1000) + round;
        q.fill(part, value, count);
        int first = 0, last = 0;
        q.copy(part, &first, 1);
        q.copy(part + count - 1, &last, 1);
        ex::async_free(q, part);
        q.wait();
        wrong[t] += first != value || last != value;
      }
    });
  }
  for (std::thread &worker : workers) {
    worker.join();
  }
  EXPECT(wrong == std::vector<int>(4, 0) && pool.get_used_size_current() == 0);
}

int main() {
  const sycl::device dev;
  const sycl::context ctx(dev);
  sycl::queue q(ctx, dev, sycl::property::queue::in_order());
  in_order(q);
  out_of_order(ctx, dev);
  facts(q);
  sizes(q);
  mistakes(q);
  outlived(q);
  pending(ctx, dev);
  threads(ctx, dev);
  return failures;
}
