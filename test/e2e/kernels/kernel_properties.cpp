// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of kernels, by get(properties_tag) of a function object and as arguments of launches
// of all kinds. Source: the SYCL extension sycl_ext_oneapi_kernel_properties.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>
#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
using sycl::kernel_handler;
constexpr auto executable = sycl::bundle_state::executable;

static_assert(SYCL_EXT_ONEAPI_KERNEL_PROPERTIES == 1);
static_assert(ex::work_group_size<4, 5>[1] == 5 && ex::work_group_size_hint<8>[0] == 8);
static_assert(ex::sub_group_size<8>.value == 8);
static_assert(ex::device_has<sycl::aspect::cpu, sycl::aspect::fp64>.value[1] == sycl::aspect::fp64);
constexpr ex::properties all{ex::work_group_size<16>, ex::sub_group_size<8>,
                             ex::work_group_size_hint<16>, ex::device_has<>};
static_assert(all.has_property<ex::sub_group_size_key>());
static_assert(all.get_property<ex::work_group_size_key>()[0] == 16);
static_assert(ex::is_property_key_v<ex::device_has_key>);

struct with_both {
  int *out;
  void operator()(sycl::nd_item<1> i) const {
    out[i.get_global_id(0)] = static_cast<int>(i.get_sub_group().get_max_local_range()[0]);
  }
  auto get(ex::properties_tag) const { return all; }
};
struct with_aspect {
  int *out;
  void operator()(kernel_handler) const { *out = 7; }
  auto get(ex::properties_tag) const { return ex::properties{ex::device_has<sycl::aspect::gpu>}; }
};
struct without {  // a function of the same name is no property
  int *out;
  void operator()() const { *out = get(1); }
  int get(int value) const { return value; }
};
template <int>
class named;

template <class Name>
static std::size_t group_size_of(sycl::queue q) {
  return sycl::get_kernel_bundle<executable>(q.get_context(), {sycl::get_kernel_id<Name>()})
      .get_kernel(sycl::get_kernel_id<Name>())
      .template get_info<sycl::info::kernel_device_specific::compile_work_group_size>(
          q.get_device())[2];
}

static void of_function_objects(sycl::queue q, int *x) {
  const auto sizes = q.get_device().get_info<sycl::info::device::sub_group_sizes>();
  bool can = false;
  for (const std::size_t size : sizes) {
    can = can || size == 8;
  }
  if (can) {
    q.parallel_for(sycl::nd_range<1>(32, 16), with_both{x}).wait();
    EXPECT(x[0] == 8 && x[31] == 8);
    EXPECT(group_size_of<with_both>(q) == 16);
    EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(32, 8), with_both{x}));
  }
  if (!q.get_device().has(sycl::aspect::gpu)) {
    EXPECT_ERRC(kernel_not_supported, q.single_task(with_aspect{x}));
  }
  q.single_task(without{x}).wait();
  EXPECT(x[0] == 1);
}

static void of_launches(sycl::queue q, int *x) {
  constexpr ex::properties sized{ex::work_group_size<16>};
  const sycl::nd_range<1> many(32, 16);
  const auto mark = [=](int value) {
    return [=](sycl::nd_item<1> i) { x[i.get_global_id(0)] = value; };
  };
  sycl::event first = q.parallel_for<named<0>>(many, sized, mark(1));
  first.wait();
  EXPECT(x[31] == 1 && group_size_of<named<0>>(q) == 16);
  EXPECT_ERRC(nd_range, q.parallel_for<named<1>>(sycl::nd_range<1>(32, 8), sized, mark(2)));
  q.parallel_for<named<2>>(many, first, sized, mark(3)).wait();
  EXPECT(x[31] == 3);
  q.parallel_for<named<3>>(many, {first, first}, sized, mark(4)).wait();
  EXPECT(x[31] == 4);
  q.submit([&](sycl::handler &cgh) { cgh.parallel_for<named<4>>(many, sized, mark(5)); }).wait();
  EXPECT(x[31] == 5);
  const ex::properties none;
  q.parallel_for(32, none, [=](sycl::id<1> i) { x[i] = 6; }).wait();
  EXPECT(x[31] == 6);
  q.parallel_for({4, 8}, none, [=](auto i) { x[i.get_linear_id()] = 7; }).wait();
  EXPECT(x[31] == 7);
  q.parallel_for(sycl::range<3>(2, 4, 4), none, [=](sycl::item<3> i, kernel_handler) {
     x[i.get_linear_id()] = 8;
   }).wait();
  EXPECT(x[31] == 8);
  q.single_task(none, [=] { x[0] = 9; }).wait();
  q.single_task(first, none, [=](kernel_handler) { x[1] = 10; }).wait();
  q.submit([&](sycl::handler &cgh) { cgh.single_task(none, [=] { x[2] = 11; }); }).wait();
  EXPECT(x[0] == 9 && x[1] == 10 && x[2] == 11);
}

static void with_reductions(sycl::queue q, int *x) {
  x[0] = x[1] = 0;
  const ex::properties none;
  q.parallel_for(sycl::range<1>(100), none, sycl::reduction(x, sycl::plus<int>()),
                 [=](sycl::id<1> i, auto &sum) { sum += static_cast<int>(i[0]); })
      .wait();
  EXPECT(x[0] == 4950);
  q.submit([&](sycl::handler &cgh) {
     cgh.parallel_for(sycl::nd_range<1>(64, 16), none, sycl::reduction(x, sycl::plus<int>()),
                      sycl::reduction(x + 1, sycl::maximum<int>()),
                      [=](sycl::nd_item<1> i, auto &sum, auto &most) {
                        sum += 1;
                        most.combine(static_cast<int>(i.get_global_id(0)));
                      });
   }).wait();
  EXPECT(x[0] == 5014 && x[1] == 63);
}

// Accessors are found in function objects behind properties.
static void with_accessors(sycl::queue q) {
  sycl::buffer<int> numbers(32);
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor out(numbers, cgh, sycl::write_only, sycl::no_init);
    sycl::local_accessor<int> local(16, cgh);
    cgh.parallel_for(sycl::nd_range<1>(32, 16), ex::properties{ex::work_group_size<16>},
                     [=](sycl::nd_item<1> i) {
                       local[i.get_local_id(0)] = static_cast<int>(i.get_global_id(0));
                       sycl::group_barrier(i.get_group());
                       out[i.get_global_id(0)] = local[15 - i.get_local_id(0)];
                     });
  });
  sycl::host_accessor found(numbers);
  EXPECT(found[0] == 15 && found[31] == 16);
}

int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(64, q);
  of_function_objects(q, x);
  of_launches(q, x);
  with_reductions(q, x);
  with_accessors(q);
  sycl::free(x, q);
  return failures;
}
