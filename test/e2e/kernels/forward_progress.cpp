// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward progress: what devices guarantee, kernels that need no more, and such that do.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

namespace ex = sycl::ext::oneapi::experimental;
using guarantee = ex::forward_progress_guarantee;
using scope = ex::execution_scope;

#if SYCL_EXT_ONEAPI_FORWARD_PROGRESS != 1
#error "the feature-test macro is missing"
#endif

constexpr auto weak = ex::work_item_progress<guarantee::weakly_parallel, scope::sub_group>;
static_assert(weak != ex::work_item_progress<guarantee::weakly_parallel, scope::work_group>);

template <class Properties>
struct kernel {
  int *x;
  Properties list;
  void operator()() const { *x += 1; }
  auto get(ex::properties_tag) const { return list; }
};
template <class Properties>
kernel(int *, Properties) -> kernel<Properties>;

int main() {
  sycl::queue q;
  const sycl::device dev = q.get_device();
  const std::vector<guarantee> weakest = {guarantee::weakly_parallel};
  using namespace ex::info::device;
  EXPECT(dev.get_info<work_group_progress_capabilities<scope::root_group>>() == weakest);
  EXPECT(dev.get_info<sub_group_progress_capabilities<scope::root_group>>() == weakest);
  EXPECT(dev.get_info<sub_group_progress_capabilities<scope::work_group>>() == weakest);
  EXPECT(dev.get_info<work_item_progress_capabilities<scope::root_group>>() == weakest);
  EXPECT(dev.get_info<work_item_progress_capabilities<scope::work_group>>() == weakest);
  EXPECT(dev.get_info<work_item_progress_capabilities<scope::sub_group>>() == weakest);

  int *x = sycl::malloc_shared<int>(1, q);
  *x = 0;
  constexpr ex::properties enough{
      weak, ex::sub_group_progress<guarantee::weakly_parallel, scope::root_group>};
  constexpr ex::properties more{ex::work_group_progress<guarantee::parallel, scope::root_group>};
  constexpr ex::properties most{ex::work_item_progress<guarantee::concurrent, scope::sub_group>};
  q.single_task(kernel{x, enough}).wait();
  EXPECT(*x == 1);
  const kernel needs_more{x, more};
  const kernel needs_most{x, most};
  const auto with_handler = [&](sycl::handler &h) { h.single_task(needs_most); };
  const auto with_list = [&](sycl::handler &h) {
    h.parallel_for(sycl::range<1>(4), more, [=](sycl::id<1>) { *x = 7; });
  };
  EXPECT_ERRC(feature_not_supported, q.single_task(needs_more));
  EXPECT_ERRC(feature_not_supported, q.submit(with_handler));
  EXPECT_ERRC(feature_not_supported, q.submit(with_list));
  q.wait_and_throw();
  EXPECT(*x == 1);
  sycl::free(x, q);
  return failures;
}
