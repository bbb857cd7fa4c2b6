// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// buffer: every constructor with every kind of allocator, where the data goes at the end, out of
// memory, and buffers that die while commands use them.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

using sycl::accessor;
using sycl::buffer;
using sycl::handler;
using sycl::host_accessor;
using sycl::range;
namespace property = sycl::property;

static sycl::queue *queue;

template <class B>
static sycl::event add_one(B &b) {
  return queue->submit([&](handler &h) {
    accessor a(b, h);
    h.parallel_for(b.get_range(), [=](auto i) { a[i.get_id()] += 1; });
  });
}

static std::atomic<int> live{0}, made{0};
template <class T>
struct counting {
  using value_type = T;
  int mark = 0;
  counting(int m = 0) : mark(m) {}
  template <class U>
  counting(const counting<U> &other) : mark(other.mark) {}
  T *allocate(std::size_t n) {
    if (n > 1000) {
      throw std::bad_alloc();
    }
    T *memory = std::allocator<T>().allocate(n);
    ++live, ++made;
    return memory;
  }
  void deallocate(T *p, std::size_t n) {
    --live;
    std::allocator<T>().deallocate(p, n);
  }
};

static void check_constructors() {
  const sycl::property_list none;
  const counting<int> own(7);
  const sycl::buffer_allocator<int> plain;
  int raw[4] = {1, 2, 3, 4};
  const int *fixed = raw;
  std::vector<int> vector{1, 2, 3, 4};
  const std::vector<int> &const_vector = vector;
  std::array<int, 4> array{1, 2, 3, 4};
  const std::list<int> list{1, 2, 3, 4};
  auto one = std::make_shared<int>(1);
  std::shared_ptr<int[]> many(new int[4]{1, 2, 3, 4});
  const range<1> r(4);
  using own_buffer = buffer<int, 1, counting<int>>;
  // Without host data there is nothing to look at but the size.
  EXPECT(buffer<int>(r).size() == 4 && buffer<int>(r, none).size() == 4);
  EXPECT(buffer<int>(r, plain).size() == 4 && buffer<int>(r, plain, none).size() == 4);
  EXPECT(own_buffer(r, own).get_allocator().mark == 7 && own_buffer(r, own, none).size() == 4);
  int checked = 0;
  const auto check = [&](auto b, bool goes_home) {
    static_assert(std::is_same_v<typename decltype(b)::value_type, int>);
    static_assert(std::is_same_v<typename decltype(b)::reference, int &> &&
                  std::is_same_v<typename decltype(b)::const_reference, const int &>);
    ++checked;
    EXPECT(b.byte_size() == b.size() * sizeof(int));
    add_one(b);
    host_accessor a(b, sycl::read_only);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != static_cast<int>(i) + 2) {
        std::printf("constructor %d: element %d is %d\n", checked, static_cast<int>(i), a[i]);
        ++failures;
      }
    }
    b.set_write_back(goes_home);
  };
  check(buffer<int>(raw, r), false);
  check(buffer<int>(vector.data(), r, plain), false);
  EXPECT(raw[0] == 2 && vector[0] == 2);  // used in place
  raw[0] = raw[1] = raw[2] = raw[3] = 0;
  const auto reset = [](auto &cells) {
    for (int i = 0; i < 4; ++i) {
      cells[static_cast<std::size_t>(i)] = i + 1;
    }
  };
  reset(raw);
  reset(vector);
  check(buffer<int>(fixed, r), true);
  check(buffer<int>(fixed, r, none), true);
  check(buffer<int>(fixed, r, plain, none), true);
  check(own_buffer(fixed, r, own), true);
  check(buffer(fixed, r), true);
  check(buffer(fixed, r, own), true);
  check(buffer<int>(const_vector), true);
  check(buffer<int>(const_vector, none), true);
  check(buffer<int>(const_vector, plain), true);
  check(own_buffer(const_vector, own, none), true);
  EXPECT(raw[3] == 4 && vector[3] == 4);
  check(buffer<int>(list.begin(), list.end()), true);
  check(buffer<int>(list.begin(), list.end(), plain), true);
  check(own_buffer(list.begin(), list.end(), own, none), true);
  check(buffer(list.begin(), list.end()), true);
  check(buffer(list.begin(), list.end(), own), true);
  check(buffer<int>(std::move_iterator(vector.begin()), std::move_iterator(vector.end())), true);
  EXPECT(list.front() == 1 && vector[0] == 1);
  check(buffer(vector), true);
  EXPECT(vector[3] == 5);
  reset(vector);
  check(buffer(vector, own), true);
  EXPECT(vector[3] == 5);
  check(buffer(array), true);
  EXPECT(array[3] == 5);
  reset(array);
  check(own_buffer(array, own), true);
  EXPECT(array[3] == 5);
  check(buffer<int>(one, range<1>(1)), true);
  EXPECT(*one == 2);
  *one = 1;
  check(own_buffer(one, range<1>(1), own, none), true);
  EXPECT(*one == 2);
  check(buffer<int>(many, r), true);
  EXPECT(many[3] == 5);
  reset(many);
  check(own_buffer(many, r, own), true);
  EXPECT(many[3] == 5);
  EXPECT(live == 0 && made > 0);
  std::vector<int> nothing;
  buffer empty(nothing);
  EXPECT(empty.size() == 0 && empty.byte_size() == 0);
  add_one(empty).wait();
  EXPECT(host_accessor(empty).empty());
  EXPECT_ERRC(invalid, (buffer<int>(static_cast<int *>(nullptr), r)));
  EXPECT(buffer<int>(std::shared_ptr<int>(), r).get_range() == r);  // without contents
  EXPECT(buffer<int>(static_cast<int *>(nullptr), range<1>(0)).size() == 0);
  struct pair {
    char c;
    double d;
  };
  std::vector<pair> pairs(3, pair{'a', 1.0});
  {
    buffer b(pairs);
    auto same = b.reinterpret<pair, 1>();
    EXPECT(same == same && b.size() == 3);
    queue->submit([&](handler &h) {
      accessor a(b, h);
      h.single_task([=] { a[2].d = 5.0; });
    });
  }
  EXPECT(pairs[2].d == 5.0 && pairs[2].c == 'a');
}

// A shared pointer's memory stays for as long as the buffer needs it.
static void check_shared_ownership() {
  bool gone = false;
  std::shared_ptr<int> cells(new int[2]{1, 2}, [&](int *p) {
    gone = true;
    delete[] p;
  });
  {
    buffer<int> b(cells, range<1>(2));
    cells.reset();
    add_one(b);
    EXPECT(!gone && host_accessor(b)[1] == 3);
  }
  EXPECT(gone);
}

template <class Destination>
static void finish_to(Destination destination) {
  buffer<int> b(range<1>(3));
  b.set_final_data(destination);
  queue->submit([&](handler &h) {
    accessor a(b, h, sycl::write_only, sycl::no_init);
    h.parallel_for(3, [=](sycl::id<1> i) { a[i] = 10 * (static_cast<int>(i) + 1); });
  });
}

static void check_final_data() {
  const std::vector<int> expected{10, 20, 30};
  int raw[3] = {};
  finish_to(raw);
  EXPECT(std::memcmp(raw, expected.data(), sizeof(raw)) == 0);
  double other_type[3] = {};
  finish_to(other_type);
  EXPECT(other_type[2] == 30.0);
  std::memset(raw, 0, sizeof(raw));
  finish_to(static_cast<void *>(raw));
  EXPECT(std::memcmp(raw, expected.data(), sizeof(raw)) == 0);
  int owned[3] = {};
  finish_to(std::shared_ptr<void>(owned, [](void *) {}));
  EXPECT(std::memcmp(owned, expected.data(), sizeof(owned)) == 0);
  std::vector<int> vector(3), grown;
  finish_to(vector.begin());
  EXPECT(vector == expected);
  finish_to(std::back_inserter(grown));
  EXPECT(grown == expected);
  std::shared_ptr<int> shared(new int[3](), std::default_delete<int[]>());
  finish_to(shared);
  EXPECT(shared.get()[2] == 30);
  shared.get()[2] = 0;
  finish_to(std::weak_ptr<int>(shared));
  EXPECT(shared.get()[2] == 30);
  std::weak_ptr<int> expired = shared;
  shared.reset();
  finish_to(expired);
  finish_to(std::shared_ptr<int>());
  finish_to(static_cast<int *>(nullptr));
  finish_to(nullptr);
  // The last one set counts, and memory that the buffer was made of does not change then.
  int host[3] = {1, 2, 3}, first[3] = {}, second[3] = {};
  {
    buffer<int> b(host, 3);
    b.set_final_data(first);
    b.set_final_data(second);
    add_one(b);
  }
  EXPECT(host[0] == 1 && first[0] == 0 && second[0] == 2 && second[2] == 4);
  {
    buffer<int> b(host, 3);
    b.set_final_data();
    add_one(b);
    b.set_write_back();
  }
  EXPECT(host[0] == 1);
  {
    buffer<int> b(host, 3);
    b.set_write_back(false);
    add_one(b);
    b.set_write_back(true);
  }
  EXPECT(host[0] == 2);
  {
    buffer<int> b(host, 3);
    buffer<int> copy = b;
    {
      buffer<int> moved = std::move(b);
      add_one(moved);
    }
    add_one(copy);
  }
  EXPECT(host[0] == 4);
}

static void check_properties() {
  alignas(64) int host[4] = {1, 2, 3, 4};
  std::mutex mutex;
  {
    buffer<int> b(host, 4, {property::buffer::use_host_ptr(), property::buffer::use_mutex(mutex)});
    EXPECT(b.has_property<property::buffer::use_host_ptr>() &&
           b.has_property<property::buffer::use_mutex>() &&
           !b.has_property<property::buffer::context_bound>());
    add_one(b);
    host_accessor a(b);
    EXPECT(a.get_pointer() == host && a[3] == 5);
  }
  {
    // No copy is made, although the destination is elsewhere.
    int other[4] = {};
    {
      buffer<int> b(host, 4, {property::buffer::use_host_ptr()});
      b.set_final_data(other);
      add_one(b);
      EXPECT(&host_accessor(b)[0] == host);
    }
    EXPECT(other[0] == 3 && host[0] == 3);
  }
  {
    // While the mutex is held the runtime leaves the memory alone.
    auto b = std::make_unique<buffer<int>>(host, 4,
                                           sycl::property_list(property::buffer::use_mutex(mutex)));
    add_one(*b).wait();
    std::unique_lock<std::mutex> lock(mutex);
    EXPECT(host[0] == 3);
    host[0] = 100;
    std::thread closer([&] { b.reset(); });
    host[1] = 200;
    lock.unlock();
    closer.join();
    EXPECT(host[0] == 4 && host[1] == 5);
  }
  static_assert(sycl::is_property_of_v<property::buffer::use_host_ptr, buffer<int, 2>> &&
                !sycl::is_property_of_v<property::no_init, buffer<int>>);
}

static void check_out_of_memory() {
  const std::size_t half = std::size_t(1) << 46, much = std::size_t(1) << 60;
  EXPECT_ERRC(memory_allocation, (buffer<int, 2>({half, half})));
  EXPECT_ERRC(memory_allocation, (buffer<long, 1>(~std::size_t(0))));
  EXPECT_ERRC(memory_allocation, (buffer<int, 1, counting<int>>(range<1>(much / 4))));
  EXPECT_ERRC(memory_allocation, {
    buffer<char> b(much);
    host_accessor a(b, sycl::write_only);
  });
  EXPECT_ERRC(memory_allocation, {
    buffer<char> b(much);
    queue->submit([&](handler &h) {
      accessor a(b, h, sycl::write_only, sycl::no_init);
      h.single_task([=] { a[0] = 1; });
    });
  });
  try {
    buffer<char> b(much);
    host_accessor a(b);
  } catch (const sycl::exception &e) {
    EXPECT(std::strstr(e.what(), "1152921504606846976 bytes of a buffer"));
  }
}

// Buffers without anywhere to write to do not wait for the commands that use them; others do.
static void check_death_in_flight() {
  std::atomic<bool> go{false}, ran{false};
  sycl::event event;
  {
    buffer<int> b(range<1>(1024));
    event = queue->submit([&](handler &h) {
      accessor a(b, h, sycl::write_only_host_task);
      h.host_task([=, &go, &ran] {
        while (!go) {
          std::this_thread::yield();
        }
        for (int &x : a) {
          x = 1;
        }
        ran = true;
      });
    });
  }
  EXPECT(!ran);
  go = true;
  event.wait();
  EXPECT(ran);
  std::vector<int> home(4096);
  for (int round = 0; round < 20; ++round) {
    buffer<int> b(home), scratch(home.size());
    for (int i = 0; i < 5; ++i) {
      queue->submit([&](handler &h) {
        accessor from(b, h, sycl::read_only);
        accessor to(scratch, h, sycl::write_only, sycl::no_init);
        h.parallel_for(home.size(), [=](sycl::id<1> at) { to[at] = from[at] + 1; });
      });
      queue->submit([&](handler &h) {
        accessor from(scratch, h, sycl::read_only);
        accessor to(b, h, sycl::write_only);
        h.parallel_for(home.size(), [=](sycl::id<1> at) { to[at] = from[at]; });
      });
    }
  }
  EXPECT(home.front() == 100 && home.back() == 100);
}

int main() {
  sycl::queue q;
  queue = &q;
  check_constructors();
  check_shared_ownership();
  check_final_data();
  check_properties();
  check_out_of_memory();
  check_death_in_flight();
  q.wait_and_throw();
  return failures;
}
