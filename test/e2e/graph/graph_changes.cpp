// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a graph's nodes changes after they were added: arguments of free-function kernels, the
// command group of a node; reductions and specialization constants in graphs.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
using executable = ex::command_graph<ex::graph_state::executable>;

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void add_to(int *to, int number) {
  to[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] += number;
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void subtract_from(int number, int *from) {
  from[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id()] -= number;
}

static void dynamic_arguments(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(8, q);
  int *y = sycl::malloc_shared<int>(8, q);
  for (int i = 0; i < 8; ++i) {
    x[i] = y[i] = 0;
  }
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  sycl::kernel function = bundle.ext_oneapi_get_kernel<add_to>();
  ex::command_graph graph(q);
  ex::dynamic_parameter<int *> to(graph, x);
  ex::dynamic_parameter<int> number(graph, 1);
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.set_args(to, number);
    cgh.parallel_for(sycl::nd_range<1>(8, 4), function);
  });
  executable exec = graph.finalize({ex::property::graph::updatable()});
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[7] == 1 && y[7] == 0);
  to.update(y);
  number.update(5);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[7] == 2 && y[7] == 0);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[7] == 2 && y[7] == 5);
  node.update_nd_range(sycl::nd_range<1>(4, 4));
  exec.update(std::vector<ex::node>{node});
  q.ext_oneapi_graph(exec).wait();
  EXPECT(y[0] == 10 && y[7] == 5);
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    cgh.set_args(to, number);
    cgh.parallel_for(sycl::nd_range<1>(8, 4), function);
  }));
  sycl::free(x, q);
  sycl::free(y, q);
}

// A parameter needs no graph, may be used in several, and in the command groups of a dynamic one:
// all of these see its value, also those that are not active when it changes.
static void parameters_of_groups(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(8, q);
  int *y = sycl::malloc_shared<int>(8, q);
  for (int i = 0; i < 8; ++i) {
    x[i] = y[i] = 0;
  }
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  sycl::kernel add = bundle.ext_oneapi_get_kernel<add_to>();
  sycl::kernel subtract = bundle.ext_oneapi_get_kernel<subtract_from>();
  ex::dynamic_parameter to(x);
  const ex::dynamic_parameter same = to;
  EXPECT(to == same && to != ex::dynamic_parameter(y));
  const sycl::nd_range<1> range(8, 4);
  const ex::command_graph<> graph(q);
  ex::command_graph grown = graph;
  ex::command_graph other(q);
  ex::dynamic_command_group group(graph, {[=](sycl::handler &cgh) {
                                            cgh.set_args(to, 1);
                                            cgh.parallel_for(range, add);
                                          },
                                          [=](sycl::handler &cgh) {
                                            cgh.set_arg(1, to);
                                            cgh.set_arg(0, 10);
                                            cgh.parallel_for(range, subtract);
                                          }});
  ex::node node = grown.add(group);
  ex::node alone = other.add([&](sycl::handler &cgh) {
    cgh.set_args(to, 100);
    cgh.parallel_for(range, add);
  });
  executable exec = grown.finalize({ex::property::graph::updatable()});
  executable otherExec = other.finalize({ex::property::graph::updatable()});
  q.ext_oneapi_graph(exec).wait();
  q.ext_oneapi_graph(otherExec).wait();
  EXPECT(x[7] == 101 && y[7] == 0);
  to.update(y);
  exec.update(node);
  otherExec.update(alone);
  q.ext_oneapi_graph(exec).wait();
  q.ext_oneapi_graph(otherExec).wait();
  EXPECT(x[7] == 101 && y[7] == 101);
  group.set_active_index(1);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[7] == 101 && y[7] == 91);
  to.update(x);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[7] == 91 && y[7] == 91);
  group.set_active_index(0);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[7] == 92 && y[7] == 91);
  grown.begin_recording(q);
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    cgh.set_args(to, 1);
    cgh.parallel_for(range, add);
  }));
  grown.end_recording();
  sycl::free(x, q);
  sycl::free(y, q);
}

// Nodes of a dynamic command group come after the events of its command groups, and keep a range
// that they were given for the command group that was active then.
static void ranges_of_groups(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(8, q);
  int *y = sycl::malloc_shared<int>(8, q);
  ex::command_graph graph(q);
  graph.begin_recording(q);
  const std::vector<sycl::event> filled = {q.fill(x, 1, 8), q.fill(y, 2, 8)};
  graph.end_recording();
  ex::dynamic_command_group group(
      graph, {[=](sycl::handler &cgh) {
                cgh.depends_on(filled);
                cgh.parallel_for(8, [=](sycl::id<1> i) { x[i] += y[i]; });
              },
              [=](sycl::handler &cgh) {
                cgh.depends_on(filled);
                cgh.parallel_for(8, [=](sycl::id<1> i) { x[i] -= y[i]; });
              }});
  ex::node node = graph.add(group);
  EXPECT(node.get_predecessors().size() == 2);
  node.update_range(sycl::range<1>(4));
  group.set_active_index(1);
  executable exec = graph.finalize({ex::property::graph::updatable()});
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[0] == -1 && x[7] == -1);
  group.set_active_index(0);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[3] == 3 && x[4] == 1);
  sycl::free(x, q);
  sycl::free(y, q);
}

// A launch that waits runs what the graph was when it was submitted; a node without work-items gets
// some, and loses them.
static void launches_before_updates(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(8, q);
  int *y = sycl::malloc_shared<int>(8, q);
  for (int i = 0; i < 8; ++i) {
    x[i] = y[i] = 0;
  }
  sycl::kernel add = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context())
                         .ext_oneapi_get_kernel<add_to>();
  ex::command_graph graph(q);
  ex::dynamic_parameter<int *> to(graph, x);
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.set_args(to, 1);
    cgh.parallel_for(sycl::nd_range<1>(0, 1), add);
  });
  executable exec = graph.finalize({ex::property::graph::updatable()});
  const auto launch = [&](std::atomic<bool> &is_open) {
    sycl::event gate = q.submit([&](sycl::handler &cgh) {
      cgh.host_task([&] {
        while (!is_open) {
          std::this_thread::yield();
        }
      });
    });
    return q.ext_oneapi_graph(exec, gate);
  };
  std::atomic<bool> is_open[2] = {false, false};
  node.update_nd_range(sycl::nd_range<1>(8, 4));
  exec.update(node);
  sycl::event first = launch(is_open[0]);
  to.update(y);
  node.update_nd_range(sycl::nd_range<1>(4, 4));
  exec.update(node);
  sycl::event second = launch(is_open[1]);
  node.update_nd_range(sycl::nd_range<1>(0, 1));
  exec.update(node);
  EXPECT(x[7] == 0 && y[0] == 0);
  is_open[0] = is_open[1] = true;
  first.wait();
  second.wait();
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[0] == 1 && x[7] == 1 && y[3] == 1 && y[4] == 0);
  sycl::free(x, q);
  sycl::free(y, q);
}

// A range for a kernel over an nd_range, and the other way round.
static void other_kinds_of_range(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(64, q);
  int *sizes = sycl::malloc_shared<int>(64, q);
  for (int i = 0; i < 64; ++i) {
    x[i] = sizes[i] = 0;
  }
  ex::command_graph graph(q);
  ex::node flat = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::range<1>(64), [=](sycl::item<1> i) { x[i] += i.get_range(0); });
  });
  ex::node grouped = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> i) {
      const int all = sycl::reduce_over_group(i.get_group(), 1, sycl::plus<int>());
      sizes[i.get_global_id(0)] += all == int(i.get_local_range(0)) ? all : 1000;
    });
  });
  executable exec = graph.finalize({ex::property::graph::updatable()});
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[63] == 64 && sizes[63] == 16);
  flat.update_nd_range(sycl::nd_range<1>(32, 8));
  grouped.update_range(sycl::range<1>(36));
  exec.update({flat, grouped});
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[31] == 96 && x[32] == 64);
  EXPECT(sizes[0] > 16 && sizes[0] < 1000 && sizes[0] == sizes[35] && sizes[36] == 16);
  grouped.update_range(sycl::range<1>(0));
  exec.update(grouped);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(sizes[35] == sizes[0]);
  sycl::free(x, q);
  sycl::free(sizes, q);
}

static void dynamic_groups(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(4, q);
  for (int i = 0; i < 4; ++i) {
    x[i] = 1;
  }
  ex::command_graph graph(q);
  ex::dynamic_command_group kernels(
      graph, {[=](sycl::handler &cgh) { cgh.parallel_for(4, [=](sycl::id<1> i) { x[i] += 1; }); },
              [=](sycl::handler &cgh) { cgh.single_task([=] { x[0] *= 10; }); }});
  ex::node node = graph.add(kernels);
  executable exec = graph.finalize({ex::property::graph::updatable()});
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[0] == 2 && x[3] == 2);
  kernels.set_active_index(1);
  EXPECT(kernels.get_active_index() == 1);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[0] == 20 && x[3] == 2);
  EXPECT_ERRC(invalid, kernels.set_active_index(2));
  using list = std::vector<std::function<void(sycl::handler &)>>;
  EXPECT_ERRC(invalid, ex::dynamic_command_group(graph, list()));
  EXPECT_ERRC(invalid, ex::dynamic_command_group(
                           graph, list{[=](sycl::handler &cgh) { cgh.memset(x, 0, 4); }}));
  ex::command_graph other(q);
  EXPECT_ERRC(invalid, (void)other.add(kernels));
  sycl::free(x, q);
}

constexpr sycl::specialization_id<int> factor(3);

static void kernels_of_all_kinds(sycl::queue q) {
  int *sum = sycl::malloc_shared<int>(2, q);
  sum[0] = sum[1] = 0;
  ex::command_graph graph(q);
  graph.begin_recording(q);
  // Two kernels for one command group, with memory of the graph's own between them.
  sycl::event first =
      q.parallel_for(sycl::nd_range<1>(64, 8), sycl::reduction(sum, sycl::plus<int>()),
                     [=](sycl::nd_item<1>, auto &all) { all += 1; });
  q.submit([&](sycl::handler &cgh) {
    cgh.depends_on(first);
    cgh.set_specialization_constant<factor>(7);
    cgh.single_task(
        [=](sycl::kernel_handler h) { sum[1] = sum[0] * h.get_specialization_constant<factor>(); });
  });
  graph.end_recording();
  executable exec = graph.finalize();
  // Beside the graph in an out-of-order queue, so with a result of its own.
  int *beside = sycl::malloc_shared<int>(1, q);
  *beside = 0;
  for (int i = 1; i <= 3; ++i) {
    q.ext_oneapi_graph(exec);
    q.parallel_for(sycl::nd_range<1>(8, 8), sycl::reduction(beside, sycl::plus<int>()),
                   [=](sycl::nd_item<1>, auto &all) { all += 1; });
    q.wait();
    EXPECT(sum[0] == 64 * i);
    EXPECT(sum[1] == 64 * 7 * i);
    EXPECT(*beside == 8 * i);
  }
  sycl::free(beside, q);
  sycl::free(sum, q);
}

// Plain host memory on both sides, small and large.
static void host_memory(sycl::queue q, std::size_t size) {
  std::vector<int> in(size);
  std::vector<int> out(size, -1);
  int *device = sycl::malloc_device<int>(size, q);
  ex::command_graph graph(q);
  ex::node first = graph.add([&](sycl::handler &cgh) { cgh.copy(in.data(), device, size); });
  ex::node second = graph.add(
      [&](sycl::handler &cgh) { cgh.parallel_for(size, [=](sycl::id<1> i) { device[i] += 1; }); },
      {ex::property::node::depends_on(first)});
  graph.add([&](sycl::handler &cgh) { cgh.copy(device, out.data(), size); },
            {ex::property::node::depends_on(std::vector<ex::node>{first, second})});
  executable exec = graph.finalize();
  for (int round = 1; round <= 3; ++round) {
    in[0] = round;
    in[size - 1] = -round;
    q.ext_oneapi_graph(exec).wait();
    EXPECT(out[0] == round + 1);
    EXPECT(out[size - 1] == 1 - round);
  }
  sycl::free(device, q);
}

// One executable graph, launched by several threads in several queues: never two at a time.
static void threads(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(1, q);
  *x = 0;
  ex::command_graph graph(q);
  ex::node first = graph.add([&](sycl::handler &cgh) { cgh.single_task([=] { *x += 1; }); });
  graph.add([&](sycl::handler &cgh) { cgh.single_task([=] { *x += 2; }); },
            {ex::property::node::depends_on(first)});
  executable exec = graph.finalize();
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([&, i] {
      sycl::queue own(q.get_context(), q.get_device());
      sycl::queue line(q.get_context(), q.get_device(), sycl::property::queue::in_order());
      for (int round = 0; round < 50; ++round) {
        (round % 3 == i % 3 ? own : line).ext_oneapi_graph(exec);
      }
      own.wait();
      line.wait();
    });
  }
  for (std::thread &each : all) {
    each.join();
  }
  EXPECT(*x == 4 * 50 * 3);
  sycl::free(x, q);
}

int main() {
  for (sycl::queue q : {sycl::queue(), sycl::queue(sycl::property::queue::in_order())}) {
    dynamic_arguments(q);
    dynamic_groups(q);
    parameters_of_groups(q);
    ranges_of_groups(q);
    other_kinds_of_range(q);
    launches_before_updates(q);
    kernels_of_all_kinds(q);
    host_memory(q, 100);
    host_memory(q, 1 << 20);
    threads(q);
  }
  return failures;
}
