// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accessor and host_accessor, member for member: all constructors, pointers, iterators of all
// dimensions on the device, conversions, what is refused and with which words.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
#include "Inputs/expect_words.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using sycl::access_mode;
using sycl::accessor;
using sycl::buffer;
using sycl::handler;
using sycl::host_accessor;
using sycl::id;
using sycl::range;
using sycl::target;
namespace access = sycl::access;

template <class A>
constexpr bool has_members() {
  using value = typename A::value_type;
  return std::is_same_v<typename A::reference, value &> &&
         std::is_same_v<typename A::const_reference, const value &> &&
         std::is_same_v<typename A::size_type, std::size_t> &&
         std::is_same_v<typename A::difference_type,
                        typename std::iterator_traits<typename A::iterator>::difference_type> &&
         std::is_same_v<typename A::reverse_iterator,
                        std::reverse_iterator<typename A::iterator>> &&
         std::is_same_v<typename A::const_reverse_iterator,
                        std::reverse_iterator<typename A::const_iterator>> &&
         std::is_default_constructible_v<A> && std::is_copy_assignable_v<A>;
}
static_assert(has_members<accessor<int>>() && has_members<accessor<int, 3, access_mode::read>>());
static_assert(has_members<accessor<const int, 0>>() && has_members<host_accessor<float, 2>>());
static_assert(has_members<accessor<int, 1, access_mode::write, target::host_task>>());
static_assert(std::is_same_v<accessor<int, 1, access_mode::read>::value_type, const int>);
static_assert(std::is_same_v<accessor<const int>::reference, const int &>);
static_assert(std::is_same_v<
              accessor<int>::accessor_ptr<access::decorated::no>,
              sycl::multi_ptr<int, access::address_space::global_space, access::decorated::no>>);
static_assert(std::is_same_v<accessor<int, 1, access_mode::read_write,
                                      target::host_task>::accessor_ptr<access::decorated::no>,
                             int *>);
// Only what reads converts, only to what reads, and never to what writes.
template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;
using rw = accessor<int, 2>;
using ro = accessor<int, 2, access_mode::read>;
using cro = accessor<const int, 2>;
using wo = accessor<int, 2, access_mode::write>;
static_assert(converts<rw, ro> && converts<rw, cro> && converts<ro, cro> && converts<cro, ro>);
static_assert(!converts<ro, rw> && !converts<cro, rw> && !converts<wo, ro> && !converts<wo, rw>);
static_assert(converts<host_accessor<int>, host_accessor<const int>> &&
              !converts<host_accessor<const int>, host_accessor<int>>);
static_assert(sycl::is_property_of_v<sycl::property::no_init, rw> &&
              sycl::is_property_of_v<sycl::property::no_init, host_accessor<int>> &&
              !sycl::is_property_of_v<sycl::property::buffer::use_mutex, rw>);

static void check_constructors(sycl::queue &q) {
  buffer<int> b(8);
  sycl::property_list none;
  q.submit([&](handler &h) {
    using read = accessor<int, 1, access_mode::read>;
    EXPECT(read(b).is_placeholder() && read(b, none).is_placeholder());
    EXPECT(read(b, sycl::read_only).is_placeholder() &&
           !read(b, h, sycl::read_only).is_placeholder());
    EXPECT(!read(b, h).is_placeholder() && !read(b, h, none).is_placeholder());
    EXPECT(read(b, 3).size() == 3 && read(b, 3, none).size() == 3);
    EXPECT(read(b, 3, sycl::read_only).size() == 3 && read(b, 3, 2, sycl::read_only).size() == 3);
    EXPECT(read(b, range<1>(3), id<1>(2)).get_offset() == id<1>(2));
    EXPECT(read(b, h, 3).get_range() == range<1>(3) && read(b, h, 3, sycl::read_only).size() == 3);
    EXPECT(read(b, h, 3, 2).get_offset()[0] == 2 && read(b, h, 3, 5, sycl::read_only).size() == 3);
    accessor<int, 0> zero(b, h);
    accessor<int, 0> zero_later(b);
    EXPECT(zero.size() == 1 && zero.byte_size() == 4 && !zero.empty() &&
           zero_later.is_placeholder());
    accessor<int, 1, access_mode::read, target::constant_buffer> constant(b, h);
    EXPECT(constant.size() == 8);
    rw nothing, other_nothing;
    EXPECT(nothing.empty() && nothing.size() == 0 && nothing.byte_size() == 0 &&
           nothing.max_size() == 0 && nothing.begin() == nothing.end() &&
           nothing == other_nothing && !nothing.is_placeholder());
    h.require(nothing);  // no placeholder: without effect
    EXPECT_SAYS(invalid, "4 elements from element 5 on", accessor(b, h, range<1>(4), id<1>(5)));
    EXPECT_SAYS(invalid, "dimension 0", accessor(b, range<1>(9)));
    EXPECT_SAYS(invalid, "no_init", accessor(b, h, sycl::read_only, sycl::no_init));
    EXPECT_SAYS(invalid, "no_init", host_accessor(b, sycl::read_only, sycl::no_init));
    EXPECT_SAYS(invalid, "dimension 0", host_accessor(b, range<1>(1), id<1>(8)));
    accessor init(b, h, sycl::write_only, {sycl::no_init});
    EXPECT(init.has_property<sycl::property::no_init>());
    (void)init.get_property<sycl::property::no_init>();
    EXPECT_SAYS(invalid, "without this property",
                (void)read(b).get_property<sycl::property::no_init>());
  });
  const std::vector<int> source(4, 1);
  buffer<const int> fixed(source);
  buffer<int> loose(source);
  q.submit([&](handler &h) {
    EXPECT(accessor(fixed, h).size() == 4);
    // Elements that are not const are a copy, which may change.
    accessor(loose, h, sycl::write_only);
  });
  EXPECT(host_accessor(fixed)[3] == 1 && host_accessor(loose)[3] == 1);
}

// Sums over iterators, forwards and backwards, in every dimension.
template <int Dimensions>
static void check_iterators(sycl::queue &q, range<Dimensions> whole, range<Dimensions> part,
                            id<Dimensions> offset) {
  buffer<int, Dimensions> b(whole);
  {
    host_accessor a(b, sycl::write_only, sycl::no_init);
    std::iota(a.begin(), a.end(), 1);
    EXPECT(*a.crbegin() == static_cast<int>(b.size()) &&
           a.end() - a.begin() == a.cend() - a.cbegin());
  }
  std::vector<int> expected;
  {
    host_accessor a(b, part, offset, sycl::read_only);
    expected.assign(a.begin(), a.end());
    EXPECT(expected.size() == part.size() && std::equal(a.crbegin(), a.crend(), expected.rbegin()));
    EXPECT(&*a.begin() == &a[id<Dimensions>()] && a.get_pointer() + 0 <= &*a.begin());
    EXPECT(a.begin()[static_cast<std::ptrdiff_t>(a.size()) - 1] == expected.back());
  }
  std::vector<int> forward(part.size()), backward(part.size());
  {
    buffer<int> f(forward), r(backward);
    q.submit([&](handler &h) {
      accessor a(b, h, part, offset, sycl::read_only);
      accessor fa(f, h, sycl::write_only), ra(r, h, sycl::write_only);
      h.single_task([=] {
        std::size_t n = 0;
        for (auto it = a.begin(); it != a.end(); ++it) {
          fa[n++] = *it;
        }
        n = 0;
        for (auto it = a.crbegin(); it != a.crend(); ++it) {
          ra[n++] = *it;
        }
      });
    });
    q.submit([&](handler &h) {
      accessor a(b, h, part, offset);
      h.parallel_for(range<1>(part.size()), [=](id<1> i) {
        a.begin()[static_cast<std::ptrdiff_t>(i[0])] *= 2;
        a.begin()[static_cast<std::ptrdiff_t>(i[0])] += 1;
      });
    });
  }
  EXPECT(forward == expected && std::equal(backward.begin(), backward.end(), expected.rbegin()));
  host_accessor after(b, part, offset, sycl::read_only);
  EXPECT(std::equal(after.begin(), after.end(), expected.begin(),
                    [](int now, int before) { return now == 2 * before + 1; }));
  host_accessor all(b, sycl::read_only);
  EXPECT(std::count_if(all.begin(), all.end(), [](int) { return true; }) ==
         static_cast<std::ptrdiff_t>(whole.size()));
}

static void check_pointers(sycl::queue &q) {
  std::vector<int> v(8);
  {
    buffer<int> b(v);
    q.submit([&](handler &h) {
      accessor a(b, h, range<1>(2), id<1>(4), sycl::write_only);
      h.single_task([=] {
        auto p = a.get_multi_ptr<access::decorated::no>();
        auto d = a.get_multi_ptr<access::decorated::yes>();
        p[0] = 10;  // the buffer's start, not the range's
        d.get()[1] = 11;
        a[0] = 12;
        a.get_pointer()[2] = 13;
        a[1] = static_cast<int>(&a[0] - p.get());
      });
    });
    q.submit([&](handler &h) {
      accessor<int, 1, access_mode::read, target::constant_buffer> c(b, h);
      accessor to(b, h, range<1>(1), id<1>(7), sycl::write_only);
      h.single_task([=] { to[0] = c[4] + c.get_pointer()[0]; });
    });
    q.submit([&](handler &h) {
      accessor a(b, h, range<1>(2), id<1>(4), sycl::read_write_host_task);
      h.host_task([=] {
        int *p = a.get_pointer();
        int *same = a.get_multi_ptr<access::decorated::no>();
        p[3] = a[0] + static_cast<int>(same == p);
      });
    });
    host_accessor a(b, range<1>(2), id<1>(4));
    EXPECT(a.get_pointer() + 4 == &a[0]);
  }
  EXPECT((v == std::vector<int>{10, 11, 13, 13, 12, 4, 0, 22}));
}

static void check_zero_dimensions(sycl::queue &q) {
  int value = 20;
  {
    buffer<int> b(&value, 1);
    q.submit([&](handler &h) {
      accessor<int, 0> a(b, h);
      accessor<int, 0, access_mode::read> r(b, h);
      h.single_task([=] {
        int &ref = a;
        ref += 1;
        a = static_cast<int>(a) + r;
        *a.begin() += static_cast<int>(a.end() - a.begin());
        a.get_multi_ptr<access::decorated::no>()[0] += 1;
      });
    });
    host_accessor<int, 0> a(b);
    const int &seen = a;
    EXPECT(seen == 44 && static_cast<int>(a) == 44 && a.size() == 1 && &*a.begin() == &seen);
    a = 45;
    host_accessor<int, 0, access_mode::read> r(b);
    EXPECT(r == 45);
  }
  EXPECT(value == 45);
}

// The deprecated access_mode::atomic: subscripts give sycl::atomic.
static void check_atomic_mode(sycl::queue &q) {
  buffer<int> counts(2);
  buffer<int, 2> grid({2, 2});
  {
    host_accessor c(counts);
    host_accessor g(grid);
    std::fill(c.begin(), c.end(), 0);
    std::fill(g.begin(), g.end(), 0);
  }
  q.submit([&](handler &h) {
    accessor<int, 1, access_mode::atomic> a(counts, h);
    accessor<int, 2, access_mode::atomic> g(grid, h);
    accessor<int, 0, access_mode::atomic> first(counts, h);
    h.parallel_for(range<1>(100), [=](id<1> i) {
      a[i % 2].fetch_add(1);
      g[i[0] % 2][0].fetch_add(2);
      g[id<2>(1, 1)].fetch_max(static_cast<int>(i[0]));
      sycl::atomic<int> one = first;
      one.fetch_add(1);
    });
  });
  host_accessor c(counts, sycl::read_only);
  host_accessor g(grid, sycl::read_only);
  EXPECT(c[0] == 150 && c[1] == 50 && g[0][0] == 100 && g[1][0] == 100 && g[1][1] == 99);
}

static void check_common(sycl::queue &q) {
  buffer<int> b(4), c(4);
  q.submit([&](handler &h) {
    accessor a(b, h), same = a, other(b, h), later(c);
    EXPECT(a == same && a != other && same != other);
    EXPECT(std::hash<decltype(a)>()(a) == std::hash<decltype(a)>()(same));
    a.swap(later);
    EXPECT(a.is_placeholder() && !later.is_placeholder() && later == same);
    h.require(a);
    h.require(a);  // again is no mistake
    h.parallel_for(4, [=](id<1> i) { a[i] = later[i] = static_cast<int>(i); });
  });
  host_accessor x(b), y(b), z = x;
  EXPECT(x == z && x != y && std::hash<decltype(x)>()(x) == std::hash<decltype(x)>()(z));
  x.swap(y);
  EXPECT(y == z && x != z);
  EXPECT(y[3] == 3 && host_accessor(c, sycl::read_only)[2] == 2);
  host_accessor<int> nothing;
  EXPECT(nothing.empty() && nothing.max_size() == 0 && nothing.byte_size() == 0);
}

static void check_get_access(sycl::queue &q) {
  buffer<int, 2> b({4, 4});
  sycl::property_list none;
  q.submit([&](handler &h) {
    EXPECT((b.get_access<access_mode::write>(h).size() == 16));
    EXPECT((b.get_access<access_mode::read, target::host_task>(h).size() == 16));
    EXPECT((b.get_access<access_mode::write>(h, {2, 2}, {1, 1}).get_offset() == id<2>(1, 1)));
    EXPECT(b.get_access(h).size() == 16 && b.get_access(h, sycl::read_only).size() == 16);
    EXPECT(b.get_access(h, range<2>(1, 2), id<2>(0, 1), sycl::write_only).size() == 2);
    EXPECT(b.get_access(sycl::read_only).is_placeholder() && b.get_access().is_placeholder());
    EXPECT(b.get_access(range<2>(1, 2), sycl::read_only).size() == 2);
  });
  EXPECT(b.get_host_access().size() == 16 && b.get_host_access(sycl::read_only).size() == 16);
  EXPECT(b.get_host_access(range<2>(1, 2), id<2>(0, 1), sycl::write_only).size() == 2);
  EXPECT(b.get_host_access(sycl::write_only, sycl::no_init).size() == 16);
  EXPECT(b.get_access<access_mode::read>().get_count() == 16);
  EXPECT((b.get_access<access_mode::read_write>(range<2>(1, 2), id<2>(3, 2)).get_size() == 8));
}

static void check_requirements(sycl::queue &q) {
  buffer<int> b(4), c(4);
  accessor later(c);
  EXPECT_SAYS(kernel_argument, "handler::require", q.submit([&](handler &h) {
    accessor a(b, h);
    h.parallel_for(4, [=](id<1> i) { a[i] = later[i]; });
  }));
  EXPECT_SAYS(kernel_argument, "handler::require",
              q.submit([&](handler &h) { h.host_task([=] { (void)later[0]; }); }));
  EXPECT_SAYS(kernel_argument, "queue::submit", q.parallel_for(4, [=](id<1> i) { later[i] = 1; }));
  // A requirement that the kernel does not use orders it all the same.
  int order = 0;
  q.submit([&](handler &h) {
    accessor a(b, h, sycl::write_only_host_task);
    h.host_task([=, &order] {
      (void)a;
      order = order * 10 + 1;
    });
  });
  q.submit([&](handler &h) {
    h.require(accessor(b));
    h.host_task([&order] { order = order * 10 + 2; });
  });
  (void)host_accessor(b);
  EXPECT(order == 12);
}

int main() {
  sycl::queue q;
  check_constructors(q);
  check_iterators<1>(q, {10}, {4}, {3});
  check_iterators<2>(q, {4, 5}, {2, 3}, {1, 2});
  check_iterators<3>(q, {3, 4, 5}, {2, 2, 3}, {1, 1, 2});
  check_pointers(q);
  check_zero_dimensions(q);
  check_atomic_mode(q);
  check_common(q);
  check_get_access(q);
  check_requirements(q);
  q.wait_and_throw();
  return failures;
}
