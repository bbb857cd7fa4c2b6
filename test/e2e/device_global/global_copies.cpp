// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals of a program: what kernels leave in them, copies by queue and handler, whole and
// in parts, and what is refused. One that no kernel uses is there as well.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: env TENON_CHECK=1 %t
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu %s -o %t.aot
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent %t.aot
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu -O0 -g %s -o %t.aot && %t.aot
// RUN: %tenonxx -fsycl -fsycl-device-code-split=per_kernel -fno-sycl-rdc -fsycl-host-compiler=g++ %s -o %t.split && %t.split
#include "../headers/Inputs/expect.hpp"

#include <type_traits>

namespace syclexp = sycl::ext::oneapi::experimental;

syclexp::device_global<int> counter;
namespace ns {
inline syclexp::device_global<float[4]> table;
}
template <int N>
syclexp::device_global<int> numbered{N};
struct pair {
  char a;
  int b;
  static syclexp::device_global<int, decltype(syclexp::properties{syclexp::host_access_read})> one;
};
syclexp::device_global<int, decltype(syclexp::properties{syclexp::host_access_read})> pair::one{5};
syclexp::device_global<pair, decltype(syclexp::properties{syclexp::device_image_scope})> whole;
syclexp::device_global<int> unused{3};
syclexp::device_global<int *> place;

static_assert(!std::is_copy_constructible_v<syclexp::device_global<int>> &&
              !std::is_move_constructible_v<syclexp::device_global<int>>);
static_assert(decltype(whole)::has_property<syclexp::device_image_scope_key>() &&
              !decltype(whole)::has_property<syclexp::host_access_key>() &&
              decltype(pair::one)::get_property<syclexp::host_access_key>() ==
                  syclexp::host_access_read &&
              decltype(pair::one)::get_property<syclexp::host_access_key>().value ==
                  syclexp::host_access_enum::read);
static_assert(std::is_same_v<decltype(ns::table)::element_type, float>);

template <class T>
static T read(sycl::queue q, const syclexp::device_global<T> &from) {
  T value = {};
  q.copy(from, &value).wait();
  return value;
}

static void check_kernels(sycl::queue q) {
  const int before = read(q, counter);
  q.parallel_for<class fill>(sycl::range<1>(64), [=](sycl::id<1> i) {
     sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(
         counter.get());
     sum += 1;
     if (i < 4) {
       ns::table[i] = static_cast<float>(i[0]) + pair::one;
     }
   }).wait();
  q.single_task<class change>([=] {
     numbered<3> = numbered<3> + 1;
     whole.get().b = counter;
     pair::one = 6;
     place = &whole.get().b;
     *counter.get_multi_ptr<sycl::access::decorated::no>().get() += 1;
   }).wait();
  q.single_task<class point>([=] { *place.get() += 1000; }).wait();
  EXPECT(before == 0 && read(q, counter) == 65);
  float table[4] = {};
  q.copy(ns::table, table).wait();
  EXPECT(table[0] == 5 && table[3] == 8);
  int one = 0;
  q.memcpy(&one, pair::one).wait();
  EXPECT(one == 6);
  EXPECT(read(q, numbered<3>) == 4 && read(q, numbered<9>) == 9 && read(q, unused) == 3);
  int b = 0;
  q.memcpy(&b, whole, sizeof(b), offsetof(pair, b)).wait();
  EXPECT(b == 64 + 1000);
}

static void check_copies(sycl::queue q) {
  const int number = 100;
  const float x = 9;
  float table[4] = {};
  const sycl::event first = q.copy(&number, counter);
  const sycl::event second = q.copy(&x, ns::table, 1, 2, first);
  q.submit([&](sycl::handler &cgh) {
     cgh.depends_on(second);
     cgh.copy(ns::table, table);
   }).wait();
  EXPECT(table[1] == 6 && table[2] == 9 && table[3] == 8);
  const short high = 1;
  q.memcpy(counter, &high, sizeof(high), 2, {first, second}).wait();
  EXPECT(read(q, counter) == 65536 + 100);
  q.submit([&](sycl::handler &cgh) { cgh.memcpy(counter, &number); }).wait();
  int got = 0;
  q.submit([&](sycl::handler &cgh) { cgh.memcpy(&got, counter); }).wait();
  EXPECT(got == 100);
}

static void check_refused(sycl::queue q) {
  float x = 0;
  EXPECT_ERRC(invalid, q.copy(&x, ns::table, 1, 4));
  EXPECT_ERRC(invalid, q.copy(ns::table, &x, 5));
  EXPECT_ERRC(invalid, q.copy(&x, ns::table, ~std::size_t{0} / 2, 1));
  EXPECT_ERRC(invalid, q.memcpy(&x, ns::table, 4, 13));
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) { cgh.copy(ns::table, &x, 1, 5); }));
  EXPECT_ERRC(invalid, (void)static_cast<int &>(counter));
}

int main() {
  const sycl::queue q;
  check_kernels(q);
  check_copies(q);
  check_refused(q);
  return failures;
}
