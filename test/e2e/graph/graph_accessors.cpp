// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dynamic_parameter of accessors: nodes of a graph get another buffer.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
using executable = ex::command_graph<ex::graph_state::executable>;
static const sycl::property_list updatable{ex::property::graph::updatable()};
static const sycl::property_list outlives{ex::property::graph::assume_buffer_outlives_graph()};

constexpr std::size_t count = 16;
using buffer = sycl::buffer<int>;
using writer = sycl::accessor<int, 1, sycl::access_mode::read_write>;
using reader = sycl::accessor<int, 1, sycl::access_mode::read>;

static int at(buffer &b, std::size_t index) {
  return sycl::host_accessor(b, sycl::read_only)[index];
}
static void fill(buffer &b, int value) {
  sycl::host_accessor all(b, sycl::write_only);
  for (int &each : all) {
    each = value;
  }
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void add_accessors(writer to, reader from) {
  const std::size_t i =
      sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  to[i] += from[i];
}

// Of a kernel that is a function, with requirements; a range of the buffer.
static void functions(sycl::queue q) {
  buffer x(count), y(count), one(count), ten(4 * count);
  fill(x, 0);
  fill(y, 0);
  fill(one, 1);
  fill(ten, 10);
  sycl::host_accessor(ten, sycl::read_write)[2 * count + 3] = 13;
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  sycl::kernel function = bundle.ext_oneapi_get_kernel<add_accessors>();
  ex::command_graph<> graph(q, outlives);
  ex::dynamic_parameter to{writer(x)};
  ex::dynamic_parameter from{reader(one)};
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.require(to);
    cgh.require(from);
    cgh.set_args(to, from);
    cgh.parallel_for(sycl::nd_range<1>(count, 4), function);
  });
  executable exec = graph.finalize(updatable);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 3) == 1 && at(y, 3) == 0);
  to.update(writer(y));
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 3) == 2 && at(y, 3) == 0);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 3) == 2 && at(y, 3) == 1);
  from.update(reader(ten, sycl::range<1>(count), sycl::id<1>(2 * count)));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(y, 3) == 14 && at(y, 4) == 11);
  // Both the same buffer, and apart again.
  from.update(reader(y));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(y, 3) == 28 && at(y, 4) == 22);
  to.update(writer(x));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 3) == 30 && at(x, 4) == 24 && at(y, 3) == 28);
}

// The accessor that a function object holds.
static void captures(sycl::queue q) {
  buffer x(count), y(count), z(count);
  fill(x, 0);
  fill(y, 0);
  fill(z, 0);
  ex::command_graph<> graph(q, outlives);
  auto accessor = writer(x);
  auto constant = writer(z);
  ex::dynamic_parameter parameter(graph, accessor);
  const auto add = [&](int number) {
    return graph.add([&](sycl::handler &cgh) {
      cgh.require(parameter);
      cgh.require(constant);
      cgh.set_arg(0, parameter);
      cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
        accessor[i] += number;
        constant[i] += 1;
      });
    });
  };
  ex::node first = add(1);
  ex::node second = add(10);
  executable exec = graph.finalize(updatable);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 5) == 11 && at(y, 5) == 0 && at(z, 5) == 2);
  parameter.update(writer(y));
  exec.update(std::vector<ex::node>{first, second});
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 5) == 11 && at(y, 5) == 11 && at(z, 5) == 4);
  // A node that is added now has the new buffer, though its kernel holds the old accessor.
  add(100);
  executable all = graph.finalize();
  q.ext_oneapi_graph(all).wait();
  EXPECT(at(x, 5) == 11 && at(y, 5) == 122 && at(z, 5) == 7);
}

static void command_groups(sycl::queue q) {
  buffer x(count), y(count);
  fill(x, 0);
  fill(y, 0);
  ex::command_graph<> graph(q, outlives);
  auto accessor = writer(x);
  ex::dynamic_parameter parameter(accessor);
  const auto add = [=](int number) {
    return [=](sycl::handler &cgh) {
      cgh.require(parameter);
      cgh.set_arg(0, parameter);
      cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { accessor[i] += number; });
    };
  };
  ex::dynamic_command_group group(graph, {add(1), add(10)});
  ex::node node = graph.add(group);
  executable exec = graph.finalize(updatable);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 5) == 1 && at(y, 5) == 0);
  parameter.update(writer(y));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 5) == 1 && at(y, 5) == 1);
  group.set_active_index(1);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 5) == 1 && at(y, 5) == 11);
}

static void errors(sycl::queue q) {
  buffer x(count);
  std::vector<int> data(count);
  buffer back(data);
  fill(x, 0);
  auto accessor = writer(x);
  auto other = writer(x);
  ex::dynamic_parameter parameter(accessor);
  ex::command_graph<> graph(q, outlives);
  const auto use = [&](sycl::handler &cgh) {
    cgh.require(parameter);
    cgh.set_arg(0, parameter);
    cgh.single_task([=] { accessor[0] = 1; });
  };
  EXPECT_ERRC(invalid, q.submit(use));
  graph.begin_recording(q);
  EXPECT_ERRC(invalid, q.submit(use));
  graph.end_recording();
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) { cgh.require(parameter); }));
  EXPECT_ERRC(invalid, graph.add([&](sycl::handler &cgh) {
    cgh.require(other);
    cgh.set_arg(0, parameter);
    cgh.single_task([=] { other[0] = 1; });
  }));
  ex::dynamic_parameter<int> number(1);
  EXPECT_ERRC(invalid, graph.add([&](sycl::handler &cgh) {
    cgh.set_arg(0, number);
    cgh.single_task([=] {});
  }));
  ex::node node = graph.add(use);
  EXPECT_ERRC(invalid, parameter.update(writer(back)));
  EXPECT_ERRC(invalid, parameter.update(writer()));
  executable exec = graph.finalize(updatable);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(at(x, 0) == 1);
}

int main() {
  for (sycl::queue q : {sycl::queue(), sycl::queue(sycl::property::queue::in_order())}) {
    functions(q);
    captures(q);
    command_groups(q);
    errors(q);
  }
  return failures;
}
