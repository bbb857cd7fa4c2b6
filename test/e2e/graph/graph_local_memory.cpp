// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dynamic_work_group_memory and dynamic_local_accessor: the local memory of a graph's kernels gets
// another size after the nodes were added.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <optional>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
using executable = ex::command_graph<ex::graph_state::executable>;
static const sycl::property_list updatable{ex::property::graph::updatable()};

constexpr std::size_t most = 64;

// The sum of what the group's work-items leave in both memories, if none is over the other.
template <class A, class B>
static long sum(const sycl::nd_item<1> &item, A &&a, B &&b) {
  const std::size_t id = item.get_local_id(0);
  a[id] = static_cast<int>(id) + 1;
  b[id] = 1000;
  sycl::group_barrier(item.get_group());
  long all = 0;
  for (std::size_t i = 0; i < item.get_local_range(0); ++i) {
    all += a[i] + b[i];
  }
  return all;
}
static long expected(std::size_t size) {
  return static_cast<long>(size * (size + 1) / 2 + 1000 * size);
}
static bool has_all(const long *out, long value) {
  for (std::size_t i = 0; i < most; ++i) {
    if (out[i] != value) {
      std::printf("out[%zu] is %ld, not %ld\n", i, out[i], value);
      return false;
    }
  }
  return true;
}

static sycl::nd_range<1> groups_of(std::size_t size) { return {{most}, {size}}; }

// Copies are the same memory; executable graphs have the size of their last update.
static void sizes_of_memory(sycl::queue q) {
  long *out = sycl::malloc_shared<long>(most, q);
  ex::command_graph<> graph(q);
  ex::dynamic_work_group_memory<int[]> a(8);
  ex::dynamic_work_group_memory<int[]> b(graph, 8);
  ex::dynamic_work_group_memory<int[]> same = a;
  EXPECT(same == a && a != b);
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(groups_of(8), [=](sycl::nd_item<1> item) {
      out[item.get_global_linear_id()] = sum(item, a.get(), b.get());
    });
  });
  executable exec = graph.finalize(updatable);
  executable other = graph.finalize(updatable);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, expected(8)));
  same.update(most);
  b.update(most);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, expected(8)));
  node.update_nd_range(groups_of(most));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, expected(most)));
  q.ext_oneapi_graph(other).wait();
  EXPECT(has_all(out, expected(8)));
  a.update(2);
  b.update(2);
  node.update_nd_range(groups_of(2));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, expected(2)));
  // Nodes that are added later have the new size, and a whole graph gives its sizes.
  a.update(16);
  b.update(16);
  ex::command_graph<> second(q);
  second.add([&](sycl::handler &cgh) {
    cgh.parallel_for(groups_of(16), [=](sycl::nd_item<1> item) {
      out[item.get_global_linear_id()] = sum(item, b.get(), a.get());
    });
  });
  executable late = second.finalize();
  q.ext_oneapi_graph(late).wait();
  EXPECT(has_all(out, expected(16)));
  node.update_nd_range(groups_of(16));
  other.update(graph);
  q.ext_oneapi_graph(other).wait();
  EXPECT(has_all(out, expected(16)));
  sycl::free(out, q);
}

// The kernel sees the extents.
template <int Dimensions>
static void extents(sycl::queue q, sycl::range<Dimensions> before, sycl::range<Dimensions> after) {
  long *out = sycl::malloc_shared<long>(most, q);
  ex::command_graph<> graph(q);
  ex::dynamic_local_accessor<int, Dimensions> box(graph, before);
  ex::dynamic_local_accessor<int> line(most);
  ex::dynamic_local_accessor<int, Dimensions> same(after);
  same = box;
  EXPECT(same == box);
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(groups_of(2), [=](sycl::nd_item<1> item) {
      const sycl::local_accessor<int, Dimensions> all = box.get();
      const sycl::local_accessor<int> other = line.get();
      const std::size_t id = item.get_local_id(0);
      for (std::size_t i = id; i < most; i += 2) {
        other[i] = 1;
      }
      for (std::size_t i = id; i < all.size(); i += 2) {
        (&*all.begin())[i] = 5;
      }
      sycl::group_barrier(item.get_group());
      long value = 0;
      for (std::size_t i = 0; i < most; ++i) {
        value += other[i];
      }
      for (const int each : all) {
        value += each;
      }
      for (int i = 0; i < Dimensions; ++i) {
        value = value * 100 + static_cast<long>(all.get_range()[i]);
      }
      out[item.get_global_linear_id()] = value;
    });
  });
  const auto result = [](const sycl::range<Dimensions> &size) {
    long value = most + 5 * size.size();
    for (int i = 0; i < Dimensions; ++i) {
      value = value * 100 + static_cast<long>(size[i]);
    }
    return value;
  };
  executable exec = graph.finalize(updatable);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, result(before)));
  same.update(after);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, result(after)));
  // Copies that were made before the update are placed in the block with the size of now.
  ex::command_graph<> second(q);
  second.add([&](sycl::handler &cgh) {
    cgh.parallel_for(groups_of(1), [=](sycl::nd_item<1> item) {
      out[item.get_global_linear_id()] = static_cast<long>(box.get().get_range()[0]);
    });
  });
  executable late = second.finalize();
  q.ext_oneapi_graph(late).wait();
  EXPECT(has_all(out, static_cast<long>(after[0])));
  sycl::free(out, q);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void add_up(ex::dynamic_work_group_memory<int[]> a, long *out,
            ex::dynamic_local_accessor<int, 1> b) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  out[item.get_global_linear_id()] = sum(item, a.get(), b.get());
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void add_up_plain(ex::work_group_memory<int[]> a, long *out, sycl::local_accessor<int, 1> b) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  out[item.get_global_linear_id()] = sum(item, a, b) + static_cast<long>(b.size());
}

// As arguments, also where the function takes what cannot be changed.
static void functions(sycl::queue q) {
  long *out = sycl::malloc_shared<long>(most, q);
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  sycl::kernel both[] = {bundle.ext_oneapi_get_kernel<add_up>(),
                         bundle.ext_oneapi_get_kernel<add_up_plain>()};
  for (int i = 0; i < 2; ++i) {
    ex::command_graph<> graph(q);
    ex::dynamic_work_group_memory<int[]> a(4);
    ex::dynamic_local_accessor<int> b(4);
    ex::node node = graph.add([&](sycl::handler &cgh) {
      cgh.set_args(a, out, b);
      cgh.parallel_for(groups_of(4), both[i]);
    });
    executable exec = graph.finalize(updatable);
    q.ext_oneapi_graph(exec).wait();
    EXPECT(has_all(out, expected(4) + i * 4));
    a.update(32);
    b.update(32);
    node.update_nd_range(groups_of(32));
    exec.update(node);
    q.ext_oneapi_graph(exec).wait();
    EXPECT(has_all(out, expected(32) + i * 32));
  }
  sycl::free(out, q);
}

// Command groups that are not active see the size, too, and nodes get it with the command group.
static void groups(sycl::queue q) {
  long *out = sycl::malloc_shared<long>(most, q);
  ex::command_graph<> graph(q);
  ex::dynamic_work_group_memory<int[]> a(4);
  ex::dynamic_local_accessor<int> b(4);
  ex::dynamic_command_group group(graph, {[=](sycl::handler &cgh) {
                                            cgh.parallel_for(groups_of(4), [=](auto item) {
                                              out[item.get_global_linear_id()] = 1;
                                            });
                                          },
                                          [=](sycl::handler &cgh) {
                                            cgh.parallel_for(groups_of(4), [=](auto item) {
                                              out[item.get_global_linear_id()] =
                                                  sum(item, a.get(), b.get());
                                            });
                                          }});
  ex::node node = graph.add(group);
  executable exec = graph.finalize(updatable);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, 1));
  a.update(8);
  b.update(8);
  group.set_active_index(1);
  node.update_nd_range(groups_of(8));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, expected(8)));
  a.update(16);
  b.update(16);
  node.update_nd_range(groups_of(16));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, expected(16)));
  sycl::free(out, q);
}

// Launches that were submitted before an update have the size of then.
static void launches_before_updates(sycl::queue q) {
  long *out = sycl::malloc_shared<long>(2 * most, q);
  sycl::queue other(q.get_context(), q.get_device());
  int *is_open = sycl::malloc_host<int>(1, q);
  *is_open = 0;
  ex::command_graph<> graph(q);
  ex::dynamic_local_accessor<int> a(4);
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(groups_of(4), [=](sycl::nd_item<1> item) {
      out[item.get_global_linear_id()] = static_cast<long>(a.get().size());
    });
  });
  executable exec = graph.finalize(updatable);
  sycl::event gate = other.submit([&](sycl::handler &cgh) {
    cgh.host_task([=] {
      while (__atomic_load_n(is_open, __ATOMIC_ACQUIRE) == 0) {
      }
    });
  });
  sycl::event first = q.ext_oneapi_graph(exec, gate);
  sycl::event copy = q.memcpy(out + most, out, most * sizeof(long), first);
  a.update(128);
  exec.update(node);
  sycl::event second = q.ext_oneapi_graph(exec, copy);
  __atomic_store_n(is_open, 1, __ATOMIC_RELEASE);
  second.wait();
  EXPECT(has_all(out, 128));
  EXPECT(has_all(out + most, 4));
  sycl::free(out, q);
  sycl::free(is_open, q);
}

static void errors(sycl::queue q) {
  ex::dynamic_work_group_memory<int[]> a(4);
  ex::dynamic_local_accessor<int> b(4);
  EXPECT_ERRC(invalid, a.get());
  EXPECT_ERRC(invalid, b.get());
  const auto use = [&](sycl::handler &cgh) {
    cgh.parallel_for(groups_of(4), [=](sycl::nd_item<1> item) {
      a.get()[item.get_local_id(0)] = b.get()[item.get_local_id(0)];
    });
  };
  EXPECT_ERRC(invalid, q.submit(use));
  EXPECT_ERRC(invalid, q.parallel_for(groups_of(4), [=](sycl::nd_item<1> item) {
    a.get()[item.get_local_id(0)] = 1;
  }));
  ex::command_graph<> graph(q);
  graph.begin_recording(q);
  EXPECT_ERRC(invalid, q.submit(use));
  graph.end_recording();
  EXPECT(graph.empty());
  // More than there is: nothing changes.
  ex::command_graph<> second(q);
  second.add(use);
  graph.add(use);
  const std::size_t too_much = q.get_device().get_info<sycl::info::device::local_mem_size>();
  EXPECT_ERRC(memory_allocation, a.update(too_much));
  EXPECT_ERRC(memory_allocation, b.update(sycl::range<1>(~std::size_t{0})));
  executable exec = graph.finalize(updatable);
  executable other = second.finalize();
  q.ext_oneapi_graph(exec).wait();
  q.ext_oneapi_graph(other).wait();
  // Nodes of graphs that are no more do not matter.
  {
    ex::command_graph<> third(q);
    third.add(use);
  }
  a.update(8);
  exec.update(graph);
  q.ext_oneapi_graph(exec).wait();
}

// A graph needs none of the objects that its nodes were made with.
static void lifetimes(sycl::queue q) {
  long *out = sycl::malloc_shared<long>(most, q);
  ex::command_graph<> graph(q);
  std::optional<ex::dynamic_local_accessor<int>> a(4);
  ex::node node = graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(groups_of(4), [=, a = *a](sycl::nd_item<1> item) {
      out[item.get_global_linear_id()] = static_cast<long>(a.get().size());
    });
  });
  a->update(6);
  a.reset();
  executable exec = graph.finalize(updatable);
  q.ext_oneapi_graph(exec).wait();
  EXPECT(has_all(out, 6));
  sycl::free(out, q);
}

int main() {
  for (sycl::queue q : {sycl::queue(), sycl::queue(sycl::property::queue::in_order())}) {
    sizes_of_memory(q);
    extents<1>(q, {3}, {40});
    extents<2>(q, {7, 3}, {2, 5});
    extents<3>(q, {1, 2, 3}, {4, 5, 2});
    functions(q);
    groups(q);
    launches_before_updates(q);
    errors(q);
    lifetimes(q);
  }
  return failures;
}
