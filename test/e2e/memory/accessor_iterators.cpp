// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators of accessors: of all dimensions random access, and types of their own for accessor and
// local_accessor. Source: SYCL 2020 sections 4.7.6.9.1, 4.7.6.11.1.
// RUN: %tenonxx -fsycl -O0 %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -std=c++20 %s -o %t && %t
#include <algorithm>
#include <cassert>
#include <numeric>
#include <sycl/sycl.hpp>

template <class Accessor, class Iterator>
class filled;

// As programs name kernels by what they work on: the same iterator would be the same name.
template <class Accessor, class Shared>
void fill(sycl::handler &cgh, Accessor acc, Shared shared) {
  if constexpr (std::is_same_v<Accessor, Shared>) {
    cgh.single_task<filled<Accessor, typename Accessor::iterator>>([=] {
      std::iota(acc.begin(), acc.end(), 1);
      std::reverse(acc.begin(), acc.end());
    });
  } else {
    cgh.parallel_for<filled<Accessor, typename Shared::iterator>>(
        sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) {
          std::iota(shared.begin(), shared.end(), 1);
          std::copy(shared.crbegin(), shared.crend(), acc.begin());
        });
  }
}

int main() {
  sycl::queue q;
  for (const bool in_local : {false, true}) {
    sycl::buffer<int> data(6);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor<int> acc(data, cgh);
      if (in_local) {
        fill(cgh, acc, sycl::local_accessor<int>(sycl::range<1>(6), cgh));
      } else {
        fill(cgh, acc, acc);
      }
    });
    sycl::host_accessor seen(data);
    for (int i = 0; i < 6; ++i) {
      assert(seen[i] == 6 - i);
    }
    using iterator = sycl::accessor<int>::iterator;
    static_assert(std::is_same_v<std::iterator_traits<iterator>::reference, int &>);
    static_assert(std::is_convertible_v<iterator, sycl::accessor<int>::const_iterator>);
    static_assert(!std::is_convertible_v<sycl::accessor<int>::const_iterator, iterator>);
    static_assert(!std::is_same_v<iterator, sycl::local_accessor<int>::iterator>);
#if __cplusplus >= 202002L
    static_assert(std::contiguous_iterator<iterator>);
    static_assert(std::random_access_iterator<sycl::accessor<int, 2>::iterator>);
#endif
    auto it = seen.begin();
    assert(it[2] == 4 && *(2 + it) == 4 && (it + 3) - it == 3 && it < it + 1);
  }
}
