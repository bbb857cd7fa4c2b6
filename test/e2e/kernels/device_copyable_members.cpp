// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function objects that hold what a program says is device copyable, destructors or not, as
// Eigen's kernels do. Source: SYCL 2020 section 3.13.1.
// RUN: %tenonxx -fsycl -O1 -Wno-deprecated-declarations %s -o %t && %t
#include <sycl/sycl.hpp>

#include <cstdio>

struct counter {
  int *value;
  explicit counter(int *value) : value(value) {}
  counter(const counter &other) : value(other.value) {}
  ~counter() {}
  int get() const { return *value; }
};
template <class T>
struct pair_of {
  T first, second;
  pair_of(const pair_of &) = default;
  ~pair_of() {}
};
template <>
struct sycl::is_device_copyable<counter> : std::true_type {};
template <class T>
struct sycl::is_device_copyable<pair_of<T>> {
  static constexpr bool value = sycl::is_device_copyable_v<T>;
};

template <class T>
struct by_name {
  T held[2];
  const int more;
  void operator()() const { *held[1].value = held[0].get() + more; }
};
struct derived : counter {
  explicit derived(int *value) : counter(value) {}
  void operator()(sycl::id<1>) const { *value += 3; }
};

// Launches that wrap the function object in one of the headers'.
static bool check_wrapped(sycl::queue &q) {
  namespace ex = sycl::ext::oneapi::experimental;
  int *const value = sycl::malloc_shared<int>(2, q);
  value[0] = 1;
  value[1] = 0;
  const counter held(value);
  const sycl::plus<int> plus;
  const ex::properties properties{ex::work_group_size_hint<1>};
  q.parallel_for(sycl::range<1>(4), sycl::reduction(value + 1, plus), [=](sycl::id<1>, auto &sum) {
     sum += held.get();
   }).wait();
  q.parallel_for(sycl::nd_range<1>(4, 2), sycl::reduction(value + 1, plus),
                 [=](sycl::nd_item<1>, auto &sum) { sum += held.get(); })
      .wait();
  q.single_task(properties, [=] { *held.value += 1; }).wait();
  q.single_task<class Named>(properties, by_name<counter>{{held, held}, 5}).wait();
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(2), [=](sycl::group<1> group) {
       group.parallel_for_work_item([&](sycl::h_item<1>) {});
       *held.value += 10;
     });
   }).wait();
  const int first = value[0], second = value[1];
  sycl::free(value, q);
  if (first != 17 || second != 8) {
    std::printf("%d and %d, not 17 and 8\n", first, second);
  }
  return first == 17 && second == 8;
}

int main() {
  sycl::queue q;
  int *const value = sycl::malloc_shared<int>(1, q);
  *value = 1;
  const counter held(value);
  q.single_task(by_name<counter>{{held, held}, 5}).wait();
  q.single_task([=] { *held.value += held.get(); }).wait();
  q.parallel_for(sycl::range<1>(1), derived(value)).wait();
  const pair_of<int *> pair{value, value};
  q.submit([&](sycl::handler &h) { h.single_task([=] { *pair.second += 2; }); }).wait();
  const int got = *value;
  sycl::free(value, q);
  if (got != 17) {
    std::printf("%d, not 17\n", got);
    return 1;
  }
  return check_wrapped(q) ? 0 : 1;
}
