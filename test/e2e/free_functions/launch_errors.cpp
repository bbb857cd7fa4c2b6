// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches of kernel objects refuse, with the kernel's name, the argument and both sizes.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t | %FileCheck %s
#include "../headers/Inputs/expect.hpp"

#include <functional>

namespace syclex = sycl::ext::oneapi::experimental;
using sycl::bundle_state;

namespace work {
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void scale(float *data, float by) {
  data[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0)] *= by;
}
}  // namespace work
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<2>))
void with_memory(sycl::accessor<int> data, syclex::work_group_memory<int> memory) {
  memory = 1;
  data[0] = memory;
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void task(int *out) { *out = 1; }

class object_kernel;
class empty_kernel;

static sycl::queue *queue = nullptr;

template <auto *F>
static sycl::kernel kernel_of() {
  return syclex::get_kernel_bundle<F, bundle_state::executable>(queue->get_context())
      .template ext_oneapi_get_kernel<F>();
}

static void refuse(sycl::errc code, const std::function<void(sycl::handler &)> &group) {
  try {
    queue->submit([&](sycl::handler &h) { group(h); }).wait();
    std::printf("nothing was thrown\n");
    ++failures;
  } catch (const sycl::exception &e) {
    std::printf("%s\n", e.what());
    if (e.code() != code) {
      std::printf("the code is %d\n", e.code().value());
      ++failures;
    }
  }
}

static void check_arguments(float *data) {
  const auto scale = kernel_of<work::scale>();
  const sycl::nd_range<1> range(1, 1);
  // CHECK: kernel work::scale: argument 1 of its 2 was not set; call set_arg(1, …)
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_arg(0, data);
    h.parallel_for(range, scale);
  });
  // CHECK: kernel work::scale: argument 0 of its 2 was not set
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) { h.parallel_for(range, scale); });
  // CHECK: kernel work::scale: argument 2 was set, but it takes only 2
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_args(data, 1.0f, 3);
    h.parallel_for(range, scale);
  });
  // CHECK: kernel work::scale: argument 1 has 4 bytes, but what was set has 8
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_args(data, 1.0);
    h.parallel_for(range, scale);
  });
  // CHECK: kernel work::scale: argument 0 has 8 bytes, but what was set has 3
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_args(syclex::raw_kernel_arg("abc", 3), 1.0f);
    h.parallel_for(range, scale);
  });
  // CHECK: kernel work::scale: argument 1 is a value or a pointer, but what was set is an accessor
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_args(data, sycl::local_accessor<float>(1, h));
    h.parallel_for(range, scale);
  });
  // CHECK: handler::set_arg: the index is negative
  refuse(sycl::errc::invalid, [&](sycl::handler &h) { h.set_arg(-1, data); });
  // CHECK: handler::set_arg: the command group launches no kernel object
  refuse(sycl::errc::invalid, [&](sycl::handler &h) { h.set_arg(0, data); });
  // CHECK: handler::set_arg: the command group launches no kernel object
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.set_arg(0, data);
    h.single_task<empty_kernel>([] {});
  });
}

static void check_kinds(float *data) {
  const auto scale = kernel_of<work::scale>();
  // CHECK: kernel work::scale is an nd_range_kernel<1>, but it was launched without work-groups
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.set_args(data, 1.0f);
    h.parallel_for(sycl::range<1>(1), scale);
  });
  // CHECK: kernel work::scale is an nd_range_kernel<1>, but it was launched with an nd_range<2>
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.set_args(data, 1.0f);
    h.parallel_for(sycl::nd_range<2>({1, 1}, {1, 1}), scale);
  });
  // CHECK: kernel work::scale is an nd_range_kernel<1>, but it was launched without work-groups
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.set_args(data, 1.0f);
    h.single_task(scale);
  });
  // CHECK: kernel task is a single_task_kernel, but it was launched over a range
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.set_arg(0, data);
    h.parallel_for(sycl::nd_range<1>(1, 1), kernel_of<task>());
  });
}

static void check_objects(int *out) {
  sycl::buffer<int> buffer{sycl::range<1>(1)};
  const auto memory = kernel_of<with_memory>();
  const sycl::nd_range<2> range({1, 1}, {1, 1});
  // CHECK: kernel with_memory: argument 0 is an accessor
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_args(out, syclex::work_group_memory<int>(h));
    h.parallel_for(range, memory);
  });
  // CHECK: kernel with_memory: argument 1 is local memory
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_args(sycl::accessor(buffer, h), out);
    h.parallel_for(range, memory);
  });
  // CHECK: kernel with_memory: argument 0 has 56 bytes, but what was set has
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    sycl::buffer<int, 2> square{{1, 1}};
    h.set_args(sycl::accessor(square, h), syclex::work_group_memory<int>(h));
    h.parallel_for(range, memory);
  });
  // CHECK: uses an accessor that is not a requirement of its command group
  refuse(sycl::errc::kernel_argument, [&](sycl::handler &h) {
    h.set_args(sycl::accessor(buffer), syclex::work_group_memory<int>(h));
    h.parallel_for(range, memory);
  });

  queue->single_task<object_kernel>([=] { *out = 5; }).wait();
  const auto bundle = sycl::get_kernel_bundle<bundle_state::executable>(queue->get_context());
  const auto object = bundle.get_kernel<object_kernel>();
  // CHECK: kernel object_kernel: it is a function object of 8 bytes
  refuse(sycl::errc::invalid, [&](sycl::handler &h) { h.single_task(object); });
  // CHECK: kernel object_kernel: it is a function object, which takes no arguments by set_arg (1
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.set_arg(0, out);
    h.single_task(object);
  });
  // One that holds nothing can be launched as an object.
  queue->submit([&](sycl::handler &h) { h.single_task(bundle.get_kernel<empty_kernel>()); }).wait();

  // CHECK: handler::use_kernel_bundle: the command group launches a kernel object
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.set_arg(0, out);
    h.single_task(kernel_of<task>());
    h.use_kernel_bundle(bundle);
  });
  // CHECK: a command group does one thing
  refuse(sycl::errc::invalid, [&](sycl::handler &h) {
    h.single_task(kernel_of<task>());
    h.single_task(kernel_of<task>());
  });
  sycl::context other(queue->get_device());
  const auto elsewhere = syclex::get_kernel_bundle<task, bundle_state::executable>(other)
                             .ext_oneapi_get_kernel<task>();
  // CHECK: a kernel object is launched by a queue of another context
  refuse(sycl::errc::invalid, [&](sycl::handler &h) { h.single_task(elsewhere); });
  EXPECT_ERRC(invalid, object.get_info<sycl::info::kernel::num_args>());
  EXPECT_ERRC(feature_not_supported, sycl::ext::oneapi::this_work_item::get_nd_item<1>());
}

int main() {
  sycl::queue q;
  queue = &q;
  float *data = sycl::malloc_shared<float>(1, q);
  int *out = sycl::malloc_shared<int>(1, q);
  check_arguments(data);
  check_kinds(data);
  check_objects(out);
  EXPECT(*out == 5);
  sycl::free(data, q);
  sycl::free(out, q);
  return failures;
}
