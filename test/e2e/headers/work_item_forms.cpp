// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a work-item is, in the forms of DPC++ programs: item<1, false>, the names of group before
// SYCL 2020, queries in functions that get no item, and functions that a kernel holds and binds.
// RUN: %tenonxx -fsycl -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t && %t
#include "Inputs/expect.hpp"

namespace queries = sycl::ext::oneapi::this_work_item;
namespace older = sycl::ext::oneapi::experimental;

static_assert(sizeof(sycl::queue) >= 16, "oneDPL asserts this");

static void test_items(sycl::queue &q, int *out) {
  q.parallel_for(sycl::range<1>(8), [=](sycl::item<1, false> item) {
     out[item] = static_cast<int>(item.get_id(0) * 10 + item.get_range(0));
   }).wait();
  EXPECT(out[0] == 8 && out[7] == 78);
}

static void test_groups(sycl::queue &q, int *out) {
  q.parallel_for(sycl::nd_range<2>({4, 6}, {2, 3}), [=](sycl::nd_item<2> item) {
     const sycl::group<2> group = item.get_group();
     const bool is_right = group.get_id() == group.get_group_id() &&
                           group.get_id(1) == item.get_group(1) &&
                           group.get_linear_id() == group.get_group_linear_id() &&
                           group.get_global_range() == sycl::range<2>(4, 6) &&
                           group.get_global_range(1) == 6;
     out[item.get_global_linear_id()] = is_right ? 1 : 0;
   }).wait();
  for (int i = 0; i < 24; ++i) {
    EXPECT(out[i] == 1);
  }
}

// Functions that get nothing.
static int place() {
  return static_cast<int>(queries::get_nd_item<1>().get_global_id(0) * 100 +
                          queries::get_work_group<1>().get_group_id(0) * 10 +
                          queries::get_sub_group().get_local_id()[0]);
}
static int older_place() {
  return static_cast<int>(older::this_nd_item<1>().get_global_id(0) * 100 +
                          (older::this_id<1>()[0] - older::this_item<1>().get_linear_id()) +
                          older::this_group<1>().get_group_id(0) * 10 +
                          older::this_sub_group().get_local_id()[0]);
}
static void test_queries(sycl::queue &q, int *out) {
  q.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> item) {
     const int expected = static_cast<int>(item.get_global_id(0) * 100 + item.get_group(0) * 10 +
                                           item.get_sub_group().get_local_id()[0]);
     out[item.get_global_id(0)] = place() == expected && older_place() == expected;
   }).wait();
  for (int i = 0; i < 8; ++i) {
    EXPECT(out[i] == 1);
  }
}

// A reference that is bound in the kernel, to what the kernel has by value.
template <class Function>
struct bound {
  const Function &function;
  explicit bound(const Function &of) : function(of) {}
  int operator()(int value) const { return function(value); }
};
static void test_bound_references(sycl::queue &q, int *out) {
  const int factor = 3;
  const auto times = [=](int value) { return factor * value; };
  q.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) {
     const bound<decltype(times)> once(times);
     const bound<decltype(once)> twice(once);
     out[i] = twice(static_cast<int>(i[0]));
   }).wait();
  EXPECT(out[0] == 0 && out[3] == 9);
}

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(32, q);
  test_items(q, out);
  test_groups(q, out);
  test_queries(q, out);
  test_bound_references(q, out);
  sycl::free(out, q);
  return failures;
}
