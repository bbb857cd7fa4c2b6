// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What graphs refuse, by the extension's names of errors; updates of executable graphs; printing.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o run && ./run
#include "../headers/Inputs/expect.hpp"

#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
namespace property = ex::property;
using sycl::property::queue::in_order;
using executable = ex::command_graph<ex::graph_state::executable>;

static void recording(sycl::queue q) {
  ex::command_graph graph(q);
  ex::command_graph another(q);
  int *x = sycl::malloc_shared<int>(1, q);
  sycl::event outside = q.single_task([=] { *x = 0; });
  EXPECT_ERRC(invalid, (void)q.ext_oneapi_get_graph());
  EXPECT_ERRC(feature_not_supported,
              ex::command_graph(q, {property::graph::enable_native_recording()}));
  graph.end_recording(q);  // nothing to end
  graph.begin_recording(q);
  EXPECT_ERRC(invalid, graph.begin_recording(q));
  EXPECT_ERRC(invalid, another.begin_recording(q));
  EXPECT_ERRC(invalid, another.end_recording(q));
  EXPECT_ERRC(invalid, (void)graph.add([](sycl::handler &) {}));
  EXPECT_ERRC(invalid, q.wait());
  EXPECT_ERRC(invalid, q.single_task(outside, [=] { *x = 1; }));
  sycl::event inside = q.single_task([=] { *x = 2; });
  EXPECT_ERRC(invalid, inside.wait());
  EXPECT_ERRC(invalid, (void)inside.get_info<sycl::info::event::command_execution_status>());
  EXPECT_ERRC(invalid,
              (void)inside.get_profiling_info<sycl::info::event_profiling::command_start>());
  EXPECT_ERRC(invalid, (void)ex::node::get_node_from_event(outside));
  ex::node first = ex::node::get_node_from_event(inside);
  ex::node second = ex::node::get_node_from_event(q.single_task([=] { *x = 3; }));
  EXPECT_ERRC(invalid, graph.make_edge(first, second));
  graph.end_recording();
  EXPECT_ERRC(invalid, q.single_task(inside, [=] { *x = 4; }));
  q.wait();
  EXPECT(*x == 0);
  EXPECT(graph.get_nodes().size() == 2);

  // The last copy of a graph ends its recording.
  {
    ex::command_graph gone(q);
    gone.begin_recording(q);
    q.single_task([=] { *x = 5; });
  }
  EXPECT(q.ext_oneapi_get_state() == ex::queue_state::executing);
  q.single_task([=] { *x += 6; }).wait();
  EXPECT(*x == 6);
  sycl::free(x, q);
}

static void edges(sycl::queue q) {
  ex::command_graph graph(q);
  ex::command_graph another(q);
  ex::node a = graph.add();
  ex::node b = graph.add({property::node::depends_on(a)});
  ex::node c = graph.add({property::node::depends_on(b)});
  ex::node other = another.add();
  EXPECT_ERRC(invalid, graph.make_edge(a, a));
  EXPECT_ERRC(invalid, graph.make_edge(c, a));
  EXPECT_ERRC(invalid, graph.make_edge(a, other));
  EXPECT_ERRC(invalid, (void)graph.add({property::node::depends_on(other)}));
  EXPECT_ERRC(invalid, (void)graph.add([](sycl::handler &cgh) { cgh.ext_oneapi_barrier(); }));
  EXPECT(graph.get_nodes().size() == 3);
  graph.make_edge(a, c);
  graph.make_edge(a, c);  // there already
  EXPECT(c.get_predecessors().size() == 2);
  q.ext_oneapi_graph(graph.finalize()).wait();
  ex::command_graph empty(q);
  q.ext_oneapi_graph(empty.finalize()).wait();

  ex::command_graph unchecked(q, {property::graph::no_cycle_check()});
  ex::node d = unchecked.add();
  ex::node e = unchecked.add({property::node::depends_on(d)});
  unchecked.make_edge(e, d);
  EXPECT_ERRC(invalid, (void)unchecked.finalize());
}

static void buffers(sycl::queue q) {
  int data[4] = {};
  sycl::buffer<int> plain{sycl::range<1>(4)};
  sycl::buffer<int> back(data, sycl::range<1>(4));
  const auto use = [](sycl::buffer<int> &buffer) {
    return [&buffer](sycl::handler &cgh) {
      sycl::accessor out(buffer, cgh, sycl::write_only);
      cgh.parallel_for(4, [=](sycl::id<1> i) { out[i] = 1; });
    };
  };
  ex::command_graph strict(q);
  EXPECT_ERRC(invalid, (void)strict.add(use(plain)));
  ex::command_graph graph(q, {property::graph::assume_buffer_outlives_graph()});
  EXPECT_ERRC(invalid, (void)graph.add(use(back)));
  back.set_write_back(false);
  (void)graph.add(use(back));
  EXPECT(graph.get_nodes().size() == 1);
  graph.begin_recording(q);
  q.submit(use(plain));
  EXPECT_ERRC(invalid, (void)sycl::host_accessor(plain));
  EXPECT(sycl::host_accessor(back)[0] == 0);
  graph.end_recording();
  q.ext_oneapi_graph(graph.finalize()).wait();
  EXPECT(sycl::host_accessor(plain)[3] == 1);
  EXPECT(sycl::host_accessor(back)[3] == 1);
}

static void contexts(sycl::queue q) {
  sycl::queue elsewhere(sycl::context(q.get_device()), q.get_device());
  ex::command_graph graph(q);
  graph.add([](sycl::handler &cgh) { cgh.single_task([] {}); });
  EXPECT_ERRC(invalid, graph.begin_recording(elsewhere));
  executable exec = graph.finalize();
  EXPECT_ERRC(invalid, elsewhere.ext_oneapi_graph(exec));
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    cgh.ext_oneapi_graph(exec);
    cgh.ext_oneapi_graph(exec);
  }));
  q.ext_oneapi_graph(exec).wait();
  EXPECT(q.get_device().has(sycl::aspect::ext_oneapi_graph));
  EXPECT(q.get_device().has(sycl::aspect::ext_oneapi_limited_graph));
}

struct add_number {
  int *to;
  int number;
  void operator()(sycl::id<1> i) const { to[i] += number; }
};

static void updates(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(8, q);
  for (int i = 0; i < 8; ++i) {
    x[i] = 0;
  }
  const auto with = [&](int number, std::size_t count) {
    return [=](sycl::handler &cgh) { cgh.parallel_for(count, add_number{x, number}); };
  };
  ex::command_graph graph(q);
  ex::node first = graph.add(with(1, 8));
  ex::node second = graph.add([&](sycl::handler &cgh) { cgh.memset(x + 7, 0, sizeof(int)); },
                              {property::node::depends_on(first)});
  executable fixed = graph.finalize();
  executable exec = graph.finalize({property::graph::updatable()});
  EXPECT_ERRC(invalid, fixed.update(first));
  EXPECT_ERRC(invalid, exec.update(second));
  EXPECT_ERRC(invalid, first.update_range(sycl::range<2>(2, 2)));
  EXPECT_ERRC(invalid, first.update_nd_range(sycl::nd_range<2>({2, 2}, {2, 1})));
  EXPECT_ERRC(invalid, second.update_range(sycl::range<1>(2)));
  q.ext_oneapi_graph(exec).wait();
  EXPECT(x[0] == 1 && x[6] == 1 && x[7] == 0);
  first.update_range(sycl::range<1>(4));
  q.ext_oneapi_graph(exec).wait();  // as it was
  EXPECT(x[0] == 2 && x[6] == 2);
  exec.update(first);
  q.ext_oneapi_graph(exec).wait();
  q.ext_oneapi_graph(fixed).wait();
  EXPECT(x[0] == 4 && x[3] == 4 && x[4] == 3 && x[6] == 3);

  ex::command_graph kernels(q);
  (void)kernels.add(with(1, 8));
  executable all = kernels.finalize({property::graph::updatable()});
  ex::command_graph source(q);
  (void)source.add(with(10, 2));
  all.update(source);
  q.ext_oneapi_graph(all).wait();
  EXPECT(x[0] == 14 && x[1] == 14 && x[2] == 4);
  EXPECT_ERRC(invalid, all.update(graph));
  sycl::free(x, q);
}

template <class T>
struct printed_functor {
  T *out;
  void operator()() const { *out = T(1); }
};

static void printing(sycl::queue q) {
  ex::command_graph graph(q);
  ex::node a = graph.add([](sycl::handler &cgh) { cgh.single_task<class printed_kernel>([] {}); });
  (void)graph.add([](sycl::handler &cgh) { cgh.host_task([] {}); },
                  {property::node::depends_on(a)});
  int *memory = sycl::malloc_shared<int>(1, q);
  (void)graph.add(
      [&](sycl::handler &cgh) { cgh.single_task(printed_functor<int>{memory}); });
  EXPECT_ERRC(invalid, graph.print_graph("graph.txt"));
  EXPECT_ERRC(invalid, graph.print_graph("no/such/folder/graph.dot"));
  graph.print_graph("graph.dot", true);
  std::ifstream in("graph.dot");
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT(text.find("printed_kernel") != std::string::npos);
  EXPECT(text.find("n0 -> n1") != std::string::npos);
  EXPECT(text.find("host task") != std::string::npos);
  EXPECT(text.find("printed_functor<int>") != std::string::npos);
  EXPECT(text.find("printed_functorIiE") != std::string::npos);  // its symbol
  sycl::free(memory, q);
}

static int seen = 0;
static std::string words;
static void note(sycl::exception_list list) {
  for (const std::exception_ptr &each : list) {
    ++seen;
    try {
      std::rethrow_exception(each);
    } catch (const std::exception &e) {
      words = e.what();
    }
  }
}

// What a node throws goes to the queue of the launch, each time.
static void failures_of_nodes(const sycl::property_list &properties) {
  sycl::queue q(note, properties);
  ex::command_graph graph(q);
  int after = 0;
  ex::node bad = graph.add([](sycl::handler &cgh) {
    cgh.host_task([] { throw std::runtime_error("thrown in a graph"); });
  });
  (void)graph.add([&](sycl::handler &cgh) { cgh.host_task([&after] { ++after; }); },
                  {property::node::depends_on(bad)});
  executable exec = graph.finalize();
  for (int i = 1; i <= 2; ++i) {
    seen = 0;
    q.ext_oneapi_graph(exec);
    q.wait_and_throw();
    EXPECT(seen == 1);
    EXPECT(words.find("thrown in a graph") != std::string::npos);
    EXPECT(after == i);  // what depends on it runs
  }
}

// From the first node's start to the last one's end.
static void times(const sycl::property_list &properties) {
  namespace prof = sycl::info::event_profiling;
  sycl::queue q(properties);
  ex::command_graph graph(q);
  ex::node first = graph.add([](sycl::handler &cgh) { cgh.single_task([] {}); });
  (void)graph.add([](sycl::handler &cgh) { cgh.host_task([] { usleep(20000); }); },
                  {property::node::depends_on(first)});
  executable exec = graph.finalize({property::graph::enable_profiling()});
  for (int i = 0; i < 2; ++i) {
    sycl::event done = q.ext_oneapi_graph(exec);
    const auto submit = done.get_profiling_info<prof::command_submit>();
    const auto start = done.get_profiling_info<prof::command_start>();
    const auto end = done.get_profiling_info<prof::command_end>();
    EXPECT(submit <= start);
    EXPECT(end - start >= 20000000);
  }
}

int main() {
  for (sycl::queue q : {sycl::queue(), sycl::queue(in_order())}) {
    recording(q);
    edges(q);
    buffers(q);
    contexts(q);
    updates(q);
    printing(q);
  }
  failures_of_nodes({});
  failures_of_nodes({in_order()});
  times({sycl::property::queue::enable_profiling()});
  times({sycl::property::queue::enable_profiling(), in_order()});
  return failures;
}
