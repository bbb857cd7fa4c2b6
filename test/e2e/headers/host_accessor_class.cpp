// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// host_accessor: modes, ranges, dimensions, iterators, and its turn with the buffer; made with a
// handler, what a host task uses, as in DPC++.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "Inputs/expect.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

using sycl::access_mode;
using sycl::host_accessor;

static void check_in_host_tasks(sycl::queue &q) {
  std::vector<int> data(9);
  std::iota(data.begin(), data.end(), 1);
  {
    sycl::buffer<int> b(data);
    q.submit([&](sycl::handler &h) {
      host_accessor all(b, h);
      host_accessor<int, 1, access_mode::read> last(b, h, 2, 7);
      host_accessor written(b, h, sycl::range(4), sycl::id(1), sycl::write_only);
      static_assert(std::is_same_v<decltype(written), host_accessor<int, 1, access_mode::write>>);
      auto read = b.get_host_access(h, sycl::range(2), sycl::read_only);
      auto old = b.get_access<access_mode::read, sycl::target::host_buffer>(h);
      sycl::accessor<int, 1, access_mode::read_write, sycl::target::host_buffer> legacy(b, h);
      EXPECT(all.get_count() == 9 && written.get_size() == 16 && old.get_count() == 9);
      EXPECT(last.get_offset() == sycl::id(7) && all != host_accessor(b, h));
      host_accessor<const int> copy = all;
      host_accessor<int> assigned;
      assigned = all;
      const host_accessor<int> &same = assigned;
      assigned = same;
      EXPECT(assigned == all &&
             std::hash<host_accessor<int>>()(all) == std::hash<host_accessor<int>>()(assigned));
      h.host_task([=] {
        all[0] = last[1];          // 9
        written[3] = read[1] * 5;  // [4] is 10
        legacy[8] = old[2] + 1;    // 4
        assigned[5] = copy[0];     // 9
      });
    });
    // A kernel's turn comes after the host task's.
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      h.parallel_for(9, [=](sycl::id<1> i) { a[i] += 100; });
    });
    host_accessor now(b);
    EXPECT(now.get_count() == 9 && now.get_size() == 36);
    now = host_accessor<int>();
  }
  EXPECT((data == std::vector<int>{109, 102, 103, 104, 110, 109, 107, 108, 104}));
}

int main() {
  sycl::queue q;
  check_in_host_tasks(q);
  std::vector<int> v(12);
  std::iota(v.begin(), v.end(), 0);
  {
    sycl::buffer<int, 2> b(v.data(), {3, 4});
    {
      host_accessor a(b);
      static_assert(std::is_same_v<decltype(a), host_accessor<int, 2, access_mode::read_write>>);
      EXPECT(a.size() == 12 && a.byte_size() == 48 && a.get_range() == sycl::range(3, 4) &&
             !a.empty());
      EXPECT(a[2][3] == 11 && (a[sycl::id(1, 2)] == 6) && a.get_pointer()[5] == 5);
      EXPECT(std::accumulate(a.begin(), a.end(), 0) == 66 && *a.rbegin() == 11 &&
             a.crend() - a.crbegin() == 12);
      a[1][1] = 50;
      host_accessor copy = a;
      EXPECT(copy == a && std::hash<decltype(a)>()(a) == std::hash<decltype(a)>()(copy));
    }
    {
      host_accessor r(b, sycl::read_only);
      static_assert(std::is_same_v<decltype(r)::reference, const int &>);
      EXPECT(r[1][1] == 50);
    }
    {
      host_accessor part(b, {2, 2}, {1, 1}, sycl::read_write);
      EXPECT(part.size() == 4 && part.get_offset() == sycl::id(1, 1) && part[0][0] == 50 &&
             part[1][1] == 10);
      std::vector<int> seen(part.begin(), part.end());
      EXPECT((seen == std::vector<int>{50, 6, 9, 10}));
      std::sort(part.begin(), part.end());
      EXPECT(part[0][0] == 6 && part[1][1] == 50 && part.get_pointer()[0] == 0);
    }
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      h.parallel_for({3, 4}, [=](sycl::id<2> i) { a[i] *= 2; });
    });
    {
      host_accessor<int, 2, access_mode::read> r(b);
      host_accessor<const int, 2> c = r;
      EXPECT(c[2][2] == 100 && r[0][1] == 2);
    }
    {
      host_accessor w(b, sycl::write_only, sycl::no_init);
      EXPECT(w.has_property<sycl::property::no_init>());
      for (int &x : w) {
        x = 1;
      }
    }
    EXPECT_ERRC(invalid, host_accessor(b, sycl::read_only, sycl::no_init));
    EXPECT_ERRC(invalid, host_accessor(b, {3, 4}, {1, 0}));
    auto old = b.get_access<access_mode::read>();
    EXPECT(old[2][3] == 1 && old.get_count() == 12);
  }
  EXPECT(v[0] == 1 && v[11] == 1);

  // A command waits for the host's turn to end.
  sycl::buffer<int> b(1);
  int seen = -1;
  {
    host_accessor a(b, sycl::write_only);
    q.submit([&](sycl::handler &h) {
      sycl::accessor t(b, h, sycl::read_only_host_task);
      h.host_task([=, &seen] { seen = t[0]; });
    });
    a[0] = 42;
  }
  q.wait();
  EXPECT(seen == 42);
  {
    host_accessor<int, 0> zero(b);
    zero = zero + 1;
    EXPECT(zero == 43);
  }
  return failures;
}
