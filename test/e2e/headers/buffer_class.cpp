// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// buffer: constructors, write-back rules, sub-buffers, reinterpret, allocators, properties.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
#include "Inputs/expect.hpp"

#include <array>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

static sycl::queue *queue;

// As specialized for DPC++'s buffer, for SYCL's, and with a template for a parameter.
template <class>
struct is_buffer : std::false_type {};
template <class T, int Dimensions, class AllocatorT>
struct is_buffer<sycl::buffer<T, Dimensions, AllocatorT, void>> : std::true_type {};
static_assert(is_buffer<sycl::buffer<int, 2>>::value && !is_buffer<int>::value);
template <class>
inline constexpr int dimensions = 0;
template <class T, int Dimensions, class AllocatorT>
inline constexpr int dimensions<sycl::buffer<T, Dimensions, AllocatorT>> = Dimensions;
static_assert(dimensions<sycl::buffer<int, 2>> == 2);
template <template <class, int, class> class Buffer>
using of_bytes = Buffer<std::byte, 1, sycl::buffer_allocator<std::byte>>;
static_assert(std::is_same_v<of_bytes<sycl::buffer>, sycl::buffer<std::byte>>);

template <class B>
static void add_one(B &b) {
  queue->submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for(b.get_range(), [=](auto i) { a[i.get_id()] += 1; });
  });
}

static int live_allocations = 0;
template <class T>
struct counting : std::allocator<T> {
  using value_type = T;
  template <class U>
  struct rebind {
    using other = counting<U>;
  };
  counting() = default;
  template <class U>
  counting(const counting<U> &) {}
  T *allocate(std::size_t n) {
    ++live_allocations;
    return std::allocator<T>::allocate(n);
  }
  void deallocate(T *p, std::size_t n) {
    --live_allocations;
    std::allocator<T>::deallocate(p, n);
  }
};

static void check_sources() {
  std::vector<int> v{1, 2, 3, 4};
  {
    sycl::buffer b(v);
    static_assert(std::is_same_v<decltype(b), sycl::buffer<int, 1>>);
    EXPECT(b.size() == 4 && b.byte_size() == 16 && b.get_count() == 4 && b.get_size() == 16);
    add_one(b);
  }
  EXPECT((v == std::vector<int>{2, 3, 4, 5}));
  {
    sycl::buffer<int, 2> b(v.data(), {2, 2});
    add_one(b);
  }
  EXPECT((v == std::vector<int>{3, 4, 5, 6}));
  {
    sycl::buffer b(static_cast<const int *>(v.data()), sycl::range<1>(4));
    static_assert(std::is_same_v<decltype(b), sycl::buffer<int, 1>>);
    add_one(b);
    EXPECT(sycl::host_accessor(b)[0] == 4);
  }
  EXPECT(v[0] == 3);
  {
    const std::vector<int> &cv = v;
    sycl::buffer<int> b(cv);
    add_one(b);
  }
  EXPECT(v[0] == 3);
  std::list<int> l{7, 8, 9};
  {
    sycl::buffer b(l.begin(), l.end());
    EXPECT(b.size() == 3);
    add_one(b);
    sycl::host_accessor a(b, sycl::read_only);
    EXPECT(a[0] == 8 && a[2] == 10);
  }
  EXPECT(l.front() == 7);
  const std::list<int> numbers = {2, 0, 256};
  sycl::buffer<bool> booleans(numbers.begin(), numbers.end());
  sycl::host_accessor b(booleans, sycl::read_only);
  EXPECT(b[0] && !b[1] && b[2]);
  {
    sycl::buffer<int> b(v.begin(), v.end());
    b.set_final_data(v.begin());
    add_one(b);
  }
  EXPECT((v == std::vector<int>{4, 5, 6, 7}));
  std::array<int, 2> arr{1, 2};
  {
    sycl::buffer<int> b(arr);
    add_one(b);
  }
  EXPECT(arr[1] == 3);
  auto shared = std::make_shared<int>(5);
  {
    sycl::buffer<int> b(shared, sycl::range<1>(1));
    add_one(b);
  }
  EXPECT(*shared == 6);
  std::shared_ptr<int[]> many(new int[3]{1, 2, 3});
  {
    sycl::buffer<int> b(many, sycl::range<1>(3));
    add_one(b);
    sycl::buffer<int> copy = b;
    EXPECT(copy == b && std::hash<sycl::buffer<int>>()(copy) == std::hash<sycl::buffer<int>>()(b));
  }
  EXPECT(many[2] == 4);
  {
    sycl::buffer<int> empty(sycl::range<1>(0));
    EXPECT(empty.size() == 0 && sycl::host_accessor(empty).empty());
  }
  EXPECT_ERRC(invalid, (sycl::buffer<int>(static_cast<int *>(nullptr), sycl::range<1>(4))));
}

static void check_final_data() {
  int host[3] = {1, 2, 3}, other[3] = {};
  {
    sycl::buffer<int> b(host, 3);
    b.set_final_data(other);
    add_one(b);
  }
  EXPECT(other[0] == 2 && other[2] == 4);
  int quiet[3] = {1, 2, 3};
  {
    const int *source = quiet;
    sycl::buffer<int> b(source, 3);
    b.set_final_data(nullptr);
    add_one(b);
  }
  EXPECT(quiet[0] == 1);
  auto target = std::shared_ptr<int>(new int[3](), std::default_delete<int[]>());
  {
    sycl::buffer<int> b(sycl::range<1>(3));
    b.set_final_data(std::weak_ptr<int>(target));
    queue->submit([&](sycl::handler &h) {
      sycl::accessor a(b, h, sycl::write_only, sycl::no_init);
      h.parallel_for(3, [=](sycl::id<1> i) { a[i] = 9; });
    });
  }
  EXPECT(target.get()[2] == 9);
  int off[1] = {1};
  {
    sycl::buffer<int> b(sycl::range<1>(1));
    b.set_final_data(off);
    b.set_write_back(false);
    add_one(b);
  }
  EXPECT(off[0] == 1);
}

static void check_parts() {
  std::vector<int> v(64, 0);
  {
    sycl::buffer<int, 2> b(v.data(), {4, 16});
    sycl::buffer<int, 2> rows(b, {1, 0}, {2, 16});
    EXPECT(rows.is_sub_buffer() && !b.is_sub_buffer() && rows.size() == 32 && rows != b);
    add_one(rows);
    sycl::buffer<int, 2> part(b, {3, 0}, {1, 2});
    add_one(part);
    EXPECT_ERRC(invalid, (sycl::buffer<int, 2>(b, {0, 0}, {2, 2})));
    EXPECT_ERRC(invalid, (sycl::buffer<int, 2>(b, {3, 0}, {2, 16})));
    EXPECT_ERRC(invalid, (sycl::buffer<int, 2>(rows, {0, 0}, {1, 16})));
    auto line = b.reinterpret<int, 1>();
    EXPECT(line.size() == 64);
    add_one(line);
    auto bytes = rows.reinterpret<unsigned char>(sycl::range<1>(128));
    EXPECT(sycl::host_accessor(bytes)[0] == 2);
    EXPECT_ERRC(invalid, b.reinterpret<int>(sycl::range<1>(3)));
    auto same = b.reinterpret<float>();
    EXPECT(same.get_range() == sycl::range<2>(4, 16));
  }
  EXPECT(v[0] == 1 && v[15] == 1 && v[16] == 2 && v[47] == 2 && v[48] == 2 && v[49] == 2);
  EXPECT(v[50] == 1 && v[63] == 1);
}

static void check_properties() {
  int host[4] = {};
  {
    sycl::buffer<int> b(host, 4, {sycl::property::buffer::use_host_ptr()});
    EXPECT(b.has_property<sycl::property::buffer::use_host_ptr>());
    EXPECT(!b.has_property<sycl::property::buffer::use_mutex>());
    EXPECT_ERRC(invalid, (void)b.get_property<sycl::property::buffer::use_mutex>());
    add_one(b);
    sycl::host_accessor a(b);
    EXPECT(&a[0] == host);
  }
  EXPECT(host[3] == 1);
  std::mutex m;
  {
    sycl::buffer<int> b(host, 4, {sycl::property::buffer::use_mutex(m)});
    EXPECT(b.get_property<sycl::property::buffer::use_mutex>().get_mutex_ptr() == &m);
    add_one(b);
    queue->wait();
    {
      std::lock_guard<std::mutex> lock(m);
      EXPECT(host[0] == 1);
    }
    queue
        ->submit([&](sycl::handler &h) {
          sycl::accessor a(b, h, sycl::read_only);
          h.update_host(a);
        })
        .wait();
    {
      std::lock_guard<std::mutex> lock(m);
      EXPECT(host[0] == 2);
    }
    add_one(b);
  }
  EXPECT(host[0] == 3);
  sycl::context c = queue->get_context();
  sycl::buffer<int> bound(4, {sycl::property::buffer::context_bound(c)});
  EXPECT(bound.get_property<sycl::property::buffer::context_bound>().get_context() == c);
  static_assert(sycl::is_property_v<sycl::property::buffer::use_mutex> &&
                !sycl::is_property_v<int>);
  static_assert(sycl::is_property_of_v<sycl::property::buffer::use_mutex, sycl::buffer<float, 3>>);
  static_assert(!sycl::is_property_of_v<sycl::property::queue::in_order, sycl::buffer<float, 3>>);
  {
    sycl::buffer<int, 1, counting<int>> b(sycl::range<1>(8), counting<int>());
    std::list<int> l{1, 2};
    sycl::buffer<int, 1, counting<int>> from_list(l.begin(), l.end());
    add_one(from_list);
    EXPECT(live_allocations == 2 && sycl::host_accessor(from_list)[1] == 3);
    add_one(b);
  }
  EXPECT(live_allocations == 0);
}

int main() {
  sycl::queue q;
  queue = &q;
  check_sources();
  check_final_data();
  check_parts();
  check_properties();
  return failures;
}
