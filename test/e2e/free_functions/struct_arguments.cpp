// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes with accessors and local memory as members are arguments of kernels that are functions,
// by set_arg and by address (section 4.12.4).
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

namespace syclex = sycl::ext::oneapi::experimental;
namespace this_work_item = sycl::ext::oneapi::this_work_item;

struct numbers {
  sycl::accessor<int> data;
  int add;
};
struct nested {
  char before;
  numbers inner;
};
class swapped {
 public:
  swapped(sycl::accessor<int> to, sycl::local_accessor<int> memory) : to_(to), memory_(memory) {}
  void put(std::size_t at, int value) const { memory_[at] = value; }
  void get(std::size_t to, std::size_t at) const { to_[to] = memory_[at]; }

 private:
  sycl::accessor<int> to_;
  sycl::local_accessor<int> memory_;
};
struct shared_int {
  syclex::work_group_memory<int> one;
};

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void increase(numbers all) {
  for (int &each : all.data) {
    each += all.add;
  }
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void increase_nested(int times, nested all) {
  const std::size_t at = this_work_item::get_nd_item<1>().get_global_linear_id();
  all.inner.data[at] += all.inner.add * times + all.before;
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void reverse(swapped all, shared_int sum) {
  auto item = this_work_item::get_nd_item<1>();
  const std::size_t at = item.get_local_id(0);
  all.put(at, static_cast<int>(item.get_global_id(0)));
  if (at == 0) {
    sum.one = 100;
  }
  sycl::group_barrier(item.get_group());
  all.put(at, 3 - static_cast<int>(at));
  sycl::group_barrier(item.get_group());
  all.get(item.get_global_id(0), static_cast<std::size_t>(sum.one) - 100 + at);
}

template <auto *F>
static sycl::kernel kernel_of(const sycl::queue &q) {
  auto bundle = syclex::get_kernel_bundle<F, sycl::bundle_state::executable>(q.get_context());
  return bundle.template ext_oneapi_get_kernel<F>();
}

int main() {
  sycl::queue q;
  sycl::buffer<int> data{sycl::range<1>(8)};
  const auto is = [&](auto expected) {
    sycl::host_accessor all(data);
    bool is_equal = true;
    for (int i = 0; i < 8; ++i) {
      is_equal = is_equal && all[i] == expected(i);
    }
    return is_equal;
  };
  {
    sycl::host_accessor all(data);
    for (int i = 0; i < 8; ++i) {
      all[i] = i;
    }
  }
  const sycl::nd_range<1> eight(8, 4);
  q.submit([&](sycl::handler &h) {
    h.set_arg(0, numbers{sycl::accessor<int>(data, h), 10});
    h.single_task(kernel_of<increase>(q));
  });
  EXPECT(is([](int i) { return i + 10; }));
  q.submit([&](sycl::handler &h) {
    syclex::single_task(h, syclex::kernel_function<increase>,
                        numbers{sycl::accessor<int>(data, h), 5});
  });
  EXPECT(is([](int i) { return i + 15; }));
  q.submit([&](sycl::handler &h) {
    h.set_args(2, nested{1, numbers{sycl::accessor<int>(data, h), 3}});
    h.parallel_for(eight, kernel_of<increase_nested>(q));
  });
  EXPECT(is([](int i) { return i + 22; }));
  for (int round = 0; round < 2; ++round) {
    q.submit([&](sycl::handler &h) {
      const swapped all(sycl::accessor<int>(data, h), sycl::local_accessor<int>(4, h));
      const shared_int sum{syclex::work_group_memory<int>(h)};
      if (round == 0) {
        h.set_args(all, sum);
        h.parallel_for(eight, kernel_of<reverse>(q));
      } else {
        syclex::nd_launch(h, eight, syclex::kernel_function<reverse>, all, sum);
      }
    });
    EXPECT(is([](int i) { return 3 - i % 4; }));
    q.submit([&](sycl::handler &h) { h.fill(sycl::accessor<int>(data, h), 0); });
  }
  return failures;
}
