// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accessor: deduction, modes, ranges, placeholders, dimensions 0 to 3, iterators, conversions.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "Inputs/expect.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using sycl::access_mode;
using sycl::accessor;
using sycl::handler;
using sycl::target;

static void check_deduction(sycl::queue &q) {
  sycl::buffer<int> b(8);
  sycl::buffer<const int> cb(static_cast<const int *>(std::vector<int>(8).data()), 8);
  q.submit([&](handler &h) {
    accessor a1(b, h);
    accessor a2(b, h, sycl::read_only);
    accessor a3(b, h, sycl::write_only, sycl::no_init);
    accessor a4(b, h, sycl::read_write_host_task);
    accessor a5(b, h, sycl::range(2), sycl::read_only);
    accessor a6(b, h, sycl::range(2), sycl::id(1), sycl::write_only, {sycl::no_init});
    accessor a7(b);
    accessor a8(b, sycl::read_only);
    accessor a9(b, {2}, {1});
    accessor a10(b, h, {2}, {1}, sycl::read_only);
    accessor a11(cb, h);
    static_assert(std::is_same_v<decltype(a1), accessor<int, 1, access_mode::read_write>>);
    static_assert(std::is_same_v<decltype(a2), accessor<int, 1, access_mode::read>>);
    static_assert(std::is_same_v<decltype(a3), accessor<int, 1, access_mode::write>>);
    static_assert(
        std::is_same_v<decltype(a4), accessor<int, 1, access_mode::read_write, target::host_task>>);
    static_assert(std::is_same_v<decltype(a6), accessor<int, 1, access_mode::write>>);
    static_assert(std::is_same_v<decltype(a10), accessor<int, 1, access_mode::read>>);
    static_assert(std::is_same_v<decltype(a11), accessor<const int, 1, access_mode::read>>);
    static_assert(std::is_same_v<decltype(a2)::value_type, const int>);
    EXPECT(!a1.is_placeholder() && a7.is_placeholder() && a8.is_placeholder());
    EXPECT(a5.size() == 2 && a6.get_offset() == sycl::id(1) && a9.byte_size() == 8 &&
           a10.get_range()[0] == 2);
    EXPECT(a3.has_property<sycl::property::no_init>() &&
           !a2.has_property<sycl::property::no_init>());
    accessor copy = a1;
    EXPECT(copy == a1 && std::hash<decltype(a1)>()(a1) == std::hash<decltype(a1)>()(copy));
    accessor other(b, h);
    EXPECT(other != a1);
    copy.swap(other);
    EXPECT(other == a1 && copy != a1);
    accessor<const int> c1 = a1;
    accessor<int, 1, access_mode::read> c2 = c1;
    accessor<const int> c3 = a2;
    EXPECT(c1.size() == 8 && c2.size() == 8 && c3.size() == 8);
    accessor<int> nothing;
    EXPECT(nothing.size() == 0 && nothing.empty());
    accessor<const int> shows(b, h);
    EXPECT(shows.size() == 8);
    EXPECT_ERRC(invalid, (accessor(b, h, sycl::read_only, sycl::no_init)));
    EXPECT_ERRC(invalid, (accessor(b, h, {6}, {3})));
    EXPECT_ERRC(invalid, (accessor(b, {9})));
    EXPECT_ERRC(invalid, (accessor<const int>().get_property<sycl::property::no_init>()));
  });
}

static void check_dimensions(sycl::queue &q) {
  std::vector<int> v(2 * 3 * 4);
  {
    sycl::buffer<int, 3> b(v.data(), {2, 3, 4});
    q.submit([&](handler &h) {
      accessor a(b, h, sycl::write_only, sycl::no_init);
      h.parallel_for({2, 3, 4}, [=](sycl::id<3> i) {
        a[i] = static_cast<int>(i[0] * 100 + i[1] * 10 + i[2]);
      });
    });
    q.submit([&](handler &h) {
      accessor a(b, h);
      h.parallel_for({2, 3, 4}, [=](sycl::item<3> i) {
        a[i[0]][i[1]][i[2]] += static_cast<int>(a[i] > 0) * 1000;
      });
    });
    q.submit([&](handler &h) {
      accessor a(b, h, {1, 2, 2}, {1, 1, 1});
      h.single_task([=] {
        for (int &x : a) {
          x += 5;
        }
        a[0][1][0] = -1;
        *a.rbegin() = static_cast<int>(a.end() - a.begin());
      });
    });
  }
  EXPECT(v[0] == 0 && v[1] == 1001 && v[23] == 1123 && v[17] == 1116 && v[18] == 1117);
  EXPECT(v[21] == -1 && v[22] == 4 && v[16] == 1110);
  int one = 3;
  {
    sycl::buffer<int> b(&one, 1);
    q.submit([&](handler &h) {
      accessor<int, 0> a(b, h);
      static_assert(std::is_same_v<decltype(a)::reference, int &>);
      EXPECT(a.size() == 1);
      h.single_task([=] { a = a + 1; });
    });
    q.submit([&](handler &h) {
      accessor<int, 0, access_mode::read> r(b, h);
      accessor<int, 0, access_mode::write> w(b, h);
      h.single_task([=] { w = r * 10; });
    });
  }
  EXPECT(one == 40);
  std::vector<int> w(10);
  {
    sycl::buffer b(w);
    q.submit([&](handler &h) {
      accessor a(b, h, sycl::range(4), sycl::id(3), sycl::write_only);
      h.parallel_for(4, [=](sycl::item<1> i) { a[i] = static_cast<int>(i.get_id(0)) + 1; });
    });
    q.submit([&](handler &h) {
      accessor a(b, h);
      h.single_task([=] {
        std::ptrdiff_t n = a.cend() - a.cbegin();
        a[9] = static_cast<int>(n);
      });
    });
  }
  EXPECT((w == std::vector<int>{0, 0, 0, 1, 2, 3, 4, 0, 0, 10}));
}

// Accessors in arrays, classes and base classes of the function object are found as well.
struct inner {
  accessor<int> a;
  int add;
};
struct base_part {
  accessor<int> a;
};
struct function : base_part {
  inner parts[2];
  void operator()(sycl::id<1> i) const { parts[0].a[i] = a[i] + parts[1].a[i] + parts[0].add; }
};

static void check_nesting(sycl::queue &q) {
  std::vector<int> x{1, 2}, y{10, 20}, z{0, 0};
  {
    sycl::buffer bx(x), by(y), bz(z);
    q.submit([&](handler &h) {
      function f{{accessor(bx, h)}, {{accessor(bz, h), 100}, {accessor(by, h), 0}}};
      h.parallel_for(2, f);
    });
  }
  EXPECT(z[0] == 111 && z[1] == 122);
}

static void check_placeholders(sycl::queue &q) {
  std::vector<int> v(4, 1);
  {
    sycl::buffer b(v);
    accessor a(b);
    EXPECT(a.is_placeholder());
    q.submit([&](handler &h) {
      h.require(a);
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] += 1; });
    });
    q.submit(
        [&](handler &h) { h.parallel_for(4, [=](sycl::id<1> i) { i[0] < 4 ? void() : void(); }); });
    EXPECT_ERRC(kernel_argument, q.submit([&](handler &h) {
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] += 100; });
    }));
    EXPECT_ERRC(kernel_argument, q.parallel_for(4, [=](sycl::id<1> i) { a[i] += 100; }));
    sycl::buffer<int> other(4);  // what it held is lost
    auto g = other.get_access<access_mode::discard_write>();
    EXPECT(g.size() == 4);
  }
  EXPECT(v[0] == 2 && v[3] == 2);
}

static void check_get_access(sycl::queue &q) {
  sycl::buffer<int> b(4);
  q.submit([&](handler &h) {
    auto a = b.get_access<access_mode::discard_write>(h);
    h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 5; });
  });
  q.submit([&](handler &h) {
    auto a = b.get_access<access_mode::read_write>(h, 2, 1);
    auto r = b.get_access(h, sycl::read_only);
    h.parallel_for(2, [=](sycl::id<1> i) { a[i] = r[3] + static_cast<int>(i) + 1; });
  });
  auto ha = b.get_host_access(sycl::read_only);
  EXPECT(ha[0] == 5 && ha[1] == 6 && ha[2] == 7 && ha[3] == 5);
}

// sycl_ext_oneapi_accessor_properties.
static void check_listed_properties(sycl::queue &q) {
  namespace oneapi = sycl::ext::oneapi;
  namespace property = oneapi::property;
  using oneapi::accessor_property_list;
  using read_property = accessor<int, 1, access_mode::read, target::device,
                                 sycl::access::placeholder::true_t, accessor_property_list<>>;
  static_assert(std::is_same_v<read_property, accessor<int, 1, access_mode::read, target::device,
                                                       sycl::access::placeholder::true_t>>);
  static_assert(oneapi::is_compile_time_property<property::no_alias>::value);
  std::vector<int> out(4);
  sycl::buffer<int> b(4);
  const accessor_property_list both{oneapi::no_alias, sycl::no_init};
  const accessor_property_list<property::no_offset::instance<>> one{oneapi::no_offset};
  static_assert(both.has_property<property::no_alias>() &&
                !both.has_property<property::no_offset>());
  EXPECT(both.has_property<sycl::property::no_init>());
  q.submit([&](handler &h) {
    accessor a(b, h, sycl::write_only, both);
    const accessor last(b, h, sycl::range(2), sycl::id(2), one), copy = last;
    auto got = b.get_access(h, sycl::range(2), sycl::write_only, one);
    static_assert(a.has_property<property::no_alias>() && !a.has_property<property::no_offset>());
    static_assert(a.get_property<property::no_alias>() == oneapi::no_alias);
    static_assert(std::is_base_of_v<accessor<int, 1, access_mode::write>, decltype(a)>);
    static_assert(std::is_same_v<decltype(got), accessor<int, 1, access_mode::write, target::device,
                                                         sycl::access::placeholder::false_t,
                                                         std::remove_const_t<decltype(one)>>>);
    EXPECT(a.has_property<sycl::property::no_init>() && copy == last);
    EXPECT(!last.has_property<sycl::property::no_init>() && got.get_range()[0] == 2);
    const auto other = got;
    EXPECT(std::hash<decltype(got)>()(got) == std::hash<decltype(got)>()(other));
    h.single_task([=] {
      a[0] = 10;
      got[1] = 11;
      last[0] = 12;
      copy[1] = 13;
    });
  });
  const accessor all(b, sycl::read_only, one);
  q.copy(all, out.data()).wait();
  EXPECT((out == std::vector<int>{10, 11, 12, 13}));
  const read_property placeholder(b);
  std::fill(out.begin(), out.end(), 0);
  q.copy(placeholder, out.data()).wait();
  EXPECT(out[3] == 13);
  accessor<int, 1, access_mode::read_write, target::device, sycl::access::placeholder::true_t,
           accessor_property_list<property::no_alias::instance<>>>
      filled(b);
  q.fill(filled, 4).wait();
  EXPECT(sycl::host_accessor(b)[3] == 4);
}

int main() {
  sycl::queue q;
  check_listed_properties(q);
  check_deduction(q);
  check_dimensions(q);
  check_nesting(q);
  check_placeholders(q);
  check_get_access(q);
  return failures;
}
