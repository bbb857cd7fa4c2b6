// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with barriers, launched over work-groups of many sizes in turn: the CPU compiles them for
// those that they are launched with. By one kernel after the other and by several threads at once,
// as kernels of a bundle, in a graph whose ranges change, and again from the cache.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 backwards %}
// RUN: rm -rf %t.cache && env TENON_CACHE_DIR=%t.cache %t && env TENON_CACHE_DIR=%t.cache %t backwards
#include "../headers/Inputs/expect.hpp"

#include <cstring>
#include <thread>
#include <vector>

static const sycl::range<3> shapes[] = {
    {1, 1, 256}, {1, 1, 100}, {1, 1, 64}, {1, 1, 32}, {1, 1, 16},  {1, 1, 8},  {1, 1, 7},
    {1, 1, 1},   {1, 8, 32},  {1, 32, 8}, {1, 7, 5},  {1, 5, 64},  {1, 3, 16}, {1, 6, 48},
    {2, 3, 4},   {4, 4, 16},  {3, 1, 31}, {2, 2, 2},  {1, 64, 1}};
static constexpr std::size_t groups = 3;
static constexpr std::size_t most = 320;

struct results {
  int reversed, sum, scan, sub_group_sum;
};

// With sub-groups, which go on from row to row.
struct sums {
  const int *in;
  results *out;
  void operator()(sycl::nd_item<3> item) const {
    const std::size_t i = item.get_global_linear_id();
    const auto group = item.get_group();
    const auto sub_group = item.get_sub_group();
    out[i].sum = sycl::reduce_over_group(group, in[i], sycl::plus<>());
    out[i].scan = sycl::exclusive_scan_over_group(group, in[i], sycl::plus<>());
    // Each work-item is in one sub-group: all sums of first ones together are that of the group.
    const int part = sycl::reduce_over_group(sub_group, in[i], sycl::plus<>());
    out[i].sub_group_sum = sycl::reduce_over_group(
        group, sub_group.get_local_linear_id() == 0 ? part : 0, sycl::plus<>());
  }
};

// With barriers alone, and a loop for which several vectors run side by side.
struct reversal {
  const int *in;
  results *out;
  sycl::local_accessor<int> kept;
  void operator()(sycl::nd_item<3> item) const {
    const std::size_t at = item.get_local_linear_id();
    const std::size_t count = item.get_group().get_local_linear_range();
    float sum = 0;
    for (int k = 0; k < 64; k++) {
      sum += static_cast<float>(in[k]) * static_cast<float>(at % 4);
    }
    const float first = static_cast<float>(at % 4) * 703;
    kept[at] = in[item.get_global_linear_id()] + static_cast<int>(sum - first);
    sycl::group_barrier(item.get_group());
    out[item.get_global_linear_id()].reversed = kept[count - 1 - at];
  }
};

// Without.
struct clear {
  results *out;
  void operator()(sycl::item<1> item) const { out[item] = {}; }
};

struct memory {
  int *in;
  results *out;
  explicit memory(sycl::queue &queue)
      : in(sycl::malloc_shared<int>(groups * most, queue)),
        out(sycl::malloc_shared<results>(groups * most, queue)) {
    for (std::size_t i = 0; i < groups * most; i++) {
      in[i] = static_cast<int>(i * 7 % 23);
    }
  }
};

static sycl::nd_range<3> range_of(const sycl::range<3> &local) {
  return {{local[0] * groups, local[1], local[2]}, local};
}

static int check(const memory &m, const sycl::range<3> &local) {
  const std::size_t count = local.size();
  int wrong = 0;
  for (std::size_t g = 0; g < groups; g++) {
    int sum = 0;
    for (std::size_t i = 0; i < count; i++) {
      const results &r = m.out[g * count + i];
      wrong += r.scan != sum || r.reversed != m.in[g * count + count - 1 - i];
      sum += m.in[g * count + i];
    }
    for (std::size_t i = 0; i < count; i++) {
      const results &r = m.out[g * count + i];
      wrong += r.sum != sum || r.sub_group_sum != sum;
    }
  }
  if (wrong > 0) {
    std::printf("%d values are wrong in groups of %zu x %zu x %zu\n", wrong, local[0], local[1],
                local[2]);
  }
  return wrong;
}

template <class Submit>
static int run(sycl::queue &queue, const memory &m, const sycl::range<3> &local, Submit submit) {
  queue.parallel_for(sycl::range<1>(groups * most), clear{m.out}).wait();
  submit([&](sycl::handler &h) { h.parallel_for(range_of(local), sums{m.in, m.out}); });
  queue.wait();
  submit([&](sycl::handler &h) {
    h.parallel_for(range_of(local),
                   reversal{m.in, m.out, sycl::local_accessor<int>(local.size(), h)});
  });
  queue.wait();
  return check(m, local);
}

static void run_all(sycl::queue &queue, bool is_backwards) {
  const memory m(queue);
  constexpr std::size_t count = std::size(shapes);
  for (std::size_t i = 0; i < count; i++) {
    failures += run(queue, m, shapes[is_backwards ? count - 1 - i : i],
                    [&](auto command) { queue.submit(command); });
  }
}

static void run_at_once() {
  std::vector<std::thread> threads;
  int wrong[std::size(shapes)] = {};
  for (std::size_t i = 0; i < std::size(shapes); i++) {
    threads.emplace_back([&wrong, i] {
      sycl::queue queue;
      const memory m(queue);
      wrong[i] = run(queue, m, shapes[i], [&](auto command) { queue.submit(command); });
    });
  }
  for (std::size_t i = 0; i < std::size(shapes); i++) {
    threads[i].join();
    failures += wrong[i];
  }
}

static void run_of_bundle(sycl::queue &queue) {
  const memory m(queue);
  const auto bundle =
      sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context());
  for (const sycl::range<3> &local : shapes) {
    failures += run(queue, m, local, [&](auto command) {
      queue.submit([&](sycl::handler &h) {
        h.use_kernel_bundle(bundle);
        command(h);
      });
    });
  }
}

static void run_in_graph(sycl::queue &queue) {
  namespace experimental = sycl::ext::oneapi::experimental;
  const memory m(queue);
  experimental::command_graph graph(queue.get_context(), queue.get_device());
  auto node = graph.add([&](sycl::handler &h) {
    h.parallel_for(range_of(shapes[0]), sums{m.in, m.out});
  });
  auto finished = graph.finalize(experimental::property::graph::updatable{});
  for (const sycl::range<3> &local : shapes) {
    node.update_nd_range(range_of(local));
    finished.update(node);
    queue.ext_oneapi_graph(finished).wait();
    queue
        .submit([&](sycl::handler &h) {
          h.parallel_for(range_of(local),
                         reversal{m.in, m.out, sycl::local_accessor<int>(local.size(), h)});
        })
        .wait();
    failures += check(m, local);
  }
}

int main(int, char **argv) {
  sycl::queue queue;
  run_at_once();
  run_all(queue, argv[1] && std::strcmp(argv[1], "backwards") == 0);
  run_in_graph(queue);
  run_of_bundle(queue);
  return failures != 0;
}
