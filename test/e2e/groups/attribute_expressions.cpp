// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel attributes by expressions: parameters of templates, constants, in every place and through
// macros; sizes that no device has are refused as such, also by parallel_for_work_group.
// RUN: %tenonxx -fsycl -Wall -Wextra -Wpedantic -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenon-image %t | %FileCheck %s
// CHECK-DAG: needs aspect::gpu{{$}}
// CHECK-DAG: needs aspect::custom{{$}}
// CHECK-DAG: needs aspect::accelerator{{$}}
#include "../headers/Inputs/expect.hpp"

#include <cstdint>

using sycl::aspect;
constexpr std::size_t sizes[] = {4, 8};
constexpr std::size_t unsupported = SIZE_MAX;

template <std::size_t A, std::size_t B>
struct functor {
  std::uint32_t *out;
  [[sycl::reqd_work_group_size(A, B)]] void operator()(sycl::nd_item<2>) const {
    *out = A * 100 + B;
  }
  [[sycl::reqd_work_group_size(A)]] void operator()(sycl::nd_item<1>) const {
    *out = static_cast<std::uint32_t>(A);
  }
  [[sycl::reqd_work_group_size(A)]] void operator()(sycl::group<1>) const {
    *out = static_cast<std::uint32_t>(A + 1);
  }
};
template <int Size>
struct sub_groups {
  std::uint32_t *out;
  void operator()(sycl::nd_item<1> item) const [[sycl::reqd_sub_group_size(Size + 0)]] {
    *out = item.get_sub_group().get_max_local_range()[0];
  }
};
template <aspect Needed>
struct needs {
  [[sycl::device_has(Needed)]] void operator()() const {}
};
template <aspect Needed>
[[sycl::device_has(Needed)]] void use_feature(std::uint32_t *out) {
  *out = 1;
}

#define LAUNCH(attributes, local, value) \
  with(local, [=](sycl::nd_item<1>) attributes { *out = value; })

template <class Name, std::size_t Size>
static void hierarchical(sycl::queue &q, std::uint32_t *out) {
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group<Name>(sycl::range<1>(1), sycl::range<1>(Size),
                                     functor<Size, 1>{out});
   }).wait();
}

// A local constant in a template is not captured, in either pass.
template <std::size_t Size>
static void local_constants(sycl::queue &q, std::uint32_t *out) {
  constexpr std::size_t size = Size + 3;
  constexpr aspect online = aspect::online_linker;
  q.parallel_for(sycl::nd_range<1>(size, size),
                 [=](sycl::nd_item<1> item)
                     [[sycl::reqd_work_group_size(size), sycl::device_has(online)]] {
                       *out = static_cast<std::uint32_t>(item.get_local_range(0));
                     })
      .wait();
  EXPECT(*out == size);
}

template <std::size_t Size>
static void check_lambdas(sycl::queue &q, std::uint32_t *out) {
  const auto with = [&](std::size_t local, auto kernel) {
    q.parallel_for(sycl::nd_range<1>(local * 2, local), kernel).wait();
  };
  const auto two = [=](sycl::nd_item<1> item)
                       [[sycl::reqd_work_group_size(Size * 2), sycl::reqd_sub_group_size(Size)]] {
                         *out = item.get_sub_group().get_max_local_range()[0];
                       };
  if (has_sub_groups_of(q.get_device(), Size)) {
    with(Size * 2, two);
    EXPECT(*out == Size);
    EXPECT_ERRC(nd_range, with(Size, two));
  } else {
    EXPECT_ERRC(kernel_not_supported, with(Size * 2, two));
  }
  LAUNCH([[sycl::reqd_work_group_size(Size + sizes[0])]], Size + 4, 41);
  EXPECT(*out == 41);
  EXPECT_ERRC(nd_range, LAUNCH([[sycl::reqd_work_group_size(Size - 1)]], Size, 43));
  EXPECT_ERRC(kernel_not_supported, LAUNCH([[sycl::reqd_sub_group_size(Size - 1)]], Size, 45));
  with(3, [=](auto) [[sycl::reqd_work_group_size(sizes[0] - 1)]] { *out = 46; });
  with(5, [=](auto) [[sycl::reqd_work_group_size(sizes[0] + 1)]] { *out = 47; });
  EXPECT(*out == 47);
}

class small_groups;
class large_groups;

int main() {
  sycl::queue q;
  std::uint32_t *out = sycl::malloc_shared<std::uint32_t>(1, q);
  const auto flat = [&](std::size_t local, auto kernel) {
    q.parallel_for(sycl::nd_range<1>(local, local), kernel).wait();
  };
  q.parallel_for(sycl::nd_range<2>({8, 8}, {4, 8}), functor<4, 8>{out}).wait();
  EXPECT(*out == 408);
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<2>({8, 8}, {8, 4}), functor<4, 8>{out}));
  flat(6, functor<6, 1>{out});
  EXPECT(*out == 6);
  EXPECT_ERRC(nd_range, flat(3, functor<6, 1>{out}));
  EXPECT_ERRC(kernel_not_supported, flat(unsupported, functor<unsupported, 1>{out}));
  EXPECT_ERRC(kernel_not_supported, flat(1, functor<unsupported, 1>{out}));
  if (has_sub_groups_of(q.get_device(), 8)) {
    flat(32, sub_groups<8>{out});
    EXPECT(*out == 8);
  } else {
    EXPECT_ERRC(kernel_not_supported, flat(32, sub_groups<8>{out}));
  }
  flat(32, sub_groups<32>{out});
  EXPECT(*out == 32);
  EXPECT_ERRC(kernel_not_supported, flat(99, sub_groups<99>{out}));
  hierarchical<small_groups, sizes[1]>(q, out);
  EXPECT(*out == 9);
  EXPECT_ERRC(kernel_not_supported, (hierarchical<large_groups, std::size_t(1) << 32>(q, out)));
  check_lambdas<8>(q, out);
  local_constants<8>(q, out);
  check_lambdas<32>(q, out);

  EXPECT_ERRC(kernel_not_supported, q.single_task(needs<aspect::custom>()).wait());
  EXPECT_ERRC(kernel_not_supported,
              q.single_task([=] { use_feature<aspect::accelerator>(out); }).wait());
  // Local constants of a function that is no template: not captured either.
  constexpr aspect gpu = aspect::gpu;
  constexpr aspect cpu = aspect::cpu;
  constexpr std::size_t four = 4;
  const auto on_gpus = [=]() [[sycl::device_has(gpu)]] { *out = 50; };
  const auto on_cpus = [=]() [[sycl::device_has(cpu)]] { *out = 51; };
  flat(four, [=](sycl::nd_item<1>) [[sycl::reqd_work_group_size(four)]] { *out = 52; });
  EXPECT(*out == 52);
  if (q.get_device().has(gpu)) {
    q.single_task(on_gpus).wait();
    EXPECT(*out == 50);
    EXPECT_ERRC(kernel_not_supported, q.single_task(on_cpus).wait());
    EXPECT_ERRC(kernel_not_supported, q.single_task(needs<aspect::cpu>()).wait());
  } else {
    EXPECT_ERRC(kernel_not_supported, q.single_task(on_gpus).wait());
    q.single_task(on_cpus).wait();
    EXPECT(*out == 51);
    q.single_task(needs<aspect::cpu>()).wait();
  }
  sycl::free(out, q);
  return failures;
}
