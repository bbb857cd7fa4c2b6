// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory whose size is a property of the launch: of function objects, kernel objects and
// functions, beside local accessors, in graphs. Source: the SYCL extension
// sycl_ext_oneapi_work_group_scratch_memory.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
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
    beside_accessors(q, x);
    in_graphs(q, x);
    sycl::free(x, q);
  }
  return failures;
}
