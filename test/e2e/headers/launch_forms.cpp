// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every form of single_task and parallel_for on queue and handler, and what kernels may take.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "Inputs/expect.hpp"

struct named {
  int *out;
  void operator()(sycl::id<1> i) const { out[i] = 3; }
};
struct templated {
  int *out;
  template <class I>
  void operator()(I i) const {
    static_assert(std::is_same_v<I, sycl::item<1>>, "a generic parameter is an item");
    out[i.get_id(0)] = 4;
  }
};
struct own_index {
  std::size_t value;
  own_index(sycl::item<1> i) : value(i.get_id(0)) {}
};
struct big {
  long values[200];
};
struct alignas(256) very_aligned {
  int *out;
  int value;
  void operator()() const {
    out[0] = reinterpret_cast<std::uintptr_t>(this) % 256 == 0 ? value : -1;
  }
};

static sycl::queue make_queue(bool in_order) {
  return in_order ? sycl::queue{sycl::property::queue::in_order()} : sycl::queue{};
}

static void check(bool in_order) {
  sycl::queue q = make_queue(in_order);
  int *p = sycl::malloc_shared<int>(64, q);
  const auto all = [&](int count, int value) {
    for (int i = 0; i < count; ++i) {
      if (p[i] != value) {
        return false;
      }
    }
    return true;
  };
  q.single_task([=] { p[0] = 1; }).wait();
  EXPECT(p[0] == 1);
  sycl::event e = q.single_task<class named_task>([=] { p[0] = 2; });
  e = q.single_task(e, [=] { p[0] += 1; });
  e = q.single_task({e, e}, [=] { p[0] += 1; });
  e.wait();
  EXPECT(p[0] == 4);
  q.parallel_for(64, [=](int i) { p[i] = 1; }).wait();
  EXPECT(all(64, 1));
  q.parallel_for({64}, [=](std::size_t i) { p[i] = 2; }).wait();
  EXPECT(all(64, 2));
  q.parallel_for(sycl::range<1>(64), named{p}).wait();
  EXPECT(all(64, 3));
  q.parallel_for<class templated_name>(sycl::range<1>(64), templated{p}).wait();
  EXPECT(all(64, 4));
  q.parallel_for({8, 8}, [=](sycl::id<2> i) { p[i[0] * 8 + i[1]] = 5; }).wait();
  EXPECT(all(64, 5));
  q.parallel_for({4, 4, 4}, [=](auto i) { p[i.get_linear_id()] = 6; }).wait();
  EXPECT(all(64, 6));
  q.parallel_for(64, [=](own_index i) { p[i.value] = 7; }).wait();
  EXPECT(all(64, 7));
  e = q.parallel_for(64, [=](sycl::id<1> i) { p[i] = 1; });
  e = q.parallel_for(sycl::range(64), e, [=](sycl::item<1> i) { p[i] += 1; });
  e = q.parallel_for(sycl::range(8, 8), {e, e},
                     [=](sycl::item<2> i) { p[i.get_linear_id()] += 1; });
  e = q.parallel_for(sycl::nd_range<1>(64, 16), e,
                     [=](sycl::nd_item<1> i) { p[i.get_global_id(0)] += 1; });
  q.parallel_for(sycl::nd_range<1>(64, 16), {e, e}, [=](auto i) {
     p[i.get_global_id(0)] += 1;
   }).wait();
  EXPECT(all(64, 5));
  for (int i = 0; i < 64; ++i) {
    p[i] = 0;
  }
  q.parallel_for(sycl::range<1>(32), sycl::id<1>(16), [=](sycl::item<1> i) {
     p[i.get_id(0)] = static_cast<int>(i.get_linear_id() + i.get_offset()[0]);
   }).wait();
  EXPECT(p[15] == 0 && p[16] == 16 && p[47] == 47 && p[48] == 0);
  q.submit([&](sycl::handler &h) {
     h.parallel_for<class with_offset>(sycl::range<2>(2, 2), sycl::id<2>(1, 2),
                                       [=](sycl::id<2> i) { p[i[0] * 8 + i[1]] = 9; });
   }).wait();
  EXPECT(p[10] == 9 && p[11] == 9 && p[18] == 9 && p[19] == 9 && p[12] == 0);
  q.parallel_for(0, [=](int i) { p[i] = 100; }).wait();
  q.parallel_for({0, 4}, [=](sycl::id<2>) { p[0] = 100; }).wait();
  EXPECT(p[0] == 0);
  q.submit([&](sycl::handler &h) { h.single_task([=] { p[0] = 11; }); }).wait();
  EXPECT(p[0] == 11);
  q.submit([&](auto &h) { h.parallel_for(64, [=](int i) { p[i] = 12; }); }).wait();
  EXPECT(all(64, 12));
  q.submit([=](sycl::handler &h) {
     h.parallel_for({2, 4, 8}, [=](sycl::item<3> i) { p[i.get_linear_id()] = 13; });
   }).wait();
  EXPECT(all(64, 13));
  q.submit([&](sycl::handler &) {}).wait();
  big b{};
  b.values[199] = 14;
  q.submit([&](sycl::handler &h) {
     h.single_task([=] { p[1] = static_cast<int>(b.values[199]); });
   }).wait();
  q.single_task([=] { p[2] = static_cast<int>(b.values[199]); }).wait();
  EXPECT(p[1] == 14 && p[2] == 14);
  very_aligned v{p, 15};
  q.submit([&](sycl::handler &h) { h.single_task(v); }).wait();
  EXPECT(p[0] == 15);
  v.value = 16;
  q.single_task<class aligned_again>([=] { v(); }).wait();
  EXPECT(p[0] == 16);
  sycl::free(p, q);
}

int main() {
  check(true);
  check(false);
  return failures;
}
