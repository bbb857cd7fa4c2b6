// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels may hold: is_device_copyable, standard types, types that are not trivial to copy.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/expect.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

struct declared {
  int value;
  declared(int v) : value(v) {}
  declared(const declared &other) : value(other.value) {}
};
template <>
struct sycl::is_device_copyable<declared> : std::true_type {};

struct with_members {
  int *out;
  declared d;
  void operator()() const { *out = d.value; }
};

static_assert(sycl::is_device_copyable_v<int> && sycl::is_device_copyable_v<const declared>);
static_assert(sycl::is_device_copyable_v<std::pair<int, declared>>);
static_assert(sycl::is_device_copyable_v<std::tuple<int, float, declared>>);
static_assert(sycl::is_device_copyable_v<std::variant<int, float>>);
static_assert(sycl::is_device_copyable_v<std::optional<int>>);
static_assert(sycl::is_device_copyable_v<std::array<declared, 3>>);
static_assert(sycl::is_device_copyable_v<declared[4]>);
static_assert(!sycl::is_device_copyable_v<std::string> &&
              !sycl::is_device_copyable_v<std::vector<int>>);
static_assert(!sycl::is_device_copyable_v<std::pair<int, std::string>>);

int main() {
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(8, q);
  declared d(5);
  std::tuple<int, double> t(6, 0.5);
  std::pair<int, int> pair(7, 8);
  std::array<int, 3> a{1, 2, 3};
  q.single_task([=] {
     p[0] = d.value;
     p[1] = std::get<0>(t);
     p[2] = pair.second;
     p[3] = a[2];
   }).wait();
  EXPECT(p[0] == 5 && p[1] == 6 && p[2] == 8 && p[3] == 3);
  q.submit([&](sycl::handler &h) { h.single_task(with_members{p + 4, declared(9)}); }).wait();
  EXPECT(p[4] == 9);
  sycl::buffer<std::pair<int, float>> b(3);
  q.fill(sycl::accessor(b, sycl::write_only), std::pair<int, float>(1, 2.0f)).wait();
  EXPECT(sycl::host_accessor(b)[2].second == 2.0f);
  sycl::free(p, q);
  return failures;
}
