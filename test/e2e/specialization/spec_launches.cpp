// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may take a kernel_handler, many constants in a kernel, and several values at a time.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t
// RUN: env TENON_LOG=program %t 2> %t.log
// RUN: %FileCheck --input-file=%t.log %s
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu -fsycl-device-code-split=per_kernel %s -o %t.aot
// RUN: %t.aot
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent %t.aot
// 1,000 launches with one of two values, and two with the default, which is there already.
// CHECK: start alternating
// CHECK-COUNT-2: 1 specialization constants set
// CHECK-NOT: specialization constants set
// CHECK: end alternating
#include "../headers/Inputs/expect.hpp"

#include <stdio.h>
#include <thread>

constexpr sycl::specialization_id<int> number(5);
constexpr sycl::specialization_id<long> not_used(5);
template <int N>
inline constexpr sycl::specialization_id<int> many(N);

struct functor {
  int *out;
  void operator()(sycl::item<1> i, sycl::kernel_handler kh) const {
    out[i] = kh.get_specialization_constant<number>();
  }
};
static int nested(sycl::kernel_handler &kh) { return kh.get_specialization_constant<number>(); }

static bool all(const int *values, int count, int value) {
  for (int i = 0; i < count; ++i) {
    if (values[i] != value) {
      return false;
    }
  }
  return true;
}

// Kernels with and without work-groups and barriers.
static void check_forms(sycl::queue &q, int *p) {
  const auto with = [&](int value, auto &&launch) {
    q.submit([&](sycl::handler &cgh) {
       cgh.set_specialization_constant<number>(value);
       launch(cgh);
     }).wait();
  };
  with(1, [&](sycl::handler &cgh) { cgh.parallel_for(sycl::range<1>(64), functor{p}); });
  EXPECT(all(p, 64, 1));
  with(2, [&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::range<2>(8, 8),
                     [=](auto item, auto kh) { p[item.get_linear_id()] = nested(kh); });
  });
  EXPECT(all(p, 64, 2));
  with(3, [&](sycl::handler &cgh) {
    sycl::local_accessor<int, 1> shared(8, cgh);
    cgh.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it, sycl::kernel_handler kh) {
      const std::size_t local = it.get_local_id(0);
      shared[local] = kh.get_specialization_constant<number>();
      sycl::group_barrier(it.get_group());
      p[it.get_global_id(0)] = shared[7 - local];
    });
  });
  EXPECT(all(p, 64, 3));
  with(4, [&](sycl::handler &cgh) {
    cgh.parallel_for_work_group(
        sycl::range<1>(8), sycl::range<1>(8), [=](sycl::group<1> g, sycl::kernel_handler kh) {
          g.parallel_for_work_item(
              [&](sycl::h_item<1> it) { p[it.get_global_id(0)] = nested(kh); });
        });
  });
  EXPECT(all(p, 64, 4));
  with(5, [&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::range<1>(100), sycl::reduction(p, sycl::plus<int>()),
                     [=](sycl::id<1>, auto &sum, sycl::kernel_handler kh) {
                       sum += kh.get_specialization_constant<number>();
                     });
  });
  EXPECT(p[0] == 504);
  p[0] = 0;
  with(6, [&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::nd_range<1>(64, 8), sycl::reduction(p, sycl::plus<int>()),
                     [=](sycl::nd_item<1>, auto &sum, sycl::kernel_handler kh) {
                       sum += kh.get_specialization_constant<number>();
                     });
  });
  EXPECT(p[0] == 384);
  // Attributes are those of the kernel function, with a kernel_handler or without.
  const auto in_groups = [&](sycl::handler &cgh) {
    cgh.parallel_for(sycl::nd_range<1>(64, 8),
                     [=](auto item, auto kh) [[sycl::reqd_work_group_size(16)]] {
                       p[item.get_global_id(0)] = nested(kh);
                     });
  };
  EXPECT_ERRC(nd_range, with(7, in_groups));
  // Shortcuts see defaults; so does a command group that sets nothing, or what is not used.
  q.single_task([=](sycl::kernel_handler kh) { p[0] = nested(kh); }).wait();
  EXPECT(p[0] == 5);
  q.parallel_for(64, [=](sycl::id<1> i, sycl::kernel_handler kh) { p[i] = nested(kh); }).wait();
  EXPECT(all(p, 64, 5));
  q.submit([&](sycl::handler &cgh) {
     EXPECT(cgh.get_specialization_constant<number>() == 5);
     EXPECT(cgh.get_specialization_constant<not_used>() == 5);
     cgh.set_specialization_constant<not_used>(8);
     cgh.set_specialization_constant<number>(1);
     cgh.set_specialization_constant<number>(6);
     EXPECT(cgh.get_specialization_constant<number>() == 6);
     EXPECT(cgh.get_specialization_constant<not_used>() == 8);
     cgh.single_task([=](sycl::kernel_handler kh) { p[0] = nested(kh); });
   }).wait();
  EXPECT(p[0] == 6);
  q.submit([&](sycl::handler &cgh) {
    cgh.set_specialization_constant<number>(1);
    cgh.memset(p, 0, sizeof(int));
  });
  q.wait();
  EXPECT(p[0] == 0);
}

template <int... N>
static void check_many(sycl::queue &q, int *p, std::integer_sequence<int, N...>) {
  const auto launch = [&](bool is_set) {
    q.submit([&](sycl::handler &cgh) {
       if (is_set) {
         ((N % 2 ? cgh.set_specialization_constant<many<N>>(1000 + N) : void()), ...);
       }
       cgh.single_task([=](sycl::kernel_handler kh) {
         ((p[N] = kh.get_specialization_constant<many<N>>()), ...);
       });
     }).wait();
    for (int i = 0; i < static_cast<int>(sizeof...(N)); ++i) {
      EXPECT(p[i] == (is_set && i % 2 ? 1000 + i : i));
    }
  };
  launch(false);
  launch(true);
}

static void set_and_add(sycl::queue &q, int *p, const int *value) {
  q.submit([&](sycl::handler &cgh) {
    if (value) {
      cgh.set_specialization_constant<number>(*value);
    }
    cgh.single_task<class added>([=](sycl::kernel_handler kh) { *p += nested(kh); });
  });
}

static void check_alternating(sycl::queue &q, int *p) {
  p[0] = 0;
  set_and_add(q, p, nullptr);
  for (int i = 0; i < 1000; ++i) {
    const int value = i % 2 ? 2 : 3;
    set_and_add(q, p, &value);
  }
  const int normal = 5;
  set_and_add(q, p, &normal);
  q.wait();
  EXPECT(p[0] == 2500 + 10);
}

// Threads that share a kernel each see their own value.
static void check_threads(int *p) {
  std::thread threads[4];
  for (int t = 0; t < 4; ++t) {
    threads[t] = std::thread([=] {
      sycl::queue q{sycl::property::queue::in_order()};
      p[t * 16] = 0;
      for (int i = 0; i < 50; ++i) {
        const int value = 100 + t % 3;
        set_and_add(q, p + t * 16, &value);
      }
      q.wait();
    });
  }
  for (int t = 0; t < 4; ++t) {
    threads[t].join();
    EXPECT(p[t * 16] == 50 * (100 + t % 3));
  }
}

int main() {
  sycl::queue q{sycl::property::queue::in_order()};
  int *p = sycl::malloc_shared<int>(64, q);
  check_forms(q, p);
  check_many(q, p, std::make_integer_sequence<int, 50>());
  check_threads(p);
  fprintf(stderr, "start alternating\n");
  check_alternating(q, p);
  fprintf(stderr, "end alternating\n");
  sycl::free(p, q);
  return failures != 0;
}
