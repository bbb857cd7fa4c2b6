// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs on the devices of OpenCL drivers, by command buffers where the driver has them: local
// memory, copies that no driver records, branches, updates while launches run, times, queues that
// the program made.
// REQUIRES: opencl
// RUN: %tenonxx -fsycl -O2 -fsycl-targets=spir64 -Wall -Wextra -Werror %s -o %t -ldl
// GPU-SUITE: needs opencl
// RUN: env ONEAPI_DEVICE_SELECTOR='opencl:*' TENON_LOG=sched %t > %t.txt 2>&1
// RUN: FileCheck-22 %s < %t.txt
#include <sycl/backend/opencl.hpp>
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
namespace prof = sycl::info::event_profiling;
using sycl::property::queue::in_order;
using executable = ex::command_graph<ex::graph_state::executable>;

static int failures;
static void expect(bool is_right, const char *what) {
  if (!is_right) {
    std::printf("wrong: %s\n", what);
    failures++;
  }
}

constexpr int size = 4096;

static bool all_are(const int *memory, int value) {
  for (int i = 0; i < size; i++) {
    if (memory[i] != value) {
      std::printf("element %d is %d, not %d\n", i, memory[i], value);
      return false;
    }
  }
  return true;
}

// Each launch adds 3 to x, then y and z get x by kernels side by side, w their sum.
static void branches(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(size, q), *y = sycl::malloc_shared<int>(size, q),
      *z = sycl::malloc_shared<int>(size, q), *w = sycl::malloc_shared<int>(size, q);
  q.fill(x, 0, size).wait();
  ex::command_graph graph(q);
  auto kernel = [&](auto work, std::vector<ex::node> after) {
    ex::node made =
        graph.add([&](sycl::handler &cgh) { cgh.parallel_for(sycl::range<1>(size), work); });
    for (ex::node &each : after) {
      graph.make_edge(each, made);
    }
    return made;
  };
  ex::node a = kernel([=](sycl::id<1> i) { x[i] += 3; }, {});
  ex::node b = kernel([=](sycl::id<1> i) { y[i] = x[i]; }, {a});
  ex::node c = kernel([=](sycl::id<1> i) { z[i] = x[i] * 2; }, {a});
  ex::node empty = graph.add({ex::property::node::depends_on(b, c)});
  (void)kernel([=](sycl::id<1> i) { w[i] = y[i] + z[i]; }, {empty});
  executable exec = graph.finalize();
  for (int i = 0; i < 30; i++) {
    q.ext_oneapi_graph(exec);
  }
  q.wait();
  expect(all_are(x, 90) && all_are(w, 270), "branches");
  for (int *each : {x, y, z, w}) {
    sycl::free(each, q);
  }
}

// A line with local memory, and with a fill and a copy between that drivers do not record.
static void segments(sycl::queue q) {
  struct triple {
    int values[3];
  };
  int *x = sycl::malloc_device<int>(size, q), *sums = sycl::malloc_device<int>(size, q),
      *host = sycl::malloc_host<int>(size, q);
  sycl::queue recorder(q.get_context(), q.get_device(), in_order());
  sycl::buffer<int, 2> table{sycl::range<2>(64, 64)};
  table.set_write_back(false);
  ex::command_graph graph(recorder, {ex::property::graph::assume_buffer_outlives_graph()});
  graph.begin_recording(recorder);
  recorder.fill(x, 1, size);
  recorder.fill(reinterpret_cast<triple *>(x), triple{{2, 3, 4}}, size / 4 / 3);
  recorder.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int, 1> part(64, cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, 64), [=](sycl::nd_item<1> item) {
      const auto at = item.get_local_id(0);
      part[at] = x[item.get_global_id(0)];
      sycl::group_barrier(item.get_group());
      int sum = 0;
      for (int i = 0; i < 64; i++) {
        sum += part[i];
      }
      sums[item.get_global_id(0)] = sum;
    });
  });
  recorder.submit([&](sycl::handler &cgh) {
    sycl::accessor all(table, cgh, sycl::write_only);
    cgh.parallel_for(sycl::range<2>(64, 64),
                     [=](sycl::id<2> at) { all[at] = sums[at[0] * 64 + at[1]] + int(at[1]); });
  });
  recorder.submit([&](sycl::handler &cgh) {  // eight columns of each row
    sycl::accessor box(table, cgh, sycl::range<2>(64, 8), sycl::id<2>(0, 4), sycl::read_only);
    cgh.copy(box, x);
  });
  recorder.parallel_for(size, [=](sycl::id<1> i) { x[i] += 1; });
  recorder.memcpy(host, x, size * sizeof(int));
  graph.end_recording();
  executable exec = graph.finalize();
  for (int i = 0; i < 3; i++) {
    q.ext_oneapi_graph(exec).wait();
  }
  // 21 times 2, 3, 4, and a 2; the fifth column; and one.
  expect(host[0] == 191 + 4 + 1 && host[7] == 191 + 11 + 1, "a box behind a kernel");
  expect(host[504] == 64 + 4 + 1 && host[511] == 64 + 11 + 1, "the box's last row");
  expect(host[512] == 5 && host[513] == 3 && host[size - 1] == 2, "beside the box");
  sycl::free(x, q);
  sycl::free(sums, q);
  sycl::free(host, q);
}

// What runs keeps its arguments.
static void updates(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(size, q);
  q.fill(x, 0, size).wait();
  ex::command_graph graph(q);
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { x[i] += 1; });
  });
  (void)graph.add(
      [&](sycl::handler &cgh) {
        cgh.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { x[i] += 1000; });
      },
      {ex::property::node::depends_on(node)});
  executable exec = graph.finalize({ex::property::graph::updatable()});
  for (int i = 0; i < 20; i++) {
    node.update_range(sycl::range<1>(i % 2 == 0 ? size : 16));
    exec.update(node);
    q.ext_oneapi_graph(exec);
    if (i % 5 == 0) {
      q.wait();
    }
  }
  q.wait();
  expect(x[0] == 20020 && x[15] == 20020 && x[16] == 20010 && x[size - 1] == 20010, "updates");
  sycl::free(x, q);
}

static void times(const sycl::property_list &properties) {
  sycl::queue q(properties);
  int *x = sycl::malloc_shared<int>(1, q);
  ex::command_graph graph(q);
  *x = 1;
  (void)graph.add([&](sycl::handler &cgh) {
    cgh.single_task([=] {
      int value = *x;
      for (int i = 0; i < 20000000; i++) {
        value = value * 1103515245 + (value >> 3);
      }
      *x = value;
    });
  });
  executable exec = graph.finalize();
  sycl::event one = q.ext_oneapi_graph(exec), two = q.ext_oneapi_graph(exec);
  q.wait();
  const auto start = one.get_profiling_info<prof::command_start>();
  const auto end = one.get_profiling_info<prof::command_end>();
  expect(end - start > 1000000, "a graph takes its kernel's time");
  expect(two.get_profiling_info<prof::command_start>() >= end - 1000000, "one after the other");
  sycl::free(x, q);
}

// Queues that the program made, whose properties are not those of the runtime's.
static void own_queues(sycl::queue q) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  cl_command_queue (*create)(cl_context, cl_device_id, const std::uint64_t *, int *) = nullptr;
  void *found = dlsym(library, "clCreateCommandQueueWithProperties");
  std::memcpy(&create, &found, sizeof(create));
  int *x = sycl::malloc_shared<int>(size, q);
  q.fill(x, 0, size).wait();
  ex::command_graph graph(q);
  ex::node first = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { x[i] += 1; });
  });
  (void)graph.add(
      [&](sycl::handler &cgh) {
        cgh.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { x[i] *= 2; });
      },
      {ex::property::node::depends_on(first)});
  executable exec = graph.finalize();
  int wanted = 0;
  for (const std::uint64_t properties : {0, 1, 2, 3}) {  // out of order, profiling
    const std::uint64_t list[] = {0x1093, properties, 0};
    int result = 0;
    const cl_command_queue native =
        create(sycl::get_native<sycl::backend::opencl>(q.get_context()),
               sycl::get_native<sycl::backend::opencl>(q.get_device()), list, &result);
    expect(result == 0, "clCreateCommandQueueWithProperties");
    sycl::queue over = sycl::make_queue<sycl::backend::opencl>(native, q.get_context());
    for (int i = 0; i < 3; i++) {
      over.ext_oneapi_graph(exec);
      wanted = (wanted + 1) * 2;
    }
    over.wait();
    expect(all_are(x, wanted), "a queue of the program's");
  }
  sycl::free(x, q);
}

int main() {
  for (sycl::queue q : {sycl::queue(), sycl::queue(in_order())}) {
    branches(q);
    segments(q);
    updates(q);
  }
  times({sycl::property::queue::enable_profiling()});
  times({sycl::property::queue::enable_profiling(), in_order()});
  own_queues(sycl::queue());
  std::printf("%d failures\n", failures);
  return failures;
}

// No part of a graph is given to these drivers node by node.
// CHECK-NOT: node by node
// CHECK: 0 failures
// CHECK-NOT: node by node
