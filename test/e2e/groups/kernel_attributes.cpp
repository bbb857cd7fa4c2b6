// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel attributes in every place: numbers, other constant expressions, templates; launches that
// they refuse; attributes without an effect do not harm.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <string>

#define NUMBER 8
constexpr std::size_t constant = 8;

struct behind {
  std::uint32_t *out;
  void operator()(sycl::nd_item<2> item) const
      [[sycl::reqd_work_group_size(NUMBER, 4), sycl::reqd_sub_group_size(4)]] {
    *out = item.get_sub_group().get_max_local_range()[0];
  }
};
struct before {
  std::uint32_t *out;
  [[sycl::reqd_sub_group_size(32)]] [[sycl::reqd_work_group_size(64)]] void operator()(
      sycl::nd_item<1> item) const {
    *out = item.get_sub_group().get_max_local_range()[0];
  }
};

template <int Size>
static std::uint32_t sub_group_of(sycl::queue &q, std::uint32_t *out) {
  q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(
                                                Size)]] {
     *out = item.get_sub_group().get_max_local_range()[0];
   }).wait();
  return *out;
}

template <class F>
static std::string text_of(F f) {
  try {
    f();
  } catch (const sycl::exception &e) {
    return e.what();
  }
  return "";
}

class named_kernel;

int main() {
  sycl::queue q;
  std::uint32_t *out = sycl::malloc_shared<std::uint32_t>(1, q);
  const auto with = [&](sycl::range<1> local, auto kernel) {
    q.parallel_for(sycl::nd_range<1>(local * 2, local), kernel).wait();
  };
  const auto numbers = [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(8)]] {};
  with(8, numbers);
  EXPECT_ERRC(nd_range, with(16, numbers));
  const auto expression = [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(constant * 3)]] {
    if (*out == 12345) {
      return;
    }
    *out = 7;
  };
  with(24, expression);
  EXPECT(*out == 7);
  EXPECT_ERRC(nd_range, with(8, expression));
  const auto generic = [=](auto) [[sycl::reqd_work_group_size(constant)]] { *out = 9; };
  with(8, generic);
  EXPECT(*out == 9);
  EXPECT_ERRC(nd_range, with(4, generic));

  const sycl::device dev = q.get_device();
  if (has_sub_groups_of(dev, 8)) {
    EXPECT(sub_group_of<8>(q, out) == 8);
  } else {
    EXPECT_ERRC(kernel_not_supported, sub_group_of<8>(q, out));
  }
  EXPECT(sub_group_of<32>(q, out) == 32);
  EXPECT_ERRC(kernel_not_supported, sub_group_of<7>(q, out));
  EXPECT_ERRC(kernel_not_supported, sub_group_of<1024>(q, out));

  const auto launch_behind = [&](std::size_t rows, std::size_t columns) {
    q.parallel_for(sycl::nd_range<2>({16, 8}, {rows, columns}), behind{out}).wait();
  };
  if (has_sub_groups_of(dev, 4)) {
    launch_behind(8, 4);
    EXPECT(*out == 4);
    EXPECT_ERRC(nd_range, launch_behind(4, 8));
  } else {
    EXPECT_ERRC(kernel_not_supported, launch_behind(8, 4));
  }
  q.parallel_for(sycl::nd_range<1>(128, 64), before{out}).wait();
  EXPECT(*out == 32);
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(128, 32), before{out}).wait());

  const std::string text = text_of([&] {
    q.parallel_for<named_kernel>(sycl::nd_range<3>({2, 4, 8}, {2, 4, 4}),
                                 [=](sycl::nd_item<3>) [[sycl::reqd_work_group_size(2, 4, 8)]] {});
  });
  EXPECT(text.find("named_kernel") != std::string::npos &&
         text.find("2 x 4 x 8") != std::string::npos &&
         text.find("2 x 4 x 4") != std::string::npos);
  // Kernels beside those with attributes have none; a range leaves the choice to the device.
  with(5, [=](sycl::nd_item<1>) {});
  q.parallel_for(sycl::range<1>(10), [=](sycl::item<1>) [[sycl::reqd_work_group_size(3)]] {
   }).wait();
  with(6, [=](sycl::nd_item<1>)
              [[sycl::work_group_size_hint(3), sycl::vec_type_hint(float),
                sycl::device_has(sycl::aspect::usm_device_allocations)]] { *out = 11; });
  EXPECT(*out == 11);
  q.single_task([=]() [[sycl::reqd_work_group_size(1)]] { *out = 12; }).wait();
  EXPECT(*out == 12);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(6),
                               [=](sycl::group<1>)
                                   [[sycl::reqd_work_group_size(6)]] { *out = 13; });
   }).wait();
  EXPECT(*out == 13);
  sycl::free(out, q);
  return failures;
}
