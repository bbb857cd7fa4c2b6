// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of commands that are recorded, added and launched: kernels, copies, fills, host tasks,
// barriers, reductions, local memory, in queues of both kinds, again and again.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
using sycl::property::queue::in_order;
using executable = ex::command_graph<ex::graph_state::executable>;

constexpr int size = 1000;

static int *numbers(sycl::queue &q, int value) {
  int *memory = sycl::malloc_shared<int>(size, q);
  for (int i = 0; i < size; ++i) {
    memory[i] = value;
  }
  return memory;
}

static bool all_are(const int *memory, int value) {
  for (int i = 0; i < size; ++i) {
    if (memory[i] != value) {
      std::printf("element %d is %d, not %d\n", i, memory[i], value);
      return false;
    }
  }
  return true;
}

// A straight line: x = 2; y = x + 1; host: z = y[0]; y = y * 2.
static void record_line(sycl::queue q, sycl::queue launcher) {
  int *x = numbers(q, 0);
  int *y = numbers(q, 0);
  int host = 0;
  ex::command_graph graph(q);
  EXPECT(graph.empty());
  graph.begin_recording(q);
  EXPECT(q.ext_oneapi_get_state() == ex::queue_state::recording);
  EXPECT(q.ext_oneapi_get_graph() == graph);
  sycl::event a = q.fill(x, 2, size);
  sycl::event b = q.parallel_for(size, {a}, [=](sycl::id<1> i) { y[i] = x[i] + 1; });
  sycl::event c = q.submit([&](sycl::handler &cgh) {
    cgh.depends_on(b);
    cgh.host_task([=, &host] { host += y[0]; });
  });
  q.submit([&](sycl::handler &cgh) {
    cgh.depends_on(c);
    cgh.parallel_for(sycl::nd_range<1>(size, 10),
                     [=](sycl::nd_item<1> item) { y[item.get_global_id(0)] *= 2; });
  });
  graph.end_recording(q);
  EXPECT(q.ext_oneapi_get_state() == ex::queue_state::executing);
  EXPECT(graph.get_nodes().size() == 4);
  EXPECT(graph.get_root_nodes().size() == 1);
  EXPECT(graph.get_nodes()[0].get_type() == ex::node_type::memfill);
  EXPECT(graph.get_nodes()[1].get_type() == ex::node_type::kernel);
  EXPECT(graph.get_nodes()[2].get_type() == ex::node_type::host_task);
  EXPECT(graph.get_nodes()[1].get_predecessors().size() == 1);
  EXPECT(graph.get_nodes()[1].get_predecessors()[0] == ex::node::get_node_from_event(a));
  EXPECT(graph.get_nodes()[1].get_successors()[0] == ex::node::get_node_from_event(c));
  q.wait();
  EXPECT(all_are(y, 0));  // nothing ran

  executable exec = graph.finalize();
  launcher.ext_oneapi_graph(exec).wait();
  EXPECT(host == 3);
  EXPECT(all_are(y, 6));
  for (int i = 0; i < 20; ++i) {
    launcher.ext_oneapi_graph(exec);
  }
  launcher.wait();
  EXPECT(host == 63);
  EXPECT(all_are(x, 2));
  EXPECT(all_are(y, 6));
  sycl::free(x, q);
  sycl::free(y, q);
}

// A diamond by edges: a -> b, c -> d; each launch adds to what is there.
static void add_diamond(sycl::queue q) {
  int *x = numbers(q, 1);
  int *y = numbers(q, 0);
  int *z = numbers(q, 0);
  ex::command_graph graph(q.get_context(), q.get_device());
  ex::node a = graph.add(
      [&](sycl::handler &cgh) { cgh.parallel_for(size, [=](sycl::id<1> i) { x[i] += 1; }); });
  ex::node b = graph.add(
      [&](sycl::handler &cgh) { cgh.parallel_for(size, [=](sycl::id<1> i) { y[i] = x[i] * 2; }); },
      {ex::property::node::depends_on(a)});
  ex::node c = graph.add([&](sycl::handler &cgh) { cgh.memcpy(z, x, size * sizeof(int)); });
  ex::node d = graph.add(
      [&](sycl::handler &cgh) { cgh.parallel_for(size, [=](sycl::id<1> i) { z[i] += y[i]; }); },
      {ex::property::node::depends_on_all_leaves()});
  graph.make_edge(a, c);
  ex::node end = graph.add({ex::property::node::depends_on(d)});
  EXPECT(end.get_type() == ex::node_type::empty);
  EXPECT(c.get_type() == ex::node_type::memcpy);
  EXPECT(d.get_predecessors().size() == 2);
  EXPECT(a.get_successors().size() == 2);
  executable exec = graph.finalize();
  // Waits for what was in the queue, and what comes later waits for it.
  sycl::event before = q.fill(x, 9, size);
  sycl::event launched = q.submit([&](sycl::handler &cgh) {
    cgh.depends_on(before);
    cgh.ext_oneapi_graph(exec);
  });
  q.submit([&](sycl::handler &cgh) {
     cgh.depends_on(launched);
     cgh.parallel_for(size, [=](sycl::id<1> i) { z[i] = -z[i]; });
   }).wait();
  EXPECT(all_are(x, 10));
  EXPECT(all_are(y, 20));
  EXPECT(all_are(z, -30));
  sycl::event last;
  for (int i = 0; i < 10; ++i) {
    last = q.ext_oneapi_graph(exec);  // follow each other
  }
  last.wait();
  EXPECT(all_are(z, 60));

  // What is added later is in graphs that are finalized later.
  graph.add([&](sycl::handler &cgh) { cgh.memset(z, 0, size * sizeof(int)); },
            {ex::property::node::depends_on(end)});
  executable longer = graph.finalize();
  q.ext_oneapi_graph(exec).wait();
  EXPECT(all_are(z, 63));
  q.ext_oneapi_graph(longer, std::vector<sycl::event>{last, before}).wait();
  EXPECT(all_are(z, 0));
  sycl::free(x, q);
  sycl::free(y, q);
  sycl::free(z, q);
}

// Two queues, of which the second joins by an event; a barrier; a graph in a graph.
static void several_queues(sycl::queue q) {
  sycl::queue other(q.get_context(), q.get_device());
  int *x = numbers(q, 0);
  ex::command_graph graph(q);
  graph.begin_recording(q);
  sycl::event first = q.parallel_for(size, [=](sycl::id<1> i) { x[i] = 5; });
  sycl::event second = other.parallel_for(size, first, [=](sycl::id<1> i) { x[i] += 1; });
  EXPECT(other.ext_oneapi_get_state() == ex::queue_state::recording);
  sycl::event third = q.parallel_for(size, second, [=](sycl::id<1> i) { x[i] *= 3; });
  q.ext_oneapi_submit_barrier();
  q.parallel_for(size, [=](sycl::id<1> i) { x[i] += 2; });
  graph.end_recording();
  EXPECT(other.ext_oneapi_get_state() == ex::queue_state::executing);
  EXPECT(graph.get_nodes()[3].get_type() == ex::node_type::ext_oneapi_barrier);
  executable inner = graph.finalize();

  ex::command_graph outer(q);
  ex::node before = outer.add([&](sycl::handler &cgh) { cgh.memset(x, 7, size * sizeof(int)); });
  ex::node middle = outer.add([&](sycl::handler &cgh) { cgh.ext_oneapi_graph(inner); },
                              {ex::property::node::depends_on(before)});
  outer.add([&](sycl::handler &cgh) { cgh.parallel_for(size, [=](sycl::id<1> i) { x[i] -= 20; }); },
            {ex::property::node::depends_on(middle)});
  EXPECT(middle.get_type() == ex::node_type::subgraph);
  executable exec = outer.finalize();
  q.ext_oneapi_graph(exec).wait();
  EXPECT(all_are(x, 0));
  q.ext_oneapi_graph(inner).wait();
  EXPECT(all_are(x, 20));
  other.ext_oneapi_graph(exec).wait();
  EXPECT(all_are(x, 0));
  sycl::free(x, q);
}

// Buffers order nodes by themselves; local memory and reductions are a graph's own.
static void with_buffers(sycl::queue q) {
  sycl::buffer<int> a{sycl::range<1>(size)};
  sycl::buffer<int> b{sycl::range<1>(size)};
  int *sum = sycl::malloc_shared<int>(1, q);
  int read = 0;
  ex::command_graph graph(q, {ex::property::graph::assume_buffer_outlives_graph()});
  graph.add([&](sycl::handler &cgh) {
    sycl::accessor out(a, cgh, sycl::write_only, sycl::no_init);
    cgh.parallel_for(size, [=](sycl::id<1> i) { out[i] = static_cast<int>(i); });
  });
  ex::node add = graph.add([&](sycl::handler &cgh) {
    sycl::accessor in(a, cgh, sycl::read_only);
    sycl::accessor out(b, cgh, sycl::write_only, sycl::no_init);
    sycl::local_accessor<int> local(10, cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, 10), [=](sycl::nd_item<1> item) {
      const auto at = item.get_local_id(0);
      local[at] = in[item.get_global_id(0)];
      sycl::group_barrier(item.get_group());
      out[item.get_global_id(0)] = local[9 - at];
    });
  });
  EXPECT(add.get_predecessors().size() == 1);
  ex::node reduced = graph.add([&](sycl::handler &cgh) {
    sycl::accessor in(b, cgh, sycl::read_only);
    cgh.parallel_for(sycl::range<1>(size),
                     sycl::reduction(sum, sycl::plus<int>(),
                                     sycl::property::reduction::initialize_to_identity()),
                     [=](sycl::id<1> i, auto &all) { all += in[i]; });
  });
  graph.add(
      [&](sycl::handler &cgh) {
        sycl::accessor in(b, cgh, sycl::read_only_host_task);
        cgh.host_task([=, &read] { read = in[0] + *sum; });
      },
      {ex::property::node::depends_on(reduced)});
  executable exec = graph.finalize();
  for (int i = 0; i < 3; ++i) {
    *sum = 1;
    read = 0;
    q.ext_oneapi_graph(exec).wait();
    EXPECT(*sum == size * (size - 1) / 2);
    EXPECT(read == *sum + 9);
    sycl::host_accessor view(b);
    EXPECT(view[0] == 9);
    EXPECT(view[999] == 990);
    view[0] = -1;
  }
  sycl::free(sum, q);
}

// The memory of a graph is freed when nothing can launch the graph any more.
static void destruction(sycl::queue q) {
  struct counted {
    explicit counted(int *copies) : copies(copies) {}
    counted(const counted &other) : copies(other.copies) { ++*copies; }
    counted(counted &&other) : copies(other.copies) {}
    counted &operator=(const counted &) = delete;
    int *copies;
  };
  int *memory = sycl::malloc_device<int>(size, q);
  std::vector<int> seen(size);
  std::vector<int> calls;
  int copies = 0;
  {
    std::vector<executable> execs;
    {
      ex::command_graph graph(q);
      int number = 1;
      graph.set_destruction_callback([](std::vector<int> &to, int &n) { to.push_back(n); },
                                     std::ref(calls), number);
      number = 7;
      counted kept(&copies);
      graph.set_destruction_callback([](const counted &) {}, kept);
      EXPECT(copies == 1);
      graph.set_destruction_callback([](counted) {}, std::move(kept));
      EXPECT(copies == 1);
      graph.add([&](sycl::handler &cgh) { cgh.fill(memory, 3, size); });
      execs.push_back(graph.finalize());
      graph.set_destruction_callback(
          [](int *to, sycl::queue from, std::vector<int> *all) {
            sycl::free(to, from);
            all->push_back(2);
          },
          memory, q, &calls);
    }
    EXPECT(calls.empty());
    q.ext_oneapi_graph(execs[0]).wait();
    q.copy(memory, seen.data(), size).wait();
    EXPECT(seen[0] == 3 && seen[size - 1] == 3);
    EXPECT(calls.empty());
  }
  EXPECT(calls == (std::vector<int>{2, 1}));
  {
    ex::command_graph empty(q);
    empty.set_destruction_callback([&] { calls.clear(); });
  }
  EXPECT(calls.empty());
}

int main() {
  sycl::queue out_of_order;
  sycl::queue in_line{in_order()};
  record_line(out_of_order, out_of_order);
  record_line(in_line, in_line);
  record_line(sycl::queue(in_line.get_context(), in_line.get_device()), in_line);
  add_diamond(out_of_order);
  several_queues(out_of_order);
  several_queues(in_line);
  with_buffers(out_of_order);
  with_buffers(in_line);
  destruction(out_of_order);
  return failures;
}
