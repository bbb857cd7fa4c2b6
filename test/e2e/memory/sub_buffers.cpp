// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-buffers: what they show, what is refused, and that only uses of the same bytes wait for each
// other. Where an order is wrong that a correct runtime cannot have, the program never ends.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "Inputs/expect_words.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

using sycl::access_mode;
using sycl::accessor;
using sycl::buffer;
using sycl::handler;
using sycl::host_accessor;

static std::size_t alignment(const sycl::queue &q) {
  return q.get_device().get_info<sycl::info::device::mem_base_addr_align>() / 8;
}

// Elements from one aligned place to the next.
static std::size_t stride(const sycl::queue &q) { return alignment(q) / sizeof(int); }

template <class B>
static sycl::event add(sycl::queue &q, B &b, int amount) {
  return q.submit([&](handler &h) {
    accessor a(b, h);
    h.parallel_for(b.get_range(), [=](auto i) { a[i.get_id()] += amount; });
  });
}

static void check_refusals(sycl::queue &q) {
  const std::size_t n = stride(q);
  buffer<int> b(4 * n);
  buffer<int> part(b, n, n);
  EXPECT(part.is_sub_buffer() && part.size() == n && part.byte_size() == n * sizeof(int));
  EXPECT_SAYS(invalid, "made from a sub-buffer", buffer<int>(part, 0, 1));
  EXPECT_SAYS(invalid, "dimension 0", buffer<int>(b, n, 4 * n));
  EXPECT_SAYS(invalid, "from element", buffer<int>(b, 5 * n, 0));
  EXPECT_SAYS(invalid, "dimension 0", (buffer<int>(b, 1, ~std::size_t(0))));
  buffer<int, 3> cube({2, 4, n});
  EXPECT((buffer<int, 3>(cube, {1, 2, 0}, {1, 2, n}).size() == 2 * n));
  EXPECT((buffer<int, 3>(cube, {0, 0, 0}, {2, 4, n}).size() == 8 * n));
  EXPECT_SAYS(invalid, "contiguous", (buffer<int, 3>(cube, {0, 0, 0}, {2, 2, n})));
  EXPECT_SAYS(invalid, "contiguous", (buffer<int, 3>(cube, {0, 0, 0}, {1, 2, n - 1})));
  EXPECT_SAYS(invalid, "dimension 1", (buffer<int, 3>(cube, {0, 3, 0}, {1, 2, n})));
  EXPECT_SAYS(invalid, "set_final_data", part.set_final_data(nullptr));

  // The alignment is the business of the device that uses it, not of the host.
  buffer<int> crooked(b, 1, n);
  EXPECT(host_accessor(crooked).size() == n);
  accessor placeholder(crooked);
  q.submit([&](handler &h) {
    EXPECT_SAYS(invalid, "mem_base_addr_align", accessor(crooked, h));
    EXPECT_SAYS(invalid, "begins at byte 4 ", accessor(crooked, h, sycl::read_only_host_task));
    EXPECT_SAYS(invalid, "mem_base_addr_align", h.require(placeholder));
  });
}

static void check_values(sycl::queue &q) {
  const std::size_t n = stride(q);
  std::vector<int> v(4 * n);
  {
    buffer<int> b(v);
    buffer<int> low(b, 0, 2 * n), high(b, 2 * n, 2 * n), middle(b, n, 2 * n);
    add(q, low, 1);
    add(q, high, 10);
    add(q, middle, 100);
    add(q, b, 1000);
    {
      host_accessor m(middle, sycl::read_only);
      EXPECT(m[0] == 1101 && m[n - 1] == 1101 && m[n] == 1110 && m.size() == 2 * n);
      EXPECT(m.get_pointer() == &m[0]);
    }
    // Both halves in one command group: one is read, the other written.
    q.submit([&](handler &h) {
      accessor from(low, h, sycl::read_only);
      accessor to(high, h, sycl::write_only, sycl::no_init);
      h.parallel_for(2 * n, [=](sycl::id<1> i) { to[i] = from[i] * 2; });
    });
    // The whole beside a part of it.
    q.submit([&](handler &h) {
      accessor all(b, h, sycl::range<1>(1), sycl::id<1>(0), sycl::write_only);
      accessor last(high, h, sycl::range<1>(1), sycl::id<1>(2 * n - 1), sycl::read_only);
      h.single_task([=] { all[0] = last[0] + 1; });
    });
    q.submit(
        [&](handler &h) { h.fill(accessor(middle, h, sycl::range<1>(2), sycl::write_only), 7); });
    auto bytes = middle.reinterpret<unsigned char, 1>();
    EXPECT(bytes.is_sub_buffer() && bytes.size() == 2 * n * sizeof(int));
    EXPECT(host_accessor(bytes)[0] == 7 && host_accessor(bytes)[4] == 7);
    auto square = middle.reinterpret<float>(sycl::range<2>(2, n));
    EXPECT(square.is_sub_buffer() && square.get_range() == sycl::range<2>(2, n));
    buffer<int> same = middle;
    EXPECT(same == middle && same != low && same != b);
    EXPECT(std::hash<buffer<int>>()(same) == std::hash<buffer<int>>()(middle));
  }
  EXPECT(v[0] == 2203 && v[1] == 1001 && v[n] == 7 && v[n + 1] == 7 && v[2 * n] == 2002);
  EXPECT(v[4 * n - 1] == 2202);
}

// Parts outlive the variable that they were made from; the last of all brings the data home.
static void check_lifetime(sycl::queue &q) {
  const std::size_t n = stride(q);
  std::vector<int> v(2 * n, 1);
  {
    auto whole = std::make_unique<buffer<int>>(v);
    buffer<int> part(*whole, n, n);
    whole.reset();
    for (int i = 0; i < 100; ++i) {
      add(q, part, 1);
    }
  }
  EXPECT(v[0] == 1 && v[n] == 101 && v[2 * n - 1] == 101);
  // A part goes while commands use it and the whole lives on.
  {
    buffer<int> whole(v);
    {
      buffer<int> part(whole, 0, n);
      for (int i = 0; i < 100; ++i) {
        add(q, part, 1);
      }
    }
    EXPECT(host_accessor(whole)[n - 1] == 101);
  }
  EXPECT(v[0] == 101);
  std::vector<int> to(2 * n);
  {
    buffer<int> whole(v.data(), 2 * n);
    whole.set_final_data(to.data());
    buffer<int> part(whole, 0, n);
    part.set_write_back(false);  // of the whole
    add(q, part, 1);
    part.set_write_back(true);
  }
  EXPECT(v[0] == 101 && to[0] == 102 && to[n] == 101);
}

// An accessor keeps the bytes, but not the user's memory that they may have been in.
static void check_late_accessors(sycl::queue &q) {
  const std::size_t n = stride(q);
  const auto use = [&](accessor<int> a) {
    return q.submit([&](handler &h) {
      h.require(a);
      h.single_task([=] { a[0] = 3; });
    });
  };
  const auto made_of = [&](buffer<int> whole) {
    buffer<int> part(whole, n, n);
    return accessor(part);
  };
  const accessor<int> free = made_of(buffer<int>(2 * n));
  use(free).wait();
  std::vector<int> v(2 * n, 1), out(n);
  q.copy(free, out.data()).wait();
  EXPECT(out[0] == 3);
  const accessor<int> late = made_of(buffer<int>(v));
  EXPECT_SAYS(invalid, "after its end", use(late));
  EXPECT(v[n] == 1);
}

static void check_order(sycl::queue &q) {
  const std::size_t n = stride(q);
  buffer<int> b(4 * n);
  buffer<int> low(b, 0, 2 * n), high(b, 2 * n, 2 * n), middle(b, n, 2 * n);
  {
    host_accessor whole(b, sycl::write_only);
    for (int &x : whole) {
      x = 0;
    }
  }
  sycl::event after;
  {
    host_accessor held(high);
    add(q, low, 1).wait();  // never ends if it waits for the other half
    after = add(q, middle, 10);
    EXPECT(after.get_info<sycl::info::event::command_execution_status>() ==
           sycl::info::event_command_status::submitted);
    {
      buffer<int> first(b, 0, n);
      host_accessor beside(first, sycl::read_only);
      EXPECT(beside[0] == 1);
    }
    held[0] = 5;
    held[2 * n - 1] = 6;
  }
  after.wait();
  host_accessor all(b, sycl::read_only);
  EXPECT(all[0] == 1 && all[n] == 11 && all[2 * n] == 15 && all[3 * n] == 0 && all[4 * n - 1] == 6);
}

static void check_host_tasks(sycl::queue &q) {
  const std::size_t n = stride(q);
  buffer<int> b(2 * n);
  buffer<int> low(b, 0, n), high(b, n, n);
  std::atomic<bool> go{false};
  q.submit([&](handler &h) {
    accessor a(low, h, sycl::write_only_host_task);
    h.host_task([=, &go] {
      while (!go) {
        std::this_thread::yield();
      }
      a[0] = 1;
    });
  });
  q.submit([&](handler &h) {
    accessor a(high, h, sycl::write_only);
    h.single_task([=] { a[0] = 2; });
  });
  EXPECT(host_accessor(high)[0] == 2);
  go = true;
  host_accessor all(b);
  EXPECT(all[0] == 1 && all[n] == 2);
}

static void check_context_bound(sycl::queue &q) {
  sycl::context mine = q.get_context();
  buffer<int> b(8, {sycl::property::buffer::context_bound(mine)});
  EXPECT(b.get_property<sycl::property::buffer::context_bound>().get_context() == mine);
  add(q, b, 0).wait();
  sycl::queue near(sycl::context(q.get_device()), q.get_device());  // of the same device
  add(near, b, 0).wait();
  if (q.get_device().get_info<sycl::info::device::partition_max_sub_devices>() < 2) {
    return;
  }
  const auto parts =
      q.get_device().create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  b = buffer<int>(8, {sycl::property::buffer::context_bound(sycl::context(parts[0]))});
  accessor placeholder(b);
  q.submit([&](handler &h) {
    EXPECT_SAYS(invalid, "context_bound", accessor(b, h));
    EXPECT_SAYS(invalid, "context_bound", h.require(placeholder));
  });
  buffer<int> part(b, 0, 4);
  q.submit([&](handler &h) { EXPECT_SAYS(invalid, "context_bound", accessor(part, h)); });
  EXPECT_ERRC(invalid, q.submit([&](handler &h) { accessor a(part, h); }));
}

int main() {
  sycl::queue q;
  check_refusals(q);
  check_values(q);
  check_lifetime(q);
  check_late_accessors(q);
  check_order(q);
  check_host_tasks(q);
  check_context_bound(q);
  q.wait_and_throw();
  return failures;
}
