// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory whose size is a property of the launch: of function objects, kernel objects and
// functions, beside local accessors, in graphs. Source: the SYCL extension
// sycl_ext_oneapi_work_group_scratch_memory.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <cstdint>

namespace ex = sycl::ext::oneapi::experimental;
using ex::work_group_scratch_size;
constexpr std::size_t width = 16;
constexpr std::size_t bytes = width * sizeof(int);

static_assert(SYCL_EXT_ONEAPI_WORK_GROUP_SCRATCH_MEMORY == 1);
static_assert(ex::is_property_key_v<ex::work_group_scratch_size_key>);
static_assert(
    ex::properties{work_group_scratch_size(8)}.get_property<work_group_scratch_size>().value == 8);

static const sycl::nd_range<1> many(2 * width, width);

// Mirrors the numbers of a group.
static int mirrored(sycl::nd_item<1> i) {
  int *memory = static_cast<int *>(ex::get_work_group_scratch_memory());
  const std::size_t place = i.get_local_id(0);
  memory[place] = static_cast<int>(i.get_global_id(0));
  sycl::group_barrier(i.get_group());
  return static_cast<int *>(ex::get_work_group_scratch_memory())[width - 1 - place];
}
struct mirror {
  int *out;
  void operator()(sycl::nd_item<1> i) const { out[i.get_global_id(0)] = mirrored(i); }
};

// The function object gives the property itself.
struct sized_mirror : mirror {
  std::size_t size;
  sized_mirror(int *x, std::size_t size_in_bytes) : mirror{x}, size(size_in_bytes) {}
  auto get(ex::properties_tag) const { return ex::properties{work_group_scratch_size(size)}; }
};
// As the document of the properties of kernels writes it, and not trivially copyable.
struct changing_mirror : mirror {
  std::size_t size;
  changing_mirror(int *x, std::size_t size_in_bytes) : mirror{x}, size(size_in_bytes) {}
  changing_mirror(const changing_mirror &other) : mirror(other), size(other.size) {}
  auto get(ex::properties_tag) {
    return ex::properties{ex::work_group_size<width>, work_group_scratch_size(size)};
  }
};
template <>
struct sycl::is_device_copyable<changing_mirror> : std::true_type {};
struct mirror_and_sum : sized_mirror {
  using sized_mirror::sized_mirror;
  template <class Sum>
  void operator()(sycl::nd_item<1> i, Sum &sum) const {
    out[i.get_global_id(0)] = mirrored(i);
    sum += 1;
  }
};
struct mirror_hierarchy {
  int *out;
  void operator()(sycl::group<1> g) const {
    int *memory = static_cast<int *>(ex::get_work_group_scratch_memory());
    g.parallel_for_work_item([&](sycl::h_item<1> i) {
      memory[i.get_local_id(0)] = static_cast<int>(i.get_global_id(0));
    });
    g.parallel_for_work_item([&](sycl::h_item<1> i) {
      out[i.get_global_id(0)] = memory[width - 1 - i.get_local_id(0)];
    });
  }
};
struct sized_hierarchy : mirror_hierarchy {
  auto get(ex::properties_tag) const { return ex::properties{work_group_scratch_size(bytes)}; }
};

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void mirror_function(int *out) {
  const auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  out[i.get_global_id(0)] = mirrored(i);
}

static bool is_mirrored(int *x) {
  bool is_right = true;
  for (std::size_t i = 0; i < 2 * width; ++i) {
    const std::size_t group = i / width * width;
    is_right = is_right && x[i] == static_cast<int>(group + width - 1 - (i - group));
    x[i] = -1;
  }
  return is_right;
}

static void launches(sycl::queue q, int *x) {
  const ex::properties scratch{work_group_scratch_size(bytes)};
  const ex::launch_config config{many, scratch};
  q.parallel_for(many, scratch, mirror{x}).wait();
  EXPECT(is_mirrored(x));
  ex::nd_launch(q, config, mirror{x});
  q.wait();
  EXPECT(is_mirrored(x));
  q.submit([&](sycl::handler &cgh) { ex::nd_launch(cgh, config, mirror{x}); }).wait();
  EXPECT(is_mirrored(x));
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  const sycl::kernel function = bundle.ext_oneapi_get_kernel<mirror_function>();
  ex::nd_launch(q, config, function, x);
  q.wait();
  EXPECT(is_mirrored(x));
  ex::nd_launch(q, config, ex::kernel_function<mirror_function>, x);
  q.wait();
  EXPECT(is_mirrored(x));
  q.submit([&](sycl::handler &cgh) {
     ex::nd_launch(cgh, config, ex::kernel_function<mirror_function>, x);
   }).wait();
  EXPECT(is_mirrored(x));
}

template <class F>
class with_list;
template <class F>
static void launches_of(sycl::queue q, int *x, const F &f) {
  q.parallel_for(many, f).wait();
  EXPECT(is_mirrored(x));
  q.parallel_for<with_list<F>>(many, ex::properties{ex::sub_group_size<32>}, f).wait();
  EXPECT(is_mirrored(x));
  q.submit([&](sycl::handler &cgh) { cgh.parallel_for(many, f); }).wait();
  EXPECT(is_mirrored(x));
  ex::nd_launch(q, many, f);
  q.wait();
  EXPECT(is_mirrored(x));
  ex::command_graph graph(q);
  graph.begin_recording(q);
  q.parallel_for(many, f);
  graph.end_recording();
  q.ext_oneapi_graph(graph.finalize()).wait();
  EXPECT(is_mirrored(x));
}
static void given_by_functions(sycl::queue q, int *x) {
  launches_of(q, x, sized_mirror(x, bytes));
  launches_of(q, x, changing_mirror(x, bytes));
  int *sum = sycl::malloc_shared<int>(1, q);
  *sum = 0;
  q.parallel_for(many, sycl::reduction(sum, sycl::plus<>()), mirror_and_sum(x, bytes)).wait();
  EXPECT(is_mirrored(x) && *sum == static_cast<int>(2 * width));
  sycl::free(sum, q);
  const std::size_t most = q.get_device().get_info<sycl::info::device::local_mem_size>();
  EXPECT_ERRC(memory_allocation, q.parallel_for(many, sized_mirror(x, most + 1)));
}

static void in_hierarchies(sycl::queue q, int *x) {
  const sycl::range<1> groups(2);
  const sycl::range<1> size(width);
  q.submit([&](sycl::handler &cgh) {
     cgh.parallel_for_work_group(groups, size, ex::properties{work_group_scratch_size(bytes)},
                                 mirror_hierarchy{x});
   }).wait();
  EXPECT(is_mirrored(x));
  q.submit([&](sycl::handler &cgh) {
     cgh.parallel_for_work_group(groups, size, sized_hierarchy{{x}});
   }).wait();
  EXPECT(is_mirrored(x));
  q.submit([&](sycl::handler &cgh) {
     cgh.parallel_for_work_group<class flexible>(
         groups, ex::properties{work_group_scratch_size(sizeof(int))}, [=](sycl::group<1> g) {
           int *memory = static_cast<int *>(ex::get_work_group_scratch_memory());
           *memory = static_cast<int>(g.get_group_id(0)) + 1;
           g.parallel_for_work_item([&](sycl::h_item<1>) { x[g.get_group_id(0)] = *memory; });
         });
   }).wait();
  EXPECT(x[0] == 1 && x[1] == 2);
}

// Both are memory of their own, and the sum is what the device has to have.
static void beside_accessors(sycl::queue q, int *x) {
  q.submit([&](sycl::handler &cgh) {
     sycl::local_accessor<int> first(width, cgh);
     sycl::local_accessor<char> second(3, cgh);
     cgh.parallel_for(many, ex::properties{work_group_scratch_size(bytes + 1)},
                      [=](sycl::nd_item<1> i) {
                        first[i.get_local_id(0)] = 1000;
                        second[i.get_local_id(0) % 3] = 1;
                        sycl::group_barrier(i.get_group());
                        const int found = mirrored(i);
                        static_cast<char *>(ex::get_work_group_scratch_memory())[bytes] = 5;
                        sycl::group_barrier(i.get_group());
                        const bool is_kept = first[i.get_local_id(0)] == 1000 && second[0] == 1;
                        x[i.get_global_id(0)] = is_kept ? found : -2;
                      });
   }).wait();
  EXPECT(is_mirrored(x));
  const std::size_t most = q.get_device().get_info<sycl::info::device::local_mem_size>();
  EXPECT_ERRC(memory_allocation,
              q.parallel_for(many, ex::properties{work_group_scratch_size(most + 1)}, mirror{x}));
  EXPECT_ERRC(memory_allocation, q.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<char> half(most / 2 + 1, cgh);
    cgh.parallel_for(many, ex::properties{work_group_scratch_size(most / 2 + 1)},
                     [=](sycl::nd_item<1> i) {
                       half[0] = 1;
                       x[0] = mirrored(i);
                     });
  }));
  EXPECT_ERRC(kernel_argument,
              q.parallel_for(sycl::range<1>(4), ex::properties{work_group_scratch_size(4)},
                             [=](sycl::id<1> i) { x[i] = 0; }));
}

static void in_graphs(sycl::queue q, int *x) {
  ex::command_graph graph(q);
  graph.add([&](sycl::handler &cgh) {
    cgh.parallel_for(many, ex::properties{work_group_scratch_size(bytes)}, mirror{x});
  });
  auto exec = graph.finalize();
  for (int round = 0; round < 2; ++round) {
    q.ext_oneapi_graph(exec).wait();
    EXPECT(is_mirrored(x));
  }
}

int main() {
  int *x = nullptr;
  for (sycl::queue q : {sycl::queue(), sycl::queue(sycl::property::queue::in_order())}) {
    x = sycl::malloc_shared<int>(2 * width, q);
    launches(q, x);
    given_by_functions(q, x);
    in_hierarchies(q, x);
    beside_accessors(q, x);
    in_graphs(q, x);
    sycl::free(x, q);
  }
  return failures;
}
